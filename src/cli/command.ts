// Definition of a command: a plain citty command object with strict, typed arguments. One file per command in
// src/cli/commands/, listed in src/cli/registry.ts. See docs/cli.md for how to add one.
import type { CommandDef } from "citty";
import { AUTHOR_ROLES } from "../author/roles.ts";
import type { ExitCode } from "../core/errors.ts";
import type { CommandContext } from "./context.ts";

/** The value must be a number; bounds are inclusive. */
export interface NumberRule {
  integer?: boolean;
  min?: number;
  max?: number;
}

interface Described {
  description: string;
  /** Dotted configuration keys that the flag sets: they reach the command through `context.config`, with the
   * flag as their origin. */
  sets?: readonly string[];
}

export interface BooleanArg extends Described {
  type: "boolean";
  alias?: string;
}
export interface StringArg extends Described {
  type: "string";
  valueHint: string;
  alias?: string;
  required?: boolean;
  /** May be given more than once; the values are collected in order. */
  multiple?: boolean;
  number?: NumberRule;
  /** Words for shell completion; other values are allowed. */
  offer?: readonly string[];
  /** Default as shown in the help; the parser does not apply it. */
  defaultHint?: string;
}
export interface EnumArg extends Described {
  type: "enum";
  options: readonly string[];
  alias?: string;
  required?: boolean;
  multiple?: boolean;
  defaultHint?: string;
}
export interface PositionalArg extends Described {
  type: "positional";
  valueHint: string;
  required?: boolean;
  /** Takes all remaining arguments; must be the last positional. */
  multiple?: boolean;
  options?: readonly string[];
}
export type Arg = BooleanArg | StringArg | EnumArg | PositionalArg;
/** Flag names as on the command line, without dashes: `"search-root"`. */
export type Args = Record<string, Arg>;

type Element<A extends Arg> = A extends { number: NumberRule }
  ? number
  : A extends { options: readonly (infer O)[] }
    ? O
    : string;
type Value<A extends Arg> = A extends { type: "boolean" }
  ? boolean
  : A extends { multiple: true }
    ? Element<A>[]
    : A extends { required: true }
      ? Element<A>
      : Element<A> | undefined;
/** Parsed values by argument name; absent ones are false, [] or undefined. */
export type ArgValues<A extends Args> = { [K in keyof A]: Value<A[K]> };

export interface Example {
  command: string;
  does: string;
}

interface CommandInput<A extends Args> {
  name: string;
  /** One line for lists of commands, without a full stop. */
  summary: string;
  /** Paragraphs for `--help`. */
  details?: string;
  args: A;
  examples?: readonly Example[];
  /** Descriptions of the exit codes of this command. */
  exits?: Readonly<Record<number, string>>;
  /** false: the command does not load the configuration, so an invalid one does not stop it. */
  config?: boolean;
  run(args: ArgValues<A>, context: CommandContext): Promise<ExitCode>;
}

/** A command that runs something. */
export interface Command extends Omit<CommandDef, "args"> {
  readonly kind: "command";
  readonly name: string;
  readonly summary: string;
  readonly details: string | undefined;
  readonly args: Args;
  readonly examples: readonly Example[];
  readonly exits: Readonly<Record<number, string>>;
  readonly config: boolean;
}

/** A group of subcommands, e.g. `spec` with `spec lint`. */
export interface CommandGroup {
  readonly kind: "group";
  readonly name: string;
  readonly summary: string;
  readonly details?: string;
  readonly commands: readonly CommandEntry[];
  /** The default subcommand: `waive ITEM PATTERN` means `waive add ITEM PATTERN`. */
  readonly fallback?: CommandEntry;
}

/** A registered command; its module is loaded on first use. */
export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  load(): Promise<Command | CommandGroup>;
}

/** Data that run.ts passes through citty to a command. */
export interface CommandData {
  values: Record<string, unknown>;
  context: CommandContext;
}

/** Declares a command. `run` returns the exit code and throws an AtomsmithError on failure. */
export function defineCommand<const A extends Args>(input: CommandInput<A>): Command {
  return {
    kind: "command",
    name: input.name,
    summary: input.summary,
    details: input.details,
    args: input.args,
    examples: input.examples ?? [],
    exits: input.exits ?? {},
    config: input.config ?? true,
    meta: { name: input.name, description: input.summary },
    run: ({ data }) => {
      const { values, context } = data as CommandData;
      return input.run(values as ArgValues<A>, context);
    },
  } as Command;
}

/** Flags of every command. */
export const GLOBAL_ARGS = {
  config: {
    type: "string",
    valueHint: "FILE",
    description: "configuration file",
    defaultHint: "atomsmith.yaml",
  },
  c: {
    type: "string",
    valueHint: "KEY.PATH=VALUE",
    multiple: true,
    description: "set one configuration value; may be repeated",
  },
  json: { type: "boolean", description: "print one JSON document to stdout and nothing else" },
  events: { type: "string", valueHint: "FILE|-", description: "write every event as a JSON line" },
  quiet: { type: "boolean", alias: "q", description: "hide progress and informational messages" },
  "no-color": { type: "boolean", description: "disable colours (also: environment variable NO_COLOR)" },
  version: { type: "boolean", alias: "v", description: "print the version" },
  help: { type: "boolean", alias: "h", description: "print this help" },
} as const satisfies Args;

/** Common flags of generate, batch, resume, validate and check. */
export const COMMON_ARGS = {
  "search-root": {
    type: "string",
    valueHint: "DIR",
    description: "folder of the logs; files outside it are never read",
    sets: ["paths.search_root"],
    defaultHint: "paths.search_root, or the current folder",
  },
  out: {
    type: "string",
    valueHint: "DIR",
    description: "folder of the atom sets",
    sets: ["paths.output_dir"],
    defaultHint: "output",
  },
  cache: {
    type: "string",
    valueHint: "DIR",
    description: "folder of checkpoints and journals",
    sets: ["paths.cache_dir"],
    defaultHint: "cache",
  },
  provider: {
    type: "enum",
    options: ["offline", "openai", "azure", "anthropic", "replay"],
    description: "author of the atoms",
    sets: AUTHOR_ROLES.map((role) => `llm.${role}.provider`),
  },
  seed: {
    type: "string",
    valueHint: "N",
    number: { integer: true, min: 0, max: 4_294_967_295 },
    description: "seed of the generated tests, to reproduce a run",
  },
} as const satisfies Args;

/** Flags of the commands that call a model: generate, batch and resume. */
export const MODEL_ARGS = {
  model: {
    type: "string",
    valueHint: "NAME",
    description: "model of every role that writes atoms",
    sets: AUTHOR_ROLES.map((role) => `llm.${role}.model`),
  },
  "max-cost": {
    type: "string",
    valueHint: "USD",
    number: { min: 0 },
    description: "start no item and make no model call beyond this cost",
    sets: ["llm.max_cost_usd"],
  },
  record: {
    type: "string",
    valueHint: "DIR",
    description: "record every model reply in this folder, one cassette per item",
    sets: ["llm.record"],
  },
  cassettes: {
    type: "string",
    valueHint: "DIR",
    description: "folder of recorded replies for --provider replay",
    sets: ["llm.cassettes"],
  },
} as const satisfies Args;
