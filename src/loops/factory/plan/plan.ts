// A model writes work orders; the program checks them, returns all problems to the model, and writes them once they are
// valid.

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { readJsonReply } from "../../../conversation/json-reply.ts";
import { canonicalJson } from "../../../core/canonical.ts";
import { AtomsmithError } from "../../../core/errors.ts";
import { sha256 } from "../../../core/hash.ts";
import type { JsonObject } from "../../../core/json.ts";
import { count } from "../../../core/words.ts";
import { turnLogOver } from "../../../llm/turns.ts";
import type { RunContext } from "../../../run/context.ts";
import {
  exists,
  type FileToWrite,
  RunStore,
  readTextIfAny,
  storeError,
  writeFilesAtomic,
} from "../../../store/index.ts";
import { createAsk } from "../ask.ts";
import { retentionOf } from "../carry-out.ts";
import type { PlanProblem, PlanResult } from "../documents.ts";
import { FACTORY_LOOP, factoryEmit } from "../events.ts";
import { keepJournal } from "../journal.ts";
import { settingsOf } from "../preflight.ts";
import { planMessages, planRepair } from "../prompt.ts";
import { openRepository } from "../repo/repository.ts";
import { textOf } from "../repo/snapshot.ts";
import { type WorkOrder, workOrderSchema } from "../schemas.ts";
import { checkPlan } from "./check.ts";
import { pythonProblem } from "./python.ts";

/** Maximum number of replies: the first and five repairs. */
const MAX_REPLIES = 6;
const MAX_SPEC_BYTES = 200 * 1024;
/** Maximum number of file names shown to the model. */
const MAX_SHOWN_FILES = 2_000;

export interface PlanRequest {
  spec: string;
  out: string;
  /** Null if there is no repository yet. */
  repo: string | null;
}

const anyObject = z.record(z.string(), z.unknown());
const FORMAT = {
  name: "work_orders",
  schema: z.toJSONSchema(z.strictObject({ work_orders: z.array(workOrderSchema) })) as JsonObject,
};

/** Writes `OUT/WO-NN.json`. Throws kind `usage` for an unusable specification or folder. */
export async function writePlan(request: PlanRequest, run: RunContext): Promise<PlanResult> {
  const settings = settingsOf(run);
  const spec = await readSpec(request.spec);
  const files = request.repo === null ? null : await filesOf(request.repo, run);
  const subject = `plan-${sha256(canonicalJson([spec, files, settings.model, settings.temperature])).slice(0, 12)}`;
  await refuseOther(request.out, subject);
  const store = await RunStore.open(
    join(request.out, ".store"),
    { loop: FACTORY_LOOP, id: subject },
    retentionOf(run),
    run.redact,
  );
  const emit = factoryEmit(run.bus, subject);
  const journal = keepJournal(run.bus, subject, store);
  try {
    const ask = createAsk({
      run,
      turns: turnLogOver(store.turns),
      emit,
      subject,
      root: request.repo ?? request.out,
    });
    const dialogue = ask({
      stage: "plan",
      iteration: 1,
      messages: planMessages(spec, files?.slice(0, MAX_SHOWN_FILES) ?? null),
      format: FORMAT,
      signal: run.pause ? AbortSignal.any([run.signal, run.pause]) : run.signal,
    });
    let problems: PlanProblem[] = [];
    for (let replies = 1; replies <= MAX_REPLIES; replies += 1) {
      const reply = await dialogue.next();
      const read = reply.ok ? readJsonReply(reply.text, anyObject) : reply;
      const checked = read.ok
        ? await checkPlan(read.value, new Set(files), pythonProblem)
        : { orders: [], problems: [{ code: "E000", id: null, message: read.problem }] };
      if (checked.problems.length === 0) {
        return {
          verdict: "PASS",
          replies,
          files: await writeOrders(request.out, checked.orders),
          problems: [],
        };
      }
      problems = checked.problems;
      emit({ type: "log", level: "info", message: `plan ${replies}: ${count(problems.length, "problem")}` });
      dialogue.say(
        planRepair(problems.map(({ code, id: order, message }) => `${code} ${order ?? "-"}: ${message}`)),
      );
    }
    return { verdict: "FAIL", replies: MAX_REPLIES, files: [], problems };
  } finally {
    journal.stop();
    await store.close();
  }
}

async function readSpec(path: string): Promise<string> {
  const bytes = await readFile(path).catch((error: unknown) => {
    throw storeError(error, path);
  });
  const refuse = (problem: string): AtomsmithError =>
    new AtomsmithError("usage", `the specification ${problem}: ${path}`, { where: path });
  if (bytes.byteLength > MAX_SPEC_BYTES) throw refuse(`is longer than ${MAX_SPEC_BYTES} bytes`);
  const text = bytes.toString("utf8");
  if (text.trim() === "" || text.includes("\0")) throw refuse("is empty or not text");
  return text;
}

/** Files of the repository at HEAD, sorted. */
async function filesOf(repo: string, run: RunContext): Promise<string[]> {
  const { git } = await openRepository(repo, run.env);
  return (await git.list(["ls-files", "-z"])).map(textOf).sort();
}

/** Refuses a folder with work orders of another plan; those of this plan may already be there. */
async function refuseOther(out: string, id: string): Promise<void> {
  const names = await readdir(out).catch(() => [] as string[]);
  const other = names.find((name) => name.endsWith(".json"));
  if (other !== undefined && !(await exists(join(out, ".store", FACTORY_LOOP, id)))) throw mixed(out, other);
}

/** Writes all orders or none. */
async function writeOrders(out: string, orders: readonly WorkOrder[]): Promise<string[]> {
  const files: FileToWrite[] = orders.map((order) => ({
    path: join(out, `${order.id}.json`),
    data: `${JSON.stringify(order, null, 2)}\n`,
  }));
  for (const name of await readdir(out)) {
    const text = name.endsWith(".json") ? await readTextIfAny(join(out, name)) : undefined;
    if (text === undefined) continue;
    if (files.every(({ path, data }) => path !== join(out, name) || data !== text)) throw mixed(out, name);
  }
  await writeFilesAtomic(files);
  return files.map(({ path }) => path);
}

function mixed(out: string, name: string): AtomsmithError {
  return new AtomsmithError("usage", `${out} contains ${name}, which belongs to another plan`, {
    where: out,
    hint: "name an empty folder with --out DIR",
  });
}
