// A run of `check` as the plain data of the JUnit and SARIF writers.
import type { Diagnostic, ResultItem } from "../contract/results.ts";
import type { JsonObject } from "../core/json.ts";
import { headline } from "./headline.ts";
import { renderItemReport, typeText } from "./item-text.ts";
import { type JunitSuite, renderJunit } from "./junit.ts";
import { renderSarif, type SarifFinding } from "./sarif.ts";
import type { ReportItem, ReportRun } from "./types.ts";
import { type Entry, entryLists, entryText, isNote, openViolations } from "./violations.ts";

/** JUnit: one case per item. */
export function renderRunJunit(run: ReportRun): string {
  const suite: JunitSuite = {
    name: "atomsmith check",
    timestamp: run.created_at,
    time: run.duration_ms / 1000,
    properties: { program: `atomsmith ${run.version}`, search_root: run.search_root },
    cases: run.items.map((item) => {
      const { outcome } = item.result;
      const text = renderItemReport(item, run);
      return {
        name: item.result.item_id,
        classname: "check",
        time: item.result.duration_ms / 1000,
        outcome: outcome === "pass" ? "passed" : outcome === "fail" ? "failure" : "error",
        message: headline(item, run.search_root),
        ...(outcome === "pass" ? { systemOut: text } : { details: text }),
      };
    }),
  };
  return renderJunit([suite]);
}

/** SARIF: violations as errors, waived ones as suppressed notes, diagnoses as findings of their own rules. */
export function renderRunSarif(run: ReportRun): JsonObject {
  const findings = run.items.flatMap((item) => [...diagnoses(item, run), ...violations(item)]);
  return renderSarif({
    version: run.version,
    searchRoot: run.search_root,
    rules: run.items.map((item) => ({
      id: item.result.item_id,
      description: item.config?.description || `${item.result.item_id}, ${typeText(item)}`,
    })),
    findings,
    executionSuccessful: run.items.every((item) => item.result.outcome !== "error"),
  });
}

function diagnoses(item: ReportItem, run: ReportRun): SarifFinding[] {
  return item.result.diagnostics.map((d: Diagnostic) => ({
    rule: `atomsmith/${d.code}`,
    level: d.severity === "info" ? "note" : d.severity,
    message: `${item.result.item_id}: ${d.message}`,
    ...(d.file === undefined ? {} : { file: d.file }),
    ...(d.line === undefined ? {} : { line: d.line }),
    identity: [item.result.item_id, d.code, d.file === undefined ? "" : withoutRoot(d.file, run)],
  }));
}

function withoutRoot(file: string, run: ReportRun): string {
  return file.startsWith(run.search_root) ? file.slice(run.search_root.length) : file;
}

function violations(item: ReportItem): SarifFinding[] {
  const { result, config } = item;
  if (result.result === null) return [];
  const open = new Set<Entry>(openViolations(result.result, config));
  const findings: SarifFinding[] = [];
  for (const list of entryLists(result.result, config)) {
    for (const entry of list.entries) {
      if (isNote(entry)) continue;
      const waived = list.key === "waived" || (list.violates && entry.severity === "INFO");
      if (!waived && !open.has(entry)) continue;
      findings.push(findingOf(item, list.key, entry, waived));
    }
  }
  return findings;
}

function findingOf(item: ReportItem, list: string, entry: ResultItem, waived: boolean): SarifFinding {
  const id = item.result.item_id;
  const isGhost = entry.source_file === "";
  const why = entry.reason === undefined ? "" : `: ${entry.reason}`;
  const what = isGhost ? `missing: ${entryText(entry)}` : `${entryText(entry)}`;
  const named = !isGhost && entry.expected !== undefined ? ` (named by ${entry.expected})` : "";
  // A missing entry has no location; the first searched file is the best place to start looking.
  const file = isGhost ? entry.searched_files?.[0] : entry.source_file;
  return {
    rule: id,
    level: waived ? "note" : "error",
    message: `${id}: ${what}${named}${why}`,
    ...(file === undefined ? {} : { file }),
    ...(entry.line_number === null ? {} : { line: entry.line_number }),
    snippet: entry.matched_content,
    ...(waived ? { suppressedBecause: waiverReason(entry) } : {}),
    identity: [id, list, entry.expected ?? "", entry.value ?? "", entry.source_file.split("/").at(-1) ?? ""],
  };
}

function waiverReason(entry: ResultItem): string {
  if (entry.severity === "INFO") return "Global Waiver";
  return `${entry.waiver_pattern ?? ""}: ${entry.waiver_reason ?? "N/A"}`;
}
