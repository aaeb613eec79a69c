// Output of `check`: the JSON document and the table.
import type { CheckResult } from "../contract/results.ts";
import { truncate } from "../core/limits.ts";
import { count } from "../core/words.ts";
import { checkWords, headline, marksOf, oneLine, type ReportRun, totalsOf } from "../report/index.ts";
import type { CheckedSet } from "../runtime/index.ts";
import type { Output } from "./output.ts";
import type { Style } from "./style.ts";

export interface CheckDocumentJson {
  results: CheckResult[];
  comparison?: ReportRun["comparison"];
  error?: { kind: "config"; message: string };
}

/** The document of `check --json`. With an invalid item config it also has `error`, like every exit of 2. */
export function resultDocument(
  checked: readonly CheckedSet[],
  run: ReportRun,
  withItems: boolean,
): CheckDocumentJson {
  const results = checked.map((set) => ({
    ...set.result,
    ...(set.unverified ? { unverified: true as const } : {}),
    ...(set.outdated ? { outdated: true as const } : {}),
    ...(withItems ? { parsed_items: set.items } : {}),
  }));
  const wrong = checked.find((set) => set.configError);
  const message = wrong?.result.diagnostics.find((d) => d.severity === "error")?.message ?? "";
  return {
    ...(wrong === undefined
      ? {}
      : { error: { kind: "config", message: `${wrong.result.item_id}: ${message}` } as const }),
    results,
    ...(run.comparison === null ? {} : { comparison: run.comparison }),
  };
}

const LABELS = { pass: "PASS", fail: "FAIL", error: "ERROR" } as const;
/** Most characters of a log text in the table; the JSON and the reports have the full text. */
const REASON = 120;
const WAIVER_LINES = 20;

/** The table, with the records if requested, and a line of totals. */
export function resultText(
  checked: readonly CheckedSet[],
  run: ReportRun,
  withItems: boolean,
  style: Style,
  output: Output,
): string {
  const paint = { pass: style.green, fail: style.red, error: style.yellow } as const;
  const comparisons = new Map(run.comparison?.items.map((item) => [item.item_id, item]));
  const header = ["ITEM", "RESULT", "CHECK", ...(run.comparison ? ["CHANGE"] : []), "WHY"];
  const rows = run.items.map((item) => {
    const { item_id: id, outcome } = item.result;
    const mark = marksOf(item)
      .map((word) => `${word}, `)
      .join("");
    return [
      oneLine(id),
      paint[outcome](LABELS[outcome]),
      checkWords(item),
      ...(run.comparison ? [(comparisons.get(id)?.change ?? "").replace("_", " ")] : []),
      oneLine(mark + headline(item, run.search_root, { text: REASON, comparison: comparisons.get(id) })),
    ];
  });
  const gone = run.comparison?.items.filter((item) => item.change === "gone") ?? [];
  for (const item of gone)
    rows.push([oneLine(item.item_id), "-", "-", "gone", "was in the baseline, not in this run"]);
  const lines = [output.table(header, rows)];
  lines.push(...waiverLines(run, style));
  if (withItems) for (const set of checked) lines.push("", ...itemLines(set, style));
  const totals = totalsOf(run);
  lines.push(
    "",
    [
      `${totals.pass} passed`,
      `${totals.fail} failed`,
      `${totals.error} could not be judged`,
      `${count(totals.items, "item")} in ${(run.duration_ms / 1000).toFixed(1)} s`,
    ].join(", "),
  );
  return lines.join("\n");
}

/** Waivers that matched nothing or have expired: both need action. */
function waiverLines(run: ReportRun, style: Style): string[] {
  const lines = run.items.flatMap(({ result }) => {
    const id = oneLine(result.item_id);
    const unused = result.outcome === "error" ? [] : (result.result?.unused_waivers ?? []);
    return [
      ...unused.map(({ pattern }) => `${id}: the waiver \u201c${oneLine(pattern)}\u201d matched nothing`),
      ...result.diagnostics
        .filter(({ code }) => code === "waiver_ended")
        .map(({ message }) => `${id}: ${oneLine(message)}`),
    ];
  });
  const shown = lines.slice(0, WAIVER_LINES).map((line) => style.yellow(line));
  const more = lines.length - shown.length;
  if (more > 0) shown.push(`… and ${more} more; the reports list all`);
  return shown.length === 0 ? [] : ["", ...shown];
}

function itemLines(set: CheckedSet, style: Style): string[] {
  const head = style.bold(`${oneLine(set.result.item_id)}: ${count(set.items.length, "record")}`);
  const lines = set.items.map((item) => {
    const line = item.line_number === null ? "-" : item.line_number;
    const fields = truncate(JSON.stringify(item.parsed_fields), 300).text;
    return `  ${oneLine(`${item.source_file}:${line}`)}  ${oneLine(item.value)}  ${style.dim(oneLine(fields))}`;
  });
  return [head, ...lines];
}
