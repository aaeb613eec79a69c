// Types of tools. Each tool is one file with its schema, its function and its page. A tool does not change files
// itself: it returns operations, which are stored before they are applied, so that they can be repeated after a
// crash.
import { z } from "zod";
import type { Config } from "../../../config/schema.ts";
import type { AgentEmit } from "../../../contract/agent-events.ts";
import type { ToolSpec } from "../../../contract/tool-spec.ts";
import type { Nudges } from "../../../conversation/nudges.ts";
import { AtomsmithError } from "../../../core/errors.ts";
import type { JsonObject } from "../../../core/json.ts";
import type { Embedder } from "../../../documents/search/vectors.ts";
import type { AgentConfig, Category } from "../config/schema.ts";
import type { DataSources } from "../connections.ts";
import type { ItemTrials } from "../items/trials.ts";
import type { JobStore } from "../jobs/types.ts";
import type { AgentState, Phase } from "../schemas.ts";
import type { WebAccess } from "../web.ts";
import type { History } from "../workspace/git.ts";
import { type FileOp, Refused, type Workspace } from "../workspace/workspace.ts";

/** Kinds of effects of a call. Effects outside the workspace cannot be repeated after a crash; they are reported to
 * the model as "may have happened". */
export type Effects = "none" | "workspace" | "outside";

export interface ToolContext {
  state: AgentState;
  config: Config;
  agent: AgentConfig;
  workspace: Workspace;
  /** Absent without `workspace.git_versioning`. */
  history: History | undefined;
  /** Absolute; empty for a job without logs. */
  searchRoot: string;
  minConfidence: number;
  tools: ToolSet;
  /** The tools of another agent. */
  toolsOf(agent: AgentConfig): ToolSet;
  jobs: JobStore;
  /** Folder of all jobs, absolute. */
  jobsFolder: string;
  /** The item loop. */
  trials: ItemTrials;
  /** The texts of prompts/agent/nudges.md. */
  say: Nudges;
  emit: AgentEmit;
  signal: AbortSignal;
  /** Undefined when no embedding server is configured. */
  embedder(signal: AbortSignal): Embedder | undefined;
  web: WebAccess;
  /** Databases of the configuration. */
  sources: DataSources;
  now(): Date;
}

export interface Outcome {
  ok: boolean;
  text: string;
  /** The text is from files or other sources; it is put between data marks. */
  isData: boolean;
  ops: FileOp[];
  patch: Partial<AgentState>;
}

export interface Tool {
  name: string;
  category: Category | "search_tools";
  /** Core tools are in every request; the others are found by `search_tools`. */
  core: boolean;
  phases: readonly Phase["kind"][];
  effects: Effects;
  spec: ToolSpec;
  /** Page for the folder `tools/`. */
  page: string;
  /** Checks the arguments and runs the tool. Invalid arguments are an answer; thrown errors are retried or end the
   * job. */
  call(args: unknown, context: ToolContext): Promise<Outcome>;
}

/** The tools of one agent. */
export interface ToolSet {
  all: readonly Tool[];
  find(name: string): Tool | undefined;
  /** Tools in the next request of a state. */
  offered(state: AgentState): Tool[];
  /** Names of matching deferred tools, best first. */
  search(query: string): string[];
}

const ALL_PHASES: readonly Phase["kind"][] = ["bootstrap", "plan", "final"];

interface ToolInput<A> {
  name: string;
  category: Tool["category"];
  /** Short description for the request. */
  description: string;
  /** Usage and examples for the page. */
  details: string;
  schema: z.ZodType<A>;
  effects?: Effects;
  core?: boolean;
  phases?: readonly Phase["kind"][];
  run(args: A, context: ToolContext): Outcome | Promise<Outcome>;
}

/** Declares a tool. */
export function defineTool<A>(input: ToolInput<A>): Tool {
  const {
    name,
    category,
    description,
    details,
    schema,
    effects = "none",
    core = true,
    phases = ALL_PHASES,
  } = input;
  const { $schema: _, ...parameters } = z.toJSONSchema(schema, { io: "input" }) as JsonObject;
  return {
    name,
    category,
    core,
    phases,
    effects,
    spec: { name, description, parameters },
    page: toolPage(name, description, details, parameters),
    async call(args, context) {
      const read = schema.safeParse(args);
      if (read.success) return input.run(read.data, context);
      const problems = read.error.issues
        .slice(0, 3)
        .map(({ path, message }) => `${path.join(".") || "arguments"}: ${message}`);
      return refused(`Invalid arguments of ${name}: ${problems.join("; ")}. See tools/${name}.md.`);
    },
  };
}

function toolPage(name: string, description: string, details: string, parameters: JsonObject): string {
  const properties = (parameters["properties"] ?? {}) as Record<
    string,
    { description?: string; type?: string }
  >;
  const required = (parameters["required"] ?? []) as string[];
  const rows = Object.entries(properties).map(([key, { type, description: what }]) => {
    const kind = type === undefined ? "" : ` (${type})`;
    return `- \`${key}\`${kind}${required.includes(key) ? "" : ", optional"}${what === undefined ? "" : `: ${what}`}`;
  });
  const list = rows.length === 0 ? ["None."] : rows;
  return `${[`# ${name}`, "", description, "", "## Parameters", "", ...list, "", "## Use", "", details].join("\n")}\n`;
}

/** An answer of the program. */
export function done(text: string, change: { ops?: FileOp[]; patch?: Partial<AgentState> } = {}): Outcome {
  return { ok: true, text, isData: false, ops: change.ops ?? [], patch: change.patch ?? {} };
}

/** An answer with external text, e.g. of files. */
export function data(text: string): Outcome {
  return { ok: true, text, isData: true, ops: [], patch: {} };
}

/** A refusal with its reason, and what to do instead. */
export function refused(text: string): Outcome {
  return { ok: false, text, isData: false, ops: [], patch: {} };
}

/** Runs a function of a lower layer; its errors of kind `usage` become answers. Throws `Refused`. */
export async function orRefused<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof AtomsmithError && error.kind === "usage") throw new Refused(`${error.message}.`);
    throw error;
  }
}
