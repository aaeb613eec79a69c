// How the page says that a line is laid out: parts between separators that it names, or the names of a list one by
// one between blanks. Gives the parts, and what their place says about a hint.

import { kindOf, matchNames } from "../page/names.ts";
import type { Hint, Listed } from "../page/page.ts";
import type { Span } from "./evidence.ts";

export interface Layout {
  spans: readonly Span[];
  score: (span: Span, hint: Hint) => number;
}

/** The layout of a line, as far as the lists of the page say something. */
export function layoutOf(line: string, lists: readonly Listed[], hints: readonly Hint[]): Layout {
  const list = lists.find((one) => one.separated !== undefined);
  const cells = list?.separated === undefined ? undefined : cellsOf(line, list.separated.by);
  if (cells === undefined) return positionsOf(line, lists, hints) ?? { spans: [], score: () => 0 };
  const from = list?.separated?.from ?? 0;
  const matched = matchNames(list?.names ?? [], hints);
  const last = matched.length - 1;
  return {
    spans: cells.spans,
    score: (span, hint) => {
      const at = matched.indexOf(hint);
      if (at < from) return cells.score(span, false);
      return cells.at(span, at - from, at === last);
    },
  };
}

/** The very same part. */
export function same(a: Span, b: Span): boolean {
  return a.start === b.start && a.end === b.end;
}

/** The parts between the separators that the page names. What is a part between two, and what runs over one? */
function cellsOf(
  line: string,
  separator: string,
):
  | {
      spans: Span[];
      score: (span: Span, isCell: boolean) => number;
      at: (span: Span, index: number, toEnd: boolean) => number;
    }
  | undefined {
  const bounds: number[] = [];
  for (let at = line.indexOf(separator); at >= 0; at = line.indexOf(separator, at + 1)) bounds.push(at);
  const [first] = bounds;
  if (first === undefined || bounds.length < 2) return undefined;
  // In front of the first part may stand what every line of the log has.
  const lead = Math.max(
    0,
    ...[...line.slice(0, first).matchAll(/[:\]>]\s+/g)].map((one) => one.index + one[0].length),
  );
  const starts = [lead, ...bounds.map((at) => at + separator.length)];
  const trimmed = (start: number, end: number): Span => {
    const text = line.slice(start, end);
    return { start: start + text.length - text.trimStart().length, end: start + text.trimEnd().length };
  };
  const cells = starts.map((start, index) => trimmed(start, bounds[index] ?? line.length));
  const rest = starts.slice(2).map((start) => trimmed(start, line.length));
  const spans = [...cells, ...rest].filter((span) => span.end > span.start);
  return {
    spans,
    // The list counts the parts; the last of them may have the separator in it.
    at: (span, index, toEnd) => {
      const cell = cells[index];
      if (cell === undefined) return -3;
      const place = toEnd ? { start: cell.start, end: line.trimEnd().length } : cell;
      return same(span, place) ? 6 : span.end <= lead ? -8 : -4;
    },
    score: (span, isCell) => {
      if (span.end <= lead) return isCell ? -8 : 0;
      if (cells.some((cell) => same(cell, span))) return 3;
      if (rest.some((cell) => same(cell, span))) return 1;
      return -3;
    },
  };
}

/** The first list of the page whose names are the parts of the line one by one between blanks, the last of them the
 * rest of the line: each of its hints has its place. */
function positionsOf(
  line: string,
  lists: readonly Listed[],
  hints: readonly Hint[],
): { spans: Span[]; score: (span: Span, hint: Hint) => number } | undefined {
  const chunks = [...line.matchAll(/\S+/g)].map((one) => ({
    start: one.index,
    end: one.index + one[0].length,
  }));
  for (const list of lists) {
    const count = list.names.length;
    if (count < 4 || chunks.length < count || list.separated !== undefined) continue;
    const matched = matchNames(list.names, hints);
    if (matched.every((hint) => hint === undefined) || matched.filter(Boolean).length === count) continue;
    const cells = chunks.slice(0, count);
    const last = cells[count - 1];
    if (last === undefined) continue;
    cells[count - 1] = { start: last.start, end: line.trimEnd().length };
    const texts = cells.map(({ start, end }) => line.slice(start, end));
    if (!kindsFit(list.names, texts)) continue;
    return {
      spans: cells,
      score: (span, hint) => {
        const at = matched.indexOf(hint);
        const place = cells[at];
        if (place !== undefined) return same(place, span) ? 4 : -2;
        return cells.slice(0, -1).some((cell, index) => same(cell, span) && matched[index] === undefined)
          ? -1
          : 0;
      },
    };
  }
  return undefined;
}

/** Do the texts look like what the names say, as far as they say anything? Two of them at least must. */
function kindsFit(names: readonly string[], texts: readonly string[]): boolean {
  let good = 0;
  let bad = 0;
  names.forEach((name, index) => {
    const kind = kindOf(name);
    const text = texts[index] ?? "";
    const fits =
      kind === "number"
        ? /^[-+]?[\d.,]+%?$/.test(text)
        : kind === "time"
          ? /\d/.test(text)
          : kind === "path"
            ? /[/.\\]/.test(text)
            : undefined;
    if (fits === true) good += 1;
    if (fits === false) bad += 1;
  });
  return good >= 1 && bad <= good * 0.35;
}
