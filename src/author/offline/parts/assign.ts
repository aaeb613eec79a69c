// Which part of a line is which value or field: a beam search over the parts and hints, with the order of the
// lists that the page gives, and how clear the best answer is.

import { matchNames, similarity, wordsOf } from "../page/names.ts";
import type { Hint, Listed } from "../page/page.ts";
import { quotedIn } from "../page/text.ts";
import { fit, shownInBrackets } from "./fit.ts";
import { isAnothers, showsAnothers } from "./key-owners.ts";
import { layoutOf, same } from "./layout.ts";
import { marginsOf, type Rivals } from "./margins.ts";
import { neighbourScore } from "./neighbours.ts";
import { countedSpans, ownerOf } from "./pieces-of.ts";
import { placesOf } from "./positions.ts";
import { cutSpans, occurrences, relationSpans, relationsOf, withoutMarks } from "./relations.ts";
import { sequenceOf } from "./sequence.ts";
import { NO_PLACEHOLDER } from "./shared.ts";
import { type Span, spansOf } from "./spans.ts";
import { tailSpans } from "./tails.ts";

export interface Placed {
  hint: Hint;
  span: Span;
  score: number;
  why: string[];
}

export interface Assignment {
  placed: Placed[];
  /** Places of the names of a list that are neither value nor field. */
  others: { name: string; span: Span }[];
  /** Cells between marks, by the list that names them. */
  cells?: readonly Span[];
  /** Hints without a place. */
  missing: Hint[];
  score: number;
  /** Per hint name: how much better the best answer is than the best one with this hint elsewhere. */
  margins: Map<string, number>;
  /** Per hint name: the other places that fit nearly as well, with how much worse the answer is then, the best first. */
  rivals?: Map<string, Rivals>;
}

const BEAM = 160;
const TOP_SPANS = 14;
/** How many parts of a line get further evidence, which costs more to find. */
const WEIGHED = 36;
const MISSING_COST = 5;
/** Speaks against a part whose records were no texts for it. */
const REFUSED = 20;

interface State {
  placed: Placed[];
  missing: Hint[];
  score: number;
}

/** Places hints on a line, or on the lines of a block. `varies` tells whether a part differs among the lines of its kind, where known;
 * `shared` what the log has of a part, `more` what else is known, which costs more to find. */
