// The expression of a line of the block that has no words in front of its parts, learned from the lines of the log that
// stand in its place: what all of them have stays, the rest is any text.

import { escapeClass, escapeRegex } from "../../escape.ts";
import { type Token, tokenize } from "../../logs/tokens.ts";
import { readsItself, type Slot } from "../../templates/template.ts";
import { tightClass } from "../tight.ts";
import { flexible } from "./keyed-line.ts";

const LEAST = 0.95;

/** The expression that nearly all of the lines follow, or undefined. */
export function learnedLine(
  line: string,
  slots: readonly Slot[],
  own: readonly string[],
): string | undefined {
  const sorted = [...slots].sort((a, b) => a.span.start - b.span.start);
  const [cut, tail] = optionalTail(line, sorted);
  const head = sorted.filter(({ span }) => span.end <= cut);
  // Behind the parts that every line has, some lines have more of them.
  const whole = tail === "" ? undefined : fitting(line.slice(0, cut), head, own, `${tail}\\s*$`);
  return whole ?? fitting(line, sorted, own, undefined);
}

/** The first expression that nearly all lines follow; `end` is what stands behind the last part. */
function fitting(
  line: string,
  slots: readonly Slot[],
  own: readonly string[],
  end: string | undefined,
): string | undefined {
  const kept = keptTokens(line, slots, own);
  const quoted = new Set(
    slots.filter((slot) => isQuoted(line, slot) && !inAll(own, line.charAt(slot.span.end))),
  );
  const asked = slots.some(({ hint }) => SEVERAL.test(hint.description));
  for (const way of asked
    ? [...WAYS].sort((a, b) => Number(b.wide) - Number(a.wide) || Number(a.open) - Number(b.open))
    : WAYS) {
    const built = build(line, slots, kept, own, quoted, way);
    const pattern = end === undefined ? built.body + built.end : built.body + end;
    const regex = new RegExp(pattern);
    const read = own.filter((text) => regex.test(text));
    // The page's own line is read as it was taken apart, or the expression is none of it.
    if (read.length >= own.length * LEAST && readsItself(pattern, line, slots))
      return narrow(pattern, slots, read);
  }
  return undefined;
}

/** `wide`: parts may have blanks; `free`: any number of words stand where some were dropped; `open`: words may stand
 * between those that stay as well. */
const WAYS = [
  { wide: false, free: false, open: false },
  { wide: false, free: true, open: false },
  { wide: false, free: true, open: true },
  { wide: true, free: false, open: false },
  { wide: true, free: true, open: false },
  { wide: true, free: true, open: true },
];

/** Words by which a page asks for all that stands in a place, of however many words. */
const SEVERAL =
  /\b(?:between|everything|whatever|all (?:that|of)|(?:what|which|that) stands|up to|until|(?:one|two) (?:or|to) (?:more|several|three|four)|several words)\b/i;

/** Where the optional parts at the end of the line begin, and their expression, when they stand in brackets. */
function optionalTail(line: string, slots: readonly Slot[]): [number, string] {
  const first = slots.findIndex(
    (_, index) => index > 0 && slots.slice(index).every(({ hint }) => hint.optional),
  );
  const before = slots[first - 1];
  const last = slots.at(-1);
  if (first < 0 || before === undefined || last === undefined) return [0, ""];
  const rest = line.slice(before.span.end);
  if (!/^\s+[([{][^()[\]{}]*[)\]}]\s*$/.test(rest)) return [0, ""];
  let out = "";
  let at = before.span.end;
  for (const slot of slots.slice(first)) {
    const next = line.charAt(slot.span.end);
    out += `${flexible(line.slice(at, slot.span.start), false)}(?<${slot.group}>[^${escapeClass(next)}]+)`;
    at = slot.span.end;
  }
  return [before.span.end, `(?:${out}${flexible(line.slice(at).trimEnd(), false)})?`];
}

function inAll(own: readonly string[], text: string): boolean {
  return own.every((line) => line.includes(text));
}

