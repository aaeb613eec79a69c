// Jobs of agents for the page: their row in the store, last checkpoint, journal and folder.
import { existsSync, lstatSync } from "node:fs";
import { join, relative } from "node:path";
import { z } from "zod";
import type { Config } from "../../config/schema.ts";
import { agentEventBodySchema } from "../../contract/agent-events.ts";
import { allFiles } from "../../files/all-files.ts";
import {
  type Job,
  type JobStore,
  jobDocument,
  jobFolder,
  openJobs,
  storedState,
  storeFolder,
} from "../../loops/agent/index.ts";
import { readPlan } from "../../loops/agent/plan.ts";
import { todoDisplay } from "../../loops/agent/todo/display.ts";
import { RunReader, readLines, readTextIfAny } from "../../store/index.ts";
import { refusal } from "../http/problem.ts";
import { markOf } from "../watches.ts";
import type { AgentFilesWire, AgentRowWire, AgentWire } from "../wire/agents.ts";

/** Maximum numbers of warnings and files shown. */
const LIMITS = { warnings: 100, files: 5_000 };
/** Internal folders of a workspace. */
const OWN = [".agent", ".git"];

/** Opens the store without creating it. */
function withJobs<T>(config: Config, look: (jobs: JobStore) => T, none: T): T {
  const { workspace } = config.loops.agent;
  if (!existsSync(join(workspace, "jobs.db"))) return none;
  const jobs = openJobs(workspace);
  try {
    return look(jobs);
  } finally {
    jobs.close();
  }
}

/** Newest first. */
export function listAgentJobs(config: Config): AgentRowWire[] {
  return withJobs(config, (jobs) => jobs.list().map(rowOf), []);
}

/** Throws a 404. */
export function needAgentJob(config: Config, id: string): Job {
  const job = withJobs(config, (jobs) => jobs.get(id), undefined);
  if (job === undefined) throw refusal(404, `agent job ${JSON.stringify(id)} not found`);
  return job;
}

export async function agentDocument(config: Config, id: string): Promise<AgentWire> {
  const { workspace } = config.loops.agent;
  const job = needAgentJob(config, id);
  const state = await storedState(workspace, id);
  const plan = (await readTextIfAny(join(jobFolder(workspace, id), "main_plan.md"))) ?? "";
  return {
    ...rowOf(job),
    config: job.config_ref,
    completed_at: job.completed_at,
    cancel_requested: job.cancel_requested,
    document: jobDocument(job, state, workspace),
    phases: readPlan(plan),
    display: state.todos.length === 0 ? "" : todoDisplay(state.phase, state.todos),
    answers: state.answers,
    rewinds: state.rewinds,
    ...(await journalOf(config, id)),
  };
}

/** Files that can be viewed, sorted by path. */
export function workspaceFiles(config: Config, id: string): AgentFilesWire {
  const folder = jobFolder(config.loops.agent.workspace, needAgentJob(config, id).id);
  const { paths } = allFiles(folder, {
    skip: ({ name, kind }) => OWN.includes(name) || kind === "link" || kind === "special",
  });
  const files = paths.slice(0, LIMITS.files).flatMap((path) => {
    const info = lstatSync(path, { throwIfNoEntry: false });
    if (info?.isFile() !== true) return [];
    return [{ path: relative(folder, path), bytes: info.size, changed_at: info.mtime.toISOString() }];
  });
  return { files, left_out: Math.max(0, paths.length - LIMITS.files) };
}

/** The journal and the turns of a job. */
export function agentReader(config: Config, id: string): RunReader {
  const folder = storeFolder(config.loops.agent.workspace, needAgentJob(config, id).id);
  return new RunReader({ folder }, { loop: "agent", id });
}

/** Changes with every claim, heartbeat and end of a job. */
export function agentMarks(config: Config): ReadonlyMap<string, string> {
  const { workspace } = config.loops.agent;
  const store = join(workspace, "jobs.db");
  return new Map([["jobs", markOf([store, `${store}-wal`])]]);
}

function rowOf({
  id,
  agent_id,
  status,
  phase,
  message,
  description,
  created_at,
  updated_at,
}: Job): AgentRowWire {
  return { job_id: id, agent_id, status, phase, message, description, created_at, updated_at };
}

const timeSchema = z.looseObject({ at: z.string() });

/** Warnings of the journal, and the size of the last request. */
async function journalOf(config: Config, id: string): Promise<Pick<AgentWire, "sizes" | "warnings">> {
  const { values } = await readLines(agentReader(config, id).journalPath);
  const warnings: AgentWire["warnings"] = [];
  let sizes: AgentWire["sizes"] = null;
  for (const line of values) {
    const event = agentEventBodySchema.safeParse(line).data;
    const at = timeSchema.safeParse(line).data?.at ?? "";
    if (event?.type === "context") {
      const { type: _, messages: __, ...rest } = event;
      sizes = rest;
    } else if (event?.type === "stuck") {
      warnings.push({ at, type: "stuck", text: `${event.reason}: ${MEASURES[event.measure]}` });
    } else if (event?.type === "rewound") {
      warnings.push({ at, type: "rewound", text: `by the ${event.by}: ${event.issue}` });
    } else if (event?.type === "compaction") {
      const { why, tokens_before, tokens_after } = event;
      warnings.push({ at, type: "compaction", text: `${why}: ${tokens_before} to ${tokens_after} tokens` });
    }
  }
  return { sizes, warnings: warnings.slice(-LIMITS.warnings).reverse() };
}

const MEASURES = {
  checkpoint: "the model was advised to rewind",
  rewind: "the program rewound",
  wait: "the job waits for the user",
} as const;
