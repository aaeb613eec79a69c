// What an example line of the page has in common with the log. The texts of an example are made up, its message is
// not: words that the log's lines have too are the message, and what only the example has stands for data.

import { isStandIn, type Token, tokenize } from "../logs/tokens.ts";
import type { Hint } from "../page/page.ts";
import { isBounded } from "./bounds.ts";
import type { Span } from "./evidence.ts";

/** So much of the lines of a family must have a token for it to be the message, or to be data. */
const MOST = 0.9;
const FEW = 0.1;

/** Lines beyond this many are not needed to know a message. */
const MAX_FAMILY = 400;

type Share = "message" | "data" | "open";

/** What the log says about a part of the example as the text of a hint; undefined when no line is like the example. */
export function sharedWith(
  example: string,
  lines: readonly string[],
): ((span: Span, hint: Hint) => number) | undefined {
  const tokens = tokenize(example).filter((token) => token.kind !== "space" && token.kind !== "punct");
  const family = familyOf(tokens, lines);
  const printed = printedBrackets(example, lines);
  const asBracketed = (span: Span): number => (withBracket(example, span, printed) ? NO_PLACEHOLDER : 0);
  if (family.length === 0) return printed.length === 0 ? undefined : asBracketed;
  const weight = family.length >= 3 ? 1 : 0.5;
  const shares = new Map(tokens.map((token) => [token, shareOf(token, family)]));
  return (span, hint) => {
    if (hint.wholeLine || hint.literals.includes(example.slice(span.start, span.end))) return 0;
    if (asBracketed(span) !== 0) return NO_PLACEHOLDER;
    const inside = tokens.filter((token) => token.start < span.end && token.end > span.start);
    const kinds = inside.map((token) => shares.get(token) ?? "open");
    if (inside.length === 0 || (hint.kind === "text" && inside.length > 1)) return 0;
    if (kinds.every((kind) => kind === "message")) return weight * asMessage(example, span, inside);
    if (hint.kind === "text") return 0;
    if (touchesMessage(example, span, inside, kinds)) return -2.5 * weight;
    const isCut =
      /[\w@./#-]$/.test(example.slice(0, span.start)) ||
      /^[@/#-]?\w|^:[A-Za-z]|^\.\w/.test(example.slice(span.end));
    return asData(inside, kinds, isCut) * weight;
  };
}

/** `<main>` is what the log prints, and no stand-in for a text without brackets, where its lines have such brackets. */
export const NO_PLACEHOLDER = -99;

/** Is the part such a text with its brackets, with one of them, or with a mark behind them? */
export function withBracket(line: string, span: Span, printed: readonly Span[]): boolean {
  return printed.some(
    ({ start, end }) =>
      (span.start === start && span.end === end - 1) ||
      (span.start === start + 1 && span.end === end) ||
      (span.start === start && span.end >= end && /^[.,;:]*$/.test(line.slice(end, span.end))),
  );
}

/** The texts in angle brackets of an example that stand in such brackets in the log, between the same marks. */
export function printedBrackets(example: string, lines: readonly string[]): Span[] {
  return [...example.matchAll(/<[A-Za-z][\w .-]*>/g)].flatMap(({ index, 0: text }) => {
    const before = example.slice(Math.max(0, index - 2), index);
    const after = example.slice(index + text.length, index + text.length + 2);
    const escaped = (one: string): string =>
      one.replace(/\s+|\w|[^\w\s]/g, (part) =>
        /\s/.test(part) ? "\\s+" : /\w/.test(part) ? "\\w" : `\\${part}`,
      );
    // A text in quotes has its brackets itself.
    if (/["'`]$/.test(before)) return [];
    const same = new RegExp(
      `${index === 0 ? "^\\s*" : escaped(before)}<[^<>\\s]+>${after === "" ? "\\s*$" : escaped(after)}`,
    );
    return lines.some((line) => same.test(line)) ? [{ start: index, end: index + text.length }] : [];
  });
}

/** A part all of whose tokens the other lines have as well: one that stands by itself may be data all the same. */
function asMessage(example: string, span: Span, inside: readonly Token[]): number {
  if (/^\[\d+\]/.test(example.slice(span.end))) return 0;
  const words = inside.every(isPlain);
  if (isBounded(example, span)) return words && inside.length > 1 ? -1.5 : 0;
  return words ? -2.5 : -1;
}

/** Does the part begin or end with a word of the message? A number and its unit is no such part. */
function touchesMessage(
  example: string,
  span: Span,
  inside: readonly Token[],
  kinds: readonly Share[],
): boolean {
  if (!/\s/.test(example.slice(span.start, span.end)) || isCell(example, span)) return false;
  const isWord = (at: number): boolean => {
    const token = inside.at(at);
    return kinds.at(at) === "message" && token !== undefined && isPlain(token);
  };
  return isWord(0) || (isWord(-1) && !(inside.length === 2 && inside[0]?.kind === "number"));
}

function asData(inside: readonly Token[], kinds: readonly Share[], isCut: boolean): number {
  // A number that all lines have may be data none the less.
  const isData = inside.every(
    (token, index) => kinds[index] === "data" || (kinds[index] === "message" && token.kind === "number"),
  );
  if (!isData) return 0;
  // Numbers are the same by chance.
  if (isCut || inside.every(({ kind }) => kind === "number")) return 0;
  // A plain word that the message of the log has not is a name.
  return inside.every((token) => isPlain(token) && /^[a-z]/.test(token.text)) ? 2.7 : 1.2;
}

/** Between two marks that part a line into cells. */
function isCell(line: string, span: Span): boolean {
  return (
    /(?:^\s*|[|([{<"';,]\s?|\s{2,}|\t)$/.test(line.slice(0, span.start)) &&
    /^(?:\s*$|\s?[|)\]}>"';,]|\s{2,}|\t)/.test(line.slice(span.end))
  );
}

/** Offsets of the tokens of an example that the lines like it have as well. */
export function messageTokens(example: string, lines: readonly string[]): number[] {
  const tokens = tokenize(example).filter((token) => token.kind !== "space" && token.kind !== "punct");
  const family = familyOf(tokens, lines);
  if (family.length < 3) return [];
  return tokens.filter((token) => shareOf(token, family) === "message").map((token) => token.start);
}

/** The lines that have the most of the example's words. */
function familyOf(tokens: readonly Token[], lines: readonly string[]): string[] {
  const words = [...new Set(tokens.filter(isPlain).map((token) => token.text))].filter(
    (word) => word.length >= 2,
  );
  if (words.length === 0) return [];
  const counts = lines.map((line) => words.filter((word) => line.includes(word)).length);
  const most = counts.reduce((best, count) => Math.max(best, count), 0);
  if (most === 0 || (most < 2 && words.length > 3)) return [];
  const family: string[] = [];
  for (const [index, line] of lines.entries()) {
    if ((counts[index] ?? 0) >= most * 0.8) family.push(line);
    if (family.length >= MAX_FAMILY) break;
  }
  return family;
}

function shareOf(token: Token, family: readonly string[]): Share {
  const count = family.filter((line) => hasToken(line, token.text)).length;
  if (count >= family.length * MOST) return "message";
  return count <= family.length * FEW ? "data" : "open";
}

function hasToken(line: string, text: string): boolean {
  for (let at = line.indexOf(text); at >= 0; at = line.indexOf(text, at + 1)) {
    if (!/[\p{L}\p{N}_]/u.test(line.charAt(at - 1)) && !/[\p{L}\p{N}_]/u.test(line.charAt(at + text.length)))
      return true;
  }
  return false;
}

/** A word of a language rather than a name, number or address. */
function isPlain(token: Token): boolean {
  return token.kind === "word" && !isStandIn(token.text);
}
