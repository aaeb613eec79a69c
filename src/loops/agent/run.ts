// Runs one job through its graph: claims it, finds the start position, saves a checkpoint after every node, and maps the
// outcome to a status and an exit code.
import { join } from "node:path";
import type { AgentEmit, AgentEventBody } from "../../contract/agent-events.ts";
import { AtomsmithError, EXIT, type ExitCode, toAtomsmithError } from "../../core/errors.ts";
import { type Position, pathOf, runGraph } from "../../engine/index.ts";
import { priceOf } from "../../llm/budget.ts";
import { providerOf } from "../../llm/providers.ts";
import { turnLogOver } from "../../llm/turns.ts";
import { createRunContext, type RunContext, type RunOptions } from "../../run/context.ts";
import { type RunWriter, writeFileAtomic } from "../../store/index.ts";
import { type Mode, startPosition } from "./begin.ts";
import { loadCheckpoint, saveCheckpoint, stateOf } from "./checkpoint.ts";
import { Cancelled, Claim, type ClaimOptions } from "./claim.ts";
import { type LoadedAgent, withAgentModel } from "./config/load.ts";
import { connectionSecrets, dataSources } from "./connections.ts";
import { limitReached } from "./context/ask.ts";
import { sizesOf } from "./context/compaction.ts";
import { layersOf } from "./context/layers.ts";
import { TokenCounter } from "./context/tokens.ts";
import { jobDocument } from "./document.ts";
import { agentGraph } from "./graph.ts";
import { Heartbeats } from "./heartbeats.ts";
import type { ItemTrials } from "./items/trials.ts";
import { jobFolder, jobOrThrow } from "./jobs/folder.ts";
import type { Job, JobStatus, JobStore } from "./jobs/types.ts";
import { normalizeJob } from "./normalize.ts";
import { say } from "./prompts.ts";
import { AGENT_LOOP, type AgentState, firstState, type JobDocument } from "./schemas.ts";
import type { AgentServices } from "./services.ts";
import { phaseLabel } from "./todo/archive.ts";
import { phaseText } from "./todo/display.ts";
import { BOOTSTRAP_TODOS, withPhase } from "./todo/todos.ts";
import { CallLog } from "./tools/call-log.ts";
import { toolSet } from "./tools/registry.ts";
import type { ToolSet } from "./tools/types.ts";
import { webAccess } from "./web.ts";
import { History } from "./workspace/git.ts";
import { Workspace } from "./workspace/workspace.ts";

/** Services shared by all jobs of one command. */
export interface AgentRun extends RunContext {
  loaded: LoadedAgent;
  tools: ToolSet;
  jobs: JobStore;
  /** Heartbeats of workers as this command has seen them. */
  heartbeats: Heartbeats;
  trials: ItemTrials;
  /** Folder of all jobs. */
  workspace: string;
  tokens: TokenCounter;
  /** Set by a worker of a fleet. */
  fleet?: {
    /** Store of the job, under the lease of the queue. */
    store: RunWriter;
  };
}

export interface JobEnd {
  document: JobDocument;
  exit: ExitCode;
}

/** Checks model and tools. Throws kind `config` for an agent that cannot work. */
export async function openAgentRun(
  options: RunOptions,
  loaded: LoadedAgent,
  jobs: JobStore,
  trials: ItemTrials,
): Promise<AgentRun> {
  const config = withAgentModel(options.config, loaded.config);
  if (providerOf(config.llm.agent, options.env) === "offline") {
    throw new AtomsmithError("config", "no model is configured for agents", {
      where: "llm.agent",
      hint: "set llm.agent.model and a key, or llm.agent.provider",
    });
  }
  const { max_cost_usd } = loaded.config.limits;
  const { model = "" } = config.llm.agent;
  if (max_cost_usd !== undefined && priceOf(model, config.llm.prices) === undefined) {
    throw new AtomsmithError("config", `limits.max_cost_usd is set, but the price of ${model} is unknown`, {
      where: "llm.prices",
      hint: `add llm.prices.${JSON.stringify(model)}: {input: USD, output: USD} per million tokens`,
    });
  }
  const secrets = connectionSecrets(loaded.config.connections, options.env);
  const run = createRunContext({ ...options, config, secrets }, [AGENT_LOOP]);
  const tools = toolSet(loaded.config);
  const tokens = await TokenCounter.forModel(model);
  const { workspace, heartbeat_seconds } = config.loops.agent;
  const heartbeats = new Heartbeats(jobs, workspace, heartbeat_seconds * 1000);
  return { ...run, loaded, tools, jobs, heartbeats, trials, workspace, tokens };
}

