// The columns of a heading and rows that are set apart by blanks: below the runs of a ruler, text by text where every row
// has as many as the heading, or between the places where all lines are blank.

import { splitHeadings } from "./split-headings.ts";

/** A column of a table: what stands above it, and where. */
export interface Column {
  /** The words above it, from the top; empty when nothing stands there. */
  name: string;
  start: number;
  end: number;
  /** What each line of a heading of several lines has above it. */
  lines?: string[];
  /** Its cells in the rows that were looked at, trimmed. */
  texts: string[];
}

/** A clock time in front of a heading: the report prints the time of its sample there. */
export const CLOCK = /^\s*\d\d:\d\d:\d\d(?: [AP]M)?(?=\s)/;

export function withoutClock(line: string): string {
  return line.replace(CLOCK, (clock) => " ".repeat(clock.length));
}

interface Span {
  start: number;
  end: number;
  text: string;
}

export function spansOf(line: string): Span[] {
  return [...line.matchAll(/\S+/g)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    text: match[0],
  }));
}

interface Found {
  columns: Column[];
  fixed: boolean;
  /** Each row has a text for each column, in their order, wherever these stand; the last one may have several words. */
  counted?: boolean;
}

/** Columns below the runs of a ruler, where the rows are blank in front of nearly each. */
export function byRuler(heads: readonly string[], rows: readonly string[], ruler: string): Found | undefined {
  const runs = spansOf(ruler);
  const isCut = (row: string): boolean =>
    runs.some(({ start }) => start > 0 && (row.charAt(start - 1) || " ") !== " ");
  if (runs.length < 2 || rows.some(isCut)) return undefined;
  const at = (word: Span): number => {
    const gaps = runs.map((run) => Math.max(run.start - word.end, word.start - run.end));
    return gaps.indexOf(Math.min(...gaps));
  };
  const words = heads.map((head) => spansOf(withoutUnits(withoutClock(head))));
  const columns = runs.map((run, number) => {
    const end = runs[number + 1]?.start ?? 1000;
    const own = words.flatMap((line) => line.filter((word) => at(word) === number).map((word) => word.text));
    return {
      name: own.join(" "),
      start: number === 0 ? 0 : run.start,
      end,
      texts: rows.map((row) => row.slice(number === 0 ? 0 : run.start, end).trim()),
    };
  });
  return columns.filter((one) => one.name !== "").length < 2 ? undefined : { columns, fixed: true };
}

/** A unit in brackets belongs to the word in front of it, or above it. */
function withoutUnits(head: string): string {
  return head.replace(/(?<=\s)\([^()\s]{1,12}\)(?=\s|$)/g, (unit) => " ".repeat(unit.length));
}

/** The columns of a heading and its rows, from left to right. */
export function columnsOf(headLines: readonly string[], rowLines: readonly string[]): Found | undefined {
  const heads = headLines.map((head) =>
    withoutUnits(withoutClock(head)).replace(/^\s*[|/\\]+(?=\s)/, (marks) => " ".repeat(marks.length)),
  );
  const rows = rowLines.map(glued);
  const whole = byTokens(heads, rows);
  if (whole !== undefined) return { columns: whole, fixed: false };
  const wide = byWideGaps(heads, rows);
  if (wide !== undefined) return { columns: wide, fixed: false };
  const all = [...heads, ...rows];
  const width = Math.min(1000, Math.max(...all.map((line) => line.length)));
  const segments: [number, number][] = [];
  let start = -1;
  for (let at = 0; at <= width; at += 1) {
    const free = at === width || all.every((line) => (line.charAt(at) || " ") === " ");
    if (!free && start < 0) start = at;
    if (free && start >= 0) {
      segments.push([start, at]);
      start = -1;
    }
  }
  const columns = segments.flatMap(([from, to]) => inSegment(heads, rows, from, to));
  const joined = mergeEmpty(columns);
  const split = splitHeadings(joined, clustersOf(heads.map(spansOf)), rows);
  const merged = split.columns.map(unglued);
  const named = merged.filter((one) => one.name !== "").length;
  if (named < 2 || merged.length < 2 || named < 0.5 * spansOf(heads.at(-1) ?? "").length) {
    const counted = byCount(heads, rows);
    if (counted !== undefined) return { columns: counted, fixed: false, counted: true };
  }
  if (named < 2 || merged.length < 2) return undefined;
  const fixed =
    !split.crossed &&
    merged.every(({ start }) => start === 0 || all.every((line) => (line.charAt(start - 1) || " ") === " "));
  return { columns: merged, fixed };
}

export const GLUE = "\u0001";

/** A clock time with its half of the day as one text. */
export function glued(row: string): string {
  return row.replace(/(?<=\d\d:\d\d(?::\d\d)?) (?=[AP]M\b)/g, GLUE);
}

function unglued(column: Column): Column {
  return { ...column, texts: column.texts.map((text) => text.replaceAll(GLUE, " ")) };
}

