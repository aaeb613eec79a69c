// The `re` module of the sandbox: Python's spelling on V8's engine. Positions are JavaScript string indices.
import { Match } from "./re-match.ts";
import { translate } from "./regex-emit.ts";
import { FLAG, PatternError } from "./regex-tree.ts";

const FLAG_NAMES: Record<string, number> = {
  i: FLAG.I,
  m: FLAG.M,
  s: FLAG.S,
  x: FLAG.X,
  a: FLAG.A,
  u: FLAG.U,
};

/** Flags as a sum of `re.I` and so on, or as letters ("im"). */
function flagBits(flags: unknown): number {
  if (flags === undefined || flags === null) return 0;
  if (typeof flags === "number") return flags;
  if (typeof flags === "string") {
    let bits = 0;
    for (const letter of flags) {
      const bit = FLAG_NAMES[letter];
      if (bit === undefined) throw new PatternError(`unknown flag ${letter}`);
      bits |= bit;
    }
    return bits;
  }
  throw new TypeError("flags must be a number such as re.I | re.M, or letters such as 'im'");
}

/** Use of a compiled expression: `plain` finds the first match, `g` one from a position on, `y` one at a position. */
type Mode = "plain" | "g" | "y" | "full" | "spans" | "full spans";
const MODE_FLAGS: Record<Mode, string> = {
  plain: "",
  g: "g",
  y: "y",
  full: "y",
  spans: "dy",
  "full spans": "dy",
};

/** Between occurrences of the literal that are closer than this, V8's own search is faster. */
const NEARBY_CHARS = 64;

/** A compiled pattern. */
export class Pattern {
  declare readonly pattern: string;
  declare readonly names: ReadonlyMap<string, number>;
  declare readonly groups: number;
  declare private readonly source: string;
  declare private readonly flags: string;
  declare private readonly compiled: Map<Mode, RegExp>;
  declare private readonly plain: RegExp;
  /** A text that every match contains, "" if there is none, and its range of offsets from the start of the match. */
  declare private readonly literal: string;
  declare private readonly maxOffset: number;
  declare private readonly minOffset: number;
  declare private readonly atLineStart: boolean;

  constructor(pattern: string, flags: number) {
    const translated = translate(pattern, flags);
    this.pattern = pattern;
    this.names = translated.names;
    this.groups = translated.groups;
    this.source = translated.source;
    this.flags = translated.flags;
    this.compiled = new Map();
    this.plain = this.regexp("plain");
    this.literal = translated.literal?.text ?? "";
    this.minOffset = translated.literal?.minOffset ?? 0;
    this.maxOffset = translated.literal?.maxOffset ?? 0;
    this.atLineStart = translated.atLineStart;
  }

  get groupindex(): Record<string, number> {
    return Object.fromEntries(this.names);
  }

  private regexp(mode: Mode): RegExp {
    let regexp = this.compiled.get(mode);
    if (regexp === undefined) {
      const source = mode.startsWith("full") ? `(?:${this.source})$` : this.source;
      try {
        regexp = new RegExp(source, this.flags + MODE_FLAGS[mode]);
      } catch (error) {
        // Mostly too large for V8. Only the end of the message: it starts with the whole translated source.
        throw new PatternError(`V8 rejects the pattern: ${String((error as Error).message).slice(-80)}`);
      }
      this.compiled.set(mode, regexp);
    }
    return regexp;
  }

  private exec(mode: "y" | "full", text: string): Match | null {
    if (typeof text !== "string") throw new TypeError(`expected a string, got ${typeOf(text)}`);
    const regexp = this.regexp(mode);
    regexp.lastIndex = 0;
    const found = regexp.exec(text);
    return found === null ? null : new Match(this, found);
  }

  search(text: string): Match | null {
    if (typeof text !== "string") throw new TypeError(`expected a string, got ${typeOf(text)}`);
    let found: RegExpExecArray | null;
    if (this.atLineStart || (this.literal !== "" && this.maxOffset === 0)) found = this.findNext(text, 0);
    else if (this.literal !== "" && !text.includes(this.literal)) return null;
    else found = this.plain.exec(text);
    return found === null ? null : new Match(this, found);
  }

  match(text: string): Match | null {
    return this.exec("y", text);
  }

  fullmatch(text: string): Match | null {
    return this.exec("full", text);
  }

  /** Lazy, as in Python: `for (const m of re.finditer(...))`. */
  *finditer(text: string): Generator<Match> {
    let at = 0;
    for (;;) {
      const found = this.findNext(text, at);
      if (found === null) return;
      const [whole] = found;
      at = found.index + whole.length;
      if (whole === "") at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
      yield new Match(this, found);
    }
  }

