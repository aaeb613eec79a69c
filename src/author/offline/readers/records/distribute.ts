// On which line of an example of several lines each value and field stands: a beam search over the parts of all lines
// together.

import { likeness, similarity } from "../../page/names.ts";
import type { Hint } from "../../page/page.ts";
import { quotedIn } from "../../page/text.ts";
import { partsOf } from "../../parts/assign.ts";
import { fit, shownInBrackets } from "../../parts/fit.ts";
import { isRival } from "../../parts/rivals.ts";
import type { Span } from "../../parts/spans.ts";
import { type BlockCue, signedParts } from "./block-cues.ts";
import { lineCues } from "./line-cues.ts";
import {
  behindDots,
  countScore,
  cutScore,
  gappedText,
  labelScore,
  listScore,
  openingScore,
  shownFirst,
  toldScore,
} from "./part-scores.ts";
import type { RowEvidence } from "./row-evidence.ts";
import type { Shown } from "./shown.ts";
import {
  bracketedLabel,
  bracketedScore,
  extentScore,
  inListScore,
  labelsTold,
  listedTexts,
  toldLine,
} from "./told-labels.ts";

export interface Put {
  hint: Hint;
  /** Index of the line of the example. */
  line: number;
  span: Span;
  score: number;
}

const TOP = 8;
const BEAM = 200;
const MISSING_COST = 5;

/** Where the hints stand, and how clear that is. */
export interface Distribution {
  puts: Put[];
  missing: Hint[];
  /** How far the best reading is in front of one with the hint on another line, and which line that is. */
  margin: ReadonlyMap<Hint, { by: number; line: number }>;
  /** How far it is in front of one with another part of the same line. */
  within: ReadonlyMap<Hint, number>;
}

/** Every hint on the line and part that fits best, no part twice. */
export function distribute(
  hints: readonly Hint[],
  block: Shown,
  item: (at: number) => number,
  anchor = -1,
  around: BlockCue = () => 0,
  evidence?: (spans: readonly (readonly Span[])[]) => RowEvidence | undefined,
): Distribution {
  const { lines: shown, labels, titles, fixed } = block;
  const literals = hints.flatMap((hint) => [
    ...hint.literals,
    ...hint.choices,
    ...shownInBrackets(hint),
    ...shownFirst(hint),
  ]);
  // "`x` and `y` (the location)": each of them is one piece of it.
  const shared = new Set(
    hints.flatMap((hint, index) =>
      hint.description !== "" && hints[index + 1]?.description.startsWith(hint.description) === true
        ? [hint.description, hints[index + 1]?.description ?? ""]
        : [],
    ),
  );
  const marks = hints.flatMap((hint) => quotedIn(hint.description).map(({ text }) => text));
  const spans = shown.map((line, at) => [
    ...partsOf(line, literals, marks, hints, []).flatMap(({ span }) =>
      span.start < behindDots(line) ? [] : [span],
    ),
    ...gappedText(line, labels[at]),
    ...signedParts(line),
  ]);
  const row = evidence?.(spans);
  const listed = listedTexts(hints, shown);
  const cued = new Set<Hint>();
  const options = new Map(
    hints.map((hint) => {
      const cue = lineCues(hint, block, anchor);
      const told = labelsTold(hint.description, shown);
      const named = bracketedLabel(hint, hints, block);
      if (told.on.size > 0 || named >= 0 || shown.some((_, at) => cue(at) !== 0)) cued.add(hint);
      const all = shown.flatMap((line, at) =>
        (fixed.has(at) ? [] : (spans[at] ?? [])).map((span) => ({
          hint,
          line: at,
          span,
          score:
            fit(line, span, hint).score +
            (row?.(at, span, hint) ?? 0) +
            (titles.has(at) ? 0 : labelScore(line, span, hint, labels[at])) +
            (at === anchor ? 0.4 : 0) +
            cutScore(line, span, hint, hints, labels[at]) +
            toldScore(line, span, hint) +
            around(hint, at, span) +
            inListScore(line.slice(span.start, span.end), listed.get(hint)) +
            countScore(line, span, hint) +
            cue(at) +
            toldLine(told, at) +
            bracketedScore(line, span, named, at, labels[at]) +
            extentScore(line, span, hint.description) +
            (hint === hints[0] ? item(at) : 0) +
            (shared.has(hint.description) && /\s/.test(line.slice(span.start, span.end)) ? -3 : 0) +
            (hint === hints[0] ? openingScore(block, at, span, hint) : 0) +
            listScore(block, at, span, hint === hints[0]),
        })),
      );
      return [hint, all.sort((a, b) => b.score - a.score).slice(0, TOP)];
    }),
  );
  let states: { puts: Put[]; missing: Hint[]; score: number }[] = [{ puts: [], missing: [], score: 0 }];
  for (const hint of hints) {
    const next = states.flatMap((state) => {
      const cost = hint.optional ? 1 : MISSING_COST;
      const open = { puts: state.puts, missing: [...state.missing, hint], score: state.score - cost };
      const placed = (options.get(hint) ?? [])
        .filter((put) => state.puts.every((other) => !overlaps(put, other)))
        .map((put) => ({
          puts: [...state.puts, put],
          missing: state.missing,
          score: state.score + put.score,
        }));
      return [open, ...placed];
    });
    states = next.sort((a, b) => b.score - a.score).slice(0, BEAM);
  }
  for (const state of states)
    state.score += relationScore(state.puts, shown) + homeScore(state.puts, hints, block, cued);
  states.sort((a, b) => b.score - a.score);
  const best = states[0] ?? { puts: [], missing: [...hints], score: 0 };
  const margin = new Map<Hint, { by: number; line: number }>();
  const within = new Map<Hint, number>();
  for (const put of best.puts) {
    const own = (state: { puts: Put[] }): Put | undefined => state.puts.find((one) => one.hint === put.hint);
    const other = states.find((state) => own(state)?.line !== put.line);
    const line = other === undefined ? -1 : (own(other)?.line ?? -1);
    margin.set(put.hint, { by: other === undefined ? 9 : best.score - other.score, line });
    const second = states.find((state) => {
      const part = own(state);
      if (part?.line !== put.line || samePart(part.span, put.span)) return false;
      return isRival(shown[put.line] ?? "", put.hint, put.span, part.span);
    });
    within.set(put.hint, second === undefined ? 9 : best.score - second.score);
  }
  return { puts: best.puts, missing: best.missing, margin, within };
}