export function assign(
  line: string,
  value: Hint | undefined,
  fields: readonly Hint[],
  lists: readonly Listed[],
  varies?: (span: Span) => boolean | undefined,
  fixed: readonly string[] = [],
  shared?: (span: Span, hint: Hint) => number,
  more?: (hint: Hint, span: Span) => number,
): Assignment {
  const others = hintsOf(value, fields);
  const marks = others.flatMap((hint) => quotedIn(hint.description).map((span) => span.text));
  const isForm = formOfNames(line, hintsOf(value, fields));
  const literals = others.flatMap((hint) => [...hint.literals, ...hint.choices, ...shownInBrackets(hint)]);
  const layout = layoutOf(line, lists, others);
  const words = occurrencesOf(line, fixed);
  const spans = partsOf(line, literals, marks, others, layout.spans).filter(
    ({ span }) =>
      !words.some((one) => one.start < span.end && span.start < one.end) &&
      !others.every((hint) => shared?.(span, hint) === NO_PLACEHOLDER),
  );
  const logOf = (span: Span, hint: Hint): number =>
    (shared?.(span, hint) ?? 0) + variation(varies?.(span), isSentence(line, span));
  const sequence = sequenceOf(
    line,
    lists.flatMap((list) => list.order ?? []),
    others.filter((hint) => !hint.wholeLine),
    spans.map(({ span }) => span),
    logOf,
  );
  for (const cell of sequence?.cells ?? [])
    if (!spans.some(({ span }) => same(span, cell))) spans.push({ span: cell, row: line, offset: 0 });
  const order = orderOf(value, fields, sequence === undefined ? lists : []);
  const hints = [...partsFor(value, fields), ...order.extra];
  const places = sequence === undefined ? placesOf(line, lists, others) : undefined;
  for (const cell of places?.cells ?? []) spans.push({ span: cell, row: line, offset: 0 });
  const placeOf = (span: Span, hint: Hint): number =>
    (hint.name.startsWith("~") ? 0 : (places?.score(span, hint) ?? 0)) +
    (sequence?.score(span, hint) ?? layout.score(span, hint));
  const options = new Map(
    hints.map((hint) => {
      const elsewhere = standsElsewhere(line, hint) ? 6 : 0;
      // What hint and log say of the text is in the score of the order.
      const known = sequence?.names(hint) === true;
      const scored = spans.map(({ span, row, offset }) => {
        const inRow = { start: span.start - offset, end: span.end - offset };
        const own = isForm ? formFit(line, span, hint) : fit(row, inRow, hint);
        const score =
          (known ? 0.15 * own.score : own.score + logOf(span, hint)) -
          elsewhere +
          placeOf(span, hint) -
          (endsInName(line, span, hint, others) ? 3 : 0) -
          (isAnothers(row, inRow, hint, others) ? 7 : 0) -
          (showsAnothers(row, inRow, hint, others) ? 3 : 0) -
          (hint.refused?.includes(line.slice(span.start, span.end)) === true ? REFUSED : 0);
        return { hint, span, score, why: own.why };
      });
      const byScore = (a: Placed, b: Placed): number => b.score - a.score || a.span.start - b.span.start;
      scored.sort(byScore);
      if (more === undefined) return [hint, scored.slice(0, TOP_SPANS)];
      const weighed = scored
        .slice(0, WEIGHED)
        .map((one) => ({ ...one, score: one.score + more(hint, one.span) }));
      return [hint, weighed.sort(byScore).slice(0, TOP_SPANS)];
    }),
  );
  const queue = [...hints].sort(
    (a, b) => (options.get(b)?.[0]?.score ?? 0) - (options.get(a)?.[0]?.score ?? 0),
  );
  let states: State[] = [{ placed: [], missing: [], score: 0 }];
  for (const hint of queue) {
    const next: State[] = [];
    const isExtra = order.extra.includes(hint);
    for (const state of states) {
      const cost = hint.optional ? 1 : isExtra ? 1.5 : MISSING_COST;
      next.push({ placed: state.placed, missing: [...state.missing, hint], score: state.score - cost });
      for (const option of options.get(hint) ?? []) {
        const extra = compatible(state.placed, option, value, line);
        if (extra === undefined) continue;
        const bonus =
          orderScore(state.placed, option, order, line) + neighbourScore(state.placed, option, line);
        next.push({
          placed: [...state.placed, option],
          missing: state.missing,
          score: state.score + option.score + extra + bonus,
        });
      }
    }
    next.sort((a, b) => b.score - a.score);
    states = next.slice(0, BEAM);
  }
  const scored = states.map((state) => ({ ...state, score: state.score + gapScore(line, state.placed) }));
  scored.sort((a, b) => b.score - a.score);
  const best = scored[0] ?? { placed: [], missing: hints, score: 0 };
  const real = (hint: Hint): boolean => !order.extra.includes(hint);
  return {
    placed: best.placed.filter((one) => real(one.hint)),
    others: [
      ...best.placed
        .filter((one) => !real(one.hint))
        .map(({ hint, span }) => ({ name: hint.description, span })),
      ...(sequence?.others ?? []).filter(({ span }) => !best.placed.some((one) => overlaps(one.span, span))),
    ],
    ...(sequence?.marked === undefined ? {} : { cells: sequence.marked }),
    missing: best.missing.filter(real),
    score: best.score,
    ...marginsOf(line, best, scored),
  };
}

/** A part that differs among the lines of its kind is data. Lines of one form have sentences of one form: that they are the same says
 * nothing. */
function variation(differs: boolean | undefined, isText: boolean): number {
  return differs === undefined || (isText && !differs) ? 0 : differs ? 1 : -1.5;
}

