// Columns of a log: the texts at the same position in lines of the same form. The observed values of a column show what
// the format allows.
import { shape } from "./completeness.ts";

const WORD = /\p{L}[\p{L}_]+|\d+/gu;
/** Lines that are compared. */
const MAX_LINES = 2_000;

/** Words of a line with their offsets. */
function wordsOf(line: string): { text: string; start: number }[] {
  return [...line.matchAll(WORD)].map((match) => ({ text: match[0], start: match.index }));
}

/** Other texts in the column at an offset of a line: in all lines of its form, and in records. */
export function columnOf(
  line: string,
  offset: number,
  lines: readonly string[],
  records: ReadonlySet<string>,
): { all: string[]; records: string[] } {
  const own = wordsOf(line);
  const index = own.findIndex((word) => word.start === offset);
  const text = own[index]?.text;
  const column = { all: new Set<string>(), records: new Set<string>() };
  if (text === undefined) return { all: [], records: [] };
  const form = shape(line);
  for (const other of lines.slice(0, MAX_LINES)) {
    if (other === line || shape(other) !== form) continue;
    const words = wordsOf(other);
    const otherText = words[index]?.text;
    if (words.length !== own.length || otherText === undefined || otherText === text) continue;
    column.all.add(otherText);
    if (records.has(other)) column.records.add(otherText);
  }
  return { all: [...column.all], records: [...column.records] };
}
