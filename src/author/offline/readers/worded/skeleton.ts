// The marks that all lines of a set have in the same order ("file:line:column: rule: advice"), and the parts between
// them: a part of the record is rather one of these than a piece of it.

import type { Span } from "../../parts/spans.ts";
import type { Sample } from "./sample.ts";

const MARK = /\s-{1,3}(?:\s|$)|\s[-=]>\s|::|:\s+|:|;\s*|,\s+|[[\]()<>"=|\t]|\s@\s|\s{2,}/g;
const MOST_MARKS = 60;

interface Mark {
  id: string;
  start: number;
  end: number;
}

function marksOf(line: string): Mark[] {
  return [...line.trimEnd().matchAll(MARK)].slice(0, MOST_MARKS).map((match) => ({
    id: match[0].replace(/\s+/g, " "),
    start: match.index,
    end: match.index + match[0].length,
  }));
}

const skeletons = new WeakMap<Sample, readonly string[]>();

/** The marks that all lines of the sample have, in their order. */
function skeletonOf(sample: Sample): readonly string[] {
  const known = skeletons.get(sample);
  if (known !== undefined) return known;
  const lists = sample.lines.map((line) => marksOf(line).map((mark) => mark.id));
  const common = lists.reduce<readonly string[]>((left, right) => commonOf(left, right), lists[0] ?? []);
  skeletons.set(sample, common);
  return common;
}

/** The longest list that is part of both. */
function commonOf(left: readonly string[], right: readonly string[]): string[] {
  const width = right.length + 1;
  const length = new Uint16Array((left.length + 1) * width);
  for (let l = left.length - 1; l >= 0; l -= 1) {
    for (let r = right.length - 1; r >= 0; r -= 1) {
      length[l * width + r] =
        left[l] === right[r]
          ? 1 + (length[(l + 1) * width + r + 1] ?? 0)
          : Math.max(length[(l + 1) * width + r] ?? 0, length[l * width + r + 1] ?? 0);
    }
  }
  const found: string[] = [];
  for (let l = 0, r = 0; l < left.length && r < right.length; ) {
    if (left[l] === right[r]) {
      found.push(left[l] ?? "");
      l += 1;
      r += 1;
    } else if ((length[(l + 1) * width + r] ?? 0) >= (length[l * width + r + 1] ?? 0)) l += 1;
    else r += 1;
  }
  return found;
}

/** The parts of a line between the marks that all lines have; undefined where there are too few of either. */
export function slotsOf(line: string, sample: Sample): Span[] | undefined {
  const common = skeletonOf(sample);
  if (new Set(sample.lines).size < 3 || common.length < 2) return undefined;
  const slots: Span[] = [];
  let next = 0;
  let from = 0;
  for (const mark of marksOf(line)) {
    if (mark.id !== common[next]) continue;
    slots.push({ start: from, end: mark.start });
    from = mark.end;
    next += 1;
  }
  slots.push({ start: from, end: line.trimEnd().length });
  return slots.map((slot) => trimmed(line, slot)).filter((slot) => slot.end > slot.start);
}

function trimmed(line: string, { start, end }: Span): Span {
  const text = line.slice(start, end);
  const lead = text.length - text.trimStart().length;
  return { start: start + lead, end: start + text.trimEnd().length };
}

/** What it says that a part is one of these, a piece of one, or goes over several. */
export function slotScore(span: Span, slots: readonly Span[], isText: boolean): number {
  // A text may have such marks in it and goes on to the end.
  const toEnd = span.end === slots.at(-1)?.end;
  if (isText && toEnd && slots.some((slot) => slot.start === span.start)) return 1.8;
  if (slots.some((slot) => slot.start === span.start && slot.end === span.end)) return 1.8;
  if (slots.some((slot) => slot.start <= span.start && slot.end >= span.end)) return -0.6;
  return -1.2;
}
