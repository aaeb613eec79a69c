// The forms of a line without the parts that the page says may be missing: the example is cut down by such a part with
// what belongs to it (its key, its brackets, the mark in front of it), and the lines of the log that follow what is left
// are read by an expression of their own.

import { escapeRegex } from "../escape.ts";
import { type Token, tokenize } from "../logs/tokens.ts";
import { stem } from "../page/names.ts";
import { areLocation, isLocation } from "../parts/location.ts";
import type { Span } from "../parts/spans.ts";
import { type Attempt, runPattern, stillNumbers } from "./attempt.ts";
import { addsAllowed, isLeft } from "./left-out.ts";
import { choiceClasses, STRICT, searchPattern } from "./search.ts";
import type { LineTask } from "./task.ts";
import { buildPattern, looseClass, type Slot, type TemplateOptions } from "./template.ts";
import { oddKinds } from "./wider.ts";

/** A form of the example without some of its parts. */
export interface Reduced {
  line: string;
  slots: Slot[];
  differing: ReadonlySet<number>;
  attempt: Attempt;
}

/** So many pieces in front of a part and behind it may go with it. */
const MOST_BESIDE = 6;
/** So many words that are no part go with one at most. */
const MOST_WORDS = 3;
/** A message of so many words is known by them. */
const MOST_SAYING = 3;
/** So many runs of parts are tried. */
const MOST_RUNS = 8;

/** Expressions for lines that lack optional parts and that `reads` does not read, the form with the most parts first. */
export function reducedForms(
  task: LineTask,
  line: string,
  slots: readonly Slot[],
  differing: ReadonlySet<number>,
  best: Attempt | undefined,
  reads: readonly RegExp[],
): Reduced[] {
  if (task.single !== true) return [];
  const found: Reduced[] = [];
  const kept = keptWords(line, slots, best);
  const stems = new Set([...task.stems, ...kept.map((word) => stem(word.toLowerCase()))]);
  let rest = task.lines.map((text) => (reads.some((regex) => regex.test(text)) ? "" : text));
  for (const run of runsOf(task, slots)) {
    const told = run.every((slot) => isOptional(task, slot));
    const narrow = told || best === undefined ? undefined : codedClasses(line, slots, run, best);
    if (!told && narrow === undefined) continue;
    const form = withoutRun({ ...task, stems, lines: rest }, line, slots, run, differing, narrow);
    // What the whole form keeps tells these lines as well.
    const lost = kept.filter(
      (word) => form?.line.includes(word) === true && !form.attempt.pattern.includes(word),
    );
    if (form === undefined || lost.length > 0) continue;
    found.push(form);
    const own = new RegExp(form.attempt.pattern);
    rest = rest.map((text) => (own.test(text) ? "" : text));
  }
  return found;
}

/** Where the page does not say that the parts may be missing, the code in front of them has to be built as in the lines that have
 * them, and a word in front of them has to be one of theirs. Undefined without a code. */
function codedClasses(
  line: string,
  slots: readonly Slot[],
  run: readonly Slot[],
  best: Attempt,
): Map<string, string> | undefined {
  const first = Math.min(...run.map(({ span }) => span.start));
  const classes = new Map<string, string>();
  let coded = 0;
  for (const { group, span, hint } of slots.filter((slot) => slot.span.end <= first)) {
    const texts = [...new Set([line.slice(span.start, span.end), ...(best.texts.get(group) ?? [])])];
    if (texts.every((text) => /^(?=.*\d)[\w.:/-]{1,30}$/.test(text) && !/^\d\d:\d\d|^\d{4}-/.test(text))) {
      const shapes = [...new Set(texts.map(shapeOf))];
      if (shapes.length > 3) continue;
      classes.set(group, `(?:${shapes.join("|")})`);
      coded += 1;
    } else if (
      hint.choices.length < 2 &&
      texts.length <= 4 &&
      texts.every((text) => /^[A-Za-z]+$/.test(text))
    )
      classes.set(group, `(?:${texts.join("|")})`);
  }
  return coded > 0 ? classes : undefined;
}

