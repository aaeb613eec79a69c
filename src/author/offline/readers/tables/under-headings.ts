// Tables whose columns stand at other places in every table of the log, or have blank cells: each piece of a row is
// taken for the heading that it stands under. Only where this gives every heading one piece at most.

import type { RowReader } from "../../program/ir.ts";
import { headingsOf, PIECES } from "../../program/under-headings.ts";
import type { Header } from "./headers.ts";

/** The reader for rows below their headings, or undefined when pieces do not fall under headings clearly. */
export function underHeadings(
  headers: readonly Header[],
  bodies: readonly (readonly string[])[],
  groups: readonly string[],
  wanted: ReadonlySet<string>,
): RowReader | undefined {
  const [first] = headers;
  if (first === undefined || first.separator.by !== "blanks") return undefined;
  const names = first.cells.map((cell) => cell.name);
  for (const pieces of ["runs", "words"] as const) {
    let rows = 0;
    let clear = 0;
    headers.forEach((header, number) => {
      const heads = headingsOf(header.line, names);
      if (heads.some(([start]) => start < 0)) return;
      for (const row of bodies[number] ?? []) {
        rows += 1;
        if (isClear(row, heads, pieces)) clear += 1;
      }
    });
    if (rows > 0 && clear >= rows * 0.95) {
      return {
        by: "headings",
        names,
        groups: groups.map((group) => (wanted.has(group) ? group : null)),
        pieces,
      };
    }
  }
  return undefined;
}

/** Does every piece stand under a heading of its own? Only the last heading may have several. */
function isClear(row: string, heads: readonly [number, number][], pieces: "words" | "runs"): boolean {
  const pattern = new RegExp(PIECES[pieces], "g");
  const used = new Set<number>();
  const matches = [...row.matchAll(pattern)];
  for (const match of matches) {
    const from = match.index;
    const to = from + match[0].length;
    const over = heads.flatMap(([start, end], index) => (from < end && start < to ? [index] : []));
    const gaps = heads.map(([start, end]) => Math.max(start - to, from - end));
    const best = gaps.indexOf(Math.min(...gaps));
    const last = best === heads.length - 1;
    // Over two headings: the piece would be two cells.
    if (over.length > 1 && !last) return false;
    if (over.length === 0 && Math.min(...gaps) > 6 && !last) return false;
    if (used.has(best) && !last) return false;
    used.add(best);
  }
  return matches.length >= 2;
}
