// What the reports show of a result: its lists with their titles, the violations among them, and one line each.
import { relative } from "node:path";
import type { NormalizedConfig } from "../contract/config.ts";
import type { CheckDocument, GlobalWaiverNote, ResultItem } from "../contract/results.ts";

export type Entry = ResultItem | GlobalWaiverNote;

export interface EntryList {
  key: "found" | "missing" | "extra" | "waived";
  title: string;
  /** Do the entries fail the check? */
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

/** The lists of a result in the order in which a person wants them: what fails first. */
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

/** Violations that no waiver took. A globally waived one stands in its list, marked INFO, and is none. */
export function openViolations(document: CheckDocument, config: NormalizedConfig | null): ResultItem[] {
  return entryLists(document, config)
    .filter((list) => list.violates)
    .flatMap((list) => list.entries)
    .filter((entry): entry is ResultItem => !isNote(entry) && entry.severity !== "INFO");
}

/** What each pattern of a config took, in order: texts of records, none where it is missing. */
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
  // Patterns take items in their order, one each; those that took none are missing, or were waived as missing.
  const missing = [...document.missing_items, ...waived.filter(({ value }) => value === undefined)].map(
    ({ expected }) => expected,
  );
  const found = [...document.found_items];
  return patterns.map((pattern) => {
    const at = missing.indexOf(pattern);
    if (at >= 0) missing.splice(at, 1);
    const taken = at >= 0 ? undefined : found.shift();
    return { pattern, matched: taken === undefined ? [] : [entryText(taken)] };
  });
}

/** What an entry is about: the value of a record, or the text that was looked for. */
export function entryText(entry: Entry): string {
  if (isNote(entry)) return entry.waiver_pattern;
  return entry.value ?? entry.expected ?? entry.description;
}

/** `path:line` relative to the search root where it lies below it; empty for a ghost. */
export function placeOf(entry: Entry, searchRoot: string): string {
  if (isNote(entry) || entry.source_file === "") return "";
  const place = shortPath(entry.source_file, searchRoot);
  return entry.line_number === null ? place : `${place}:${entry.line_number}`;
}

export function shortPath(path: string, searchRoot: string): string {
  const short = relative(searchRoot, path);
  return short === "" || short.startsWith("..") ? path : short;
}