/** "ABC-12" as the expression of such codes. */
function shapeOf(text: string): string {
  return text.replace(/[A-Z]+|[a-z]+|[A-Za-z]+|\d+|[^A-Za-z\d]/g, (piece) =>
    /^\d/.test(piece)
      ? "\\d+"
      : /^[A-Z]+$/.test(piece)
        ? "[A-Z]+"
        : /^[a-z]+$/.test(piece)
          ? "[a-z]+"
          : escapeRegex(piece),
  );
}

/** The words up to the last part that the reading of the whole line keeps. */
function keptWords(line: string, slots: readonly Slot[], best: Attempt | undefined): string[] {
  if (best === undefined) return [];
  const last = Math.max(0, ...slots.map(({ span }) => span.end));
  const fixed = new Set(fixedWords(best.pattern));
  return tokenize(line)
    .filter((token) => token.kind === "word" && token.end <= last && fixed.has(token.text))
    .map((token) => token.text);
}

function inOrder(slots: readonly Slot[]): Slot[] {
  return [...slots].sort((a, b) => a.span.start - b.span.start);
}

/** Optional parts that stand side by side: each alone, neighbours together, the fewest first; at last all of the line. */
function runsOf(task: LineTask, slots: readonly Slot[]): Slot[][] {
  const sorted = inOrder(slots);
  const runs: Slot[][] = [];
  for (let from = 0; from < sorted.length; from += 1) {
    for (let to = from; to < sorted.length; to += 1) {
      const run = sorted.slice(from, to + 1);
      if (!run.every((slot) => isOptional(task, slot))) break;
      runs.push(run);
    }
  }
  // A message without a place in the source lacks all of it.
  const place = sorted.filter(({ hint }) => hint !== task.value && isLocation(hint));
  const at = sorted.indexOf(place[0] ?? ({} as Slot));
  const isRun =
    areLocation(place.map(({ hint }) => hint)) && place.every((slot, index) => sorted[at + index] === slot);
  if (
    isRun &&
    at > 0 &&
    !runs.some((run) => run.length === place.length && run.every((one) => place.includes(one)))
  )
    runs.push(place);
  const all = sorted.filter((slot) => isOptional(task, slot));
  if (all.length > 1 && !runs.some((run) => run.length === all.length)) runs.push(all);
  return runs.sort((a, b) => a.length - b.length).slice(0, MOST_RUNS);
}

function isOptional(task: LineTask, { hint }: Slot): boolean {
  return hint.optional && hint !== task.value;
}

/** The reading of the lines without these parts; the less is cut off with them, the better. */
function withoutRun(
  task: LineTask,
  line: string,
  slots: readonly Slot[],
  run: readonly Slot[],
  differing: ReadonlySet<number>,
  narrow?: ReadonlyMap<string, string>,
): Reduced | undefined {
  const stretches = stretchesOf(slots, run);
  const choices = stretches.map((parts) => cutsOf(line, slots, parts));
  if (choices.some((cuts) => cuts.length === 0)) return undefined;
  // Parts in several places are cut off in the same manner each, the least of each that the log knows.
  const cuts =
    stretches.length === 1
      ? (choices[0] ?? []).map((cut) => [cut])
      : [choices.flatMap((all) => all[0] ?? [])];
  for (const one of cuts) {
    const form = cutDown(line, slots, run, one, differing);
    if (!isFound(task, form)) continue;
    const attempt = read(task, form, narrow);
    if (attempt !== undefined)
      return { line: form.line, slots: form.slots, differing: form.differing, attempt };
  }
  return undefined;
}

/** Parts with no other part between them are cut off as one. */
function stretchesOf(slots: readonly Slot[], run: readonly Slot[]): Slot[][] {
  const stretches: Slot[][] = [];
  let open = false;
  for (const slot of inOrder(slots)) {
    const own = run.includes(slot);
    if (own && open) stretches.at(-1)?.push(slot);
    else if (own) stretches.push([slot]);
    open = own;
  }
  return stretches;
}

