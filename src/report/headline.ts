// One line about the outcome of an item. The place in the log comes first and is never cut.
import type { CheckerType } from "../contract/config.ts";
import type { CheckDocument, Diagnostic } from "../contract/results.ts";
import { truncate } from "../core/limits.ts";
import { count } from "../core/words.ts";
import type { ItemComparison, ReportItem } from "./types.ts";
import { type Entry, entryText, isNote, openViolations, placeOf, shortPath } from "./violations.ts";

/** The requirement of a check in words: `must be absent, with waivers`. */
export function checkWords(item: ReportItem): string {
  const { type } = item.result;
  if (type === null) return "-";
  const absent = item.config?.requirements.expect === "absent";
  const patterns = type === 2 || type === 3 ? "patterns " : "";
  const waivers = type === 3 || type === 4 ? ", with waivers" : "";
  return `${patterns}must be ${absent ? "absent" : "there"}${waivers} (${type})`;
}

export interface HeadlineOptions {
  /** Maximum bytes of a text from a log or a message; the place is never cut. */
  text?: number;
  /** Comparison with an earlier run; new violations are shown first. */
  comparison?: ItemComparison | undefined;
}

/** One line: the fact that decided the outcome of an item. */
export function headline(item: ReportItem, searchRoot: string, options: HeadlineOptions = {}): string {
  const { result, config } = item;
  const cut = (text: string): string => truncate(text, options.text ?? Number.MAX_SAFE_INTEGER).text;
  if (result.outcome === "error" || result.result === null) {
    const errors = result.diagnostics.filter((d) => d.severity === "error");
    const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : "";
    const [first] = errors;
    return first === undefined ? "could not be judged" : `${diagnosis(first, item, searchRoot, cut)}${more}`;
  }
  if (result.outcome === "pass") {
    const caveat = result.diagnostics.some((d) => d.code === "no_witness_known")
      ? "; nothing shows that the run was complete"
      : "";
    return `${passLine(item)}${caveat}`;
  }
  const open = newFirst(openViolations(result.result, config), options.comparison);
  const [first] = open;
  if (first === undefined) return "failed";
  const place = placeOf(first, searchRoot);
  const what = `${kindOf(result.result, first)} \u201c${cut(entryText(first))}\u201d${because(first, cut)}`;
  const more = open.length > 1 ? `, and ${open.length - 1} more` : "";
  return `${place === "" ? "" : `${place}: `}${what}${more}`;
}

function diagnosis(
  { file, line, message }: Diagnostic,
  item: ReportItem,
  searchRoot: string,
  cut: (text: string) => string,
): string {
  // A problem of the set itself needs no path: the item id is shown before the headline.
  if (file === undefined || file === item.dir) return cut(message);
  const place = shortPath(file, searchRoot);
  return `${place}${line === undefined ? "" : `:${line}`}: ${cut(message)}`;
}

function because(entry: Entry, cut: (text: string) => string): string {
  return isNote(entry) || entry.reason === undefined ? "" : `: ${cut(entry.reason)}`;
}

/** The violations in order, those that the earlier run did not have first. */
function newFirst<T extends Entry>(open: readonly T[], comparison: ItemComparison | undefined): readonly T[] {
  const appeared = comparison?.appeared ?? [];
  if (appeared.length === 0) return open;
  const isNew = (entry: T): boolean => appeared.some((text) => text.includes(entryText(entry)));
  return [...open.filter(isNew), ...open.filter((entry) => !isNew(entry))];
}

function passLine({ result, config, records }: ReportItem): string {
  const document = result.result;
  if (document === null) return "";
  if (config?.waivers.value === 0) return `${globallyWaived(document)} waived globally`;
  const waived = document.waived?.length ?? 0;
  if (config?.requirements.expect === "absent") return absentLine(result.type, waived, records);
  const others = document.extra_items?.length ?? 0;
  return [
    `${document.found_items.length} found`,
    ...(others > 0 ? [count(others, "other item")] : []),
    ...(waived > 0 ? [`${waived} waived`] : []),
  ].join(", ");
}

/** For a check that records are absent: the number of records read, and that none is a violation. */
function absentLine(type: CheckerType | null, waived: number, records: number): string {
  const read = `${count(records, "record")} read`;
  if (records === 0) return read;
  if (waived === records) return `${read}, ${waived === 1 ? "it is" : "all"} waived`;
  const none = type === 2 || type === 3 ? "matches a pattern" : "is a violation";
  return waived === 0 ? `${read}, none ${none}` : `${read}, ${waived} waived, none of the others ${none}`;
}

function globallyWaived(document: CheckDocument): number {
  const lists = [document.missing_items, document.extra_items ?? [], document.found_items];
  return lists.flat().filter((entry) => entry.severity === "INFO").length;
}

function kindOf(document: CheckDocument, entry: Entry): string {
  if (!isNote(entry) && entry.reason !== undefined) return "not as required:";
  if (document.missing_items.some((missing) => missing === entry)) return "missing";
  return document.extra_items?.some((extra) => extra === entry) === true ? "unexpected" : "found";
}
