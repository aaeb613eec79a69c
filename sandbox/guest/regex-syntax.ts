// Reads a regular expression in Python's dialect (the `re` module of Python 3.11 and later) into a tree.
// Errors carry Python's wording and position; what V8 cannot do is refused by name, never approximated.

/** Values of the flags as Python has them. */
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

/** What `re` throws for a pattern: Python's `re.error` (PatternError since 3.13). */
export class PatternError extends Error {
  override readonly name = "PatternError";
  readonly pos: number | null;

  constructor(message: string, pos: number | null = null) {
    super(pos === null ? message : `${message} at position ${pos}`);
    this.pos = pos;
  }
}

const MAX_REPEAT = 4294967295;
const SPACES = new Set([" ", "\t", "\n", "\r", "\v", "\f"]);
const FLAG_LETTERS: Record<string, number> = { i: 2, L: 4, m: 8, s: 16, u: 32, x: 64, a: 256 };
const TYPE_FLAGS = FLAG.A | FLAG.L | FLAG.U;
const SIMPLE_ESCAPES: Record<string, number> = { a: 7, b: 8, f: 12, n: 10, r: 13, t: 9, v: 11 };
const isDigit = (c: string | undefined): boolean => c !== undefined && c >= "0" && c <= "9";
const isOctal = (c: string | undefined): boolean => c !== undefined && c >= "0" && c <= "7";
const isHex = (c: string | undefined): boolean => c !== undefined && /^[0-9A-Fa-f]$/.test(c);
const isAsciiLetter = (c: string): boolean => /^[A-Za-z]$/.test(c);

/** Parses a whole pattern. `flags` are those passed beside it; leading inline flags are added to them. */
export function parsePattern(pattern: string, flags: number): ParsedPattern {
  const first = new Parser(pattern, flags);
  try {
    return first.parse();
  } catch (error) {
    // As in CPython: a leading (?x) changes how everything is read, so the reading starts again with it.
    if (error instanceof VerboseSeen) return new Parser(pattern, flags | FLAG.X).parse();
    throw error;
  }
}

class VerboseSeen extends Error {}

class Parser {
  private readonly chars: string[];
  private at = 0;
  private flags: number;
  private readonly verboseAtStart: boolean;
  private groups = 0;
  private readonly names = new Map<string, number>();
  private readonly open = new Set<number>();
  private readonly widths = new Map<number, Width>();
  /** Groups that existed when the innermost look-behind began; null outside. */
  private lookbehindGroups: number | null = null;
  /** Reported at the end, as in CPython: an error of syntax further on comes first. */
  private variableLookbehind = false;

  constructor(pattern: string, flags: number) {
    this.chars = Array.from(pattern);
    this.flags = flags;
    this.verboseAtStart = (flags & FLAG.X) !== 0;
  }

  parse(): ParsedPattern {
    if ((this.flags & FLAG.L) !== 0) throw new PatternError("cannot use LOCALE flag with a str pattern");
    const root = this.alternatives(this.flags, true);
    if (this.at < this.chars.length) throw this.error("unbalanced parenthesis", this.at);
    if (this.variableLookbehind) throw new PatternError("look-behind requires fixed-width pattern");
    return { root, flags: this.flags, groups: this.groups, names: this.names };
  }

  private error(message: string, pos: number): PatternError {
    return new PatternError(message, pos);
  }

  private alternatives(flags: number, top: boolean): Node {
    const branches: Node[] = [];
    do {
      branches.push(this.sequence(top ? this.flags : flags, top && branches.length === 0));
    } while (this.eat("|"));
    return branches.length === 1 && branches[0] !== undefined ? branches[0] : { type: "alt", branches };
  }

  private eat(c: string): boolean {
    if (this.chars[this.at] !== c) return false;
    this.at += 1;
    return true;
  }