/** What may go with these parts, from the parts alone to all that stands between the others. */
function cutsOf(line: string, slots: readonly Slot[], parts: readonly Slot[]): Span[] {
  const first = Math.min(...parts.map(({ span }) => span.start));
  const last = Math.max(...parts.map(({ span }) => span.end));
  // A part may stand inside another one.
  const ends = slots.filter(({ span }) => span.end <= first || span.start >= last).map(({ span }) => span);
  const from = Math.max(0, ...ends.filter(({ end }) => end <= first).map(({ end }) => end));
  const to = Math.min(
    line.trimEnd().length,
    ...ends.filter(({ start }) => start >= last).map(({ start }) => start),
  );
  const tokens = tokenize(line);
  const starts = [first, ...bordersOf(tokens, from, first).reverse()].slice(0, MOST_BESIDE * 2);
  const stops = [last, ...bordersOf(tokens, last, to, true)].slice(0, MOST_BESIDE * 2);
  const cuts = starts.flatMap((start) => stops.map((end) => ({ start, end })));
  return cuts
    .filter((cut) => isWhole(line, cut) && !glues(line, cut) && wordsIn(line, cut, parts) <= MOST_WORDS)
    .sort((a, b) => weightOf(line, a) - weightOf(line, b));
}

/** Where the tokens of a stretch begin, or where they end. */
function bordersOf(tokens: readonly Token[], from: number, to: number, ends = false): number[] {
  return tokens
    .filter((token) => token.start >= from && token.end <= to)
    .map((token) => (ends ? token.end : token.start));
}

/** Blanks weigh nothing. */
function weightOf(line: string, { start, end }: Span): number {
  return (
    tokenize(line.slice(start, end)).filter((token) => token.kind !== "space").length + (end - start) / 1e4
  );
}

/** How many words beside the parts are cut off. */
function wordsIn(line: string, { start, end }: Span, parts: readonly Slot[]): number {
  return tokenize(line).filter(
    (token) =>
      token.kind === "word" &&
      token.start >= start &&
      token.end <= end &&
      !parts.some(({ span }) => token.start >= span.start && token.end <= span.end),
  ).length;
}

/** Brackets and quotes go as pairs. */
function isWhole(line: string, { start, end }: Span): boolean {
  const text = line.slice(start, end);
  const count = (mark: string): number => text.split(mark).length - 1;
  const pairs = [
    ["(", ")"],
    ["[", "]"],
    ["{", "}"],
  ] as const;
  return pairs.every(([open, close]) => count(open) === count(close)) && count('"') % 2 === 0;
}

/** Would what is left run together? */
function glues(line: string, { start, end }: Span): boolean {
  const [before, after] = [line.charAt(start - 1), line.charAt(end)];
  if (/[\p{L}\p{N}_]/u.test(before) && /[\p{L}\p{N}_]/u.test(after)) return true;
  const cut = line.slice(start, end);
  // A blank in front of a word goes with nothing else.
  if (/\s$/.test(cut) && /\S/.test(before) && /\S/.test(after)) return true;
  return /\s/.test(before) && /\s/.test(after) && !/^\s|\s$/.test(cut) && start > 0;
}

function cutDown(
  line: string,
  slots: readonly Slot[],
  run: readonly Slot[],
  cuts: readonly Span[],
  differing: ReadonlySet<number>,
): Form {
  const sorted = [...cuts].sort((a, b) => b.start - a.start);
  let rest = line;
  for (const { start, end } of sorted) rest = rest.slice(0, start) + rest.slice(end);
  const moved = (at: number): number =>
    at - sorted.filter(({ end }) => end <= at).reduce((sum, { start, end }) => sum + end - start, 0);
  const left = slots.filter((slot) => !run.includes(slot));
  return {
    line: rest,
    slots: left.map((slot) => ({
      ...slot,
      span: { start: moved(slot.span.start), end: moved(slot.span.end) },
    })),
    differing: new Set(
      [...differing].filter((at) => !cuts.some(({ start, end }) => at >= start && at < end)).map(moved),
    ),
    least: leastEnd(rest, moved(Math.max(...cuts.map(({ end }) => end)))),
  };
}

/** A line without some parts, and up to where it has to be read to show that they are missing. */
interface Form {
  line: string;
  slots: Slot[];
  differing: Set<number>;
  /** Infinite where nothing may follow. */
  least: number;
}

/** The end of the piece behind the place where parts were cut off. */
function leastEnd(line: string, cut: number): number {
  const next = tokenize(line).find((token) => token.start >= cut && token.kind !== "space");
  return next?.end ?? Number.POSITIVE_INFINITY;
}

