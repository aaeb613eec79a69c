// Runs one item through its graph: takes the item's lock, finds the starting stage (the first, the one of the last
// checkpoint, or the one the user names), checkpoints after every stage, and turns the outcome or error into a
// result.
import type { ItemEventBody } from "../../contract/item-events.ts";
import { AtomsmithError, toAtomsmithError } from "../../core/errors.ts";
import { hashJson } from "../../core/hash.ts";
import type { JsonObject } from "../../core/json.ts";
import { type LimitReached, type Position, runGraph } from "../../engine/index.ts";
import { turnLogOver } from "../../llm/turns.ts";
import type { ItemSpec } from "../../spec/types.ts";
import type { RunWriter } from "../../store/index.ts";
import { createItemEmit, ITEM_LOOP } from "./events.ts";
import { hashOfLogs, observedLogs } from "./evidence.ts";
import { itemGraph } from "./graph.ts";
import { HiddenPaths } from "./hidden.ts";
import { dropErrorLogs, openItemStore } from "./item-store.ts";
import { OutputStore } from "./output-store.ts";
import { readSpecBytes } from "./prepare.ts";
import type { ItemRequest } from "./request.ts";
import { failedResult, finishedResult, type ItemResult } from "./result.ts";
import { startingPosition } from "./resume.ts";
import type { RunServices } from "./run-services.ts";
import type { ItemServices } from "./services.ts";
import type { Stage } from "./stages.ts";
import type { ItemState } from "./state.ts";

/** Runs one item. Errors of the item become a result with status `error`. Throws kind `usage` when another process
 * has the item's lock, or when the user's request cannot be carried out. */
export async function runItem(request: ItemRequest, run: RunServices): Promise<ItemResult> {
  const startedAt = performance.now();
  const { config, bus } = run;
  const dryRun = request.dryRun === true;
  const retention = {
    maxCheckpointsPerHour: config.cache.max_checkpoints_per_hour,
    keepHours: config.cache.keep_hours,
  };
  const { fleet } = request;
  const store = fleet
    ? await fleet.openStore(retention, run.llm.redact)
    : await openItemStore(config.paths.cache_dir, request.itemId, retention, run.llm.redact);
  const output = await openOutput(config.paths.output_dir, request, store);
  const journal = openJournal(run, store, request.itemId);
  const emit = createItemEmit(bus, request.itemId);
  emit({ type: "item_started", reason: request.reason });
  let services: ItemServices | undefined;
  let last: ItemState | undefined;
  let lateStage = false;
  let result: ItemResult;
  try {
    const settingsHash = hashJson([run.authorSettings, run.promptsSha256]);
    const { position, fresh, ended } = await startingPosition(request, run, store, output, settingsHash);
    last = position.state;
    if (fresh) {
      await store.turns.setAside();
      await dropErrorLogs(store);
    }
    const author = run.author(turnLogOver(store.turns, fleet?.portable));
    const finished = ({ node, state }: { node: string; state: ItemState }): ItemResult => {
      const status = node === "done" ? "accepted" : "human_required";
      return finishedResult(
        status,
        state,
        output.dir,
        dryRun ? undefined : output.reportFile,
        author.usage(),
        performance.now() - startedAt,
      );
    };
    if (ended) {
      // Repeat the stored result; no stage runs and no model is called.
      result = finished(position);
    } else {
      services = {
        config,
        author,
        promptsSha256: run.promptsSha256,
        sandbox: await run.sandbox(),
        reader: run.reader,
        store,
        output,
        dryRun,
        emit,
        hidden: await (request.hidden ?? new HiddenPaths(config, run.ownFiles ?? [])).listFor(
          request.specPath,
        ),
        gateSlots: run.gateSlots,
        proofs: run.proofs,
        redact: run.llm.redact,
        commandFlags: run.commandFlags,
        listing: run.listing,
        now: () => new Date().toISOString(),
      };
      const saveCheckpoint = async (at: Position<ItemState>, isLast = false): Promise<void> => {
        last = { ...at.state, current_stage: at.node as Stage, updated_at: new Date().toISOString() };
        journal.throwIfFailed();
        const id = await store.saveCheckpoint(at.node, last as unknown as JsonObject, isLast);
        last.checkpoint_id = id;
        at.state.checkpoint_id = id;
        emit({ type: "checkpoint", id, stage: at.node });
      };
      const end = await runWithLimits(
        await revalidateChangedLogs(position, services),
        services,
        run,
        (at) => saveCheckpoint(at),
        () => {
          lateStage = true;
        },
      );
      // After a dry run the checkpoint before the final stage stays the last, so the next run executes that stage.
      if (!dryRun) {
        await saveCheckpoint({ node: end.node, state: { ...end.state, finished: true } }, true);
        if (end.node === "done" && config.cache.cleanup_on_success) await store.dropHistory();
      }
      result = finished(end);
    }
  } catch (thrown) {
    const error =
      run.signal.aborted || run.pause?.aborted ? interruption(run, thrown) : toAtomsmithError(thrown);
    result = failedResult(request.itemId, error, output.dir, {
      state: last,
      usage: services?.author.usage(),
      ms: performance.now() - startedAt,
    });
  }
  emit(finishedEvent(result));
  journal.stop();
  // A stage that ignored its signal may still be running: the item stays locked while this process lives.
  await output.close({ keepLock: lateStage });
  await store.close({ keepLock: lateStage });
  return result;
}

