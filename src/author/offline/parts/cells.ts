// Ways to cut a line into as many cells as a list names: at tabs, marks, wide gaps or blanks, or one piece of the line
// at the marks inside it. As many cells as names are strong evidence that each name stands for the cell at its place.

import type { Span } from "./evidence.ts";

/** The cells of a line for so many names. `open`: there may be more cells than names; `marked`: only cells between
 * marks, which other parts may stand in front of. */
export function cellsOf(line: string, count: number, open: boolean, marked = false): Span[][] {
  if (count < 2) return [];
  const ways: Span[][] = [];
  const offer = (cells: Span[]): void => {
    const fits = cells.length === count || (open && cells.length > count);
    if (fits && !ways.some((way) => way.every((cell, at) => same(cell, cells[at])))) ways.push(cells);
  };
  for (const mark of ["\t", "|", ";", ",", ":"]) {
    if (!line.includes(mark)) continue;
    if (mark === ":") {
      // Colons part the cells of a line only where there are as many as names.
      const cells =
        count < 4 || marked || /\d\d:\d\d(?!\d)|:\/\/|:\s\S/.test(line) ? [] : cutAt(line, 0, mark);
      const last = cells.at(-1);
      offer(
        cells.length > count && last !== undefined && last.end <= last.start ? cells.slice(0, -1) : cells,
      );
      continue;
    }
    for (const from of starts(line, mark)) {
      if (marked && from === 0) continue;
      const cells = cutAt(line, from, mark);
      offer(cells);
      // The last of them may have the mark in it.
      const last = cells[count - 1];
      const exact = ways.some((way) => way.length === count);
      if (!exact && !open && last !== undefined && cells.length > count && cells.length <= count + 4)
        offer([...cells.slice(0, count - 1), { start: last.start, end: line.trimEnd().length }]);
    }
  }
  if (marked) return ways;
  offer(runs(line, /\S+(?: \S+)*/g));
  // "[ 3] 8443/tcp (v6)     ALLOW IN": a number in brackets is a cell of its own.
  offer(
    runs(line, /\S+(?: \S+)*/g).flatMap(({ start, end }) => {
      const lead = /^(\[ ?(\w+)\]) \S/.exec(line.slice(start, end).replace(/^\[ (?=\w)/, "[ "));
      if (lead === null) return [{ start, end }];
      const own = start + (lead[1] ?? "").indexOf(lead[2] ?? "");
      return [
        { start: own, end: own + (lead[2] ?? "").length },
        { start: start + (lead[1] ?? "").length + 1, end },
      ];
    }),
  );
  offer(runs(line, /\S+/g));
  if (count < 3) return ways;
  // `org.example#some-module;1.2.3`: one piece of the line has all of them.
  for (const chunk of line.matchAll(/\S+/g)) {
    const inner = runs(chunk[0], /[^#;:,|@/]+/g).map(({ start, end }) => ({
      start: start + chunk.index,
      end: end + chunk.index,
    }));
    if (inner.length === count) offer(inner);
  }
  return ways;
}

function same(a: Span, b: Span | undefined): boolean {
  return b !== undefined && a.start === b.start && a.end === b.end;
}

/** Where the first cell may start: behind the last colon, bracket or blank in front of the first mark, or at the start. */
function starts(line: string, mark: string): number[] {
  const first = line.indexOf(mark);
  const head = line.slice(0, first);
  const found = [...head.matchAll(/[:=\]>]\s*(?=\S)|\s(?=\S)/g)].map((one) => one.index + one[0].length);
  return [0, ...(mark === "\t" ? [] : found.slice(-3))];
}

/** The cells between marks, those that stand in double quotes without them. */
function cutAt(line: string, from: number, mark: string): Span[] {
  let start = from;
  let end = line.trimEnd().length;
  const text = line.slice(start, end);
  // A frame around the row.
  if (text.trimStart().startsWith(mark) && text.endsWith(mark)) {
    start += text.indexOf(mark) + 1;
    end -= 1;
  } else if (text.endsWith(mark) && mark === ";") end -= 1;
  const cells: Span[] = [];
  let quoted = false;
  let open = start;
  for (let at = start; at <= end; at += 1) {
    if (line.charAt(at) === '"' && at < end) quoted = !quoted;
    if (at < end && (quoted || line.charAt(at) !== mark)) continue;
    cells.push(inner(line, open, at));
    open = at + 1;
  }
  return cells;
}

function inner(line: string, start: number, end: number): Span {
  const text = line.slice(start, end);
  const from = start + Math.min(text.length, text.length - text.trimStart().length);
  const to = Math.max(from, start + text.trimEnd().length);
  const isQuoted = to - from > 2 && /^"[^"]*"$/.test(line.slice(from, to));
  return isQuoted ? { start: from + 1, end: to - 1 } : { start: from, end: to };
}

function runs(text: string, pattern: RegExp): Span[] {
  // "name:" is the name.
  return [...text.matchAll(pattern)].map(({ index, 0: cell }) => ({
    start: index,
    end: index + (cell.length > 1 ? cell.replace(/[:;,]$/, "") : cell).length,
  }));
}
