// On which line of an example of several lines each value and field stands: a beam search over the parts of all lines
// together.

import { likeness, similarity } from "../../page/names.ts";
import type { Hint } from "../../page/page.ts";
import { quotedIn } from "../../page/text.ts";
import { partsOf } from "../../parts/assign.ts";
import { fit, shownInBrackets } from "../../parts/fit.ts";
import type { Span } from "../../parts/spans.ts";
import { lineCues } from "./line-cues.ts";
import type { Label, Shown } from "./shown.ts";

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
): Distribution {
  const { lines: shown, labels, titles } = block;
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
  const spans = shown.map((line) =>
    partsOf(line, literals, marks, hints, []).flatMap(({ span }) =>
      span.start < behindDots(line) ? [] : [span],
    ),
  );
  const cued = new Set<Hint>();
  const options = new Map(
    hints.map((hint) => {
      const cue = lineCues(hint, block, anchor);
      if (shown.some((_, at) => cue(at) !== 0)) cued.add(hint);
      const all = shown.flatMap((line, at) =>
        (spans[at] ?? []).map((span) => ({
          hint,
          line: at,
          span,
          score:
            fit(line, span, hint).score +
            (titles.has(at) ? 0 : labelScore(line, span, hint, labels[at])) +
            (at === anchor ? 0.4 : 0) +
            cutScore(line, span, hint, hints, labels[at]) +
            toldScore(line, span, hint) +
            countScore(line, span, hint) +
            cue(at) +
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
      return part?.line === put.line && !samePart(part.span, put.span);
    });
    within.set(put.hint, second === undefined ? 9 : best.score - second.score);
  }
  return { puts: best.puts, missing: best.missing, margin, within };
}

/** A field whose text stands on the line of the value as well is read there, unless the page or a label says else. */
function homeScore(
  puts: readonly Put[],
  hints: readonly Hint[],
  { lines, labels }: Shown,
  cued: ReadonlySet<Hint>,
): number {
  const home = puts.find((put) => put.hint === hints[0])?.line;
  if (home === undefined) return 0;
  const away = puts.filter((put) => {
    if (put.line === home || cued.has(put.hint) || labels[put.line] !== undefined) return false;
    const text = (lines[put.line] ?? "").slice(put.span.start, put.span.end);
    return (lines[home] ?? "").split(/[\s,;=()[\]]+/).includes(text);
  });
  return -1.5 * away.length;
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
    const other = puts.find((one) => one !== put && similarity(one.hint.name, without ?? "") >= 0.75);
    if (without === undefined || other === undefined || other.line !== put.line) continue;
    const between = (shown[put.line] ?? "").slice(put.span.end, other.span.start);
    score += put.span.end <= other.span.start && /^[\s([{<]*$/.test(between) ? 3 : 0;
  }
  return score;
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

/** The value is what the page shows a list of, or what it says to stand below a title. */
function listScore({ lines, repeated, titles }: Shown, at: number, span: Span, isValue: boolean): number {
  const below = !titles.has(at) && [...titles].some((title) => title < at);
  const line = lines[at] ?? "";
  const alone = span.start === line.search(/\S/) && !/\s/.test(line.slice(span.start, span.end));
  const first = repeated.has(at) && isValue && alone;
  const score = (repeated.has(at) ? 2.5 : 0) + (titles.has(at) ? -7 : 0) + (below ? 1 : 0);
  return score * (isValue ? 1 : 0.5) + (first ? 1.5 : 0);
}

/** The value is often what the line names that all others hang on, the more if it begins with its own name ("Slot7"). */
function openingScore({ lines }: Shown, at: number, span: Span, hint: Hint): number {
  const indent = (line: string): number => line.search(/\S/);
  const first = lines[0] ?? "";
  if (at !== 0 || lines.length < 3 || lines.slice(1).some((line) => indent(line) <= indent(first))) return 0;
  const letters = /^[A-Za-z]+(?=[\d/_-]+\d)/.exec(first.slice(span.start, span.end))?.[0];
  return 1 + (letters !== undefined && similarity(hint.name, letters) >= 0.6 ? 3 : 0);
}

/** "(tcp, from the second line)" shows the text itself. */
function shownFirst(hint: Hint): string[] {
  const shown = /^\(([^\s(),]+), /.exec(hint.description)?.[1];
  return shown === undefined ? [] : [shown];
}

/** "the text of frame `# 0`": the part stands behind what the page shows of its line. */
function toldScore(line: string, span: Span, hint: Hint): number {
  if (shownFirst(hint).includes(line.slice(span.start, span.end))) return 8;
  const indent = line.search(/\S/);
  const start = quotedIn(hint.description).find(
    ({ text }) => text.length > 1 && line.startsWith(text, indent),
  )?.text;
  if (start === undefined || hint.literals.includes(start)) return 0;
  return span.start >= indent + start.length ? 3 : -5;
}

/** Where a part may start on a line whose label and text are joined by a row of dots. */
function behindDots(line: string): number {
  return /^\s*\S.*?(?:\s?\.){3,}\s*[:=]?\s*/.exec(line)?.[0].length ?? 0;
}

/** "1048 blocks super 1.2", "4 packets sent": the number is the count, not what it counts and what follows. */
function countScore(line: string, span: Span, hint: Hint): number {
  const text = line.slice(span.start, span.end);
  if (/^[^\p{L}\p{N}]+$/u.test(text)) return -12;
  if (/^(?:url|uri|link|href)s?$|_(?:url|uri|link)$/.test(hint.name))
    return /^[a-z]+:\/\//i.test(text) ? 4 : -2;
  const end = span.end >= line.trimEnd().length;
  if (
    /\brest of (?:the|its|that|this|each) (?:line|row|record)\b|\bto the end of (?:the|its|that) line\b/i.test(
      hint.description,
    )
  ) {
    const from = /(?:^|\s)$/.test(line.slice(0, span.start));
    return end && from ? 4 : -3;
  }
  const whole = /\b(?:words?|blanks?|units?|phrase|text|all)\b/i.test(hint.description);
  if (whole || hint.literals.includes(text)) return 0;
  // User, group and process numbers.
  if (/^(?:e|p|s)?[ugpt]id$/.test(hint.name)) return /^\d+$/.test(text) ? 1.5 : -2.5;
  if (hint.kind === "number" && /^[A-Za-z]{2,}[\w-]*\s/.test(text)) return -3;
  const lead = /([A-Za-z][\w-]*)\s+$/.exec(line.slice(0, span.start))?.[1];
  const plain = hint.kind === undefined || hint.kind === "word";
  if (plain && lead !== undefined && similarity(hint.name, lead) >= 0.95) {
    // "scope global eth0": one word behind its name.
    return /^\S+\s+\S/.test(text) ? -2 : /^[a-z]+$/.test(text) ? 1.5 : 0;
  }
  return hint.kind !== "text" && hint.kind !== "time" && /^[-+]?\d[\d.,]*\s+[a-z]{3,}(?:\s|$)/.test(text)
    ? -1.5
    : 0;
}

/** A part that begins inside the label of its line, or stops at a hyphen, was cut at the wrong place. */
function cutScore(
  line: string,
  span: Span,
  hint: Hint,
  hints: readonly Hint[],
  label: Label | undefined,
): number {
  // The text behind the name of another part is its own, but for what marks set apart.
  if (label !== undefined && label.to === undefined && span.start >= label.from) {
    const owner = hints.find((one) => similarity(one.name, label.name) >= 0.95);
    const free = /(?:^|\s)$/.test(line.slice(0, span.start)) && /^(?:\s|$)/.test(line.slice(span.end));
    if (
      owner !== undefined &&
      owner !== hint &&
      free &&
      !hint.literals.includes(line.slice(span.start, span.end))
    )
      return -3;
  }
  // A key and its text are no part of one kind.
  const text = line.slice(span.start, span.end);
  if (label === undefined && /^[A-Za-z][\w@/ -]*:\s+\S/.test(text) && !/^\S+ \S+ /.test(text)) return -4;
  if (/^-\w/.test(line.slice(span.end)) || /\w-$/.test(line.slice(0, span.start))) return -2.5;
  if (label?.to !== undefined && span.end > label.to)
    return hints.some((hint) => similarity(hint.name, label.name) >= 0.6) ? -5 : 0;
  if (label === undefined || span.start >= label.from) return 0;
  if (span.end > label.from) return -4;
  return hints.some((hint) => similarity(hint.name, label.name) >= 0.6) ? -5 : 0;
}

/** The text behind the label of a line is what the label says: "Serial number: x", "part number is x", "from x;". */
function labelScore(line: string, span: Span, hint: Hint, label: Label | undefined): number {
  if (label !== undefined) {
    const seen = /^[^.]*[:=]/.test(line.slice(0, label.from)) || /\S\s{2,}/.test(line.slice(0, label.from));
    if (span.start !== label.from || (label.to !== undefined && span.end !== label.to)) return 0;
    // Behind dots and "is" nothing else says what the part is.
    const own = likeness(hint, label.name);
    const like = (seen ? 2 : 5) * own + (similarity(hint.name, label.name) >= 0.95 ? 3 : 0);
    const rest = line.slice(span.end);
    // A date is no text of its own where the time follows.
    const dated = /^\d+[-/.]\d+[-/.]\d+$/.test(line.slice(span.start, span.end)) && /^\s+\d+:\d/.test(rest);
    const whole = label.to === undefined && !dated && /^(?:\s{2,}|\s*$)/.test(rest);
    // All that stands behind a label is its text, unless the page wants only the number of it.
    const part = /\b(?:number only|only the number|without (?:the |its )?unit|digits?|\(?the numbers?\)?$)/i;
    const text = line.slice(span.start, span.end);
    const remark = /^[-+]?\d[\d.,]*\S*\s+[([{]/.test(text) || /^\S+\s+[([{][^()[\]{}]*[)\]}]$/.test(text);
    return like + (whole && like > 0 && !remark && !part.test(hint.description) ? 3 : 0);
  }
  const lead = /^\W*([A-Za-z][\w-]*(?: [\w-]+){0,3}?)[\s"'([]+$/.exec(line.slice(0, span.start))?.[1];
  return lead === undefined ? 0 : 2 * likeness(hint, lead);
}
