// The last stage: writes the verdicts for people and programs, with the overrides of the spec and their authors.
import { canonicalHash } from "../../../core/canonical.ts";
import { VERSION } from "../../../core/version.ts";
import {
  headline,
  type ReportRun,
  renderItemReport,
  renderRunJunit,
  renderRunPage,
  renderRunSarif,
  renderSummaryYaml,
} from "../../../report/index.ts";
import type { Stage } from "../pipeline/types.ts";
import { entriesOf } from "./check.ts";
import type { Checklist } from "./services.ts";
import { readSpec } from "./spec.ts";
import { outcome, writeStage } from "./stage-files.ts";

export function reportStage(checklist: Checklist): Stage {
  return {
    name: "report",
    inputsHash: async ({ before }) =>
      canonicalHash({ stage: "report", version: VERSION, before: [...before] }),
    run: async ({ spec, out, folderOf }) => {
      const entries = entriesOf(folderOf("check"));
      const run: ReportRun = {
        version: VERSION,
        created_at: checklist.services.now().toISOString(),
        search_root: checklist.searchRoot(readSpec(spec)),
        duration_ms: entries.reduce((sum, { result }) => sum + result.duration_ms, 0),
        items: entries.map((entry) => ({ ...entry, excerpts: [] })),
        comparison: null,
      };
      const items = Object.fromEntries(
        run.items.map((item, at) => [
          item.result.item_id,
          {
            outcome: item.result.outcome,
            why: headline(item, run.search_root),
            overrides: entries[at]?.overrides ?? null,
          },
        ]),
      );
      const overridden = entries.filter(({ overrides }) => overrides !== null).length;
      return writeStage(out, outcome([], { items: entries.length, overridden }), {
        "items.json": { items },
        "results.json": { results: entries.map(({ result }) => result) },
        "summary.yaml": renderSummaryYaml(run),
        "junit.xml": renderRunJunit(run),
        "report.sarif": renderRunSarif(run),
        "report.html": renderRunPage(run),
        "items.txt": run.items.map((item) => renderItemReport(item, run)).join("\n"),
      });
    },
  };
}