  private sequence(startFlags: number, first: boolean): Node {
    let flags = startFlags;
    const items: Node[] = [];
    for (;;) {
      if ((flags & FLAG.X) !== 0) this.skipVerbose();
      const c = this.chars[this.at];
      if (c === undefined || c === "|" || c === ")") break;
      const start = this.at;
      this.at += 1;
      if (c === "(") {
        const node = this.parenthesis(start, flags, first && items.length === 0);
        if (node === "global flags") flags = this.flags;
        else if (node !== null) items.push(node);
        continue;
      }
      const range = "*+?{".includes(c) ? this.quantifier(c, start) : null;
      if (range === null) items.push(this.single(c, start, flags));
      else this.repeat(items, range, start);
    }
    return items.length === 1 && items[0] !== undefined ? items[0] : { type: "seq", items };
  }

  /** With (?x): white space and comments up to the end of the line count for nothing. */
  private skipVerbose(): void {
    for (;;) {
      const c = this.chars[this.at];
      if (c === "#") while (this.at < this.chars.length && this.chars[this.at] !== "\n") this.at += 1;
      else if (c === undefined || !SPACES.has(c)) return;
      else this.at += 1;
    }
  }

  /** One item that is neither a group nor a quantifier. `c` has been consumed. */
  private single(c: string, start: number, flags: number): Node {
    if (c === "\\") return this.escape(start, flags);
    if (c === "[") return this.set(start, flags);
    if (c === ".") return { type: "any", dotAll: (flags & FLAG.S) !== 0 };
    if (c === "^" || c === "$") return this.assertion(c, flags);
    return { type: "char", code: c.codePointAt(0) ?? 0 };
  }

  private assertion(at: "^" | "$" | "A" | "Z" | "b" | "B", flags: number): Node {
    return { type: "at", at, multiline: (flags & FLAG.M) !== 0, ascii: (flags & FLAG.A) !== 0 };
  }

  /** null where `{` begins no quantifier and stands for itself. */
  private quantifier(c: string, start: number): { min: number; max: number } | null {
    if (c === "*") return { min: 0, max: Number.POSITIVE_INFINITY };
    if (c === "+") return { min: 1, max: Number.POSITIVE_INFINITY };
    if (c === "?") return { min: 0, max: 1 };
    const back = this.at;
    if (this.chars[this.at] === "}") return null;
    const low = this.digits();
    let high = low;
    if (this.eat(",")) high = this.digits();
    if (!this.eat("}")) {
      this.at = back;
      return null;
    }
    const min = low === "" ? 0 : Number(low);
    const max = high === "" ? Number.POSITIVE_INFINITY : Number(high);
    if (min >= MAX_REPEAT || (max !== Number.POSITIVE_INFINITY && max >= MAX_REPEAT)) {
      throw this.error("the repetition number is too large", start);
    }
    if (max < min) throw this.error("min repeat greater than max repeat", start + 1);
    return { min, max };
  }

  private digits(): string {
    let text = "";
    while (isDigit(this.chars[this.at])) text += this.chars[this.at++];
    return text;
  }

  private repeat(items: Node[], range: { min: number; max: number }, start: number): void {
    const item = items.at(-1);
    if (item === undefined || item.type === "at") throw this.error("nothing to repeat", start);
    if (item.type === "repeat") throw this.error("multiple repeat", start);
    let lazy = false;
    if (this.eat("?")) lazy = true;
    else if (this.chars[this.at] === "+") {
      const quantifier = this.chars.slice(start, this.at + 1).join("");
      throw this.error(`possessive quantifier ${quantifier} is not supported`, start);
    }
    items[items.length - 1] = { type: "repeat", ...range, lazy, body: item };
  }

  private escape(start: number, flags: number): Node {
    const c = this.chars[this.at];
    if (c === undefined) throw this.error("bad escape (end of pattern)", start);
    this.at += 1;
    if (c === "A" || c === "Z" || c === "b" || c === "B") return this.assertion(c, flags);
    if ("dDwWsS".includes(c)) {
      const item: SetItem = { kind: "category", category: c as Category, ascii: (flags & FLAG.A) !== 0 };
      return { type: "set", negated: false, items: [item] };
    }
    if (isDigit(c) && c !== "0") {
      let number = c;
      if (isDigit(this.chars[this.at])) {
        const second = this.chars[this.at] ?? "";
        const third = this.chars[this.at + 1];
        if (isOctal(c) && isOctal(second) && isOctal(third)) {
          this.at += 2;
          return { type: "char", code: this.octal(`${c}${second}${third}`, start) };
        }
        number += second;
        this.at += 1;
      }
      return this.reference(Number(number), start, start + 1);
    }
    return { type: "char", code: this.charEscape(c, start, false) };
  }

