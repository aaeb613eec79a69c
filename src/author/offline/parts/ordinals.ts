// "The second column", "(fifth)": parts that the page counts.

import type { Say, Span } from "./evidence.ts";

const ORDINALS = [
  "first",
  "second",
  "third",
  "fourth",
  "fifth",
  "sixth",
  "seventh",
  "eighth",
  "ninth",
  "tenth",
];
const ORDINAL = `(${ORDINALS.join("|")}|last|leading|trailing)`;
const COUNTED = new RegExp(`\\b${ORDINAL}\\b (?:column|word|token|part|number|field|cell)`, "i");
/** "(fifth)", "(second, `Up` or `--`)": counts the columns of the row. */
const BARE = new RegExp(`^\\W*(?:the )?${ORDINAL}(?: one)?(?=\\s*(?:[,;)]|$))`, "i");

export function ordinalEvidence(line: string, span: Span, text: string, say: Say): void {
  const cells = framedCells(line) ?? partedCells(line);
  const word = (
    COUNTED.exec(text)?.[1] ?? (cells === undefined ? undefined : BARE.exec(text)?.[1])
  )?.toLowerCase();
  if (word === undefined) return;
  if (cells !== undefined && !/\b(?:word|token|number)\b/i.test(text)) {
    const cell =
      word === "last" || word === "trailing" ? cells.at(-1) : cells[Math.max(0, ORDINALS.indexOf(word))];
    if (cell === undefined) return;
    const isCell = span.start === cell.start && span.end === cell.end;
    say(isCell ? 7 : span.start >= cell.start && span.end <= cell.end ? 1 : -5, `${word} cell`);
    return;
  }
  const chunks = [...line.matchAll(/\S+/g)].map((chunk) => chunk.index);
  const index =
    word === "last" || word === "trailing"
      ? chunks.length - 1
      : word === "leading"
        ? 0
        : ORDINALS.indexOf(word);
  const at = chunks[index];
  if (at === undefined) return;
  const inside = span.start >= at && span.start <= at + 1 && !/\s/.test(line.slice(at, span.start));
  const toEnd = /^[^\w\s]*(?:\s|$)/.test(line.slice(span.end));
  say(inside ? (toEnd ? 6 : 2) : -4, `${word} part`);
}

/** The cells of a line that tabs part, or a mark that it has more often than blanks: "a:b:c::d". */
function partedCells(line: string): Span[] | undefined {
  const blanks = line.match(/ +/g)?.length ?? 0;
  const mark = ["\t", ";", ",", ":"].find((one) => {
    const count = line.split(one).length - 1;
    return count >= (one === "\t" ? 2 : 4) && (one === "\t" || count > blanks);
  });
  if (mark === undefined || (mark === ":" && /\d\d:\d\d(?!\d)|:\/\//.test(line))) return undefined;
  let start = 0;
  return line.split(mark).map((cell) => {
    const from = start + cell.length - cell.trimStart().length;
    const span = { start: from, end: Math.max(from, start + cell.trimEnd().length) };
    start += cell.length + 1;
    return span;
  });
}

/** The cells of a row between bars, those at its ends being its frame. */
function framedCells(line: string): Span[] | undefined {
  if ((line.match(/\|/g)?.length ?? 0) < 3) return undefined;
  const text = line.trimEnd();
  const from = /^\s*\|/.exec(text)?.[0].length ?? 0;
  const to = text.endsWith("|") ? text.length - 1 : text.length;
  if (from === 0) return undefined;
  const cells: Span[] = [];
  let start = from;
  for (const cell of text.slice(from, to).split("|")) {
    const lead = cell.length - cell.trimStart().length;
    cells.push({ start: start + lead, end: Math.max(start + lead, start + cell.trimEnd().length) });
    start += cell.length + 1;
  }
  return cells;
}