/** Does some line follow what is left, up to the piece behind the place where the parts were cut off? */
function isFound(task: LineTask, { line, slots, least }: Form): boolean {
  if (slots.length === 0) return false;
  const classes = new Map(choiceClasses(slots, line));
  for (const { group, span, hint } of slots)
    if (!classes.has(group)) classes.set(group, looseClass(line, span, true, hint));
  const ellipsis = /\.\.\.|…/.test(line);
  const options = { ...STRICT, classes, tail: false, codes: false, pairs: false, enclosed: true, ellipsis };
  for (const prefix of ["all", "word"] as const) {
    const closed = upTo(line, slots, { ...options, prefix }, least);
    const open = upTo(line, slots, { ...options, prefix }, 0);
    const says = !Number.isFinite(least) && fixedWords(open).length >= MOST_SAYING;
    for (const pattern of says ? [closed, open] : [closed])
      if (runPattern(pattern, slots, options, task.lines).hits.length > 0) return true;
  }
  return false;
}

/** The expression of a line that is read that far at least. */
function upTo(line: string, slots: readonly Slot[], options: TemplateOptions, least: number): string {
  const last = Math.max(0, ...slots.map(({ span }) => span.end));
  const kept = options.tail ? (options.tailEnd ?? Number.POSITIVE_INFINITY) : last;
  if (kept >= least && Number.isFinite(least)) return buildPattern(line, slots, options);
  const end = Number.isFinite(least) ? { tailEnd: least } : {};
  const { tailEnd: _, ...others } = options;
  const source = buildPattern(line, slots, { ...others, tail: least > last, ...end });
  return Number.isFinite(least) || source.endsWith("$") ? source : `${source}\\s*$`;
}

function fixedWords(pattern: string): string[] {
  return pattern.replace(/\(\?<\w+>/g, "(").match(/(?<!\\)[A-Za-z_]{3,}/g) ?? [];
}

/** An expression with a word or two marks beside its parts. */
function tells(pattern: string): boolean {
  const plain = pattern
    .replace(/\(\?<\w+>/g, "(")
    .replace(/\[(?:\\.|[^\]\\])*\]/g, " ")
    .replace(/\\[a-zA-Z]|\(\?[:=!<]*|[.+*?|^$]/g, " ");
  return /[A-Za-z]{2}/.test(plain) || (plain.match(/\\[^\w\s]|[^\w\s()\\]/g) ?? []).length > 1;
}

/** The expression that the log's lines without the parts follow, if they are records. */
function read(
  task: LineTask,
  { line, slots, differing, least }: Form,
  narrow?: ReadonlyMap<string, string>,
): Attempt | undefined {
  const fields = task.fields.filter((hint) => slots.some((slot) => slot.hint === hint));
  const best = searchPattern({ ...task, example: line, fields }, line, slots, differing, []);
  if (best === undefined || best.hits.length === 0) return undefined;
  const cut = (end: number): Attempt =>
    runPattern(upTo(line, slots, best.options, end), slots, best.options, task.lines);
  const closed = best.options.whole === undefined ? cut(least) : best;
  // Behind a message of several words there may be another text in place of the part.
  const open = closed.hits.length === 0 && fixedWords(closed.pattern).length >= MOST_SAYING;
  const found = open ? cut(0) : closed;
  const classes = new Map([...best.options.classes, ...(narrow ?? [])]);
  const chosen =
    narrow === undefined
      ? found
      : runPattern(upTo(line, slots, { ...best.options, classes }, least), slots, best.options, task.lines);
  if (
    chosen.hits.length === 0 ||
    !(narrow === undefined ? tells(chosen.pattern) : chosen.pattern.startsWith("^"))
  )
    return undefined;
  if (!stillNumbers(line, slots, chosen, true) || oddKinds(line, slots, chosen)) return undefined;
  const texts = [...chosen.texts.values()].flat();
  if (texts.some((text) => /^[,;:.'"()[\]{}=]+$/.test(text))) return undefined;
  const none: Attempt = { ...chosen, hits: [] };
  if (!addsAllowed(task, line, none, chosen)) return undefined;
  return chosen.hits.every((hit) => isLeft(task, task.lines[hit] ?? "", line)) ? undefined : chosen;
}