/** Every row has as many texts as the heading, mostly below it: rows that the heading is too narrow for as well. */
function byTokens(heads: readonly string[], rows: readonly string[]): Column[] | undefined {
  const pieces = rows.map((row) => spansOf(row).filter((piece) => piece.text !== "/"));
  const runs = (heads[0] ?? "").matchAll(/[^\s/]+(?: [^\s/]+| \/(?=\S))*/g);
  const wide = [...runs].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    text: match[0],
  }));
  // Headings of several words stand apart by more than one blank, or by a slash.
  const clusters = [clustersOf(heads.map(spansOf)), heads.length === 1 ? wide : []].find(
    (one) => one.length >= 2 && pieces.every((row) => row.length === one.length),
  );
  if (clusters === undefined) return undefined;
  if (!standBelow(clusters, rows)) return undefined;
  return clusters.map((cluster, number) =>
    unglued({
      name: cluster.text,
      start: cluster.start,
      end: cluster.end,
      texts: pieces.map((one) => one[number]?.text ?? ""),
    }),
  );
}

/** Most rows have as many texts as the heading, and some have a last text of several words ("Idle (Admin)"). Where the rows
 * do not stand below the headings, the kinds of texts in each column tell that these are the columns. */
function byCount(heads: readonly string[], rows: readonly string[]): Column[] | undefined {
  const clusters = clustersOf(heads.map(spansOf));
  const count = clusters.length;
  const pieces = rows.map(spansOf);
  const exact = pieces.filter((row) => row.length === count).length;
  const isOdd = (row: readonly Span[]): boolean => row.length < count || row.length > count + 3;
  if (count < 5 || rows.length < 3 || exact < 0.6 * rows.length || pieces.some(isOdd)) return undefined;
  // What is too much stands right behind the last text.
  const isGlued = pieces.every((row) =>
    row.slice(count).every((piece, at) => piece.start - (row[count - 1 + at]?.end ?? 0) === 1),
  );
  const texts = clusters.map((_, number) =>
    pieces.map((row, at) =>
      number < count - 1
        ? (row[number]?.text ?? "")
        : (rows[at] ?? "").slice(row[count - 1]?.start ?? 0).trim(),
    ),
  );
  const cut = rows.map((row, at) => row.slice(0, pieces[at]?.[count - 1]?.end ?? row.length));
  if (!isGlued || !(standBelow(clusters, cut) || isSteady(texts))) return undefined;
  return clusters.map(({ text, start, end }, number) => ({
    name: text,
    start,
    end,
    texts: texts[number] ?? [],
  }));
}

/** Has each column but the last texts of one kind, and are some of them numbers? */
function isSteady(columns: readonly (readonly string[])[]): boolean {
  const kindOf = (text: string): string =>
    /^[-+]?\d+(?:[.,]\d+)*%?$/.test(text)
      ? /\.\d+\./.test(text)
        ? "a"
        : "n"
      : /[:\d]/.test(text)
        ? "m"
        : "w";
  const kinds = columns.slice(0, -1).map((texts) => new Set(texts.map(kindOf)));
  const numbers = kinds.filter((own) => own.size === 1 && own.has("n")).length;
  // Words and mixed texts may stand in one column ("never", "3w0d").
  return columns.length >= 6 && numbers >= 3 && kinds.every((own) => own.size === 1 || !own.has("n"));
}

/** Texts with single blanks in them. */
export const WIDE = /\S+(?: \S+)*/g;

/** Every row has as many texts set apart by two blanks or more as the heading, or one more behind its last. */
function byWideGaps(heads: readonly string[], rows: readonly string[]): Column[] | undefined {
  const spans = (line: string): Span[] =>
    [...line.matchAll(WIDE)].map((match) => ({
      start: match.index,
      end: match.index + match[0].length,
      text: match[0],
    }));
  const pieces = rows.map(spans);
  const count = pieces[0]?.length ?? 0;
  if (rows.length < 2 || count < 3 || pieces.some((row) => row.length !== count)) return undefined;
  const whole = heads.length === 1 ? spans(heads[0] ?? "") : [];
  // A blank in a heading above a blank in every row: two headings.
  const isTwo = whole.some(({ start, text }) =>
    [...text.matchAll(/ /g)].some(({ index }) =>
      rows.every((row) => (row.charAt(start + index) || " ") === " "),
    ),
  );
  // As many headings with wide gaps as cells: they are what they seem.
  const headings = [clustersOf(heads.map(spansOf)), isTwo && whole.length !== count ? [] : whole];
  const clusters =
    headings.find((one) => one.length === count) ?? headings.find((one) => one.length === count - 1);
  if (clusters === undefined) return undefined;
  const isBelow = (piece: Span, index: number): boolean => {
    const over = clusters[index];
    return over === undefined || (piece.start < over.end + 1 && over.start < piece.end + 1);
  };
  if (!pieces.every((row) => row.every(isBelow))) return undefined;
  return Array.from({ length: count }, (_, number) => {
    const texts = pieces.map((row) => row[number]?.text ?? "");
    const { start, end, text } = clusters[number] ?? { start: 0, end: 0, text: "" };
    return unglued({ name: text, start, end, texts });
  });
}