/** Three words or more behind a key or mark, up to a mark or the end. */
function isSentence(line: string, { start, end }: Span): boolean {
  return (
    /(?:^|[:=|>\])"'\t]\s*|\s{2,})$/.test(line.slice(0, start)) &&
    /^(?:[.!?;|"'<\t]|\s{2,}|\s*$|\s[([<{])/.test(line.slice(end)) &&
    /^[^\d\s]\S*(?: \S+){2,}$/.test(line.slice(start, end))
  );
}

function overlaps(a: Span, b: Span): boolean {
  return a.start < b.end && b.start < a.end;
}

/** Where words stand that the page calls words of the line. */
function occurrencesOf(line: string, texts: readonly string[]): Span[] {
  return texts.flatMap((text) => {
    const at = line.indexOf(text);
    return at < 0 ? [] : [{ start: at, end: at + text.length }];
  });
}

/** The parts of a text of one or several lines, each with its line. */
export function partsOf(
  text: string,
  literals: readonly string[],
  marks: readonly string[],
  hints: readonly Hint[],
  cells: readonly Span[],
): { span: Span; row: string; offset: number }[] {
  let offset = 0;
  const parts = text.split("\n").flatMap((row) => {
    const from = offset;
    offset += row.length + 1;
    const bordered = hints.flatMap((hint) => [
      ...relationSpans(row, relationsOf(hint.description)),
      ...cutSpans(row, withoutMarks(hint.description)),
      ...tailSpans(row, hint.description),
      ...countedSpans(row, hint.description),
    ]);
    return spansOf(row, literals, marks, bordered).map(({ start, end }) => ({
      span: { start: start + from, end: end + from },
      row,
      offset: from,
    }));
  });
  const fresh = cells.filter((cell) => !parts.some(({ span }) => same(span, cell)));
  return [...parts, ...fresh.map((span) => ({ span, row: text, offset: 0 }))];
}

/** Value and fields that are a part of the line. */
function partsFor(value: Hint | undefined, fields: readonly Hint[]): Hint[] {
  return value === undefined || value.wholeLine ? [...fields] : [value, ...fields];
}

function hintsOf(value: Hint | undefined, fields: readonly Hint[]): Hint[] {
  return value === undefined ? [...fields] : [value, ...fields];
}

/** Is the line a form made of the names themselves, like "name = number"? */
function formOfNames(line: string, hints: readonly Hint[]): boolean {
  const names = new Set(hints.flatMap((hint) => [hint.name, hint.name.replace(/_/g, " ")]));
  const words = line.match(/[A-Za-z_][\w]*/g) ?? [];
  return words.length >= 2 && !/\d/.test(line) && words.every((word) => names.has(word.toLowerCase()));
}

/** Does a part of several words end in the name of another one ("clk ratio" before the ratio)? */
function endsInName(line: string, span: Span, hint: Hint, others: readonly Hint[]): boolean {
  const last = /\s([A-Za-z_]+)$/.exec(line.slice(span.start, span.end))?.[1]?.toLowerCase();
  if (last === undefined) return false;
  // "120 shapes" for the shapes is the number with its name.
  const own = last === hint.name && /^[-+]?[\d.,]+\s/.test(line.slice(span.start, span.end));
  return own || others.some((other) => other !== hint && other.name === last);
}

function formFit(line: string, span: Span, hint: Hint): { score: number; why: string[] } {
  const same = line.slice(span.start, span.end).toLowerCase() === hint.name;
  return same ? { score: 9, why: ["placeholder"] } : { score: -5, why: [] };
}

interface Order {
  /** Ordered hints of each list, with the weight of keeping the order. */
  chains: { hints: Hint[]; weight: number; shown?: boolean }[];
  /** Names of a list that are neither value nor field, so that they take their own place. */
  extra: Hint[];
}

/** Where one name of a list and one hint are left, they are meant for one another ("what to do instead": advice). */
function lastPaired(matched: readonly (Hint | undefined)[], known: readonly Hint[]): (Hint | undefined)[] {
  const open = known.filter((hint) => !matched.includes(hint));
  const [hint] = open;
  const places = matched.flatMap((one, index) => (one === undefined ? [index] : []));
  if (open.length !== 1 || places.length !== 1 || matched.length < 4 || hint === undefined)
    return [...matched];
  return matched.map((one) => one ?? hint);
}

/** What a further pair of parts that stand the other way round costs, by the first one's 2.5. */
const FURTHER = 0.8;

const FIELD_LIST = /^(?:the |its |other |further |additional )*fields?\b/i;

function orderOf(value: Hint | undefined, fields: readonly Hint[], lists: readonly Listed[]): Order {
  const known = partsFor(value, fields);
  const chains: Order["chains"] = [{ hints: [...fields], weight: 0.4 }];
  const extra: Hint[] = [];
  for (const list of lists) {
    const matched = lastPaired(matchNames(list.names, known), known);
    const count = matched.filter((hint) => hint !== undefined).length;
    if (count < 2 || count * 2 < list.names.length) continue;
    // The list of the fields is no layout of a line.
    const isFields =
      FIELD_LIST.test(list.context) || matched.every((hint) => hint !== undefined && fields.includes(hint));
    const chain = matched.map((hint, index) => {
      if (hint !== undefined) return hint;
      const pseudo: Hint = {
        name: `~${list.names[index] ?? ""}`,
        description: list.names[index] ?? "",
        literals: [],
        choices: [],
        kind: undefined,
        optional: false,
        wholeLine: false,
        basename: false,
      };
      if (extra.length < 6 && !isFields) extra.push(pseudo);
      return pseudo;
    });
    const shown = list.shown === true;
    chains.push({ hints: chain, weight: shown ? 2 : isFields ? 0.6 : 1.5, shown });
  }
  return { chains, extra };
}

/** None of the texts that the page lists for the part stands in the line, or not the mark that it is to be without: it
 * stands elsewhere. */
function standsElsewhere(line: string, hint: Hint): boolean {
  const marks = withoutMarks(hint.description).filter((mark) => !/["'.,\\s()[\]{}<>]/.test(mark.source));
  if (marks.length > 0 && marks.every((mark) => occurrences(line, mark).length === 0)) return true;
  if (hint.choices.length < 2 || !/\bor\b/.test(hint.description)) return false;
  const text = line.toLowerCase();
  return !hint.choices.some((one) => text.includes(one.toLowerCase()));
}

/** May the option stand beside what is placed? Undefined: no; else a correction of the score. */
function compatible(
  placed: readonly Placed[],
  option: Placed,
  value: Hint | undefined,
  line: string,
): number | undefined {
  let correction = 0;
  for (const other of placed) {
    if (option.span.end <= other.span.start || other.span.end <= option.span.start) continue;
    const one = overlap(option, other, value, line);
    if (one === undefined) return undefined;
    correction += one;
  }
  return correction;
}

/** Two parts that overlap: the same part for both, or one inside the other, where the page gives reason to. */
function overlap(a: Placed, b: Placed, value: Hint | undefined, line: string): number | undefined {
  if (a.span.start === b.span.start && a.span.end === b.span.end) {
    const alike = similarity(a.hint.name, b.hint.name) >= 0.9 || a.hint.basename || b.hint.basename;
    return alike || sameText(a.hint, b.hint) ? 0 : undefined;
  }
  const [outer, inner] = a.span.start <= b.span.start && a.span.end >= b.span.end ? [a, b] : [b, a];
  if (outer.span.start > inner.span.start || outer.span.end < inner.span.end) return undefined;
  // "the part of the user name after the dot"
  if (ownerOf(inner.hint, [outer.hint]) !== undefined) return 2.5;
  // Only texts that the page shows, or a value made of its fields, may contain one another.
  const isValue = outer.hint === value;
  if (!shown(outer) && !(isValue && shown(inner))) return undefined;
  if (/^\s|\s$/.test(line.slice(inner.span.start, inner.span.end))) return undefined;
  // "#7" is no other text than the number 7.
  const left = line.slice(outer.span.start, inner.span.start) + line.slice(inner.span.end, outer.span.end);
  if (isValue && !/[\p{L}\p{N}]/u.test(left) && !shown(outer)) return undefined;
  // "the whole key", with fields that are pieces of it.
  // The full path of a file has no line number in it.
  const isPlace = outer.hint.kind === "path" && /[:(]$/.test(line.slice(outer.span.start, inner.span.start));
  if (isPlace && !MADE_OF_ALL.test(outer.hint.description)) return undefined;
  // "With its full name" says nothing of other parts.
  const said = outer.hint.description.replace(
    /\b(?:with (?:its|their|the) )?(?:full|whole|complete) (?:\w+ )?name\b/gi,
    " ",
  );
  if (isValue && /\b(?:whole|full|entire|complete)\b/i.test(said)) return 0;
  if (!isValue) return -4;
  if (shown(outer)) return -1.5;
  return MADE_OF.test(said) || wordsOf(outer.hint.description).includes(inner.hint.name) ? -3 : -7;
}

const MADE_OF_ALL =
  /\b(?:with|and|including|plus|together|as printed|combined|joined|location|position|place)\b/i;

/** What is said of a value that has other parts in it. */
const MADE_OF =
  /\b(?:with|and|including|plus|whole|full|entire|complete|together|as printed|up to|from|everything|all|combined|joined)\b/i;

function shown(one: Placed): boolean {
  return one.why.some((why) => /page shows|behind its name|after |before |brackets|placeholder/.test(why));
}

function sameText(a: Hint, b: Hint): boolean {
  return /\bsame\b|\bidentical\b|\bequal to the value\b/i.test(`${a.description} ${b.description}`);
}

/** Two parts in the order of their names, so many names apart, or one of so many pairs the other way round. */
function turnScore(right: boolean, apart: number, wrong: number): number {
  if (right) return 1 / Math.max(1, apart);
  return wrong === 1 ? -2.5 : -FURTHER;
}

function orderScore(placed: readonly Placed[], option: Placed, order: Order, line: string): number {
  let score = 0;
  for (const { hints, weight, shown: isShown } of order.chains) {
    const at = hints.indexOf(option.hint);
    if (at < 0) continue;
    // A name that is told out of turn is one surprise, however many others it has passed.
    let wrong = 0;
    for (const other of placed) {
      const index = hints.indexOf(other.hint);
      if (index < 0) continue;
      const right = index < at ? other.span.end <= option.span.start : option.span.end <= other.span.start;
      if (!right) wrong += 1;
      score += weight * turnScore(right, Math.abs(index - at), wrong);
      // The list behind an example names all of its parts: only marks stand between neighbours.
      if (!right || isShown !== true || Math.abs(index - at) !== 1) continue;
      const [left, next] = index < at ? [other, option] : [option, other];
      if (/^[^\p{L}\p{N}]+$/u.test(line.slice(left.span.end, next.span.start))) score += 1.5;
    }
  }
  return score;
}

function standsBefore(line: string, span: Span): boolean {
  const text = line.slice(span.start, span.end);
  const at = text.length < 3 ? span.start : line.indexOf(text);
  return at < span.start && !/\w/.test(line.charAt(at - 1)) && !/\w/.test(line.charAt(at + text.length));
}

/** Parts that look like data and belong to no hint speak a little against an answer. */
function gapScore(line: string, placed: readonly Placed[]): number {
  let cost = 0;
  for (const match of line.matchAll(/\d[\w.:/-]*|<[\w ]+>/g)) {
    const covered = placed.some(({ span }) => match.index >= span.start && match.index < span.end);
    if (!covered) cost += 0.2;
  }
  for (const { hint, span } of placed) {
    // Of one text in two places the first is meant, unless something speaks for the other.
    if (standsBefore(line, span)) cost += 0.3;
    if (hint.kind !== "text") continue;
    // A text that starts in the middle of a run of words leaves out what belongs to it.
    const from = Math.max(
      0,
      ...placed.filter((one) => one.span.end <= span.start).map((one) => one.span.end),
    );
    const left = line.slice(from, span.start);
    // "): 1 port was not connected" begins with the number.
    if (/[:)\]]\s+\d+\s+$/.test(left)) cost += 0.7;
    if (/[:)\]>"'|=-]\s*$/.test(left)) continue;
    cost += 0.5 * Math.min(4, (left.match(/[A-Za-z]{2,}/g) ?? []).length);
  }
  return -cost;
}