/** Sends an item that is ready to be accepted (after a dry run or a crash) back to validation when its logs
 * changed. */
async function revalidateChangedLogs(
  position: Position<ItemState>,
  services: ItemServices,
): Promise<Position<ItemState>> {
  const { node, state } = position;
  if (node !== "done" || state.gated_on === null) return position;
  const logs = await observedLogs(state, services);
  if (hashOfLogs(logs, state.search_root) === state.gated_on) return position;
  // An attempt proved on other logs is not a best attempt, and its rounds do not count.
  const fresh: ItemState = { ...state, best: null, iteration_base: state.iteration_count };
  return { node: "validate", state: { ...fresh, current_stage: "validate" } };
}

/** Opens the output folder under its own lock: a process with another cache may write the same item. */
async function openOutput(outputDir: string, request: ItemRequest, store: RunWriter): Promise<OutputStore> {
  let output: OutputStore | undefined;
  try {
    output = await OutputStore.open(outputDir, request.itemId, request.fleet?.lease);
    const page = { path: request.specPath, sha256: request.specSha256 };
    if (request.dryRun !== true) await output.markOutdated(page, new Date().toISOString());
    return output;
  } catch (error) {
    await output?.close();
    await store.close();
    throw error;
  }
}

/** Runs the graph under the limits of the configuration. Throws kind `limit` when one is reached. */
async function runWithLimits(
  position: Position<ItemState>,
  services: ItemServices,
  run: RunServices,
  checkpoint: (position: Position<ItemState>) => Promise<void>,
  onLeftBehind: () => void,
): Promise<{ node: string; state: ItemState }> {
  const item = position.state.item_id;
  const { execution } = run.config;
  await checkpoint(position);
  const end = await runGraph(itemGraph, position, services, {
    signal: run.signal,
    ...(run.pause ? { pause: run.pause } : {}),
    checkpoint,
    onLeftBehind: onLeftBehind,
    limits: { nodeMs: execution.timeout_per_stage * 1000, totalMs: execution.timeout_total * 1000 },
    onEnter: ({ node: stage, state }) =>
      services.emit({ type: "stage_started", stage, iteration: iterationOf(stage, state, false) }),
    onLeave: ({ node: stage, state }, next, ms) =>
      services.emit({
        type: "stage_finished",
        stage,
        iteration: iterationOf(stage, state, true),
        next: next ?? "",
        duration_ms: Math.round(ms),
      }),
  });
  if (end.end === "finished") return end;
  throw limitError(end.reached, item);
}

/** Number of the attempt that a stage works on, from 1. Final stages report the last attempt that reached the gates;
 * when `validate` is left, its attempt is already counted. */
function iterationOf(stage: string, state: ItemState, left: boolean): number {
  const counted = stage === "done" || stage === "human_required" || (left && stage === "validate");
  return counted ? Math.max(1, state.iteration_count) : state.iteration_count + 1;
}

function limitError(reached: LimitReached, itemId: string): AtomsmithError {
  const key = reached.limit === "node_ms" ? "execution.timeout_per_stage" : "execution.timeout_total";
  return new AtomsmithError(
    "limit",
    `stage ${reached.node} of ${itemId} exceeded the limit ${key} (${reached.value / 1000} s)`,
    {
      where: itemId,
      retryable: true,
      hint: `the next run resumes there; -c ${key}=SECONDS raises the limit`,
    },
  );
}

function interruption(run: RunServices, thrown: unknown): AtomsmithError {
  if (thrown instanceof AtomsmithError && thrown.kind === "interrupted") return thrown;
  const reason: unknown = run.signal.aborted ? run.signal.reason : run.pause?.reason;
  return reason instanceof AtomsmithError ? reason : new AtomsmithError("interrupted", "interrupted");
}

function finishedEvent(result: ItemResult): ItemEventBody {
  const interrupted = result.error?.kind === "interrupted";
  return {
    type: "item_finished",
    status: interrupted ? "interrupted" : result.status,
    ...(result.error ? { message: result.error.message } : {}),
    duration_ms: result.duration_ms,
  };
}

/** Writes the item's events to its journal. A write error must not reach the emitter: the next checkpoint throws
 * it. */
function openJournal(run: RunServices, store: RunWriter, itemId: string) {
  let failure: unknown;
  const stop = run.bus.subscribe((event) => {
    if (event.loop !== ITEM_LOOP || event.subject !== itemId) return;
    if (event.type === "model_delta" || event.type === "progress" || failure !== undefined) return;
    try {
      store.record(event);
    } catch (error) {
      failure = error;
    }
  });
  return {
    stop,
    throwIfFailed(): void {
      if (failure !== undefined) throw failure;
    },
  };
}

/** Reads a page for its id and hash, before anything is stored. Throws kinds `usage` and `spec`. */
export async function identifySpec(
  path: string,
): Promise<{ itemId: string; sha256: string; spec: ItemSpec }> {
  const { parseItemSpec } = await import("../../spec/index.ts");
  const { checkProblems } = await import("../../runtime/check-block.ts");
  const spec = parseItemSpec(await readSpecBytes(path), path, checkProblems);
  return { itemId: spec.id, sha256: spec.sha256, spec };
}