/** Throws kind `config` when layers 1 to 3 alone are larger than the threshold. */
export function checkThreshold(run: AgentRun, workspace: Workspace): void {
  const { loaded, tools, tokens, redact } = run;
  const agent = loaded.config;
  const state = withPhase(firstState("x"), firstState("x").phase, BOOTSTRAP_TODOS);
  const sizes = sizesOf(layersOf(state, { agent, workspace, tools, redact, say }), {
    tokens,
  } as AgentServices);
  const fixed = sizes.system + sizes.todos + sizes.tools;
  const threshold = agent.limits.context_threshold_tokens;
  if (threshold > fixed) return;
  throw new AtomsmithError(
    "config",
    `limits.context_threshold_tokens is ${threshold}, but system prompt, todos and tools alone need ${fixed} tokens`,
    { where: "limits.context_threshold_tokens", hint: `set it well above ${fixed}` },
  );
}

/** Claims a job without running it. Throws kind `usage` when another process has claimed it. */
export function claimJob(job: Job, run: AgentRun): Promise<Claim> {
  return Claim.acquire(job, claimOptions(run));
}

/** How jobs of this run are claimed. */
function claimOptions(run: AgentRun): ClaimOptions {
  const { cache, loops } = run.config;
  return {
    jobs: run.jobs,
    workspace: run.workspace,
    heartbeatMs: loops.agent.heartbeat_seconds * 1000,
    heartbeats: run.heartbeats,
    retention: { maxCheckpointsPerHour: cache.max_checkpoints_per_hour, keepHours: cache.keep_hours },
    redact: run.redact,
    signal: run.pause === undefined ? run.signal : AbortSignal.any([run.signal, run.pause]),
    ...(run.fleet === undefined ? {} : { store: run.fleet.store }),
  };
}

/** Runs a job until it ends, waits or is stopped. Throws kind `usage` when it cannot be claimed. */
export async function runJob(id: string, run: AgentRun, mode: Mode = { continue: true }): Promise<JobEnd> {
  const began = performance.now();
  const job = jobOrThrow(run.jobs, id);
  const claim = await claimJob(job, run);
  const emit = run.bus.scope<AgentEventBody>({ loop: AGENT_LOOP, subject: id });
  const stop = run.bus.subscribe((event) => {
    if (event.subject === id && event.type !== "model_delta") claim.store.record(event);
  });
  const at: { position: Position<AgentState> } = { position: { node: "bootstrap", state: firstState(id) } };
  let error: AtomsmithError | undefined;
  let services: AgentServices | undefined;
  let status: JobStatus;
  let begun = false;
  try {
    const stored = await loadCheckpoint(claim.store);
    if (stored !== undefined) at.position = stored;
    services = await openServices(job, run, claim, emit, stored);
    at.position = await startPosition(stored, mode, services);
    if (stored === undefined)
      await services.history?.tagBeginning(`${phaseLabel(firstState(id).phase)}_start`);
    emit({
      type: "job_started",
      agent: job.agent_id,
      resumed: stored !== undefined,
      workspace: services.workspace.root,
    });
    begun = true;
    at.position = await walk(at, services, run, claim);
    status = stateOf(at.position).waiting === null ? "completed" : "waiting";
  } catch (thrown) {
    error = failure(thrown, run);
    // An interrupted job stays in processing, so that the next worker can claim it.
    status =
      error instanceof Cancelled ? "cancelled" : error.kind === "interrupted" ? "processing" : "failed";
    if (status === "failed" && begun) await reportError(jobFolder(run.workspace, id), error);
  }
  if (error !== undefined && !begun && isRefusal(error)) {
    // The request was invalid: the job stays unchanged.
    stop();
    await claim.release({ status: job.status, message: job.message });
    throw error;
  }
  const state = stateOf(at.position);
  const message = error?.message ?? state.waiting?.text ?? "";
  emit({ type: "job_finished", status, message, duration_ms: Math.round(performance.now() - began) });
  stop();
  await claim.release({
    status,
    message,
    phase: phaseText(state.phase),
    ...(state.completion === null
      ? {}
      : { confidence: state.completion.confidence, summary: state.completion.summary }),
  });
  if (error !== undefined && isRefusal(error)) throw error;
  const after = run.jobs.get(id) ?? job;
  return {
    document: jobDocument({ ...after, status }, state, run.workspace, error),
    exit: exitOf(status, error),
  };
}

/** Errors of the command, not of the job. */
function isRefusal(error: AtomsmithError): boolean {
  return error.kind === "usage" || error.kind === "config" || error.kind === "internal";
}

