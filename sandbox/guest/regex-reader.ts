// The lexer of patterns: escapes, sets, quantifiers, names, flag letters. The parser is regex-syntax.ts. Errors have
// Python's wording and position.
import { type Category, FLAG, PatternError, type SetItem } from "./regex-tree.ts";

const MAX_REPEAT = 4294967295;
const SPACES = new Set([" ", "\t", "\n", "\r", "\v", "\f"]);
export const FLAG_LETTERS: Record<string, number> = { i: 2, L: 4, m: 8, s: 16, u: 32, x: 64, a: 256 };
const SIMPLE_ESCAPES: Record<string, number> = { a: 7, b: 8, f: 12, n: 10, r: 13, t: 9, v: 11 };
export const isDigit = (c: string | undefined): boolean => c !== undefined && c >= "0" && c <= "9";
export const isOctal = (c: string | undefined): boolean => c !== undefined && c >= "0" && c <= "7";
const isHex = (c: string | undefined): boolean => c !== undefined && /^[0-9A-Fa-f]$/.test(c);
const isAsciiLetter = (c: string): boolean => /^[A-Za-z]$/.test(c);

/** A set of characters as written. */
export interface ReadSet {
  negated: boolean;
  items: SetItem[];
}

/** Reads one token after another; `at` is the position of the next character. */
export class PatternReader {
  protected readonly chars: string[];
  protected at = 0;

  constructor(pattern: string) {
    this.chars = Array.from(pattern);
  }

  protected error(message: string, pos: number): PatternError {
    return new PatternError(message, pos);
  }

  protected eat(c: string): boolean {
    if (this.chars[this.at] !== c) return false;
    this.at += 1;
    return true;
  }

  protected digits(): string {
    let text = "";
    while (isDigit(this.chars[this.at])) text += this.chars[this.at++];
    return text;
  }

  /** With (?x): skips white space and comments up to the end of the line. */
  protected skipVerbose(): void {
    for (;;) {
      const c = this.chars[this.at];
      if (c === "#") while (this.at < this.chars.length && this.chars[this.at] !== "\n") this.at += 1;
      else if (c === undefined || !SPACES.has(c)) return;
      else this.at += 1;
    }
  }

  protected comment(start: number): null {
    for (;;) {
      const c = this.chars[this.at];
      if (c === undefined) throw this.error("missing ), unterminated comment", start);
      this.at += 1;
      if (c === ")") return null;
    }
  }

  protected close(start: number): void {
    if (!this.eat(")")) throw this.error("missing ), unterminated subpattern", start);
  }

  protected name(end: string): string {
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

  protected octal(digits: string, start: number): number {
    const code = Number.parseInt(digits, 8);
    if (code > 0o377) throw this.error(`octal escape value \\${digits} outside of range 0-0o377`, start);
    return code;
  }

  /** Escapes for one character, inside and outside sets. `c` has been consumed. */
  protected charEscape(c: string, start: number, inSet: boolean): number {
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

  protected hex(count: number, letter: string, start: number): number {
    let digits = "";
    while (digits.length < count && isHex(this.chars[this.at])) digits += this.chars[this.at++];
    if (digits.length !== count) throw this.error(`incomplete escape \\${letter}${digits}`, start);
    return Number.parseInt(digits, 16);
  }

  protected set(start: number, flags: number): ReadSet {
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
    return { negated, items };
  }

  protected setItem(flags: number, setStart: number): SetItem {
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

  /** Reads flag letters, the first of which has been consumed; returns their sum and the next character, consumed. */
  protected flagLetters(first: string): { flags: number; next: string | undefined } {
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

  protected flagError(missing: string, found: string | undefined): PatternError {
    if (found === undefined) return this.error(missing, this.chars.length);
    return this.error(isAsciiLetter(found) ? "unknown flag" : missing, this.at - 1);
  }

  /** null where `{` is a literal, not a quantifier. */
  protected quantifier(c: string, start: number): { min: number; max: number } | null {
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
}
