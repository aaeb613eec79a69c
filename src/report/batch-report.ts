// A run of `batch` as JUnit and SARIF, and the data of its reports; its HTML page is in batch-page.ts.
import type { AtomSources } from "../contract/atoms.ts";
import type { SetChanges } from "../contract/changes.ts";
import type { GateFinding, GateResults } from "../contract/gates.ts";
import type { JsonObject, JsonValue } from "../core/json.ts";
import { count } from "../core/words.ts";
import { changesHeadline } from "./changes.ts";
import { renderJunit } from "./junit.ts";
import { renderSarif, type SarifFinding } from "./sarif.ts";

export interface BatchAttempt {
  iteration: number;
  gates: Partial<GateResults>;
  errors: GateFinding[];
  sources: AtomSources;
}

/** A record that Atom A extracted, with the log lines around it. */
export interface RecordWithContext {
  value: string;
  file: string;
  line_number: number | null;
  parsed_fields: Record<string, JsonValue>;
  context: { start_line: number; lines: string[] };
}

export interface BatchReportItem {
  item_id: string;
  status: "accepted" | "human_required" | "error" | "interrupted";
  up_to_date: boolean;
  reason: string;
  iterations: number;
  duration_ms: number;
  spec_path: string;
  output_dir: string;
  error: { message: string; hint: string } | null;
  gates: Partial<GateResults>;
  errors: GateFinding[];
  cost: string;
  /** Differences between the new set and the accepted one; null when no set was created. */
  changes: SetChanges | null;
  /** The members below are empty when nothing is stored or the item was not run. */
  title: string;
  spec_text: string;
  questions: string[];
  next_steps: { title: string; commands: string[] }[];
  files_read: { path: string; lines: number }[];
  attempts: BatchAttempt[];
  records: RecordWithContext[];
  records_total: number;
  conversation: string;
  /** The author's declarations with their quotes, one line each. */
  declared: string[];
}

export interface BatchReport {
  version: string;
  created_at: string;
  search_root: string;
  duration_ms: number;
  cost: string;
  /** No set was accepted. */
  dry_run: boolean;
  items: BatchReportItem[];
  not_started: { item_id: string; reason: string }[];
}

/** One line: the outcome of an item and its reason. */
export function batchHeadline(item: BatchReportItem): string {
  if (item.error) return item.error.message;
  if (item.status === "accepted") {
    const tries = count(item.iterations, "attempt");
    if (item.up_to_date) return `up to date, accepted after ${tries}`;
    const { changes } = item;
    const compared = changes === null || changes.before === null ? "" : `; ${changesHeadline(changes)}`;
    return `accepted after ${tries}${compared}`;
  }
  return item.questions[0] ?? item.errors[0]?.message ?? "needs review";
}

function detailsOf(item: BatchReportItem): string {
  return [
    batchHeadline(item),
    ...item.questions.map((question) => `Question: ${question}`),
    ...item.errors.map(
      (error) =>
        `${error.gate} (${error.atom}, ${error.code}): ${error.message}${error.example ? `\n  ${error.example}` : ""}`,
    ),
    ...item.next_steps.flatMap((step) => [
      `${step.title}:`,
      ...step.commands.map((command) => `  ${command}`),
    ]),
    ...(item.error && item.error.hint !== "" ? [item.error.hint] : []),
  ].join("\n");
}

/** JUnit: an accepted item passes, one that needs review is a failure, every other outcome is an error. */
export function renderBatchJunit(report: BatchReport): string {
  return renderJunit([
    {
      name: "atomsmith batch",
      timestamp: report.created_at,
      time: report.duration_ms / 1000,
      properties: { program: `atomsmith ${report.version}`, search_root: report.search_root },
      cases: [
        ...report.items.map((item) => ({
          name: item.item_id,
          classname: "batch",
          time: item.duration_ms / 1000,
          outcome: OUTCOMES[item.status],
          message: batchHeadline(item),
          ...(item.status === "accepted" ? {} : { details: detailsOf(item) }),
          file: item.spec_path,
        })),
        ...report.not_started.map((item) => ({
          name: item.item_id,
          classname: "batch",
          time: 0,
          outcome: "skipped" as const,
          message: `not started: ${item.reason}`,
        })),
      ],
    },
  ]);
}

const OUTCOMES = {
  accepted: "passed",
  human_required: "failure",
  error: "error",
  interrupted: "error",
} as const;

/** SARIF: what needs review, located at the ItemSpec of the item. */
export function renderBatchSarif(report: BatchReport): JsonObject {
  const findings = report.items.flatMap((item): SarifFinding[] => {
    if (item.status === "accepted") return [];
    const base = { file: item.spec_path, line: 1 };
    if (item.error) {
      const message = `${item.item_id}: ${item.error.message}`;
      return [{ ...base, rule: "atomsmith/error", level: "error", message, identity: [item.item_id] }];
    }
    const review: SarifFinding = {
      ...base,
      rule: "atomsmith/human_required",
      level: "error",
      message: `${item.item_id}: ${batchHeadline(item)}`,
      identity: [item.item_id],
    };
    const failed = item.errors.map(
      (error): SarifFinding => ({
        ...base,
        rule: `atomsmith/${error.gate}`,
        level: "warning",
        message: `${item.item_id}: ${error.message}`,
        identity: [item.item_id, error.gate, error.code],
      }),
    );
    return [review, ...failed];
  });
  return renderSarif({
    version: report.version,
    searchRoot: report.search_root,
    rules: [
      { id: "atomsmith/human_required", description: "An item needs review before it can be accepted." },
      { id: "atomsmith/error", description: "An item could not be processed." },
    ],
    findings,
    executionSuccessful: report.items.every(
      (item) => item.status !== "error" && item.status !== "interrupted",
    ),
  });
}
