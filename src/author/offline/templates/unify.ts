// Lines that say the same as the example with a piece more, a piece less or another text beside the parts: all of them
// are set side by side with it, and one expression is made of what they share. What all of them have stays, what some
// of them lack becomes optional, and where some have more there may be more.

import { stem } from "../page/names.ts";
import { type Attempt, type Attempts, sameProjection, stillNumbers } from "./attempt.ts";
import { addsAllowed } from "./left-out.ts";
import { nearLines, tellsKinds } from "./near.ts";
import { isPlain, type Shared, sharedPieces } from "./shared-pieces.ts";
import type { LineTask } from "./task.ts";
import { learnClass, looseClass, type Slot } from "./template.ts";
import { expression, givenClass } from "./unified-expression.ts";
import { oddKinds } from "./wider.ts";

/** So many of the lines that are read already are set side by side; more of them show nothing new. */
const MAX_SAMPLE = 24;
/** A part of several words. */
const WORDS = "\\S+(?: \\S+)*?";
/** The reading of all lines like the example that the page does not rule out; `best` where there are none, or where they
 * do not share enough. */
export function unifyChoice(
  task: LineTask,
  line: string,
  slots: readonly Slot[],
  best: Attempt,
  attempt: Attempts,
): Attempt {
  if (task.single !== true || !apart(slots)) return best;
  let chosen = best;
  const read = sampleOf(task, best);
  for (const { text } of nearLines(task, line, slots, [new RegExp(best.pattern)], best.hits, true)) {
    if (new RegExp(chosen.pattern).test(text)) continue;
    const tried = unified(task, line, slots, [...read, text], chosen, attempt);
    if (tried === undefined || !new RegExp(tried.pattern).test(text)) continue;
    chosen = tried;
    read.push(text);
  }
  return chosen;
}

function apart(slots: readonly Slot[]): boolean {
  const sorted = [...slots].sort((a, b) => a.span.start - b.span.start);
  return sorted.every(({ span }, index) => span.start >= (sorted[index - 1]?.span.end ?? 0));
}

/** Lines of different form among those that are read. */
function sampleOf(task: LineTask, best: Attempt): string[] {
  const forms = new Map<string, string>();
  for (const hit of best.hits) {
    const text = task.lines[hit] ?? "";
    const form = text.replace(/\d+/g, "9");
    if (!forms.has(form)) forms.set(form, text);
    if (forms.size >= MAX_SAMPLE) break;
  }
  return [...forms.values()];
}

/** One expression for all of these lines, if it reads what was read before the same way and nothing that the page rules
 * out. */
function unified(
  task: LineTask,
  line: string,
  slots: readonly Slot[],
  lines: readonly string[],
  before: Attempt,
  attempt: Attempts,
): Attempt | undefined {
  const shared = sharedPieces(line, slots, lines);
  if (shared === undefined || !tells(task, shared)) return undefined;
  for (const one of shared) {
    const others = [...one.texts].slice(1);
    one.choice =
      !one.piece.isPart &&
      others.length > 0 &&
      others.every((text) => task.areEither?.(one.piece.token.text, text) === true);
  }
  const wide = new Map(
    slots.flatMap(({ group, span }): [string, string][] =>
      shared.some((one) => one.wide && one.piece.token.start === span.start) ? [[group, WORDS]] : [],
    ),
  );
  const loose = attempt({
    ...before.options,
    whole: expression(task, line, slots, shared, before, wide),
  });
  if (!fits(task, line, slots, before, loose)) return undefined;
  if (!wordsVary(task, line, shared, before, loose)) return undefined;
  const first = shared.findIndex(({ piece }) => piece.isPart);
  const changed = shared.filter(
    ({ piece, texts, echo, choice }, index) =>
      !piece.isPart &&
      !echo &&
      !choice &&
      texts.size === 2 &&
      // In front of the message a level tells kinds of lines apart, nothing else does.
      (/^[A-Z]{3,}$/.test(piece.token.text) || !isFront(line, shared, index, first)),
  );
  const words = changed.map(({ piece }) => piece.token);
  if (tellsKinds(task, line, slots, words, loose)) {
    task.refused?.add(lines.at(-1) ?? "");
    return undefined;
  }
  const classes = new Map(
    slots.map(({ group, hint, span }) => [
      group,
      learnClass(
        [...(loose.texts.get(group) ?? []).filter((text) => text !== ""), line.slice(span.start, span.end)],
        wide.get(group) ?? givenClass(before, group) ?? looseClass(line, span, hint.kind !== "number", hint),
        hint,
      ),
    ]),
  );
  const narrow = attempt({
    ...before.options,
    whole: expression(task, line, slots, shared, before, classes),
  });
  return narrow.hits.length === loose.hits.length && sameProjection(narrow, loose) ? narrow : loose;
}

function fits(
  task: LineTask,
  line: string,
  slots: readonly Slot[],
  before: Attempt,
  tried: Attempt,
): boolean {
  return (
    tried.hits.length > before.hits.length &&
    sameProjection(tried, before) &&
    stillNumbers(line, slots, tried, true) &&
    haveText(slots, tried) &&
    !oddKinds(line, slots, tried) &&
    addsAllowed(task, line, before, tried)
  );
}

/** A comma is the text of no part; a dot is where the page says so. */
function haveText(slots: readonly Slot[], tried: Attempt): boolean {
  return slots.every(({ group, hint }) => {
    const marks = /\bdot\b/i.test(hint.description) ? /^[,;:'"()[\]{}=]+$/ : /^[,;:.'"()[\]{}=]+$/;
    return !(tried.texts.get(group) ?? []).some((text) => marks.test(text));
  });
}

/** A word that is another one in a single further text rather tells two kinds of lines apart. */
function wordsVary(
  task: LineTask,
  line: string,
  shared: readonly Shared[],
  before: Attempt,
  after: Attempt,
): boolean {
  const first = shared.findIndex(({ piece }) => piece.isPart);
  const own = shared.filter(
    ({ piece, texts, echo, choice }, index) =>
      !piece.isPart &&
      !echo &&
      isPlain(piece.token) &&
      texts.size === 2 &&
      !choice &&
      !isFront(line, shared, index, first),
  );
  if (own.length === 0) return true;
  const known = new Set(before.hits);
  const words = new Set(line.match(/[A-Za-z]{2,}/g) ?? []);
  const others = after.hits
    .filter((hit) => !known.has(hit))
    .flatMap((hit) => task.lines[hit]?.match(/(?<![\w.-])[A-Za-z]{2,}(?![\w.-])/g) ?? [])
    .filter((word) => !words.has(word));
  return new Set(others).size >= 2;
}

/** In front of the message stands who logged it and when. */
function isFront(line: string, shared: readonly Shared[], index: number, first: number): boolean {
  const at = shared[index]?.piece.token.end ?? 0;
  const border = /[:\]>|]\s/.exec(line.slice(at));
  const part = shared[first]?.piece.token.start ?? 0;
  return border !== null && at + border.index < part;
}

/** What is left has to tell the lines: two words that all of them have, or one that the page speaks of. */
function tells(task: LineTask, shared: readonly Shared[]): boolean {
  const beside = shared.filter(({ piece, texts, absent }) => !piece.isPart && !absent && texts.size === 1);
  const words = beside.filter(({ piece }) => isPlain(piece.token));
  if (words.length >= 2) return true;
  // An example without words is known by its marks.
  if (!shared.some(({ piece }) => !piece.isPart && isPlain(piece.token))) return beside.length >= 3;
  return words.some(({ piece }) => task.stems.has(stem(piece.token.text.toLowerCase())));
}
