// Columns of a log: the texts at the same place of other lines of the same form. Values that were observed
// there say what a format allows better than any list of words or numbers.
import { shape } from "./completeness.ts";

const WORD = /\p{L}[\p{L}_]+|\d+/gu;
/** Lines that are looked at. */
const MAX_LINES = 2_000;

/** Words of a line with their places. */
function wordsOf(line: string): { text: string; at: number }[] {
  return [...line.matchAll(WORD)].map((match) => ({ text: match[0], at: match.index }));
}

/** Other texts at the place `at` of a line: of all lines of its form, and of those that are records. */
export function columnOf(
  line: string,
  at: number,
  lines: readonly string[],
  records: ReadonlySet<string>,
): { all: string[]; records: string[] } {
  const own = wordsOf(line);
  const index = own.findIndex((word) => word.at === at);
  const text = own[index]?.text;
  const out = { all: new Set<string>(), records: new Set<string>() };
  if (text === undefined) return { all: [], records: [] };
  const form = shape(line);
  for (const other of lines.slice(0, MAX_LINES)) {
    if (other === line || shape(other) !== form) continue;
    const words = wordsOf(other);
    const found = words[index]?.text;
    if (words.length !== own.length || found === undefined || found === text) continue;
    out.all.add(found);
    if (records.has(other)) out.records.add(found);
  }
  return { all: [...out.all], records: [...out.records] };
}
