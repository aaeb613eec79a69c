// What a command is: a plain citty command object with strict, typed arguments. One file per command under
// src/cli/commands/, listed in src/cli/registry.ts. See docs/cli.md for how to add one.
import type { CommandDef } from "citty";
import { AUTHOR_ROLES } from "../author/roles.ts";
import type { ExitCode } from "../core/errors.ts";
import type { CommandContext } from "./context.ts";

/** Value must be a number; bounds are inclusive. */
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
  /** Words that the shell offers; others are allowed. */
  offer?: readonly string[];
  /** Shown in the help; the value itself comes from wherever the text says. */
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
  /** Takes all that are left; must be the last positional. */
  multiple?: boolean;
  options?: readonly string[];
}
export type Arg = BooleanArg | StringArg | EnumArg | PositionalArg;
/** Flag names are written as on the command line, without dashes: `"search-root"`. */
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
/** Parsed values by argument name. Absent: false, [], or undefined. */
export type ArgValues<A extends Args> = { [K in keyof A]: Value<A[K]> };

export interface Example {
  command: string;
  does: string;
}

interface CommandInput<A extends Args> {
  name: string;
  /** One line for lists; no full stop. */
  summary: string;
  /** Paragraphs for `--help`. */
  details?: string;
  args: A;
  examples?: readonly Example[];
  /** Text of the exit codes that matter for this command. */
  exits?: Readonly<Record<number, string>>;
  /** false: the command runs without a configuration (and so in spite of a broken one). */
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

/** A command that only groups others: `spec lint`, `config show`. */
export interface CommandGroup {
  readonly kind: "group";
  readonly name: string;
  readonly summary: string;
  readonly details?: string;
  readonly commands: readonly CommandEntry[];
  /** The command that is meant when no name of one follows: `waive ITEM PATTERN` is `waive add ITEM PATTERN`. */
  readonly fallback?: CommandEntry;
}

/** How a command is found before it is loaded. */
export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  load(): Promise<Command | CommandGroup>;
}

/** What run.ts hands through citty to a command. */
export interface CommandData {
  values: Record<string, unknown>;
  context: CommandContext;
}

/** Declares a command. `run` returns the exit code; throw an AtomsmithError for everything that went wrong. */
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
  json: { type: "boolean", description: "one JSON document on stdout, nothing else" },
  events: { type: "string", valueHint: "FILE|-", description: "write every event as a line of JSON" },
  quiet: { type: "boolean", alias: "q", description: "no progress and no information on stderr" },
  "no-color": { type: "boolean", description: "no colours (also: NO_COLOR in the environment)" },
  version: { type: "boolean", alias: "v", description: "print the version" },
  help: { type: "boolean", alias: "h", description: "print this help" },
} as const satisfies Args;

/** Common flags of generate, batch, resume, validate and check. */
export const COMMON_ARGS = {
  "search-root": {
    type: "string",
    valueHint: "DIR",
    description: "folder of the logs; nothing outside is read",
    sets: ["paths.search_root"],
    defaultHint: "paths.search_root, else the current folder",
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
    description: "who writes the atoms",
    sets: AUTHOR_ROLES.map((role) => `llm.${role}.provider`),
  },
  seed: {
    type: "string",
    valueHint: "N",
    number: { integer: true, min: 0, max: 4_294_967_295 },
    description: "seed of the generated tests, to repeat a run",
  },
} as const satisfies Args;

/** Flags of the commands that ask a model: generate, batch and resume. */
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
    description: "start no item and make no call beyond this cost",
    sets: ["llm.max_cost_usd"],
  },
  record: {
    type: "string",
    valueHint: "DIR",
    description: "keep every reply of a model there, one cassette per item",
    sets: ["llm.record"],
  },
  cassettes: {
    type: "string",
    valueHint: "DIR",
    description: "recorded replies for --provider replay",
    sets: ["llm.cassettes"],
  },
} as const satisfies Args;
