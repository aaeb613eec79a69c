// How well a piece of a line fits a name of a list: by what the name and its value or field say of the text, by where
// the piece begins and ends, and by the cell that has the place of the name.

import { makeHint } from "../page/make-hint.ts";
import type { OrderItem } from "../page/orders.ts";
import type { Hint } from "../page/page.ts";
import type { Span } from "./evidence.ts";
import { fit, mayHaveBlanks } from "./fit.ts";

/** A cell of a line that has as many cells as names. */
const CELL = 1.6;
/** A piece that ends inside a name. */
const JOINED = 1.2;

const pseudos = new WeakMap<OrderItem, Hint>();

/** The name of a list as a hint of its own. */
function pseudoOf(item: OrderItem): Hint {
  const known = pseudos.get(item);
  if (known !== undefined) return known;
  const made = makeHint(item.name.toLowerCase().replace(/\W+/g, "_"), `(${item.text})`);
  pseudos.set(item, made);
  return made;
}

export const clamp = (score: number, least: number, most: number): number =>
  Math.max(least, Math.min(most, score));

/** What a name, and the value or field that it means, say about a piece by themselves. */
export function ownScore(
  line: string,
  span: Span,
  item: OrderItem,
  hint: Hint | undefined,
  more: (span: Span, hint: Hint) => number,
): number {
  const pseudo = pseudoOf(item);
  // What the log shows only speaks against a piece: every further piece would be a gain otherwise.
  const named = clamp(fit(line, span, pseudo).score, -4, 5);
  const known = hint === undefined ? named : clamp(fit(line, span, hint).score, -5, 9);
  const text = line.slice(span.start, span.end);
  // "Up/Down", "in/out": two in one, as in the name.
  const joined = /[A-Za-z]\/[A-Za-z]/.test(item.name) && /\S ?\/ ?\S/.test(text) ? 2.5 : 0;
  const mark = /^[^\p{L}\p{N}]+$/u.test(text) ? -0.5 : 0;
  return 0.35 * (named + known + clamp(more(span, hint ?? pseudo), -3, 0)) + joined + mark;
}

/** A cell at the place of its name. That it has blanks is no surprise then. */
export function inCell(line: string, span: Span, cell: Span): number {
  const blanks = Math.min(2, (line.slice(span.start, span.end).match(/\s+/g) ?? []).length);
  if (span.start === cell.start && span.end === cell.end) return CELL + 0.5 * blanks;
  return span.start >= cell.start && span.end <= cell.end ? CELL - 2.2 : -CELL;
}

/** Does the piece end where a reader would cut the line, and is it one piece? */
export function pieceScore(
  line: string,
  span: Span,
  item: OrderItem,
  hint: Hint | undefined,
  next: OrderItem | undefined,
  toEnd: boolean,
): number {
  const text = line.slice(span.start, span.end);
  const whole = /(?:^|\s)$/.test(line.slice(0, span.start)) && /^(?:\s|$)/.test(line.slice(span.end));
  let score = whole ? 0.4 : 0;
  if (/\S(?:\s{2,}|\t)\S/.test(text)) score -= item.many === "surely" ? 0 : item.many ? 0.5 : 2.5;
  // "ge-0/0/1.0" is one piece.
  if (/[\p{L}\p{N}][-._/+~]$/u.test(line.slice(0, span.start))) score -= JOINED;
  if (/^[-._/+~][\p{L}\p{N}]/u.test(line.slice(span.end))) score -= JOINED;
  const blanks = Math.min(6, (text.replace(/ \/ /g, "/").match(/\s+/g) ?? []).length);
  if (item.many === "surely") return score + 0.25 * Math.min(3, blanks);
  const isText =
    pseudoOf(item).kind === "text" ||
    WORDS.test(item.text) ||
    (hint !== undefined && mayHaveBlanks(hint)) ||
    isClosed(line, span, next);
  if (toEnd && span.end === line.trimEnd().length) score += 1;
  return score - blanks * (isText ? 0.1 : toEnd ? 0.3 : item.many ? 0.45 : 0.6);
}

/** From the start of the line or a wide gap up to a wide gap, the end or the mark that the list names behind it. */
function isClosed(line: string, span: Span, next: OrderItem | undefined): boolean {
  const after = line.slice(span.end);
  const opens = /(?:^\s*|\s{2,}|\t)$/.test(line.slice(0, span.start));
  const marked = next?.mark !== undefined && new RegExp(`^\\s*(?:${next.mark})`).test(after);
  return opens && (marked || (/\S\s{2,}\S/.test(line) && /^(?:\s{2,}|\t|\s*$)/.test(after)));
}

const WORDS = /\b(?:words|blanks|spaces|rest|phrase|list|description|date|time)\b/i;
