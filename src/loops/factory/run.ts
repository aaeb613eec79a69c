// Runs one work order: preflight, then the graph with a checkpoint after every node. Whatever ends it, the repository
// is either as it was or holds the accepted change; a run that was killed is brought to one of the two by the next.
import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { AtomsmithError, toAtomsmithError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import { type Position, runGraph } from "../../engine/index.ts";
import { turnLogOver } from "../../llm/turns.ts";
import type { RunContext } from "../../run/context.ts";
import { RunStore, takeLock, writeFileAtomic } from "../../store/index.ts";
import { Artifacts, readSummary } from "./artifacts.ts";
import { createAsk, usageOf } from "./ask.ts";
import { CommandRunner } from "./commands.ts";
import { FACTORY_LOOP, factoryEmit } from "./events.ts";
import { factoryGraph, resumeAt } from "./graph.ts";
import { configHash, type RunSettings, runId } from "./identity.ts";
import { keepJournal } from "./journal.ts";
import type { OrderFile } from "./order-file.ts";
import { placeOf } from "./paths.ts";
import { checkBranch } from "./repo/branch.ts";
import { copyGuarded } from "./repo/guard.ts";
import { removeStateDir } from "./repo/marker.ts";
import {
  type Baseline,
  isInside,
  openRepository,
  type Repository,
  readBaseline,
  refuseOtherSpelling,
} from "./repo/repository.ts";
import { recover } from "./repo/rollback.ts";
import { bytesOf } from "./repo/snapshot.ts";
import { finishAccepted, Transaction } from "./repo/transaction.ts";
import { readRun, renderFactoryPage } from "./report.ts";
import type { RunSummary } from "./schemas.ts";
import type { FactoryServices } from "./services.ts";
import { type FactoryState, factoryStateSchema, firstState } from "./state.ts";
import { chooseVerification } from "./verification.ts";

export interface FactoryRequest {
  /** Absolute, as all paths. */
  repo: string;
  order: OrderFile;
  out: string;
  /** Branch for the accepted change; null leaves it in the work tree. */
  commit: string | null;
  /** Removes what commands changed beside the accepted files; for a series of orders. */
  removeDrift: boolean;
  /** Told as soon as the run has a name, before anything is asked or written. */
  onRunId?(runId: string): Promise<void>;
}

export interface FactoryResult {
  summary: RunSummary;
  runDir: string;
  /** The run was finished before; nothing was asked, written or changed. */
  shown: boolean;
}

/** The settings of a run from the configuration. Throws kind `usage` when no model is named. */
export function settingsOf({ config }: RunContext): RunSettings {
  const { model, temperature = 0 } = config.llm.factory;
  const { max_attempts, timeout_seconds, verify } = config.loops.factory;
  if (model === undefined) {
    throw new AtomsmithError("usage", "no model is named", {
      hint: "use --llm-model NAME or set llm.factory.model",
    });
  }
  return { model, temperature, maxAttempts: max_attempts, timeoutSeconds: timeout_seconds, verify };
}

/** Runs one order. Throws kind `usage` when preflight refuses (nothing was changed), and what interrupted the run
 * (everything was rolled back; the same request goes on). */
export async function runOrder(request: FactoryRequest, run: RunContext): Promise<FactoryResult> {
  const repository = await openRepository(request.repo, run.env);
  refuseOutInside(repository, request.out);
  const lock = await takeLock(join(repository.stateDir, "lock"), `the repository ${repository.root}`);
  try {
    return await runLocked(request, repository, run);
  } finally {
    await lock.release();
    await removeStateDir(repository);
  }
}

export function refuseOutInside(repository: Repository, out: string): void {
  if (!isInside(repository, out)) return;
  throw new AtomsmithError("usage", `the folder for results is inside the repository: ${out}`, {
    where: out,
    hint: "name one outside with --out DIR",
  });
}

async function runLocked(
  request: FactoryRequest,
  repository: Repository,
  run: RunContext,
): Promise<FactoryResult> {
  const settings = settingsOf(run);
  const before = await endInterrupted(request, settings, repository, run);
  if (before) return before;
  const baseline = await readBaseline(repository);
  const { order, hash } = request.order;
  checkPaths(request.order, repository, baseline);
  const branch =
    request.commit === null ? null : await checkBranch(repository, request.commit, baseline.commit);
  const verification = chooseVerification(repository, baseline, settings.verify, order.allowed_files);
  const id = runId(hash, baseline.treeHash, configHash(settings));
  const runDir = join(request.out, id);
  const finished = await readSummary(runDir);
  if (finished) return { summary: finished, runDir, shown: true };
  await request.onRunId?.(id);
  await mkdir(runDir, { recursive: true });
  const store = await RunStore.open(
    join(runDir, ".store"),
    { loop: FACTORY_LOOP, id },
    retentionOf(run),
    run.redact,
  );
  const emit = factoryEmit(run.bus, order.id);
  const journal = keepJournal(run.bus, order.id, store);
  const turns = turnLogOver(store.turns);
  const commands = new CommandRunner({
    root: repository.root,
    runDir,
    timeoutSeconds: settings.timeoutSeconds,
    jail: run.config.loops.factory.jail,
    network: run.config.loops.factory.network,
    redact: run.redact,
    emit,
  });
  const purpose = {
    run_id: id,
    run_dir: await realpath(runDir),
    work_order_hash: hash,
    config_hash: configHash(settings),
    baseline: baseline.commit,
  };
  const guard = await copyGuarded(repository);
  const services: FactoryServices = {
    order,
    settings,
    repository,
    baseline,
    verification,
    transaction: new Transaction(repository, { ...baseline, guard }, purpose),
    artifacts: new Artifacts(runDir, run.redact),
    commands,
    ask: createAsk({ run, turns, emit, subject: order.id, root: repository.root }),
    branch,
    removeDrift: request.removeDrift,
    emit,
    redact: run.redact,
    facts: () => {
      const { calls, input_tokens, output_tokens, cost_usd } = usageOf(turns);
      return {
        repo_path: repository.root,
        work_order_path: request.order.path,
        work_order_hash: hash,
        repo_tree_hash_before: baseline.treeHash,
        max_attempts: settings.maxAttempts,
        jail: commands.level,
        usage: { calls, input_tokens, output_tokens, cost_usd },
      };
    },
    now: () => new Date().toISOString(),
  };
  const began = performance.now();
  const end = (status: "pass" | "fail" | "error" | "interrupted", message: string): void =>
    emit({
      type: "order_finished",
      run_id: id,
      status,
      message,
      duration_ms: Math.round(performance.now() - began),
    });
  try {
    const position = await whereToBegin(store, services, id);
    emit({ type: "order_started", run_id: id, title: order.title, continued: position.state.attempt > 0 });
    await services.artifacts.json("work_order.json", order);
    await walk(position, services, store, run, journal.throwIfFailed);
    const summary = await readSummary(runDir);
    if (summary === undefined) throw new AtomsmithError("internal", `run ${id} ended without a summary`);
    await writeFileAtomic(join(runDir, "report.html"), renderFactoryPage(await readRun(runDir)), {
      flush: false,
    });
    end(summary.verdict === "PASS" ? "pass" : "fail", summary.ended_stage);
    return { summary, runDir, shown: false };
  } catch (thrown) {
    const error = run.signal.aborted || run.pause?.aborted ? interruption(run) : toAtomsmithError(thrown);
    await giveUp(services, error);
    end(error.kind === "interrupted" ? "interrupted" : "error", error.message);
    throw error;
  } finally {
    journal.stop();
    await store.close();
  }
}

/** Refuses paths that lead out of the work tree, into a submodule, or to another file than they are spelled. */
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

/** What git tracks as one entry although it is a folder is another repository. */
function submoduleProblem(path: string, { tracked }: Baseline): string | undefined {
  const parts = path.split("/");
  const above = parts.slice(1).map((_, index) => parts.slice(0, index + 1).join("/"));
  const found = above.find((folder) => tracked.has(bytesOf(folder)));
  return found === undefined ? undefined : `${path} is in the submodule ${found}`;
}

/** Brings back or finishes what a killed run left. Returns the result when it was this very run, and accepted. */
async function endInterrupted(
  request: FactoryRequest,
  settings: RunSettings,
  repository: Repository,
  run: RunContext,
): Promise<FactoryResult | undefined> {
  const found = await recover(repository);
  const tell = (message: string): void => run.bus.emit({ type: "log", level: "warning", message });
  if (found.found === "rolled_back") {
    const saved = found.rescued === null ? "" : `; what was not its own is saved in ${found.rescued}`;
    tell(`the interrupted run ${found.runId} was rolled back${saved}`);
  }
  if (found.found !== "passed") return undefined;
  const { marker } = found;
  await finishAccepted(repository, marker);
  const same = marker.work_order_hash === request.order.hash && marker.config_hash === configHash(settings);
  if (
    same &&
    marker.passed &&
    (await realpath(marker.run_dir)) === (await realpath(join(request.out, marker.run_id)).catch(() => ""))
  ) {
    return { summary: marker.passed.summary, runDir: marker.run_dir, shown: true };
  }
  tell(`the interrupted run ${marker.run_id} had passed and was finished: ${marker.run_dir}`);
  return undefined;
}

/** The start, or the node at which a run was interrupted. */
async function whereToBegin(
  store: RunStore,
  { commands, now }: FactoryServices,
  id: string,
): Promise<Position<FactoryState>> {
  const checkpoint = await store.loadCheckpoint();
  if (checkpoint === undefined) return { node: factoryGraph.start, state: firstState(id, now()) };
  const read = factoryStateSchema.safeParse(checkpoint.state);
  if (!read.success) return { node: factoryGraph.start, state: firstState(id, now()) };
  if (read.data.jail) commands.noteLevel(read.data.jail);
  return { node: resumeAt(checkpoint.stage), state: read.data };
}

async function walk(
  from: Position<FactoryState>,
  services: FactoryServices,
  store: RunStore,
  run: RunContext,
  throwIfFailed: () => void,
): Promise<void> {
  const { emit } = services;
  const checkpoint = async ({ node, state }: Position<FactoryState>): Promise<void> => {
    throwIfFailed();
    const id = await store.saveCheckpoint(node, { ...state, proposal: null } as unknown as JsonObject);
    emit({ type: "checkpoint", id, stage: node });
  };
  await checkpoint(from);
  await runGraph(factoryGraph, from, services, {
    signal: run.signal,
    ...(run.pause ? { pause: run.pause } : {}),
    checkpoint,
    // A node stops when its command has ended; nothing else may touch the work tree before.
    graceMs: services.settings.timeoutSeconds * 1000,
    onEnter: ({ node, state }) =>
      emit({ type: "stage_started", stage: node, iteration: Math.max(1, state.attempt) }),
    onLeave: ({ node, state }, next, ms) =>
      emit({
        type: "stage_finished",
        stage: node,
        iteration: Math.max(1, state.attempt),
        next: next ?? "",
        duration_ms: Math.round(ms),
      }),
  });
}

/** Rolls back whatever an interrupted or broken attempt wrote. */
async function giveUp({ transaction, emit }: FactoryServices, error: AtomsmithError): Promise<void> {
  if (!transaction.isOpen || transaction.isAccepted) return;
  try {
    const left = await transaction.rollBack();
    emit({ type: "rolled_back", attempt: 0, drift: left.length });
  } catch (failure) {
    const { message, details } = toAtomsmithError(failure);
    throw new AtomsmithError("store", `${error.message}; and the rollback failed: ${message}`, {
      ...(details.hint === undefined ? {} : { hint: details.hint }),
      cause: failure,
    });
  }
}

function interruption({ signal, pause }: RunContext): AtomsmithError {
  const reason: unknown = signal.aborted ? signal.reason : pause?.reason;
  return reason instanceof AtomsmithError ? reason : new AtomsmithError("interrupted", "interrupted");
}

export function retentionOf({ config }: RunContext): { maxCheckpointsPerHour: number; keepHours: number } {
  return { maxCheckpointsPerHour: config.cache.max_checkpoints_per_hour, keepHours: config.cache.keep_hours };
}
