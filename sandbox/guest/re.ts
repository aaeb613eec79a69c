// The `re` module of the sandbox: Python's spelling on V8's engine. Positions are JavaScript string indices.
import { translate } from "./regex-emit.ts";
import { FLAG, PatternError } from "./regex-tree.ts";

type Group = string | null;

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

/** Groups whose `m[1]` is a getter on the prototype; those of the rare pattern with more are properties. */
const MAX_INDEXED = 20;

/** A match as Python spells it. A group that took no part is null. `m[1]` is `m.group(1)`. Made once per match
 * of a long log, so its making is three assignments; everything else is worked out when asked for. */
export class Match {
  declare readonly re: Pattern;
  readonly [index: number]: Group;
  declare private readonly found: RegExpExecArray;
  declare private spans: (readonly [number, number] | undefined)[] | undefined;

  constructor(re: Pattern, found: RegExpExecArray) {
    this.re = re;
    this.found = found;
    this.spans = undefined;
    for (let i = MAX_INDEXED + 1; i < found.length; i++) {
      Object.defineProperty(this, i, { value: found[i] ?? null });
    }
  }

  get string(): string {
    return this.found.input;
  }

  private number(group: number | string): number {
    const index = typeof group === "string" ? this.re.names.get(group) : group;
    if (index === undefined || !Number.isInteger(index) || index < 0 || index >= this.found.length) {
      throw new RangeError(`no such group: ${String(group)}`);
    }
    return index;
  }

  /** No argument or 0: the whole match; one: that group; several: a list of them. */
  group(...groups: (number | string)[]): Group | Group[] {
    if (groups.length === 0) return this.found[0];
    const [first] = groups;
    if (groups.length === 1 && first !== undefined) return this.found[this.number(first)] ?? null;
    return groups.map((group) => this.found[this.number(group)] ?? null);
  }

  groups(defaultValue: Group = null): Group[] {
    const out: Group[] = [];
    for (let i = 1; i < this.found.length; i++) out.push(this.found[i] ?? defaultValue);
    return out;
  }

  groupdict(defaultValue: Group = null): Record<string, Group> {
    const out: Record<string, Group> = {};
    for (const [name, index] of this.re.names) {
      const value = this.found[index] ?? defaultValue;
      // A group may be called __proto__; it stays data.
      if (name === "__proto__") Object.defineProperty(out, name, { value, ...PLAIN });
      else out[name] = value;
    }
    return out;
  }

  /** -1, -1 for a group that took no part. */
  span(group: number | string = 0): [number, number] {
    const index = this.number(group);
    const start = this.found.index;
    const { length } = this.found[0];
    if (index === 0) return [start, start + length];
    this.spans ??= this.re.spans(this.found.input, start, length);
    const span = this.spans[index];
    return span === undefined ? [-1, -1] : [span[0], span[1]];
  }

  start(group: number | string = 0): number {
    return this.span(group)[0];
  }

  end(group: number | string = 0): number {
    return this.span(group)[1];
  }
}

const PLAIN = { enumerable: true, writable: true, configurable: true };
for (let i = 0; i <= MAX_INDEXED; i++) {
  Object.defineProperty(Match.prototype, i, {
    get(this: Match) {
      // As for any index that is not there: undefined; Python would raise, JavaScript does not.
      return i <= this.re.groups ? this.group(i) : undefined;
    },
  });
}

/** A compiled pattern. */
export class Pattern {
  declare readonly pattern: string;
  declare readonly names: ReadonlyMap<string, number>;
  declare readonly groups: number;
  declare private readonly source: string;
  declare private readonly flags: string;
  declare private readonly compiled: Map<string, RegExp>;
  declare private readonly globalForm: RegExp;

  constructor(pattern: string, flags: number) {
    const translated = translate(pattern, flags);
    this.pattern = pattern;
    this.names = translated.names;
    this.groups = translated.groups;
    this.source = translated.source;
    this.flags = translated.flags;
    this.compiled = new Map();
    this.globalForm = this.regexp("g");
  }

  get groupindex(): Record<string, number> {
    return Object.fromEntries(this.names);
  }

  private regexp(mode: "g" | "y" | "full" | "spans" | "full spans"): RegExp {
    let regexp = this.compiled.get(mode);
    if (regexp === undefined) {
      const full = mode.startsWith("full");
      const source = full ? `(?:${this.source})$` : this.source;
      const flags = mode === "g" ? "g" : mode.endsWith("spans") ? "dy" : "y";
      try {
        regexp = new RegExp(source, this.flags + flags);
      } catch (error) {
        // Too large for V8, mostly. The message names the translated source; the pattern is what counts.
        throw new PatternError(`V8 refuses the pattern: ${String((error as Error).message).slice(-80)}`);
      }
      this.compiled.set(mode, regexp);
    }
    return regexp;
  }

  private exec(mode: "g" | "y" | "full", text: string, at: number): Match | null {
    if (typeof text !== "string") throw new TypeError(`expected a string, got ${typeOf(text)}`);
    const regexp = this.regexp(mode);
    regexp.lastIndex = at;
    const found = regexp.exec(text);
    return found === null ? null : new Match(this, found);
  }

  search(text: string): Match | null {
    return this.exec("g", text, 0);
  }

  match(text: string): Match | null {
    return this.exec("y", text, 0);
  }

  fullmatch(text: string): Match | null {
    return this.exec("full", text, 0);
  }

  /** Lazy, as in Python: `for (const m of re.finditer(...))`. */
  *finditer(text: string): Generator<Match> {
    const regexp = this.globalForm;
    let at = 0;
    for (;;) {
      // Set each time: the same pattern may be searched elsewhere between two steps.
      regexp.lastIndex = at;
      const found = regexp.exec(text);
      if (found === null) return;
      at = regexp.lastIndex;
      if (found[0] === "") at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
      yield new Match(this, found);
    }
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

const cache = new Map<string, Pattern>();

/** Compiles, or finds the pattern compiled before. Throws PatternError. */
export function compile(pattern: string | Pattern, flags?: unknown): Pattern {
  if (pattern instanceof Pattern) return pattern;
  if (typeof pattern !== "string") {
    throw new TypeError(`the pattern must be a string in Python's dialect, got ${typeOf(pattern)}`);
  }
  const bits = flagBits(flags);
  const key = `${bits}:${pattern}`;
  let compiled = cache.get(key);
  if (compiled === undefined) {
    compiled = new Pattern(pattern, bits);
    if (cache.size >= 512) cache.clear();
    cache.set(key, compiled);
  }
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
