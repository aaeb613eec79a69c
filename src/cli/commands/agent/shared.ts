// What the commands of `agent` share: the store of jobs, the agent's configuration, starting a job, showing one.
import { basename, relative } from "node:path";
import { itemTrials } from "../../../batch/item-trials.ts";
import { AtomsmithError, type ExitCode } from "../../../core/errors.ts";
import {
  type AgentRun,
  createJob,
  type Job,
  type JobDocument,
  type JobEnd,
  type JobStore,
  loadAgentConfig,
  openAgentRun,
  openJobs,
} from "../../../loops/agent/index.ts";
import type { Args } from "../../command.ts";
import type { CommandContext } from "../../context.ts";
import { stopSignals } from "../../stop-signals.ts";
import type { Style } from "../../style.ts";

export const JOB_ARG = {
  type: "positional",
  valueHint: "JOB",
  required: true,
  description: "id of the job",
} as const;

/** Exit codes of the commands that work on a job. */
export const JOB_EXITS = {
  0: "the job is completed",
  3: "it waits for a person: see agent show JOB",
  4: "it failed for a reason that may pass; agent resume JOB goes on",
  5: "a limit was reached; agent resume JOB goes on",
  130: "interrupted or cancelled; an interrupted job goes on with agent resume JOB",
} as const;

export const CONFIG_ARG = {
  type: "string",
  valueHint: "NAME|FILE",
  description: "agent configuration: an embedded one, one of loops.agent.configs, or a file",
} as const;

/** Flags of the commands that start a job. */
export const START_ARGS = {
  config: { ...CONFIG_ARG, required: true },
  description: { type: "string", valueHint: "TEXT", required: true, description: "what is to be done" },
  document: {
    type: "string",
    valueHint: "FILE",
    multiple: true,
    description: "file copied to documents/; may be repeated",
  },
  "document-dir": {
    type: "string",
    valueHint: "DIR",
    multiple: true,
    description: "folder whose files are copied to documents/",
  },
  "job-id": { type: "string", valueHint: "ID", description: "id of the job; drawn when left out" },
  "search-root": {
    type: "string",
    valueHint: "DIR",
    description: "folder of logs that the log tools may read",
    sets: ["paths.search_root"],
  },
} as const satisfies Args;

interface StartValues {
  config: string;
  description: string;
  document: string[];
  "document-dir": string[];
  "job-id"?: string | undefined;
  "search-root"?: string | undefined;
}

/** The store of jobs of the configured workspace folder; closed with the command. */
export function jobsOf(context: CommandContext): JobStore {
  const jobs = openJobs(context.config.loops.agent.workspace);
  context.onCleanup(() => jobs.close());
  return jobs;
}

export function loadAgent(context: CommandContext, name: string): ReturnType<typeof loadAgentConfig> {
  const loaded = loadAgentConfig(name, context.config.loops.agent.configs, context.cwd);
  const { table, status_field } = loaded.config.polling;
  if (table !== "jobs" || status_field !== "status") {
    context.emit({
      type: "log",
      level: "warning",
      message:
        "polling.table and polling.status_field name columns of another store; the store of this program has its own",
    });
  }
  return loaded;
}

/** The run of an agent: model, tools, tokenizer. */
export function openRun(context: CommandContext, name: string, jobs: JobStore): Promise<AgentRun> {
  const options = {
    config: context.config,
    bus: context.bus,
    env: context.env,
    commandFlags: [],
    ownFiles: context.ownFiles,
  };
  const trials = itemTrials(options, context.config.paths.output_dir);
  return openAgentRun({ ...options, ...stopSignals(context) }, loadAgent(context, name), jobs, trials);
}

/** Stores a new job and returns its id. */
export function startJob(
  context: CommandContext,
  args: StartValues,
  agent: ReturnType<typeof loadAgentConfig>,
  jobs: JobStore,
): Promise<string> {
  return createJob({
    agent,
    workspace: context.config.loops.agent.workspace,
    jobs,
    description: args.description,
    documents: args.document.map((path) => ({ from: context.resolve(path), place: basename(path) })),
    documentDirs: args["document-dir"].map((path) => context.resolve(path)),
    searchRoot: args["search-root"] === undefined ? "" : context.resolve(args["search-root"]),
    ...(args["job-id"] === undefined ? {} : { id: args["job-id"] }),
  });
}

/** Says how a run of a job ended. */
export function tellEnd({ document, exit }: JobEnd, context: CommandContext): ExitCode {
  context.totals[document.status] = (context.totals[document.status] ?? 0) + 1;
  if (document.error !== undefined && context.json) context.output.warn(`error: ${document.error.message}`);
  context.output.result(document, (style) => jobText(document, style, context.cwd));
  return exit;
}

/** A job for a person. */
export function jobText(document: JobDocument, style: Style, cwd: string): string {
  const { phase, todos, usage } = document;
  const of = phase.total === null ? "" : ` (${phase.number} of ${phase.total})`;
  const cost = usage.cost_usd === null ? "price unknown" : `${usage.cost_usd.toFixed(4)} USD`;
  const lines = [
    `${style.bold(document.job_id)}  ${document.status}  ${phase.name}${of}, ${todos.done} of ${todos.total} todos`,
    `  workspace: ${relative(cwd, document.workspace) || "."}`,
  ];
  if (document.summary !== "") lines.push(`  summary: ${document.summary.split("\n")[0]}`);
  if (document.confidence !== null) lines.push(`  confidence: ${document.confidence}`);
  for (const path of document.deliverables) lines.push(`  result: ${path}`);
  if (document.waiting !== null) {
    lines.push(`  waits (${document.waiting.reason}): ${document.waiting.text.split("\n")[0]}`);
    lines.push(`  answer: atomsmith agent approve ${document.job_id} --answer TEXT`);
  }
  if (document.error !== undefined) {
    lines.push(`  ${style.red("error:")} ${document.error.message}`);
    if (document.error.hint !== undefined) lines.push(`  ${style.dim(document.error.hint)}`);
  }
  lines.push(
    `  ${style.dim(`${usage.requests} requests, ${usage.input_tokens} + ${usage.output_tokens} tokens, ${cost}`)}`,
  );
  return lines.join("\n");
}

/** Throws kind `usage` when the job cannot be worked on in its state. */
export function throwIfEnded(job: Job): void {
  if (job.status !== "cancelled") return;
  throw new AtomsmithError("usage", `job ${job.id} was cancelled`, { where: job.id });
}
