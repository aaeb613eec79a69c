// Compares what Atom A returns for two texts of which one is the other moved, doubled or rewritten.
import type { ParsedItem } from "../contract/atoms.ts";
import { isJsonObject, type JsonValue } from "../core/json.ts";
import { show } from "./show.ts";

export interface RecordDiff {
  /** Expected and not there. */
  missing: ParsedItem[];
  /** There and not expected. */
  extra: ParsedItem[];
}

/** Multiset difference of records, line numbers of `expected` moved by `shift`. Numbers inside values and fields
 * may have moved by the same amount: a record may carry the number of its last line. */
export function diffRecords(
  expected: readonly ParsedItem[],
  actual: readonly ParsedItem[],
  shift = 0,
): RecordDiff {
  const open = new Map<number | null, ParsedItem[]>();
  for (const record of actual) {
    const bucket = open.get(record.line_number);
    if (bucket) bucket.push(record);
    else open.set(record.line_number, [record]);
  }
  const missing: ParsedItem[] = [];
  for (const record of expected) {
    const line = record.line_number === null ? null : record.line_number + shift;
    const bucket = open.get(line) ?? [];
    const at = bucket.findIndex((candidate) => sameRecord(record, candidate, shift));
    if (at < 0) missing.push(record);
    else bucket.splice(at, 1);
  }
  return { missing, extra: [...open.values()].flat() };
}

/** Equal but for a shift of line numbers. */
export function sameRecord(a: ParsedItem, b: ParsedItem, shift: number): boolean {
  return (
    a.matched_content === b.matched_content &&
    sameText(a.value, b.value, shift) &&
    sameValue(a.parsed_fields, b.parsed_fields, shift)
  );
}

function sameValue(a: JsonValue | undefined, b: JsonValue | undefined, shift: number): boolean {
  if (typeof a === "string" && typeof b === "string") return sameText(a, b, shift);
  if (typeof a === "number" && typeof b === "number") return a === b || a + shift === b;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((entry, i) => sameValue(entry, b[i], shift));
  }
  if (isJsonObject(a) && isJsonObject(b)) {
    const keys = Object.keys(a);
    return keys.length === Object.keys(b).length && keys.every((key) => sameValue(a[key], b[key], shift));
  }
  return a === b;
}

function sameText(a: string, b: string, shift: number): boolean {
  if (a === b) return true;
  if (shift === 0) return false;
  const split = (text: string): string[] => text.split(/(\d+)/);
  const left = split(a);
  const right = split(b);
  return (
    left.length === right.length &&
    left.every((part, i) => part === right[i] || (i % 2 === 1 && Number(part) + shift === Number(right[i])))
  );
}

/** Exactly the same records in the same order. */
export function identical(a: readonly ParsedItem[], b: readonly ParsedItem[]): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** A sentence about missing and additional records; undefined if there are none. */
export function describeDifference(
  missing: { line_number: number | null; value: string }[],
  extra: typeof missing,
): string | undefined {
  const [lost] = missing;
  const [more] = extra;
  const place = (r: { line_number: number | null; value: string }): string =>
    `${show(r.value, 60)} (line ${r.line_number ?? "null"})`;
  if (lost && more)
    return `the record ${place(lost)} became ${place(more)}${sameLook(lost, more) ? ", with other content" : ""}`;
  if (lost)
    return `${missing.length} record${missing.length === 1 ? " is" : "s are"} missing, first ${place(lost)}`;
  return more
    ? `${extra.length} record${extra.length === 1 ? " was" : "s were"} added, first ${place(more)}`
    : undefined;
}

function sameLook(a: { line_number: number | null; value: string }, b: typeof a): boolean {
  return a.value === b.value && a.line_number === b.line_number;
}
