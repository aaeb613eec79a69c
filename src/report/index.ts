// L6 and run reports: text, YAML, JUnit, SARIF, HTML. Writers take plain data and change none of it.
export { type Baseline, compareWithBaseline, newlyBroken, parseBaseline } from "./baseline.ts";
export {
  type BatchAttempt,
  type BatchReport,
  type BatchReportItem,
  renderBatchJunit,
  renderBatchPage,
  renderBatchSarif,
  type ShownRecord,
} from "./batch-report.ts";
export { renderRunPage } from "./check-page.ts";
export { headline, renderRunJunit, renderRunSarif } from "./check-run.ts";
export { html, oneLine, visible, xml } from "./escape.ts";
export {
  type InterventionReport,
  interventionReport,
  type WayOn,
} from "./intervention.ts";
export { renderItemLog, renderItemReport, typeText } from "./item-text.ts";
export { type JunitCase, type JunitSuite, renderJunit } from "./junit.ts";
export { renderPage } from "./page/render.ts";
export type { PageBlock, PageData, PageEntry } from "./page/types.ts";
export { renderSarif, type SarifFinding, type SarifInput } from "./sarif.ts";
export { renderSummaryYaml, totalsOf } from "./summary-yaml.ts";
export type { Comparison, ItemComparison, LogExcerpt, ReportItem, ReportRun } from "./types.ts";
