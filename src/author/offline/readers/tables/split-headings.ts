// Columns that have grown together because a long text crosses the gap between them in some rows ("Neighbor V" above an
// address that takes the place of both, "Model    Sp" above a model that is too long). The other rows show the gap.

import type { Column } from "./gaps.ts";

interface Words {
  start: number;
  end: number;
  text: string;
}

/** Rows that have the gap, of those with texts on both sides; and rows that have texts on both sides, of all. */
const CLEAN = 0.6;
const BOTH = 0.6;
/** Fewer rows show no gap. */
const LEAST_ROWS = 3;
const MOST_WORDS = 6;

export interface Split {
  columns: Column[];
  /** Some rows cross a gap: the columns are no fixed places. */
  crossed: boolean;
}

/** The columns, those cut in two or more that have a heading for each. */
export function splitHeadings(
  columns: readonly Column[],
  headings: readonly Words[],
  rows: readonly string[],
): Split {
  let crossed = false;
  const found = columns.flatMap((column) => {
    const words = headings.filter((one) => one.start >= column.start && one.end <= column.end);
    if (words.length < 2 || words.length > MOST_WORDS) return [column];
    const split = splitColumn(column, words, rows);
    crossed ||= split.crossed;
    return split.columns;
  });
  return { columns: found, crossed };
}

function splitColumn(column: Column, words: readonly Words[], rows: readonly string[]): Split {
  // From the right: what stands behind the last gap is the last column.
  for (let at = words.length - 1; at > 0; at -= 1) {
    const left = words[at - 1];
    const right = words[at];
    if (left === undefined || right === undefined) continue;
    const gap = gapBetween(column, left, right, rows);
    if (gap === undefined) continue;
    const before = words.slice(0, at);
    const first: Column = {
      ...column,
      name: before.map(({ text }) => text).join(" "),
      lines: [before.map(({ text }) => text).join(" ")],
      end: gap.at,
      texts: gap.cells.map(([one]) => one),
    };
    const last: Column = {
      ...column,
      name: words
        .slice(at)
        .map(({ text }) => text)
        .join(" "),
      lines: [
        words
          .slice(at)
          .map(({ text }) => text)
          .join(" "),
      ],
      start: gap.at + 1,
      texts: gap.cells.map(([, two]) => two),
    };
    const rest = before.length < 2 ? { columns: [first], crossed: false } : splitColumn(first, before, rows);
    return { columns: [...rest.columns, last], crossed: rest.crossed || gap.crossed };
  }
  return { columns: [column], crossed: false };
}

interface Gap {
  at: number;
  cells: [string, string][];
  crossed: boolean;
}

/** The place between two headings that is blank in most rows, with texts on both sides. */
function gapBetween(column: Column, left: Words, right: Words, rows: readonly string[]): Gap | undefined {
  const wide = right.start - left.end > 1;
  const full = rows.filter((row) => row.slice(column.start, column.end).trim() !== "");
  if (full.length < LEAST_ROWS) return undefined;
  let best: { at: number; clean: number } | undefined;
  for (let at = right.start - 1; at >= left.end; at -= 1) {
    const clean = full.filter((row) => {
      const one = row.slice(column.start, at).trim();
      const two = row.slice(at + 1, column.end).trim();
      return (row.charAt(at) || " ") === " " && one !== "" && two !== "";
    }).length;
    if (best === undefined || clean > best.clean) best = { at, clean };
  }
  if (best === undefined) return undefined;
  const { at } = best;
  const isClean = (row: string): boolean => (row.charAt(at) || " ") === " ";
  const clean = full.filter(isClean);
  const rights = clean.map((row) => row.slice(at + 1, column.end).trim());
  const lefts = clean.map((row) => row.slice(column.start, at).trim());
  const both = rights.filter((text, index) => text !== "" && lefts[index] !== "").length;
  if (clean.length < CLEAN * full.length || both < BOTH * clean.length) return undefined;
  // Headings of two words stand close together; two columns have texts of their own kinds below them.
  if (!wide && !differ(lefts, rights)) return undefined;
  if (clean.length === full.length && !wide && rights.some((text) => / /.test(text))) return undefined;
  const crossing = full.length - clean.length;
  const behind = onlyCount(rights);
  const ahead = onlyCount(lefts);
  if (crossing > 0 && behind === undefined && ahead === undefined) return undefined;
  const cells = rows.map((row): [string, string] => {
    const text = row.slice(column.start, column.end).trim();
    if (isClean(row)) return [row.slice(column.start, at).trim(), row.slice(at + 1, column.end).trim()];
    const pieces = text.split(/\s+/);
    const cut = behind === undefined ? (ahead ?? 1) : Math.max(1, pieces.length - behind);
    return [pieces.slice(0, cut).join(" "), pieces.slice(cut).join(" ")];
  });
  return { at, cells, crossed: crossing > 0 };
}

/** How many words all of the texts have. */
function onlyCount(texts: readonly string[]): number | undefined {
  const counts = new Set(texts.filter((text) => text !== "").map((text) => text.split(/\s+/).length));
  return counts.size === 1 ? [...counts][0] : undefined;
}

/** Are the texts of the two sides of other kinds: numbers and words, or single texts on the right only? */
function differ(lefts: readonly string[], rights: readonly string[]): boolean {
  const share = (texts: readonly string[], kind: RegExp): number =>
    texts.filter((text) => kind.test(text)).length / Math.max(1, texts.length);
  const filled = (texts: readonly string[]): string[] => texts.filter((text) => text !== "");
  const number = /^[-+]?\d[\d.,]*[KMGTP]?%?$/;
  const [one, two] = [filled(lefts), filled(rights)];
  const isNumber = share(two, number) >= 0.8;
  return isNumber || (share(one, number) >= 0.8 && share(two, /^\S+$/) >= 0.8);
}