  private reference(index: number, start: number, pos: number): Node {
    if (index > this.groups) throw this.error(`invalid group reference ${index}`, pos);
    if (this.open.has(index)) throw this.error("cannot refer to an open group", start);
    if (this.lookbehindGroups !== null && index > this.lookbehindGroups) {
      throw this.error("cannot refer to group defined in the same lookbehind subpattern", start);
    }
    return { type: "ref", index };
  }

  private octal(digits: string, start: number): number {
    const code = Number.parseInt(digits, 8);
    if (code > 0o377) throw this.error(`octal escape value \\${digits} outside of range 0-0o377`, start);
    return code;
  }

  /** Escapes that stand for one character, in and outside of sets. `c` has been consumed. */
  private charEscape(c: string, start: number, inSet: boolean): number {
    if (c === "x") return this.hex(2, "x", start);
    if (c === "u") return this.hex(4, "u", start);
    if (c === "U") {
      const code = this.hex(8, "U", start);
      if (code > 0x10ffff) throw this.error(`bad escape \\U${code.toString(16).padStart(8, "0")}`, start);
      return code;
    }
    if (c === "N") throw this.error("named character \\N{...} is not supported", start);
    if (c === "0" || (inSet && isOctal(c))) {
      let digits = c;
      while (digits.length < 3 && isOctal(this.chars[this.at])) digits += this.chars[this.at++];
      return this.octal(digits, start);
    }
    const simple = SIMPLE_ESCAPES[c];
    if (simple !== undefined && (c !== "b" || inSet)) return simple;
    if (isAsciiLetter(c) || isDigit(c)) throw this.error(`bad escape \\${c}`, start);
    return c.codePointAt(0) ?? 0;
  }

  private hex(count: number, letter: string, start: number): number {
    let digits = "";
    while (digits.length < count && isHex(this.chars[this.at])) digits += this.chars[this.at++];
    if (digits.length !== count) throw this.error(`incomplete escape \\${letter}${digits}`, start);
    return Number.parseInt(digits, 16);
  }

  private set(start: number, flags: number): Node {
    const negated = this.eat("^");
    const items: SetItem[] = [];
    const first = this.at;
    for (;;) {
      const itemStart = this.at;
      const c = this.chars[this.at];
      if (c === undefined) throw this.error("unterminated character set", start);
      if (c === "]" && this.at > first) break;
      const from = this.setItem(flags, start);
      if (this.chars[this.at] !== "-") {
        items.push(from);
        continue;
      }
      const after = this.chars[this.at + 1];
      if (after === undefined) throw this.error("unterminated character set", start);
      if (after === "]") {
        items.push(from, { kind: "char", code: 0x2d });
        this.at += 1;
        break;
      }
      this.at += 1;
      const to = this.setItem(flags, start);
      const text = (): string => this.chars.slice(itemStart, this.at).join("");
      if (from.kind !== "char" || to.kind !== "char" || to.code < from.code) {
        throw this.error(`bad character range ${text()}`, itemStart);
      }
      items.push({ kind: "range", from: from.code, to: to.code });
    }
    this.at += 1;
    return { type: "set", negated, items };
  }

  private setItem(flags: number, setStart: number): SetItem {
    const start = this.at;
    const c = this.chars[this.at];
    if (c === undefined) throw this.error("unterminated character set", setStart);
    this.at += 1;
    if (c !== "\\") return { kind: "char", code: c.codePointAt(0) ?? 0 };
    const e = this.chars[this.at];
    if (e === undefined) throw this.error("bad escape (end of pattern)", start);
    this.at += 1;
    if ("dDwWsS".includes(e)) {
      return { kind: "category", category: e as Category, ascii: (flags & FLAG.A) !== 0 };
    }
    return { kind: "char", code: this.charEscape(e, start, true) };
  }

