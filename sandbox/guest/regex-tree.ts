// The syntax tree of a regular expression in Python's dialect, and the error for invalid patterns.

/** Flags with their values in Python. */
export const FLAG = { I: 2, L: 4, M: 8, S: 16, U: 32, X: 64, A: 256 } as const;

export type Category = "d" | "D" | "w" | "W" | "s" | "S";
export type SetItem =
  | { kind: "char"; code: number }
  | { kind: "range"; from: number; to: number }
  | { kind: "category"; category: Category; ascii: boolean };

export type Node =
  | { type: "char"; code: number }
  | { type: "any"; dotAll: boolean }
  | { type: "set"; negated: boolean; items: SetItem[] }
  | { type: "at"; at: "^" | "$" | "A" | "Z" | "b" | "B"; multiline: boolean; ascii: boolean }
  | { type: "group"; index: number | null; ignoreCase: boolean | null; body: Node }
  | { type: "look"; ahead: boolean; negated: boolean; body: Node }
  | { type: "ref"; index: number }
  | { type: "alt"; branches: Node[] }
  | { type: "seq"; items: Node[] }
  | { type: "repeat"; min: number; max: number; lazy: boolean; body: Node };

export interface ParsedPattern {
  root: Node;
  flags: number;
  groups: number;
  names: Map<string, number>;
}

/** Error for an invalid or unsupported pattern: Python's `re.error` (PatternError since 3.13). */
export class PatternError extends Error {
  override readonly name = "PatternError";
  readonly pos: number | null;

  constructor(message: string, pos: number | null = null) {
    super(pos === null ? message : `${message} at position ${pos}`);
    this.pos = pos;
  }
}
