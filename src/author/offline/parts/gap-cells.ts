// Cells that wide gaps set apart on a line: `[ 3] 8443/tcp (v6)        ALLOW IN    Anywhere (v6)`. A text of several words in such a cell
// is one part; a word of it, or what it has in brackets, is what a page has to ask for.

import type { Hint } from "../page/page.ts";
import type { Say, Span } from "./evidence.ts";

const LEAST_GAPS = 2;
const MOST_WORDS = 6;
/** The page asks for a piece. */
const PIECE =
  /\b(?:without|bracket|parenthes|only|number|before|after|behind|in front|between|first|last|second|half|part of|piece|alone)/i;

let known: { line: string; cells: readonly Span[] } = { line: "", cells: [] };

/** The cells of several words; none where the line has few wide gaps. */
function cellsOf(line: string): readonly Span[] {
  if (known.line !== line) known = { line, cells: cut(line) };
  return known.cells;
}

function cut(line: string): Span[] {
  // The blank of a day ("Jan  5") sets nothing apart.
  const gaps = [...line.trim().matchAll(/(?<![A-Z][a-z]{2})\S? {2,}(?=\S)/g)].length;
  if (gaps < LEAST_GAPS) return [];
  return [...line.matchAll(/\S+(?: \S+)+/g)].flatMap((match) => {
    // A number in brackets in front of the first text is a cell of its own.
    const lead = /^(?:\[ ?\w+\]|\(\w+\)|\d+[.):]) /.exec(match[0])?.[0].length ?? 0;
    const text = match[0].slice(lead);
    const start = match.index + lead;
    const words = text.split(" ").length;
    // Plain words, or a text with a remark in brackets: other texts may fill their columns up to the next one.
    if (
      words < 2 ||
      words > MOST_WORDS ||
      !/^[^\s:=,;|"]+ \([^()\s:=,;|"]+\)$|^[A-Za-z]+(?: [A-Za-z]+)*(?: \([^()]+\))?$/.test(text)
    )
      return [];
    return [{ start, end: start + text.length }];
  });
}

/** Numbers and addresses have something beside them in their cells; "Anywhere (v6)" is no address to begin with. */
function isOther(cell: string, { kind }: Hint): boolean {
  return kind === "number" || (kind === "address" && /\d[.:]\d|\w\.\w/.test(cell));
}

/** Is the part a whole cell, or only a piece of one? */
export function gapEvidence(line: string, span: Span, hint: Hint, say: Say): void {
  const cell = cellsOf(line).find(({ start, end }) => span.start >= start && span.end <= end);
  if (cell === undefined) return;
  if (cell.start === span.start && cell.end === span.end) {
    if (!isOther(line.slice(cell.start, cell.end), hint)) say(1.8, "a cell between wide gaps");
    return;
  }
  if (PIECE.test(hint.description) || isOther(line.slice(cell.start, cell.end), hint)) return;
  const text = line.slice(span.start, span.end);
  const framed = /[([{<]$/.test(line.slice(0, span.start)) || /^[([{<].*[)\]}>]$/.test(text);
  say(framed ? -3 : -1.2, "a piece of a cell");
}