  /** After "(". null: nothing to match (a comment). */
  private parenthesis(start: number, flags: number, first: boolean): Node | null | "global flags" {
    if (!this.eat("?")) return this.capture(start, flags, null);
    const c = this.chars[this.at];
    if (c === undefined) throw this.error("unexpected end of pattern", this.at);
    this.at += 1;
    switch (c) {
      case "P":
        return this.named(start, flags);
      case ":":
        return this.group(start, flags, null);
      case "#":
        return this.comment(start);
      case "=":
      case "!":
        return this.look(start, flags, true, c === "!");
      case "<": {
        const d = this.chars[this.at];
        if (d === undefined) throw this.error("unexpected end of pattern", this.at);
        this.at += 1;
        if (d !== "=" && d !== "!") throw this.error(`unknown extension ?<${d}`, start + 1);
        return this.look(start, flags, false, d === "!");
      }
      case "(":
        throw this.error("conditional group (?(...)...) is not supported", start);
      case ">":
        throw this.error("atomic group (?>...) is not supported", start);
      default:
        if (c === "-" || c in FLAG_LETTERS) return this.inlineFlags(c, start, flags, first);
        throw this.error(`unknown extension ?${c}`, start + 1);
    }
  }

  private comment(start: number): null {
    for (;;) {
      const c = this.chars[this.at];
      if (c === undefined) throw this.error("missing ), unterminated comment", start);
      this.at += 1;
      if (c === ")") return null;
    }
  }

  private close(start: number): void {
    if (!this.eat(")")) throw this.error("missing ), unterminated subpattern", start);
  }

  private capture(start: number, flags: number, name: string | null): Node {
    this.groups += 1;
    const index = this.groups;
    if (name !== null) {
      const before = this.names.get(name);
      if (before !== undefined) {
        const message = `redefinition of group name '${name}' as group ${index}; was group ${before}`;
        throw this.error(message, start + 4);
      }
      this.names.set(name, index);
    }
    this.open.add(index);
    const body = this.alternatives(flags, false);
    this.close(start);
    this.open.delete(index);
    this.widths.set(index, widthOf(body, this.widths));
    return { type: "group", index, ignoreCase: null, body };
  }

  private group(start: number, flags: number, ignoreCase: boolean | null): Node {
    const body = this.alternatives(flags, false);
    this.close(start);
    return { type: "group", index: null, ignoreCase, body };
  }

  private look(start: number, flags: number, ahead: boolean, negated: boolean): Node {
    const outer = this.lookbehindGroups;
    if (!ahead && outer === null) this.lookbehindGroups = this.groups;
    const body = this.alternatives(flags, false);
    this.close(start);
    if (!ahead) {
      if (outer === null) this.lookbehindGroups = null;
      const [low, high] = widthOf(body, this.widths);
      if (low !== high) this.variableLookbehind = true;
    }
    return { type: "look", ahead, negated, body };
  }

  private named(start: number, flags: number): Node {
    if (this.eat("<")) {
      const name = this.name(">");
      return this.capture(start, flags, name);
    }
    if (this.eat("=")) {
      const pos = this.at;
      const name = this.name(")");
      const index = this.names.get(name);
      if (index === undefined) throw this.error(`unknown group name '${name}'`, pos);
      return this.reference(index, pos, pos);
    }
    const c = this.chars[this.at];
    if (c === undefined) throw this.error("unexpected end of pattern", this.at);
    throw this.error(`unknown extension ?P${c}`, start + 1);
  }

  private name(end: string): string {
    const start = this.at;
    let name = "";
    for (;;) {
      const c = this.chars[this.at];
      if (c === undefined) {
        if (name === "") throw this.error("missing group name", start);
        throw this.error(`missing ${end}, unterminated name`, start);
      }
      this.at += 1;
      if (c === end) break;
      name += c;
    }
    if (name === "") throw this.error("missing group name", start);
    if (!/^[\p{XID_Start}_]\p{XID_Continue}*$/u.test(name)) {
      throw this.error(`bad character in group name '${name}'`, start);
    }
    return name;
  }

