// Headings that the page shows less deep than the line of the record: lines with the same words inside the records are none.

import type { FoundLine } from "./line-ways.ts";

const depthOf = (line: string): number => line.search(/\S/);

/** Keeps the expressions of lines above the record to lines less deep than any record, where the block shows them so. */
export function keepShallow(
  found: ReadonlyMap<number, FoundLine>,
  anchor: number,
  shown: readonly string[],
  lines: readonly string[],
): void {
  const main = found.get(anchor);
  if (main === undefined || main.hits.length === 0) return;
  const least = main.hits.reduce((depth, hit) => Math.min(depth, depthOf(lines[hit] ?? "")), 99);
  for (const [at, one] of found) {
    const isHead = at < anchor && depthOf(shown[at] ?? "") < depthOf(shown[anchor] ?? "");
    if (!isHead || !one.pattern.startsWith("^\\s*")) continue;
    const kept = one.hits.filter((hit) => depthOf(lines[hit] ?? "") < least);
    if (kept.length === 0 || kept.length === one.hits.length) continue;
    const most = kept.reduce((depth, hit) => Math.max(depth, depthOf(lines[hit] ?? "")), 0);
    one.pattern = one.pattern.replace("^\\s*", most === 0 ? "^" : `^[ \\t]{0,${most}}(?=\\S)`);
    one.hits = kept;
    one.example = lines[kept[0] ?? 0] ?? one.example;
  }
}
