// The origin of a configuration value. Layers are listed in ascending precedence.

export type Origin =
  | { layer: "default" }
  | { layer: "file"; file: string; line: number }
  | { layer: "environment"; variable: string }
  | { layer: "setting"; text: string }
  | { layer: "flag"; flag: string };

export const DEFAULT_ORIGIN: Origin = { layer: "default" };

/** Prefix of the program's environment variables. */
export const ENV_PREFIX = "ATOMSMITH_";

/** For messages and `config show --origin`: `atomsmith.yaml:12`, `ATOMSMITH_LLM__DRAFT`, `-c …`, `--out`. */
export function originText(origin: Origin): string {
  switch (origin.layer) {
    case "default":
      return "default";
    case "file":
      return `${origin.file}:${origin.line}`;
    case "environment":
      return origin.variable;
    case "setting":
      return `-c ${origin.text}`;
    case "flag":
      return origin.flag;
  }
}

/** One value that a layer sets, not yet checked against the schema. */
export interface Assignment {
  path: string[];
  value: unknown;
  origin: Origin;
}

/** A problem in a layer. `message` does not include the origin. */
export interface Problem {
  origin: Origin;
  message: string;
}

export interface LayerReading {
  assignments: Assignment[];
  problems: Problem[];
}