  private inlineFlags(c: string, start: number, flags: number, first: boolean): Node | "global flags" {
    const on = this.flagLetters(c);
    let end = on.next;
    if ((on.flags & TYPE_FLAGS & ((on.flags & TYPE_FLAGS) - 1)) !== 0) {
      throw this.error("bad inline flags: flags 'a', 'u' and 'L' are incompatible", this.at);
    }
    if (end === ")") {
      if (!first) throw this.error("global flags not at the start of the expression", start);
      if ((on.flags & FLAG.X) !== 0 && !this.verboseAtStart) throw new VerboseSeen();
      this.flags |= on.flags;
      if ((this.flags & FLAG.A) !== 0 && (this.flags & FLAG.U) !== 0) {
        throw new PatternError("ASCII and UNICODE flags are incompatible");
      }
      return "global flags";
    }
    let removed = 0;
    let expected = "missing -, : or )";
    if (end === "-") {
      const letter = this.chars[this.at];
      this.at += 1;
      if (letter === undefined || !(letter in FLAG_LETTERS)) {
        throw this.flagError("missing flag", letter);
      }
      const off = this.flagLetters(letter);
      removed = off.flags;
      if ((removed & TYPE_FLAGS) !== 0) {
        throw this.error("bad inline flags: cannot turn off flags 'a', 'u' and 'L'", this.at);
      }
      end = off.next;
      expected = "missing :";
    }
    if (end !== ":") throw this.flagError(expected, end);
    if ((on.flags & removed) !== 0) {
      throw this.error("bad inline flags: flag turned on and off", this.at);
    }
    const kept = (on.flags & TYPE_FLAGS) === 0 ? flags : flags & ~TYPE_FLAGS;
    const inner = (kept | on.flags) & ~removed;
    const changed = (inner & FLAG.I) !== (flags & FLAG.I);
    return this.group(start, inner, changed ? (inner & FLAG.I) !== 0 : null);
  }

  /** Reads flag letters, the first of which has been consumed; returns their sum and what follows, consumed. */
  private flagLetters(first: string): { flags: number; next: string | undefined } {
    let flags = 0;
    let letter: string | undefined = first;
    while (letter !== undefined && letter in FLAG_LETTERS) {
      if (letter === "L") {
        throw this.error("bad inline flags: cannot use 'L' flag with a str pattern", this.at);
      }
      flags |= FLAG_LETTERS[letter] ?? 0;
      letter = this.chars[this.at];
      this.at += 1;
    }
    return { flags, next: letter };
  }

  private flagError(missing: string, found: string | undefined): PatternError {
    if (found === undefined) return this.error(missing, this.chars.length);
    return this.error(isAsciiLetter(found) ? "unknown flag" : missing, this.at - 1);
  }
}

/** Characters a tree can match, at least and at most. */
type Width = readonly [low: number, high: number];

function widthOf(node: Node, groups: ReadonlyMap<number, Width>): Width {
  switch (node.type) {
    case "char":
    case "any":
    case "set":
      return [1, 1];
    case "at":
    case "look":
      return [0, 0];
    case "group":
      return widthOf(node.body, groups);
    case "ref":
      return groups.get(node.index) ?? [0, Number.POSITIVE_INFINITY];
    case "alt": {
      const widths = node.branches.map((branch) => widthOf(branch, groups));
      return [Math.min(...widths.map((w) => w[0])), Math.max(...widths.map((w) => w[1]))];
    }
    case "seq": {
      const widths = node.items.map((item) => widthOf(item, groups));
      return [widths.reduce((sum, w) => sum + w[0], 0), widths.reduce((sum, w) => sum + w[1], 0)];
    }
    case "repeat": {
      const [low, high] = widthOf(node.body, groups);
      return [low * node.min, high === 0 || node.max === 0 ? 0 : high * node.max];
    }
  }
}
