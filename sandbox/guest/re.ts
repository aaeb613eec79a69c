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

/** What a compiled expression is for: `plain` finds the first match, `g` one from a position on, `y` one at it. */
type Mode = "plain" | "g" | "y" | "full" | "spans" | "full spans";
const MODE_FLAGS: Record<Mode, string> = {
  plain: "",
  g: "g",
  y: "y",
  full: "y",
  spans: "dy",
  "full spans": "dy",
};

/** Places this near to each other are left to V8, which goes from one to the next faster than we do. */
const NEAR = 64;

/** A compiled pattern. */
export class Pattern {
  declare readonly pattern: string;
  declare readonly names: ReadonlyMap<string, number>;
  declare readonly groups: number;
  declare private readonly source: string;
  declare private readonly flags: string;
  declare private readonly compiled: Map<Mode, RegExp>;
  declare private readonly plain: RegExp;
  /** A text in every match, "" if there is none, and how far from the start of a match it stands at most. */
  declare private readonly wanted: string;
  declare private readonly most: number;
  declare private readonly least: number;
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
    this.wanted = translated.literal?.text ?? "";
    this.least = translated.literal?.least ?? 0;
    this.most = translated.literal?.most ?? 0;
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
        // Too large for V8, mostly. The message names the translated source; the pattern is what counts.
        throw new PatternError(`V8 refuses the pattern: ${String((error as Error).message).slice(-80)}`);
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
    if (this.atLineStart || (this.wanted !== "" && this.most === 0)) found = this.next(text, 0);
    else if (this.wanted !== "" && !text.includes(this.wanted)) return null;
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
      const found = this.next(text, at);
      if (found === null) return;
      const [whole] = found;
      at = found.index + whole.length;
      if (whole === "") at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
      yield new Match(this, found);
    }
  }

  /** The first match from `at` on: what `exec` of the global form gives, found faster where the pattern says
   * where to look (regex-literal.ts). Patterns are tried from a position each time: the same pattern may be
   * searched elsewhere between two steps of `finditer`. */
  private next(text: string, at: number): RegExpExecArray | null {
    const { wanted, most } = this;
    let start = at;
    if (wanted !== "") {
      const place = text.indexOf(wanted, at + this.least);
      if (place < 0) return null;
      if (most === 0) return this.atPlaces(text, place);
      start = Math.max(at, place - most);
    }
    return this.atLineStart ? this.atLines(text, start) : this.from(text, start);
  }

  /** Every match begins with `wanted`, which stands at `first`. */
  private atPlaces(text: string, first: number): RegExpExecArray | null {
    const regexp = this.regexp("y");
    for (let place = first; ; ) {
      regexp.lastIndex = place;
      const found = regexp.exec(text);
      if (found !== null) return found;
      const next = text.indexOf(this.wanted, place + 1);
      if (next < 0) return null;
      if (next - place < NEAR) return this.from(text, next);
      place = next;
    }
  }

  /** Every match begins where a line does. */
  private atLines(text: string, at: number): RegExpExecArray | null {
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

  private from(text: string, at: number): RegExpExecArray | null {
    const regexp = this.regexp("g");
    regexp.lastIndex = at;
    return regexp.exec(text);
  }

  /** Spans of the groups of a match that is known to be at `index`; found a second time, with positions. */
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

/** Patterns compiled before: those without flags by their text, and all by flags and text. */
const plain = new Map<unknown, Pattern>();
const cache = new Map<string, Pattern>();
const MAX_CACHED = 512;

/** Compiles, or finds the pattern compiled before. Throws PatternError. */
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

/** Checks its arguments at once, then yields match after match. */
export function finditer(pattern: string | Pattern, text: string, flags?: unknown): Generator<Match> {
  if (typeof text !== "string") throw new TypeError(`expected a string, got ${typeOf(text)}`);
  return compile(pattern, flags).finditer(text);
}

/** Puts a backslash before everything that could be special, as Python does. */
export function escapePattern(text: string): string {
  return text.replace(/[\t\n\v\f\r !"#$&'()*+,\-./:;<=>?@[\\\]^`{|}~]/g, (c) =>
    "!\"',/:;<=>@`%".includes(c) ? c : `\\${c}`,
  );
}

/** The module as atoms see it. */
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
