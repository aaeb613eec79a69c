// Where records of `Key: value` lines open: from each wanted key up to the line below a blank one, or above the indented
// lines.

import { shapeOf } from "../logs/tokens.ts";

/** A line with a key, by its index. */
export interface KeyLine {
  index: number;
  key: string;
  indent: number;
}

export interface Opening {
  count: number;
  line: string;
  /** How often it stands below a blank line. */
  blank: number;
}

/** The lines that open the records around the wanted keys, by shape. */
export function openingsOf(
  lines: readonly string[],
  keyLines: readonly KeyLine[],
  labels: ReadonlySet<string>,
): Map<string, Opening> {
  const byLine = new Map(keyLines.map((one) => [one.index, one]));
  const openings = new Map<string, Opening>();
  const used = new Set<number>();
  for (const anchor of keyLines) {
    if (!labels.has(anchor.key)) continue;
    const at = climb(lines, byLine, anchor.index);
    if (used.has(at)) continue;
    used.add(at);
    const line = lines[at] ?? "";
    const key = byLine.get(at)?.key;
    const shape = key === undefined ? shapeOf(line) : `${key}:`;
    const known = openings.get(shape) ?? { count: 0, line, blank: 0 };
    known.count += 1;
    if (at === 0 || (lines[at - 1] ?? "").trim() === "") known.blank += 1;
    openings.set(shape, known);
  }
  return openings;
}

const MAX_RECORD_LINES = 80;

/** From a key line up to the line that opens its record: below a blank line, or above the indented lines. */
function climb(lines: readonly string[], byLine: ReadonlyMap<number, KeyLine>, from: number): number {
  const indent = (index: number): number => (lines[index] ?? "").search(/\S/);
  let at = from;
  while (at > 0 && at >= from - MAX_RECORD_LINES) {
    const above = lines[at - 1] ?? "";
    if (above.trim() === "") return at;
    const opens = indent(at - 1) < indent(at) && !byLine.has(at - 1);
    at -= 1;
    if (!opens) continue;
    const top = lines[at - 1] ?? "";
    if (top.trim() === "" || top.search(/\S/) > indent(at)) return at;
  }
  return at;
}
