// Runs the orders of a folder one after the other, one commit each on one branch. The progress is stored in one file, so
// that the same command resumes after a kill.
import { join } from "node:path";
import { canonicalJson } from "../../core/canonical.ts";
import { AtomsmithError } from "../../core/errors.ts";
import { sha256 } from "../../core/hash.ts";
import type { RunContext } from "../../run/context.ts";
import { readTextIfAny, writeFileAtomic } from "../../store/atomic.ts";
import { readSummary } from "./artifacts.ts";
import { type RunAllProgress, runAllSchema } from "./documents.ts";
import { configHash } from "./identity.ts";
import type { OrderFile } from "./order-file.ts";
import { refuseOutInside, settingsOf } from "./preflight.ts";
import { openRepository } from "./repo/repository.ts";
import { runOrder } from "./run.ts";

export const RUN_ALL_FILE = "run_all.json";

export interface RunAllRequest {
  repo: string;
  orders: readonly OrderFile[];
  out: string;
  commit: string;
}

/** Runs orders until one fails. Throws errors of `runOrder`; orders that passed are kept. */
export async function runAll(request: RunAllRequest, run: RunContext): Promise<RunAllProgress> {
  const repository = await openRepository(request.repo, run.env);
  refuseOutInside(repository, request.out);
  const path = join(request.out, RUN_ALL_FILE);
  const branch = request.commit.replace(/^(?:refs\/)?heads\//, "");
  let progress = await readProgress(path, {
    key: sha256(
      canonicalJson([
        request.orders.map(({ hash }) => hash),
        repository.root,
        branch,
        configHash(settingsOf(run)),
      ]),
    ),
    branch,
    repo_path: repository.root,
    orders: request.orders.map(({ order, hash }) => ({
      id: order.id,
      work_order_hash: hash,
      run_id: null,
      verdict: null,
      commit: null,
    })),
  });
  const note = async (index: number, change: Partial<RunAllProgress["orders"][number]>): Promise<void> => {
    const orders = progress.orders.map((order, at) => (at === index ? { ...order, ...change } : order));
    progress = { ...progress, orders };
    await writeFileAtomic(path, `${JSON.stringify(progress, null, 2)}\n`);
  };
  for (const [index, order] of request.orders.entries()) {
    run.bus.emit({ type: "progress", what: "items", done: index, total: request.orders.length });
    const known = progress.orders[index];
    if (known?.verdict === "PASS") continue;
    // Finished by a process that was killed before it recorded that.
    const before = known?.run_id ? await readSummary(join(request.out, known.run_id)) : undefined;
    const summary =
      before ??
      (
        await runOrder(
          {
            repo: request.repo,
            order,
            out: request.out,
            commit: request.commit,
            removeDrift: true,
            onRunId: (run_id) => note(index, { run_id }),
          },
          run,
        )
      ).summary;
    const passed = summary.verdict === "PASS";
    const commit = passed ? (await repository.git.read(["rev-parse", "HEAD"])).text : null;
    await note(index, { run_id: summary.run_id, verdict: summary.verdict, commit });
    if (!passed) break;
  }
  return progress;
}

/** The progress of this request, or a new one. Throws kind `usage` if the folder belongs to another request. */
async function readProgress(path: string, fresh: RunAllProgress): Promise<RunAllProgress> {
  const text = await readTextIfAny(path);
  if (text === undefined) return fresh;
  const read = runAllSchema.safeParse(parse(text));
  if (read.success && read.data.key === fresh.key) return read.data;
  throw new AtomsmithError(
    "usage",
    `${path} belongs to other work orders, another repository or other settings`,
    {
      where: path,
      hint: "choose another folder with --out",
    },
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