/** Do the texts of the rows stand below the headings, the first below the first? Some may be too long for that, but none
 * stands below another heading alone. Texts between slashes are placed by these. */
export function standBelow(
  headings: readonly { start: number; end: number }[],
  rows: readonly string[],
): boolean {
  let below = 0;
  let aside = 0;
  let all = 0;
  for (const row of rows) {
    const pieces = spansOf(glued(row));
    let index = -1;
    pieces.forEach((piece, at) => {
      if (piece.text === "/") return;
      index += 1;
      if (pieces[at - 1]?.text === "/" || pieces[at + 1]?.text === "/") return;
      all += 1;
      const touches = headings.map((one) => piece.start < one.end + 1 && one.start < piece.end + 1);
      if (touches[index] === true) below += 1;
      else if (touches.includes(true)) aside += 1;
    });
  }
  return below >= 0.6 * all && aside <= 0.02 * all;
}

/** The columns between two places where every line is blank: one, or as many as heading words and cells agree on. */
function inSegment(heads: readonly string[], rows: readonly string[], from: number, to: number): Column[] {
  const pieces = rows.map((row) => spansOf(row.slice(from, to)));
  const whole: Column = {
    name: heads
      .map((head) => head.slice(from, to).trim())
      .filter((text) => text !== "")
      .join(" ")
      .replace(/\s+/g, " "),
    lines: heads.map((head) => head.slice(from, to).trim()),
    start: from,
    end: to,
    texts: rows.map((row) => row.slice(from, to).trim()),
  };
  const counts = new Set(pieces.map((one) => one.length));
  const [count] = counts;
  const clusters = clustersOf(heads.map((head) => spansOf(head.slice(from, to))));
  if (counts.size !== 1 || count === undefined || count < 2 || clusters.length !== count) return [whole];
  return clusters.map((cluster, number) => ({
    name: cluster.text,
    start: from + Math.min(cluster.start, ...pieces.map((one) => one[number]?.start ?? cluster.start)),
    end: from + Math.max(cluster.end, ...pieces.map((one) => one[number]?.end ?? cluster.end)),
    texts: pieces.map((one) => one[number]?.text ?? ""),
  }));
}

/** Words of several lines that stand over one another, together. */
function clustersOf(lines: readonly Span[][]): Span[] {
  const clusters: Span[] = [];
  for (const line of lines) {
    for (const word of line) {
      const over = clusters.find((one) => one.start < word.end && word.start < one.end);
      if (over === undefined) clusters.push({ ...word });
      else {
        over.text += ` ${word.text}`;
        over.start = Math.min(over.start, word.start);
        over.end = Math.max(over.end, word.end);
      }
    }
  }
  return clusters.sort((a, b) => a.start - b.start);
}

/** Names of several words below a heading on their right: what stands in front of it is their beginning. */
function withFront(columns: readonly Column[]): readonly Column[] {
  const [first, second, ...others] = columns;
  if (first === undefined || second === undefined || first.name !== "" || second.name === "") return columns;
  const filled = first.texts.flatMap((text, index) =>
    text === "" ? [] : [[text, second.texts[index] ?? ""]],
  );
  const goesOn = filled.every(([text = "", rest]) => rest !== "" && /[A-Za-z]{2}/.test(text));
  if (second.start - first.end > 1 || filled.length === 0 || filled.length === first.texts.length || !goesOn)
    return columns;
  const texts = first.texts.map((text, index) => `${text} ${second.texts[index] ?? ""}`.trim());
  return [{ ...second, start: first.start, texts }, ...others];
}

/** A heading word without any cell below it is a part of the heading beside it ("Mounted on"). */
function mergeEmpty(columns: readonly Column[]): Column[] {
  const merged: Column[] = [];
  for (const column of withFront(columns)) {
    const last = merged.at(-1);
    const close = last !== undefined && column.start - last.end <= 1;
    const empty = (one: Column): boolean => one.name !== "" && one.texts.every((text) => text === "");
    // "2 hours ago": a blank at the same place of all rows, below one heading.
    const tail = column.name === "" && last?.name !== "";
    if (last !== undefined && close && (tail || empty(last) || empty(column)) && last.name !== "") {
      last.name = `${last.name} ${column.name}`.trim();
      last.end = column.end;
      last.texts = last.texts.map((text, index) => `${text} ${column.texts[index] ?? ""}`.trim());
    } else if (last?.name === "" && column.name === "" && merged.length > 2) {
      // Behind the last heading: one text, whatever blanks it has in common.
      last.end = column.end;
      last.texts = last.texts.map((text, index) => `${text} ${column.texts[index] ?? ""}`.trim());
    } else merged.push({ ...column });
  }
  return merged;
}
