// Compares the records of two texts, one of which was derived from the other: shifted, repeated or changed.
import type { ParsedItem } from "../contract/atoms.ts";
import { isJsonObject, type JsonValue } from "../core/json.ts";
import { show } from "./show.ts";

export interface RecordDiff {
  /** Expected records that were not returned. */
  missing: ParsedItem[];
  /** Returned records that were not expected. */
  extra: ParsedItem[];
}

/** Multiset difference of records after a shift of the line numbers of `expected`. Numbers in values and fields may be
 * shifted, too: a record may contain the number of its last line. */
export function diffRecords(
  expected: readonly ParsedItem[],
  actual: readonly ParsedItem[],
  shift = 0,
): RecordDiff {
  const unmatched = new Map<number | null, ParsedItem[]>();
  for (const record of actual) {
    const bucket = unmatched.get(record.line_number);
    if (bucket) bucket.push(record);
    else unmatched.set(record.line_number, [record]);
  }
  const missing: ParsedItem[] = [];
  for (const record of expected) {
    const line = record.line_number === null ? null : record.line_number + shift;
    const bucket = unmatched.get(line) ?? [];
    const index = bucket.findIndex((candidate) => isSameRecord(record, candidate, shift));
    if (index < 0) missing.push(record);
    else bucket.splice(index, 1);
  }
  return { missing, extra: [...unmatched.values()].flat() };
}

/** Are two records equal except for a shift of line numbers? */
export function isSameRecord(a: ParsedItem, b: ParsedItem, shift: number): boolean {
  return (
    a.matched_content === b.matched_content &&
    isSameText(a.value, b.value, shift) &&
    isSameValue(a.parsed_fields, b.parsed_fields, shift)
  );
}

function isSameValue(a: JsonValue | undefined, b: JsonValue | undefined, shift: number): boolean {
  if (typeof a === "string" && typeof b === "string") return isSameText(a, b, shift);
  if (typeof a === "number" && typeof b === "number") return a === b || a + shift === b;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((entry, i) => isSameValue(entry, b[i], shift));
  }
  if (isJsonObject(a) && isJsonObject(b)) {
    const keys = Object.keys(a);
    return keys.length === Object.keys(b).length && keys.every((key) => isSameValue(a[key], b[key], shift));
  }
  return a === b;
}

function isSameText(a: string, b: string, shift: number): boolean {
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

/** Are the records equal and in the same order? */
export function isIdentical(a: readonly ParsedItem[], b: readonly ParsedItem[]): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** A sentence about missing and additional records; undefined if there are none. */
export function describeDifference(
  missing: { line_number: number | null; value: string }[],
  extra: typeof missing,
): string | undefined {
  const [lost] = missing;
  const [added] = extra;
  const describe = (r: { line_number: number | null; value: string }): string =>
    `${show(r.value, 60)} (line ${r.line_number ?? "null"})`;
  if (lost && added)
    return `the record ${describe(lost)} became ${describe(added)}${looksEqual(lost, added) ? ", with other content" : ""}`;
  if (lost)
    return `${missing.length} record${missing.length === 1 ? " is" : "s are"} missing, first ${describe(lost)}`;
  return added
    ? `${extra.length} record${extra.length === 1 ? " was" : "s were"} added, first ${describe(added)}`
    : undefined;
}

function looksEqual(a: { line_number: number | null; value: string }, b: typeof a): boolean {
  return a.value === b.value && a.line_number === b.line_number;
}
