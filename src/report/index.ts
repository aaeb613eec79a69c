// L6 and run reports: text, YAML, JUnit, SARIF, HTML. Writers take plain data and do not modify it.
export { type Baseline, compareWithBaseline, newlyBroken, parseBaseline } from "./baseline.ts";
export { renderBatchPage } from "./batch-page.ts";
export {
  type BatchAttempt,
  type BatchReport,
  type BatchReportItem,
  type RecordWithContext,
  renderBatchJunit,
  renderBatchSarif,
} from "./batch-report.ts";
export { type ChangeLine, changeLines, changesHeadline } from "./changes.ts";
export { renderRunPage } from "./check-page.ts";
export { renderRunJunit, renderRunSarif } from "./check-run.ts";
export { oneLine, visible, xml } from "./escape.ts";
export { checkWords, headline } from "./headline.ts";
export { marksOf, renderItemLog, renderItemReport } from "./item-text.ts";
export { renderJunit } from "./junit.ts";
export { renderPage } from "./page/render.ts";
export type { CodeLine, PageBlock, PageData, PageEntry, Tone } from "./page/types.ts";
export { renderSummaryYaml, totalsOf } from "./summary-yaml.ts";
export type { ReportItem, ReportRun } from "./types.ts";
export { entryText, openViolations, placeOf } from "./violations.ts";
