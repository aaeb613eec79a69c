// Reports of a run: reads its folder and renders an HTML page and JUnit XML.
import { join } from "node:path";
import { AtomsmithError } from "../../core/errors.ts";
import { VERSION } from "../../core/version.ts";
import { count } from "../../core/words.ts";
import { type JunitCase, renderJunit } from "../../report/junit.ts";
import { renderPage } from "../../report/page/render.ts";
import type { PageBlock, PageEntry } from "../../report/page/types.ts";
import { readTextIfAny } from "../../store/atomic.ts";
import { readSummary, SUMMARY_FILE } from "./artifacts.ts";
import {
  type AttemptRecord,
  type CmdResult,
  type RunSummary,
  type WorkOrder,
  workOrderSchema,
} from "./schemas.ts";

export const DIFF_FILE = "changes.diff";

export interface RunView {
  dir: string;
  summary: RunSummary;
  /** Null if the file no longer exists. */
  order: WorkOrder | null;
  attempts: { record: AttemptRecord; diff: string; proposal: string }[];
}

/** Reads a finished run. Throws kind `usage` if the folder has none. */
export async function readRun(dir: string): Promise<RunView> {
  const summary = await readSummary(dir);
  if (summary === undefined) {
    throw new AtomsmithError("usage", `no finished run in ${dir}`, {
      where: join(dir, SUMMARY_FILE),
      hint: "name the folder OUT/RUN_ID; to resume an interrupted run, repeat factory run",
    });
  }
  const order = workOrderSchema.safeParse(parse(await readTextIfAny(join(dir, "work_order.json"))));
  const attempts = await Promise.all(
    summary.attempts.map(async (record) => ({
      record,
      diff: (await readTextIfAny(join(dir, `attempt_${record.attempt_index}`, DIFF_FILE))) ?? "",
      proposal: (await readTextIfAny(join(dir, record.proposal_path))) ?? "",
    })),
  );
  return { dir, summary, order: order.success ? order.data : null, attempts };
}

function parse(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return null;
  }
}

/** The outcome of an attempt as a short text. */
export function endOf(record: AttemptRecord): string {
  return record.failure_brief?.stage ?? "accepted";
}

/** The HTML page of a run. */
export function renderFactoryPage({ summary, order, attempts }: RunView): string {
  const { usage } = summary;
  return renderPage({
    title: order ? `${order.id}: ${order.title}` : `Run ${summary.run_id}`,
    facts: [
      ["Verdict", `${summary.verdict} (${summary.ended_stage})`],
      ["Repository", summary.repo_path],
      ["Baseline", summary.repo_baseline_commit],
      ["Run", summary.run_id],
      ["Ended", summary.ended_utc],
      ["Jail of the commands", summary.jail],
      ["Model", `${count(usage.calls, "call")}, ${usage.input_tokens} + ${usage.output_tokens} tokens`],
      ["Program", `atomsmith ${VERSION}`],
    ],
    statuses: [
      { key: "failed", label: "failed", badge: "FAIL", tone: "bad" },
      { key: "passed", label: "passed", badge: "PASS", tone: "good" },
    ],
    notices: [
      ...(summary.jail === "none"
        ? [{ tone: "warn" as const, text: "The commands ran without a jail, or no command ran." }]
        : []),
      ...(summary.drift.length === 0
        ? []
        : [
            {
              tone: "warn" as const,
              text: `Commands changed other files than the accepted ones: ${summary.drift.map(({ path, change }) => `${path} (${change})`).join(", ")}`,
            },
          ]),
    ],
    entries: attempts.map(entryOf),
    noun: { one: "attempt", many: "attempts" },
  });
}

function entryOf({ record, diff, proposal }: RunView["attempts"][number]): PageEntry {
  const failure = record.failure_brief;
  const seconds = [...record.verify, ...record.acceptance].reduce(
    (sum, command) => sum + command.duration_seconds,
    0,
  );
  const code = (title: string, note: string, text: string): PageBlock => ({
    kind: "code",
    title,
    note,
    lines: text.split("\n").map((line) => ({ text: line, change: "same" })),
  });
  return {
    id: `Attempt ${record.attempt_index}`,
    status: failure ? "failed" : "passed",
    kind: endOf(record),
    headline: failure
      ? (failure.command ?? failure.stage)
      : `${count(record.touched_files.length, "file")} written`,
    description: record.touched_files.join(", "),
    tags: [],
    durationMs: Math.round(seconds * 1000),
    blocks: [
      ...(failure ? [code("Failure", failure.constraints_reminder, failure.primary_error_excerpt)] : []),
      ...(diff === "" ? [code("The reply", record.proposal_path, proposal)] : [diffBlock(diff)]),
      ...[...record.verify, ...record.acceptance].map((result) => commandBlock(result, code)),
    ],
  };
}

function diffBlock(diff: string): PageBlock {
  const change = (line: string) => {
    if (/^\+(?!\+\+ )/.test(line)) return "added" as const;
    return /^-(?!-- )/.test(line) ? ("removed" as const) : ("same" as const);
  };
  const lines = diff.split("\n").map((text) => ({ text, change: change(text) }));
  return { kind: "code", title: "Difference", note: "", lines };
}

function commandBlock(
  { command, exit_code, stdout_trunc, stderr_trunc, duration_seconds, stdout_path, stderr_path }: CmdResult,
  code: (title: string, note: string, text: string) => PageBlock,
): PageBlock {
  const text = [stdout_trunc, stderr_trunc].filter((part) => part !== "").join("\n");
  const note = `exit code ${exit_code} after ${duration_seconds} s; full output: ${stdout_path}, ${stderr_path}`;
  return code(command.join(" "), note, text);
}

/** Runs as JUnit XML: a suite per work order, a case per command of its last attempt. */
export function renderFactoryJunit(views: readonly RunView[]): string {
  return renderJunit(
    views.map(({ summary, order, attempts }) => {
      const last = attempts.at(-1)?.record;
      const name = order?.id ?? summary.run_id;
      const seconds = (Date.parse(summary.ended_utc) - Date.parse(summary.started_utc)) / 1000;
      const failure = last?.failure_brief ?? null;
      const commands = last ? [...last.verify, ...last.acceptance] : [];
      const cases = commands.map(
        (result): JunitCase => ({
          name: result.command.join(" "),
          classname: name,
          time: result.duration_seconds,
          outcome: failure?.command === result.command.join(" ") ? "failure" : "passed",
          message: `exit code ${result.exit_code}`,
          details: `${result.stdout_trunc}\n${result.stderr_trunc}`,
        }),
      );
      const whole: JunitCase = {
        name: order?.title ?? name,
        classname: name,
        time: seconds,
        outcome: summary.verdict === "PASS" ? "passed" : "failure",
        message: summary.ended_stage,
        ...(failure ? { details: failure.primary_error_excerpt } : {}),
      };
      return {
        name,
        timestamp: summary.started_utc,
        time: seconds,
        properties: { run_id: summary.run_id, jail: summary.jail, attempts: String(summary.attempts.length) },
        cases: [whole, ...cases],
      };
    }),
  );
}