function isQuoted(line: string, { span }: Slot): boolean {
  const open = line.charAt(span.start - 1);
  return /["'`]/.test(open) && line.charAt(span.end) === open;
}

/** Tokens outside the parts that nearly every line has, in the same order. */
function keptTokens(line: string, slots: readonly Slot[], own: readonly string[]): Token[] {
  const at = own.map(() => 0);
  return tokenize(line).filter((token) => {
    const inside = slots.some(({ span }) => token.start < span.end && token.end > span.start);
    // Behind the quotes that some lines lack comes what parts the text from the next one.
    const beside = slots.some(
      (slot) =>
        token.end === slot.span.start ||
        token.start === slot.span.end ||
        (token.start === slot.span.end + 1 && isQuoted(line, slot)),
    );
    const sign = token.kind === "punct" && (beside || !/[.,_/-]/.test(token.text));
    if (
      inside ||
      (!beside && isEnclosed(line, token)) ||
      !(sign || (/^[A-Za-z][A-Za-z-]+$/.test(token.text) && token.kind !== "punct"))
    )
      return false;
    const next = own.map((text, index) => indexOf(text, token, at[index] ?? 0));
    const without = next.filter((found) => found < 0).length;
    if (without > own.length * (1 - LEAST)) return false;
    next.forEach((found, index) => {
      if (found >= 0) at[index] = found + token.text.length;
    });
    return true;
  });
}

/** What stands in brackets is data: flags, remarks. */
function isEnclosed(line: string, token: Token): boolean {
  return (
    /[<([{][^<>()[\]{}]*$/.test(line.slice(0, token.start)) &&
    /^[^<>()[\]{}]*[>)\]}]/.test(line.slice(token.end))
  );
}

function indexOf(text: string, token: Token, from: number): number {
  for (let at = text.indexOf(token.text, from); at >= 0; at = text.indexOf(token.text, at + 1)) {
    if (token.kind === "punct") return at;
    if (!/\w/.test(text.charAt(at - 1)) && !/\w/.test(text.charAt(at + token.text.length))) return at;
  }
  return -1;
}

function build(
  line: string,
  slots: readonly Slot[],
  kept: readonly Token[],
  own: readonly string[],
  quoted: ReadonlySet<Slot>,
  { wide, free, open }: (typeof WAYS)[number],
): { body: string; end: string } {
  const pieces = [
    ...slots.map((slot) => ({ start: slot.span.start, end: slot.span.end, slot })),
    ...kept.map((token) => ({ start: token.start, end: token.end, slot: undefined })),
  ].sort((a, b) => a.start - b.start);
  let out = indentOf(own);
  let at = line.search(/\S/);
  for (const [index, piece] of pieces.entries()) {
    const next = pieces[index + 1];
    const loose = piece.slot !== undefined && quoted.has(piece.slot);
    const mark = loose ? `${line.charAt(piece.end)}?` : "";
    const between = line.slice(at, loose ? piece.start - 1 : piece.start);
    // "46/50": the sign between two parts parts them.
    const sign = index > 0 && /^[^\w\s]$/.test(between) && pieces[index - 1]?.slot !== undefined;
    // What stands in brackets of its own has no further words beside it.
    const before = pieces[index - 1];
    const isSign = (one: typeof before): boolean =>
      one !== undefined && one.slot === undefined && /^[^\w\s]+$/.test(line.slice(one.start, one.end));
    const enclosed =
      (piece.slot !== undefined && isSign(before)) || (before?.slot !== undefined && isSign(piece));
    out +=
      (sign ? escapeRegex(between) : gap(between, index === 0, { free, open: open && !enclosed })) + mark;
    at = piece.end + (loose ? 1 : 0);
    if (piece.slot === undefined) {
      out += escapeRegex(line.slice(piece.start, piece.end));
      continue;
    }
    const border =
      next === undefined
        ? (/^[^\s\w]/.exec(line.slice(at))?.[0] ?? "")
        : next.start > at
          ? (/^[^\w\s](?=\w)/.exec(line.slice(at, next.start + 1))?.[0] ?? "")
          : line.slice(next.start, next.end);
    out += `(?<${piece.slot.group}>${bodyOf(line, piece.slot, border, loose, wide)})${mark}`;
  }
  return { body: out, end: endOf(line, at) };
}

function indentOf(own: readonly string[]): string {
  const widths = new Set(own.map((text) => text.search(/\S/)));
  const [width = 0] = widths;
  if (widths.size > 1) return widths.has(0) ? "^\\s*" : "^\\s+";
  return width === 0 ? "^" : `^[ \\t]{${width}}`;
}

/** What stands between two pieces that stay: blanks, or any text where something was dropped. */
function gap(
  text: string,
  atStart: boolean,
  { free, open }: Pick<(typeof WAYS)[number], "free" | "open">,
): string {
  if (text === "") return "";
  if (text.trim() === "") return open && !atStart ? "\\s+(?:\\S.*?\\s)??" : "\\s+";
  if (atStart) return /\s$/.test(text) ? "\\S.*?\\s+" : "\\S.*?";
  const chunks = text.trim().split(/\s+/).length;
  if (!free && /^\s.*\s$/.test(text) && chunks < 4) return `\\s+(?:\\S+\\s+){${chunks}}`;
  return `${/^\s/.test(text) ? "\\s+" : ""}.*?${/\s$/.test(text) ? "\\s+" : ""}`;
}

function bodyOf(line: string, slot: Slot, border: string, quoted: boolean, wide: boolean): string {
  const text = line.slice(slot.span.start, slot.span.end);
  if (quoted) return `[^${escapeClass(line.charAt(slot.span.end))}]+?`;
  if (/^[^\s\w]/.test(border) && !text.includes(border.charAt(0)) && !wide)
    return `[^${escapeClass(border.charAt(0))}]+`;
  if (!wide && !/\s/.test(text) && border === "") return "\\S+";
  return /\s/.test(text) || wide ? "\\S.*?" : "\\S+?";
}

function endOf(line: string, at: number): string {
  const rest = line.slice(at);
  if (rest.trim() === "") return "\\s*$";
  if (/^\s{2,}/.test(rest)) return "(?=\\s{2,}|\\s*$)";
  return /^\s/.test(rest) ? "(?=\\s|$)" : "";
}

/** An expression that is nothing but a part matches any word: the part is kept to how its texts are built. */
function narrow(pattern: string, slots: readonly Slot[], own: readonly string[]): string {
  const [only] = slots;
  const body = /^(\^(?:\\s[*+]|\[ \\t\]\{\d+\})?)\(\?<\w+>(\\S\+\??|\\S\.\*\?)\)(.*)$/.exec(pattern);
  if (only === undefined || slots.length > 1 || body === null) return pattern;
  const regex = new RegExp(pattern);
  const texts = own.map((text) => regex.exec(text)?.groups?.[only.group] ?? "");
  const tight = texts.length > 2 ? tightClass(texts) : undefined;
  return `${body[1] ?? "^"}(?<${only.group}>${tight ?? chunksOf(texts) ?? lettersOf(texts)})${body[3] ?? ""}`;
}

/** Chunk by chunk, where all texts have as many and one of them is the same everywhere: "-?\d+ \S+ skew". */
function chunksOf(texts: readonly string[]): string | undefined {
  const rows = texts.map((text) => text.trim().split(/\s+/));
  const [first = []] = rows;
  if (texts.length < 3 || first.length < 2 || rows.some((row) => row.length !== first.length))
    return undefined;
  const chunks = first.map((chunk, at) => {
    if (rows.every((row) => row[at] === chunk)) return escapeRegex(chunk);
    return rows.every((row) => /^[-+]?\d+(?:\.\d+)?$/.test(row[at] ?? "")) ? "[-+]?\\d+(?:\\.\\d+)?" : "\\S+";
  });
  return chunks.some((chunk) => /[A-Za-z]{2}/.test(chunk)) ? chunks.join("\\s+") : undefined;
}

/** Letters, digits and the signs that were seen, from a letter or digit on. */
function lettersOf(texts: readonly string[]): string {
  const signs = [...new Set(texts.join("").match(/[^\w\s]/g) ?? [])]
    .map((sign) => escapeClass(sign))
    .join("");
  const blank = texts.some((text) => /\s/.test(text)) ? " " : "";
  const first = texts.every((text) => /^\w/.test(text)) ? "\\w" : `[\\w${signs}]`;
  return `${first}[\\w${signs}${blank}]*`;
}
