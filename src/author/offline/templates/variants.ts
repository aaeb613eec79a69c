// Lines that say the same with a few more words ("for invalid user x" beside "for x"): they hold all fixed words
// of a template in their order, but the template does not match them. Each gets an expression of its own.

import { shapeOf, tokenize } from "../logs/tokens.ts";
import { stem, wordsOf } from "../page/names.ts";
import type { Hint } from "../page/page.ts";
import type { Span } from "../parts/spans.ts";
import type { LineAlternative, Projection } from "../program/ir.ts";
import { isFixedWord } from "./context.ts";
import { buildPattern, type Slot, type TemplateOptions } from "./template.ts";

const MAX_VARIANTS = 3;

export interface VariantTask {
  value: Hint | undefined;
  /** A line that the template matches, with its parts. */
  line: string;
  slots: readonly Slot[];
  options: TemplateOptions;
  regex: RegExp;
  projection: Projection;
  lines: readonly string[];
  unwanted: readonly string[];
  unwantedStems: ReadonlySet<string>;
  /** Moves a part of the line to another line, or says that it has no place there. */
  move: (from: string, slots: readonly Slot[], to: string) => ((span: Span) => Span | undefined) | undefined;
}

/** Expressions for further lines of the same kind. */
export function variantsOf(task: VariantTask): LineAlternative[] {
  // What is free in the first line, or put together by its places, says nothing of other lines.
  if (task.options.kept !== undefined || task.options.whole !== undefined) return [];
  const first = Math.min(...task.slots.map((slot) => slot.span.start));
  const words = tokenize(task.line)
    .filter((token) => isFixedWord(task.line, token, task.options) && !inSlot(token, task.slots))
    .filter(
      (token) => task.options.tail || token.start < Math.max(...task.slots.map((slot) => slot.span.end)),
    )
    .map((token) => token.text);
  // Without at least two fixed words there is nothing to recognise a relative by.
  if (words.length < 2 || !Number.isFinite(first)) return [];
  const found: LineAlternative[] = [];
  const seen = new Set<string>();
  for (const line of task.lines) {
    if (found.length >= MAX_VARIANTS) break;
    if (
      !inOrder(line, words) ||
      task.regex.test(line) ||
      found.some((one) => new RegExp(one.pattern).test(line))
    )
      continue;
    if (task.unwanted.some((text) => line.includes(text))) continue;
    if (wordsOf(line).some((word) => task.unwantedStems.has(stem(word)))) continue;
    const shape = shapeOf(line);
    if (seen.has(shape)) continue;
    seen.add(shape);
    const move = task.move(task.line, task.slots, line);
    if (move === undefined) continue;
    const slots = task.slots.flatMap((slot) => {
      const span = move(slot.span);
      return span === undefined ? [] : [{ group: slot.group, hint: slot.hint, span }];
    });
    if (slots.length !== task.slots.length || !apart(slots) || !sameOrder(task.slots, slots)) continue;
    // A part that has a bracket of its own where the first line has none was moved to the wrong place.
    const odd = slots.some(({ span }, index) => {
      const first = task.slots[index]?.span;
      const own = first === undefined ? "" : task.line.slice(first.start, first.end);
      return /[[\](){}]/.test(line.slice(span.start, span.end)) && !/[[\](){}]/.test(own);
    });
    if (odd) continue;
    const optional = slots
      .filter(({ hint }) => hint.optional && hint !== task.value)
      .map((slot) => slot.group);
    const pattern = buildPattern(line, slots, {
      ...task.options,
      loose: new Set(),
      optional: new Set(optional),
    });
    if (new RegExp(pattern).test(line)) found.push({ pattern, projection: task.projection, example: line });
  }
  return found;
}

function inSlot(token: Span, slots: readonly Slot[]): boolean {
  return slots.some(({ span }) => token.start >= span.start && token.end <= span.end);
}

function inOrder(line: string, words: readonly string[]): boolean {
  const tokens = tokenize(line).map((token) => token.text);
  let at = 0;
  for (const word of words) {
    at = tokens.indexOf(word, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

/** The parts stand in the order in which they stand in the first line. */
function sameOrder(before: readonly Slot[], after: readonly Slot[]): boolean {
  const groups = (slots: readonly Slot[]): string =>
    [...slots]
      .sort((a, b) => a.span.start - b.span.start || b.span.end - a.span.end)
      .map(({ group }) => group)
      .join(" ");
  return groups(before) === groups(after);
}

/** Parts that were apart in the first line stay apart. */
function apart(slots: readonly { hint: Hint; span: Span }[]): boolean {
  const sorted = [...slots].sort((a, b) => a.span.start - b.span.start);
  return sorted.every((slot, index) => {
    const next = sorted[index + 1];
    return (
      slot.span.end > slot.span.start &&
      (next === undefined || next.span.start >= slot.span.end || next.span.end <= slot.span.end)
    );
  });
}
