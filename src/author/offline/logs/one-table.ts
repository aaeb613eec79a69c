// A file that is one table from its first line on, of which only pieces were read: the pieces are rows below its heading.

import type { ObservedFile } from "./observe.ts";

/** Columns that a heading has at least. */
const LEAST = 4;

/** Is the file a heading row with rows up to its end, as far as it was seen? */
export function isOneTable(file: Pick<ObservedFile, "segments">): boolean {
  const [first, ...others] = file.segments;
  const heading = first?.startLine === 1 ? (first.lines[0] ?? "") : "";
  const names = heading.trim().split(/\s+/);
  if (others.length === 0 || names.length < LEAST || !names.every((name) => /^[A-Za-z%#(]\D*$/.test(name)))
    return false;
  if (!/\S {2,}\S/.test(heading.trim())) return false;
  const rows = file.segments.flatMap(({ lines }) => lines).slice(1);
  const fitting = rows.filter((row) => row.trim().split(/\s+/).length >= names.length / 2).length;
  return rows.every((row) => row.trim() !== "") && fitting >= 0.95 * rows.length;
}
