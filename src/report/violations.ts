// The parts of a result that reports show: its lists with titles, the open violations, and one line per entry.
import { relative } from "node:path";
import type { NormalizedConfig } from "../contract/config.ts";
import type { CheckDocument, GlobalWaiverNote, ResultItem } from "../contract/results.ts";

export type Entry = ResultItem | GlobalWaiverNote;

export interface EntryList {
  key: "found" | "missing" | "extra" | "waived";
  title: string;
  /** Whether the entries fail the check. */
  violates: boolean;
  entries: Entry[];
}

function missingTitle(entries: readonly ResultItem[]): string {
  const broken = entries.some(({ reason }) => reason !== undefined);
  return broken ? "Missing, or not as required" : "Missing";
}

export function isNote(entry: Entry): entry is GlobalWaiverNote {
  return entry.tag === "[WAIVED_INFO]";
}

/** The non-empty lists of a result, those that fail the check first. */
export function entryLists(document: CheckDocument, config: NormalizedConfig | null): EntryList[] {
  const absent = config?.requirements.expect === "absent";
  const extraFails = !absent && config?.requirements.extra !== "info";
  const lists: EntryList[] = [
    {
      key: "missing",
      title: missingTitle(document.missing_items),
      violates: true,
      entries: document.missing_items,
    },
    {
      key: "extra",
      title: extraFails ? "Unexpected" : "Other items",
      violates: extraFails,
      entries: document.extra_items ?? [],
    },
    {
      key: "found",
      title: absent ? "Found, but must be absent" : "Found",
      violates: absent,
      entries: document.found_items,
    },
    { key: "waived", title: "Waived", violates: false, entries: document.waived ?? [] },
  ];
  const sorted = [...lists.filter((l) => l.violates), ...lists.filter((l) => !l.violates)];
  return sorted.filter((list) => list.entries.length > 0);
}

/** Violations without a waiver. A globally waived entry stays in its list with severity INFO and does not count. */
export function openViolations(document: CheckDocument, config: NormalizedConfig | null): ResultItem[] {
  return entryLists(document, config)
    .filter((list) => list.violates)
    .flatMap((list) => list.entries)
    .filter((entry): entry is ResultItem => !isNote(entry) && entry.severity !== "INFO");
}

/** The texts of the records that each pattern of a config matched, in order; none for a missing pattern. */
export function patternMatches(
  document: CheckDocument,
  config: NormalizedConfig | null,
): { pattern: string; matched: string[] }[] {
  if (config === null || config.requirements.value === null) return [];
  const { pattern_items: patterns, expect } = config.requirements;
  const waived = (document.waived ?? []).filter((entry): entry is ResultItem => !isNote(entry));
  if (expect === "absent") {
    const found = [...document.found_items, ...waived];
    return patterns.map((pattern) => ({
      pattern,
      matched: found.filter(({ expected }) => expected === pattern).map(entryText),
    }));
  }
  // Each pattern matches one item, in order; patterns without one are missing, or waived as missing.
  const missing = [...document.missing_items, ...waived.filter(({ value }) => value === undefined)].map(
    ({ expected }) => expected,
  );
  const found = [...document.found_items];
  return patterns.map((pattern) => {
    const index = missing.indexOf(pattern);
    if (index >= 0) missing.splice(index, 1);
    const match = index >= 0 ? undefined : found.shift();
    return { pattern, matched: match === undefined ? [] : [entryText(match)] };
  });
}

/** The value of a record, or the text that was searched for. */
export function entryText(entry: Entry): string {
  if (isNote(entry)) return entry.waiver_pattern;
  return entry.value ?? entry.expected ?? entry.description;
}

/** `path:line`, relative to the search root if the file is below it; empty for an entry without a file. */
export function placeOf(entry: Entry, searchRoot: string): string {
  if (isNote(entry) || entry.source_file === "") return "";
  const place = shortPath(entry.source_file, searchRoot);
  return entry.line_number === null ? place : `${place}:${entry.line_number}`;
}

export function shortPath(path: string, searchRoot: string): string {
  const short = relative(searchRoot, path);
  return short === "" || short.startsWith("..") ? path : short;
}
