// Checks the preconditions of a run. Changes nothing.
import { join } from "node:path";
import { AtomsmithError } from "../../core/errors.ts";
import type { RunContext } from "../../run/context.ts";
import { configHash, type RunSettings, runId } from "./identity.ts";
import type { OrderFile } from "./order-file.ts";
import { placeOf } from "./paths.ts";
import { checkBranch } from "./repo/branch.ts";
import {
  type Baseline,
  isInside,
  type Repository,
  readBaseline,
  refuseOtherSpelling,
} from "./repo/repository.ts";
import { bytesOf } from "./repo/snapshot.ts";
import type { Verification } from "./services.ts";
import { chooseVerification } from "./verification.ts";

export interface FactoryRequest {
  /** Absolute, as all paths. */
  repo: string;
  order: OrderFile;
  out: string;
  /** Branch for the accepted change; null: leave it in the work tree. */
  commit: string | null;
  /** Remove changes of commands to other files; for a series of orders. */
  removeDrift: boolean;
  /** Called as soon as the run id is known, before anything is requested or written. */
  onRunId?(runId: string): Promise<void>;
}

/** A run whose preconditions hold. */
export interface Prepared {
  request: FactoryRequest;
  repository: Repository;
  settings: RunSettings;
  baseline: Baseline;
  verification: Verification;
  branch: string | null;
  id: string;
  runDir: string;
}

/** The settings of a run from the configuration. Throws kind `usage` if no model is configured. */
export function settingsOf({ config }: RunContext): RunSettings {
  const { model, temperature = 0 } = config.llm.factory;
  const { max_attempts, timeout_seconds, verify } = config.loops.factory;
  if (model === undefined) {
    throw new AtomsmithError("usage", "no model is configured", {
      hint: "use --llm-model NAME or set llm.factory.model",
    });
  }
  return { model, temperature, maxAttempts: max_attempts, timeoutSeconds: timeout_seconds, verify };
}

/** Throws kind `usage` if the repository, the order or the branch does not allow a run. */
export async function preflight(
  request: FactoryRequest,
  repository: Repository,
  run: RunContext,
): Promise<Prepared> {
  const settings = settingsOf(run);
  const { order, hash } = request.order;
  const baseline = await readBaseline(repository);
  checkPaths(request.order, repository, baseline);
  const branch =
    request.commit === null ? null : await checkBranch(repository, request.commit, baseline.commit);
  const verification = chooseVerification(repository, baseline, settings.verify, order.allowed_files);
  const id = runId(hash, baseline.treeHash, configHash(settings));
  const runDir = join(request.out, id);
  return { request, repository, settings, baseline, verification, branch, id, runDir };
}

export function refuseOutInside(repository: Repository, out: string): void {
  if (!isInside(repository, out)) return;
  throw new AtomsmithError("usage", `the output folder is inside the repository: ${out}`, {
    where: out,
    hint: "choose a folder outside with --out DIR",
  });
}

/** Rejects paths that lead out of the work tree, into a submodule, or to a file with a different spelling. */
function checkPaths({ order }: OrderFile, repository: Repository, baseline: Baseline): void {
  const paths = [...order.allowed_files, ...order.context_files];
  for (const path of paths) {
    const place = placeOf(repository.root, path);
    const problem = place.ok ? submoduleProblem(path, baseline) : place.problem;
    if (problem !== undefined)
      throw new AtomsmithError("usage", `work order ${order.id}: ${problem}`, { where: path });
  }
  refuseOtherSpelling(repository, baseline, paths);
}

/** A folder that git tracks as one entry is a submodule. */
function submoduleProblem(path: string, { tracked }: Baseline): string | undefined {
  const parts = path.split("/");
  const above = parts.slice(1).map((_, index) => parts.slice(0, index + 1).join("/"));
  const submodule = above.find((folder) => tracked.has(bytesOf(folder)));
  return submodule === undefined ? undefined : `${path} is in the submodule ${submodule}`;
}
