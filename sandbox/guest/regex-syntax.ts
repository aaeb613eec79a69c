// Parses a regular expression in Python's dialect (the `re` module of Python 3.11 and later) into a tree. Features that
// V8 lacks are rejected by name, never approximated.
import { FLAG_LETTERS, isDigit, isOctal, PatternReader } from "./regex-reader.ts";
import {
  type Category,
  FLAG,
  type Node,
  type ParsedPattern,
  PatternError,
  type SetItem,
} from "./regex-tree.ts";
import { type Width, widthOf } from "./regex-width.ts";

const TYPE_FLAGS = FLAG.A | FLAG.L | FLAG.U;

/** Parses a whole pattern. Leading inline flags are added to `flags`. */
export function parsePattern(pattern: string, flags: number): ParsedPattern {
  const first = new Parser(pattern, flags);
  try {
    return first.parse();
  } catch (error) {
    // As in CPython: a leading (?x) changes the syntax, so parsing starts over with the flag set.
    if (error instanceof VerboseSeen) return new Parser(pattern, flags | FLAG.X).parse();
    throw error;
  }
}

class VerboseSeen extends Error {}

class Parser extends PatternReader {
  private flags: number;
  private readonly verboseAtStart: boolean;
  private groups = 0;
  private readonly names = new Map<string, number>();
  private readonly open = new Set<number>();
  private readonly widths = new Map<number, Width>();
  /** Number of groups when the outermost look-behind began; null outside. */
  private lookbehindGroups: number | null = null;
  /** Reported at the end, as in CPython: a later syntax error takes precedence. */
  private variableLookbehind = false;

  constructor(pattern: string, flags: number) {
    super(pattern);
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

  private alternatives(flags: number, top: boolean): Node {
    const branches: Node[] = [];
    do {
      branches.push(this.sequence(top ? this.flags : flags, top && branches.length === 0));
    } while (this.eat("|"));
    return branches.length === 1 && branches[0] !== undefined ? branches[0] : { type: "alt", branches };
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

  /** One item that is neither a group nor a quantifier. `c` has been consumed. */
  private single(c: string, start: number, flags: number): Node {
    if (c === "\\") return this.escape(start, flags);
    if (c === "[") return { type: "set", ...this.set(start, flags) };
    if (c === ".") return { type: "any", dotAll: (flags & FLAG.S) !== 0 };
    if (c === "^" || c === "$") return this.assertion(c, flags);
    return { type: "char", code: c.codePointAt(0) ?? 0 };
  }

  private assertion(at: "^" | "$" | "A" | "Z" | "b" | "B", flags: number): Node {
    return { type: "at", at, multiline: (flags & FLAG.M) !== 0, ascii: (flags & FLAG.A) !== 0 };
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

  /** Parses what follows "(". null: a comment. */
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
}