/** A field whose text stands on the line of the value as well is read there, unless the page or a label says else. */
function homeScore(
  puts: readonly Put[],
  hints: readonly Hint[],
  { lines, labels, repeated }: Shown,
  cued: ReadonlySet<Hint>,
): number {
  const home = puts.find((put) => put.hint === hints[0])?.line;
  if (home === undefined) return 0;
  let score = 0;
  for (const put of puts) {
    if (put.line === home || cued.has(put.hint)) continue;
    // Of a list below the line of the value no single line is meant.
    if (repeated.has(put.line) && home < put.line) score -= 2;
    const label = labels[put.line];
    const text = (lines[put.line] ?? "").slice(put.span.start, put.span.end);
    if (label === undefined) {
      if ((lines[home] ?? "").split(/[\s,;=()[\]]+/).includes(text)) score -= 1.5;
    } else if (likeness(put.hint, label.name) < 0.7 && labels[home] !== undefined) score -= 0.6;
  }
  return score;
}

/** "the library cell behind the pin": a part that the page places beside another one. */
function relationScore(puts: readonly Put[], shown: readonly string[]): number {
  let score = 0;
  for (const put of puts) {
    const told = /\b(behind|after|following|before|in front of) the ([a-z][\w -]*)/i.exec(
      put.hint.description,
    );
    if (told === null) continue;
    const other = puts.find((one) => one !== put && similarity(one.hint.name, told[2] ?? "") >= 0.6);
    if (other === undefined) continue;
    const behind = /^(?:behind|after|following)/i.test(told[1] ?? "");
    const right =
      put.line === other.line &&
      (behind ? put.span.start >= other.span.end : put.span.end <= other.span.start);
    score += right ? 3 : -2;
  }
  return score + orderScore(puts) + besideScore(puts, shown);
}

/** "the message, without the rule": it goes on up to the brackets of the rule. */
function besideScore(puts: readonly Put[], shown: readonly string[]): number {
  let score = 0;
  for (const put of puts) {
    const without = /\bwithout (?:the |its )?([a-z][\w ]*?)\b(?=[),.;]|$)/i.exec(put.hint.description)?.[1];
    const other = puts.find((one) => one !== put && isCalled(one.hint.name, without ?? ""));
    if (without === undefined || other === undefined || other.line !== put.line) continue;
    const between = (shown[put.line] ?? "").slice(put.span.end, other.span.start);
    // "(rev 03)" has its name in front.
    const lead = /^[\s([{<]*(?:([A-Za-z]+)[\s:=]*)?$/.exec(between);
    const own = lead?.[1] === undefined || similarity(other.hint.name, lead[1]) >= 0.75;
    score += put.span.end <= other.span.start && lead !== null && own ? 3 : 0;
  }
  return score;
}

/** "rev" is the revision. */
function isCalled(name: string, word: string): boolean {
  return similarity(name, word) >= 0.75 || (name.length >= 3 && word.toLowerCase().startsWith(name));
}

/** Fields that stand side by side are mostly named in their order. */
function orderScore(puts: readonly Put[]): number {
  let score = 0;
  puts.forEach((put, index) => {
    const next = puts[index + 1];
    if (index > 0 && next?.line === put.line) score += next.span.start >= put.span.end ? 0.5 : -0.5;
  });
  return score;
}

function samePart(a: Span, b: Span): boolean {
  return a.start === b.start && a.end === b.end;
}

function overlaps(a: Put, b: Put): boolean {
  return a.line === b.line && a.span.start < b.span.end && b.span.start < a.span.end;
}
