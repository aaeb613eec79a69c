// The summary of a run as YAML, with counts per item.
import { stringify } from "yaml";
import { visible } from "./escape.ts";
import type { ReportRun } from "./types.ts";

/** Totals by outcome. */
export function totalsOf(run: Pick<ReportRun, "items">): {
  items: number;
  pass: number;
  fail: number;
  error: number;
} {
  const count = (outcome: string) => run.items.filter((item) => item.result.outcome === outcome).length;
  return { items: run.items.length, pass: count("pass"), fail: count("fail"), error: count("error") };
}

/** Maximum warnings shown for one item; `diagnostics` counts all. */
const SHOWN_WARNINGS = 10;

/** The whole document. */
export function renderSummaryYaml(run: ReportRun): string {
  const items = run.items.map((item) => {
    const { result } = item;
    const document = result.result;
    const error = result.diagnostics.find((d) => d.severity === "error");
    const warnings = result.diagnostics
      .filter((d) => d.severity === "warning")
      .slice(0, SHOWN_WARNINGS)
      .map((d) => visible(`${d.code}: ${d.message}`));
    return {
      item_id: result.item_id,
      type: result.type,
      outcome: result.outcome,
      ...(item.unverified ? { unverified: true } : {}),
      ...(item.outdated ? { outdated: true } : {}),
      ...(document === null
        ? {}
        : {
            found: document.found_items.length,
            missing: document.missing_items.length,
            ...(document.extra_items ? { extra: document.extra_items.length } : {}),
            ...(document.waived ? { waived: document.waived.length } : {}),
            ...(document.unused_waivers
              ? { unused_waivers: document.unused_waivers.map((w) => visible(w.pattern)) }
              : {}),
          }),
      ...(error ? { reason: visible(error.message) } : {}),
      ...(warnings.length > 0 ? { warnings } : {}),
      diagnostics: result.diagnostics.length,
      searched_files: item.searchedFiles.length,
      duration_ms: result.duration_ms,
    };
  });
  const document = {
    program: `atomsmith ${run.version}`,
    created_at: run.created_at,
    search_root: run.search_root,
    duration_ms: run.duration_ms,
    totals: totalsOf(run),
    items,
  };
  return stringify(document, { lineWidth: 0, aliasDuplicateObjects: false });
}
