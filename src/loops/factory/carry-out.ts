// Executes a prepared run: the graph with a checkpoint after every node, from its start or from the interrupted node.
import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { AtomsmithError, toAtomsmithError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import { type Position, runGraph } from "../../engine/index.ts";
import { type TurnLog, turnLogOver } from "../../llm/turns.ts";
import type { RunContext } from "../../run/context.ts";
import { commandJail } from "../../run/jail.ts";
import { RunStore, writeFileAtomic } from "../../store/index.ts";
import { Artifacts, readSummary } from "./artifacts.ts";
import { createAsk, usageOf } from "./ask.ts";
import { CommandRunner } from "./commands.ts";
import { FACTORY_LOOP, factoryEmit } from "./events.ts";
import { factoryGraph, resumeAt } from "./graph.ts";
import { configHash } from "./identity.ts";
import { keepJournal } from "./journal.ts";
import type { Prepared } from "./preflight.ts";
import { copyGuarded } from "./repo/guard.ts";
import { Transaction } from "./repo/transaction.ts";
import { readRun, renderFactoryPage } from "./report.ts";
import type { RunSummary } from "./schemas.ts";
import type { FactoryServices } from "./services.ts";
import { type FactoryState, factoryStateSchema, firstState } from "./state.ts";

export interface FactoryResult {
  summary: RunSummary;
  runDir: string;
  /** The run was already finished; nothing was requested, written or changed. */
  shown: boolean;
}

/** Runs the graph of a prepared run to its end. Throws the interruption after everything is rolled back. */
export async function carryOut(prepared: Prepared, run: RunContext): Promise<FactoryResult> {
  const { id, runDir } = prepared;
  const { order } = prepared.request.order;
  await mkdir(runDir, { recursive: true });
  const place = { loop: FACTORY_LOOP, id };
  const store = await RunStore.open(join(runDir, ".store"), place, retentionOf(run), run.redact);
  const journal = keepJournal(run.bus, order.id, store);
  const emit = factoryEmit(run.bus, order.id);
  const began = performance.now();
  const end = (status: "pass" | "fail" | "error" | "interrupted", message: string): void => {
    const duration_ms = Math.round(performance.now() - began);
    emit({ type: "order_finished", run_id: id, status, message, duration_ms });
  };
  let services: FactoryServices | undefined;
  try {
    services = await createServices(prepared, run, turnLogOver(store.turns));
    const position = await resumePoint(store, services, id);
    emit({ type: "order_started", run_id: id, title: order.title, continued: position.state.attempt > 0 });
    await services.artifacts.json("work_order.json", order);
    await walk(position, services, store, run, journal.throwIfFailed);
    const summary = await readSummary(runDir);
    if (summary === undefined) throw new AtomsmithError("internal", `run ${id} ended without a summary`);
    const page = renderFactoryPage(await readRun(runDir));
    await writeFileAtomic(join(runDir, "report.html"), page, { flush: false });
    end(summary.verdict === "PASS" ? "pass" : "fail", summary.ended_stage);
    return { summary, runDir, shown: false };
  } catch (thrown) {
    const error = run.signal.aborted || run.pause?.aborted ? interruption(run) : toAtomsmithError(thrown);
    if (services) await giveUp(services, error);
    end(error.kind === "interrupted" ? "interrupted" : "error", error.message);
    throw error;
  } finally {
    journal.stop();
    await store.close();
  }
}

async function createServices(prepared: Prepared, run: RunContext, turns: TurnLog): Promise<FactoryServices> {
  const { request, repository, settings, baseline, verification, branch, id, runDir } = prepared;
  const { order, hash, path } = request.order;
  const emit = factoryEmit(run.bus, order.id);
  const { network } = run.config.loops.factory;
  const jail = commandJail(run.config, run.config.loops.factory.jail);
  const { root } = repository;
  const { redact } = run;
  const { timeoutSeconds } = settings;
  const commands = new CommandRunner({ root, runDir, timeoutSeconds, jail, network, redact, emit });
  const purpose = {
    run_id: id,
    run_dir: await realpath(runDir),
    work_order_hash: hash,
    config_hash: configHash(settings),
    baseline: baseline.commit,
  };
  const origin = { ...baseline, guard: await copyGuarded(repository) };
  return {
    order,
    settings,
    repository,
    baseline,
    verification,
    transaction: new Transaction(repository, origin, purpose),
    artifacts: new Artifacts(runDir, redact),
    commands,
    ask: createAsk({ run, turns, emit, subject: order.id, root }),
    branch,
    removeDrift: request.removeDrift,
    emit,
    redact,
    facts: () => {
      const { calls, input_tokens, output_tokens, cost_usd } = usageOf(turns);
      return {
        repo_path: root,
        work_order_path: path,
        work_order_hash: hash,
        repo_tree_hash_before: baseline.treeHash,
        max_attempts: settings.maxAttempts,
        jail: commands.level,
        usage: { calls, input_tokens, output_tokens, cost_usd },
      };
    },
    now: () => new Date().toISOString(),
  };
}

/** The node to start or resume at. */
async function resumePoint(
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
    // A node stops when its command has ended; until then, nothing else may touch the work tree.
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

/** Rolls back the changes of an interrupted or failed attempt. */
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