function exitOf(status: JobStatus, error: AtomsmithError | undefined): ExitCode {
  if (error !== undefined) return error.exitCode;
  return status === "waiting" ? EXIT.human : EXIT.ok;
}

async function openServices(
  job: Job,
  run: AgentRun,
  claim: Claim,
  emit: AgentEmit,
  stored: Position<AgentState> | undefined,
): Promise<AgentServices> {
  const { config, llm, loaded } = run;
  const agent = loaded.config;
  const archive = agent.todo.archive_path.replace(/\/?$/, "/");
  const workspace = new Workspace(jobFolder(run.workspace, job.id), archive);
  checkThreshold(run, workspace);
  const state = stored === undefined ? firstState(job.id) : stateOf(stored);
  const ledger = llm.ledger(AGENT_LOOP, { subject: job.id, spent: state.usage }, emit);
  const cassette = `${AGENT_LOOP}_${job.id}`;
  return {
    jobId: job.id,
    config,
    agent,
    workspace,
    history: agent.workspace.git_versioning ? await History.open(workspace.root) : undefined,
    searchRoot: job.search_root,
    minConfidence: config.loops.agent.min_confidence,
    tools: run.tools,
    toolsOf: toolSet,
    jobs: run.jobs,
    jobsFolder: run.workspace,
    trials: run.trials,
    emit,
    now: () => new Date(),
    embedder: (signal) => llm.embedder(signal),
    web: webAccess(config, run.env, run.redact),
    sources: dataSources(agent.connections, run.env),
    model: llm.model(AGENT_LOOP, {
      cassette,
      ledger,
      emit,
      searchRoot: workspace.root,
      normalize: normalizeJob,
    }),
    turns: turnLogOver(claim.store.turns, run.fleet === undefined ? undefined : normalizeJob),
    calls: CallLog.over(await claim.store.openLog("calls"), state.calls),
    tokens: run.tokens,
    clock: run.clock,
    stream: config.execution.enable_streaming,
    redact: run.redact,
    say,
    check: () => claim.check(),
  };
}

/** Runs the graph under the limits of the agent. */
async function walk(
  at: { position: Position<AgentState> },
  services: AgentServices,
  run: AgentRun,
  claim: Claim,
): Promise<Position<AgentState>> {
  const { emit } = services;
  const { max_seconds } = services.agent.limits;
  let lastPhase = "";
  const checkpoint = async (position: Position<AgentState>, last = false): Promise<void> => {
    at.position = position;
    if (!last) services.check();
    const id = await saveCheckpoint(claim.store, position, last);
    emit({ type: "checkpoint", id, stage: pathOf(position).join("/") });
  };
  await checkpoint(at.position);
  const end = await runGraph(agentGraph, at.position, services, {
    signal: run.signal,
    ...(run.pause === undefined ? {} : { pause: run.pause }),
    checkpoint,
    ...(max_seconds === undefined ? {} : { limits: { totalMs: max_seconds * 1000 } }),
    onEnter: (position) => {
      const state = stateOf(position);
      const node = pathOf(position).at(-1) ?? "";
      const phase = phaseText(state.phase);
      emit({ type: "stage_started", stage: node, iteration: state.phase.number });
      emit({ type: "node_started", node, phase });
      if (phase !== lastPhase) claim.update({ phase });
      lastPhase = phase;
    },
    onLeave: (position, next, ms) =>
      emit({
        type: "stage_finished",
        stage: pathOf(position).at(-1) ?? "",
        iteration: stateOf(position).phase.number,
        next: next ?? "",
        duration_ms: Math.round(ms),
      }),
  });
  if (end.end === "limit")
    throw limitReached(services.jobId, "max_seconds", max_seconds ?? 0, max_seconds ?? 0);
  const position = { node: end.node, state: end.state };
  await checkpoint(position, true);
  return position;
}

function failure(thrown: unknown, run: AgentRun): AtomsmithError {
  if (thrown instanceof AtomsmithError && thrown.kind === "interrupted") return thrown;
  const reason: unknown = run.signal.aborted
    ? run.signal.reason
    : run.pause?.aborted
      ? run.pause.reason
      : undefined;
  if (reason instanceof AtomsmithError) return reason;
  return toAtomsmithError(thrown);
}

/** Writes `error.md`. Best effort: the disk may be full. */
async function reportError(folder: string, error: AtomsmithError): Promise<void> {
  const { hint } = error.details;
  const text = `# The job stopped\n\n${error.message}\n${hint === undefined ? "" : `\n${hint}\n`}`;
  await writeFileAtomic(join(folder, "error.md"), text).catch(() => undefined);
}
