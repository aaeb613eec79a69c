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
