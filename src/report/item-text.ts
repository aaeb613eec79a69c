// L6 as text: the report of one item (what decided, and where) and its log (every entry).
import { truncate } from "../core/limits.ts";
import { count } from "../core/words.ts";
import { oneLine } from "./escape.ts";
import { checkWords } from "./headline.ts";
import type { ReportItem, ReportRun } from "./types.ts";
import {
  type Entry,
  entryLists,
  entryText,
  isNote,
  patternMatches,
  placeOf,
  shortPath,
} from "./violations.ts";

/** `patterns must be there, with waivers (3), other items allowed`; a dash for a config that could not be read. */
export function typeText(item: ReportItem): string {
  const extra = item.config?.requirements.extra === "info" ? ", other items allowed" : "";
  return `${checkWords(item)}${extra}`;
}

/** Badges about the reliability of the set, worst first. */
export function marksOf(item: ReportItem): ("UNVERIFIED" | "OUTDATED")[] {
  return [
    ...(item.unverified ? ["UNVERIFIED" as const] : []),
    ...(item.outdated ? ["OUTDATED" as const] : []),
  ];
}

/** Maximum entries of one list in a report; the log has all of them. */
const REPORT_ENTRIES = 50;

/** The report, with lists cut to REPORT_ENTRIES. */
export function renderItemReport(item: ReportItem, run: ReportRun): string {
  return render(item, run, REPORT_ENTRIES, false);
}

/** The log: every entry with its fields. */
export function renderItemLog(item: ReportItem, run: ReportRun): string {
  return render(item, run, Number.POSITIVE_INFINITY, true);
}

function render(item: ReportItem, run: ReportRun, limit: number, fields: boolean): string {
  const { result, config } = item;
  const searched = item.searchedFiles;
  const lines = [
    `${result.item_id}: ${result.outcome.toUpperCase()}${marksOf(item)
      .map((mark) => ` (${mark} SET)`)
      .join("")}`,
    ...(config === null || config.description === "" ? [] : [oneLine(config.description)]),
    "",
    `checker      ${typeText(item)}`,
    `run          ${run.created_at}, atomsmith ${run.version}, ${result.duration_ms} ms`,
    `search root  ${oneLine(run.search_root)}`,
    `atom set     ${oneLine(item.dir)}`,
    ...item.declared.map(
      (line, i) => `${i === 0 ? "declared     " : "             "}${oneLine(truncate(line, 600).text)}`,
    ),
    `searched     ${count(searched.length, "file")}`,
    ...searched.slice(0, limit).map((file) => `             ${oneLine(shortPath(file, run.search_root))}`),
    ...more(searched.length, limit, "             "),
    ...diagnosisLines(item, run),
  ];
  if (result.result !== null) {
    const patterns = patternMatches(result.result, config);
    if (patterns.length > 0) lines.push("", `Patterns: ${patterns.length}`);
    for (const { pattern, matched } of patterns.slice(0, limit)) {
      const what = matched.length === 0 ? "nothing" : truncate(matched.join(", "), 300).text;
      lines.push(`  ${oneLine(pattern)}  matched ${oneLine(what)}`);
    }
    lines.push(...more(patterns.length, limit, "  "));
    for (const list of entryLists(result.result, config)) {
      lines.push("", `${list.title}: ${list.entries.length}`);
      for (const entry of list.entries.slice(0, limit)) lines.push(...entryLines(entry, run, fields));
      lines.push(...more(list.entries.length, limit, "  "));
    }
    const unused = result.result.unused_waivers ?? [];
    if (unused.length > 0) lines.push("", `Unused waivers: ${unused.length}`);
    for (const { pattern, reason } of unused.slice(0, limit)) lines.push(`  ${oneLine(pattern)} (${reason})`);
    lines.push(...more(unused.length, limit, "  "));
  }
  return `${lines.join("\n")}\n`;
}

function diagnosisLines(item: ReportItem, run: ReportRun): string[] {
  const { diagnostics } = item.result;
  if (diagnostics.length === 0) return [];
  const lines = diagnostics.map((d) => {
    const line = d.line === undefined ? "" : `:${d.line}`;
    const place = d.file === undefined ? "" : ` [${shortPath(d.file, run.search_root)}${line}]`;
    return `  ${d.severity.toUpperCase()} ${d.code}: ${oneLine(d.message + place)}`;
  });
  return ["", "Diagnostics:", ...lines];
}

function entryLines(entry: Entry, run: ReportRun, fields: boolean): string[] {
  if (isNote(entry)) return [`  ${entry.tag} ${oneLine(entry.waiver_pattern)} (${entry.waiver_reason})`];
  const tag = entry.tag === undefined ? "" : `${entry.tag} `;
  const place = placeOf(entry, run.search_root);
  const lines = [`  ${tag}${oneLine(entryText(entry))}${place === "" ? "" : `  [${oneLine(place)}]`}`];
  if (entry.reason !== undefined) lines.push(`      because: ${oneLine(entry.reason)}`);
  if (entry.value !== undefined && entry.expected !== undefined) {
    lines.push(`      matches pattern: ${oneLine(entry.expected)}`);
  }
  if (entry.waiver_pattern !== undefined) {
    lines.push(`      waived by: ${oneLine(entry.waiver_pattern)} (${oneLine(entry.waiver_reason ?? "")})`);
  }
  if (entry.matched_content !== "" && entry.matched_content !== entry.value) {
    lines.push(`      | ${oneLine(truncate(entry.matched_content, 500).text)}`);
  }
  if (fields && Object.keys(entry.parsed_fields).length > 0) {
    lines.push(`      ${oneLine(JSON.stringify(entry.parsed_fields))}`);
  }
  return lines;
}

function more(count: number, limit: number, indent: string): string[] {
  return count > limit ? [`${indent}… and ${count - limit} more, see the log of the item`] : [];
}
