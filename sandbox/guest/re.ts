// The `re` module of the sandbox: Python's spelling on V8's engine. Positions are JavaScript string indices.
import { translate } from "./regex-emit.ts";
import { FLAG, PatternError } from "./regex-syntax.ts";

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

/** A match as Python spells it. A group that took no part is null. `m[1]` is `m.group(1)`. */
export class Match {
  readonly string: string;
  readonly re: Pattern;
  readonly pos: number;
  readonly [index: number]: Group;
  #groups: (string | undefined)[];
  #index: number;
  #spans: (readonly [number, number] | undefined)[] | undefined;

  constructor(re: Pattern, found: RegExpExecArray) {
    this.re = re;
    this.string = found.input;
    this.pos = 0;
    this.#groups = found;
    this.#index = found.index;
    for (let i = 0; i < found.length; i++) {
      Object.defineProperty(this, i, { value: found[i] ?? null, enumerable: false });
    }
  }

  #number(group: number | string): number {
    const index = typeof group === "string" ? this.re.names.get(group) : group;
    if (index === undefined || !Number.isInteger(index) || index < 0 || index >= this.#groups.length) {
      throw new RangeError(`no such group: ${String(group)}`);
    }
    return index;
  }

  /** No argument or 0: the whole match; one: that group; several: a list of them. */
  group(...groups: (number | string)[]): Group | Group[] {
    if (groups.length === 0) return this.#groups[0] ?? null;
    const found = groups.map((group) => this.#groups[this.#number(group)] ?? null);
    return found.length === 1 ? (found[0] ?? null) : found;
  }

  groups(defaultValue: Group = null): Group[] {
    return this.#groups.slice(1).map((group) => group ?? defaultValue);
  }

  groupdict(defaultValue: Group = null): Record<string, Group> {
    const out: Record<string, Group> = {};
    for (const [name, index] of this.re.names) {
      // A group may be called __proto__; it stays data.
      Object.defineProperty(out, name, {
        value: this.#groups[index] ?? defaultValue,
        enumerable: true,
        writable: true,
        configurable: true,
      });
    }
    return out;
  }

  /** -1, -1 for a group that took no part. */
  span(group: number | string = 0): [number, number] {
    const index = this.#number(group);
    if (index === 0) return [this.#index, this.#index + (this.#groups[0] ?? "").length];
    this.#spans ??= this.re.spans(this.string, this.#index, (this.#groups[0] ?? "").length);
    const span = this.#spans[index];
    return span === undefined ? [-1, -1] : [span[0], span[1]];
  }

  start(group: number | string = 0): number {
    return this.span(group)[0];
  }

  end(group: number | string = 0): number {
    return this.span(group)[1];
  }
}

/** A compiled pattern. */
export class Pattern {
  readonly pattern: string;
  readonly names: ReadonlyMap<string, number>;
  readonly groups: number;
  #source: string;
  #flags: string;
  #compiled = new Map<string, RegExp>();

  constructor(pattern: string, flags: number) {
    const translated = translate(pattern, flags);
    this.pattern = pattern;
    this.names = translated.names;
    this.groups = translated.groups;
    this.#source = translated.source;
    this.#flags = translated.flags;
    this.#regexp("g");
  }

  get groupindex(): Record<string, number> {
    return Object.fromEntries(this.names);
  }

  #regexp(mode: "g" | "y" | "full" | "spans" | "full spans"): RegExp {
    let regexp = this.#compiled.get(mode);
    if (regexp === undefined) {
      const full = mode.startsWith("full");
      const source = full ? `(?:${this.#source})$` : this.#source;
      const flags = mode === "g" ? "g" : mode.endsWith("spans") ? "dy" : "y";
      try {
        regexp = new RegExp(source, this.#flags + flags);
      } catch (error) {
        // Too large for V8, mostly. The message names the translated source; the pattern is what counts.
        throw new PatternError(`V8 refuses the pattern: ${String((error as Error).message).slice(-80)}`);
      }
      this.#compiled.set(mode, regexp);
    }
    return regexp;
  }

  #exec(mode: "g" | "y" | "full", text: string, at: number): Match | null {
    if (typeof text !== "string") throw new TypeError(`expected a string, got ${typeOf(text)}`);
    const regexp = this.#regexp(mode);
    regexp.lastIndex = at;
    const found = regexp.exec(text);
    return found === null ? null : new Match(this, found);
  }

  search(text: string): Match | null {
    return this.#exec("g", text, 0);
  }

  match(text: string): Match | null {
    return this.#exec("y", text, 0);
  }

  fullmatch(text: string): Match | null {
    return this.#exec("full", text, 0);
  }

  /** Lazy, as in Python: `for (const m of re.finditer(...))`. */
  *finditer(text: string): Generator<Match> {
    let at = 0;
    while (at <= text.length) {
      const found = this.#exec("g", text, at);
      if (found === null) return;
      yield found;
      const [start, end] = found.span();
      at = end > start ? end : end + ((text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1);
    }
  }

  /** Spans of the groups of a match that is known to be at `index`; found a second time, with positions. */
  spans(text: string, index: number, length: number): (readonly [number, number] | undefined)[] {
    for (const mode of ["spans", "full spans"] as const) {
      const regexp = this.#regexp(mode);
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