  /** The first match from `at` on: the result of `exec` with the global flag, found faster where the pattern has a
   * literal (regex-literal.ts). The position is passed each time, since the same pattern may be used for another search
   * between two steps of `finditer`. */
  private findNext(text: string, at: number): RegExpExecArray | null {
    const { literal, maxOffset } = this;
    let start = at;
    if (literal !== "") {
      const place = text.indexOf(literal, at + this.minOffset);
      if (place < 0) return null;
      if (maxOffset === 0) return this.searchAtLiteral(text, place);
      start = Math.max(at, place - maxOffset);
    }
    return this.atLineStart ? this.searchAtLineStarts(text, start) : this.searchFrom(text, start);
  }

  /** For patterns whose matches all begin with `literal`, which occurs at `first`. */
  private searchAtLiteral(text: string, first: number): RegExpExecArray | null {
    const regexp = this.regexp("y");
    for (let place = first; ; ) {
      regexp.lastIndex = place;
      const found = regexp.exec(text);
      if (found !== null) return found;
      const next = text.indexOf(this.literal, place + 1);
      if (next < 0) return null;
      if (next - place < NEARBY_CHARS) return this.searchFrom(text, next);
      place = next;
    }
  }

  /** For patterns whose matches all begin at the start of a line. */
  private searchAtLineStarts(text: string, at: number): RegExpExecArray | null {
    const regexp = this.regexp("y");
    let end = at === 0 ? 0 : text.indexOf("\n", at - 1);
    for (let start = at === 0 ? 0 : end + 1; end >= 0; start = end + 1) {
      regexp.lastIndex = start;
      const found = regexp.exec(text);
      if (found !== null) return found;
      end = text.indexOf("\n", start);
    }
    return null;
  }

  private searchFrom(text: string, at: number): RegExpExecArray | null {
    const regexp = this.regexp("g");
    regexp.lastIndex = at;
    return regexp.exec(text);
  }

  /** Spans of the groups of the match at `index`; matches a second time, with the flag that records positions. */
  spans(text: string, index: number, length: number): (readonly [number, number] | undefined)[] {
    for (const mode of ["spans", "full spans"] as const) {
      const regexp = this.regexp(mode);
      regexp.lastIndex = index;
      const found = regexp.exec(text);
      if (found !== null && found[0].length === length) return [...(found.indices ?? [])];
    }
    return [];
  }
}

function typeOf(value: unknown): string {
  return value === null ? "null" : typeof value;
}

/** Cached patterns: those without flags by their text, and all by flags and text. */
const plain = new Map<unknown, Pattern>();
const cache = new Map<string, Pattern>();
const MAX_CACHED = 512;

/** Compiles a pattern or returns the cached one. Throws PatternError. */
export function compile(pattern: string | Pattern, flags?: unknown): Pattern {
  const known = flags === undefined ? plain.get(pattern) : undefined;
  if (known !== undefined) return known;
  if (pattern instanceof Pattern) return pattern;
  if (typeof pattern !== "string") {
    throw new TypeError(`the pattern must be a string in Python's dialect, got ${typeOf(pattern)}`);
  }
  const bits = flagBits(flags);
  const key = `${bits}:${pattern}`;
  let compiled = cache.get(key);
  if (compiled === undefined) {
    compiled = new Pattern(pattern, bits);
    if (cache.size >= MAX_CACHED) {
      cache.clear();
      plain.clear();
    }
    cache.set(key, compiled);
  }
  if (flags === undefined) plain.set(pattern, compiled);
  return compiled;
}

export const search = (pattern: string | Pattern, text: string, flags?: unknown): Match | null =>
  compile(pattern, flags).search(text);
export const match = (pattern: string | Pattern, text: string, flags?: unknown): Match | null =>
  compile(pattern, flags).match(text);
export const fullmatch = (pattern: string | Pattern, text: string, flags?: unknown): Match | null =>
  compile(pattern, flags).fullmatch(text);

/** Checks its arguments immediately, then yields the matches lazily. */
export function finditer(pattern: string | Pattern, text: string, flags?: unknown): Generator<Match> {
  if (typeof text !== "string") throw new TypeError(`expected a string, got ${typeOf(text)}`);
  return compile(pattern, flags).finditer(text);
}

/** Puts a backslash before every special character, as Python does. */
export function escapePattern(text: string): string {
  return text.replace(/[\t\n\v\f\r !"#$&'()*+,\-./:;<=>?@[\\\]^`{|}~]/g, (c) =>
    "!\"',/:;<=>@`%".includes(c) ? c : `\\${c}`,
  );
}

/** The module `re` of atoms. */
export const re = {
  search,
  match,
  fullmatch,
  finditer,
  compile,
  escape: escapePattern,
  error: PatternError,
  PatternError,
  I: FLAG.I,
  IGNORECASE: FLAG.I,
  M: FLAG.M,
  MULTILINE: FLAG.M,
  S: FLAG.S,
  DOTALL: FLAG.S,
  X: FLAG.X,
  VERBOSE: FLAG.X,
  A: FLAG.A,
  ASCII: FLAG.A,
  U: FLAG.U,
  UNICODE: FLAG.U,
};
