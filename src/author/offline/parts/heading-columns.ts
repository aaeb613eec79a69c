// A part of a line that the page names by its column ("the Send-Q column"), where the log has the heading row: which of the
// pieces of a line stands below that name is read off the rows of the log.

import type { Hint } from "../page/page.ts";
import { quotedIn } from "../page/text.ts";
import type { Span } from "./evidence.ts";

/** So many rows below a heading tell where its columns are. */
const ROWS = 40;

/** What stands in the named column of the example, as evidence; undefined where the log has no such heading. */
export function headedColumns(
  example: string,
  hints: readonly Hint[],
  lines: readonly string[],
): ((span: Span, hint: Hint) => number) | undefined {
  const places = new Map<Hint, Span>();
  const chunks = [...example.matchAll(/\S+/g)];
  for (const hint of hints) {
    const index = columnNames(hint)
      .map((name) => indexBelow(name, lines))
      .find((one) => one !== undefined);
    const chunk = index === undefined ? undefined : chunks[index];
    if (chunk !== undefined) places.set(hint, { start: chunk.index, end: chunk.index + chunk[0].length });
  }
  if (places.size === 0) return;
  return (span, hint) => {
    const place = places.get(hint);
    if (place === undefined) return 0;
    if (span.start === place.start && span.end === place.end) return 6;
    return span.start >= place.start && span.end <= place.end ? 1 : -3;
  };
}

/** "the Send-Q column", "column `PID`". */
function columnNames({ description }: Hint): string[] {
  if (!/\bcolumns?\b/i.test(description)) return [];
  const plain = [
    ...description.matchAll(/\b([A-Z][\w%#/-]*) column\b/g),
    ...description.matchAll(/\b(?:column|headed|under) ["'`]?([A-Z%#][\w%#/-]*)/g),
  ].map((match) => match[1] ?? "");
  return [...plain, ...quotedIn(description).map(({ text }) => text)].filter((name) =>
    /^[^\s]{2,}$/.test(name),
  );
}

/** Which piece of most rows below a heading with the name stands below it. */
function indexBelow(name: string, lines: readonly string[]): number | undefined {
  const at = lines.findIndex((line) => {
    const words = line.trim().split(/\s+/);
    return words.length > 3 && words.includes(name) && words.every((word) => !/^\d/.test(word));
  });
  if (at < 0) return;
  const heading = lines[at] ?? "";
  const word = [...heading.matchAll(/\S+/g)].find((one) => one[0] === name);
  if (word === undefined) return;
  const [from, to] = [word.index, word.index + name.length];
  const counts = new Map<number, number>();
  let rows = 0;
  for (const row of lines.slice(at + 1, at + 1 + ROWS)) {
    if (row.trim() === "") break;
    rows += 1;
    const index = [...row.matchAll(/\S+/g)].findIndex(
      (one) => one.index < to && one.index + one[0].length > from,
    );
    if (index >= 0) counts.set(index, (counts.get(index) ?? 0) + 1);
  }
  const [best] = [...counts].sort((a, b) => b[1] - a[1]);
  return best !== undefined && rows > 1 && best[1] * 5 >= rows * 4 ? best[0] : undefined;
}
