// A run of `batch` as JUnit, SARIF and one HTML page. Plain data in; the same writers as for `check`.
import { ATOM_FILES, ATOM_PARTS, type AtomSources } from "../contract/atoms.ts";
import type { SetChanges } from "../contract/changes.ts";
import type { GateFinding, GateResults } from "../contract/gates.ts";
import type { JsonObject, JsonValue } from "../core/json.ts";
import { truncate } from "../core/limits.ts";
import { count } from "../core/words.ts";
import { changeLines, changesHeadline } from "./changes.ts";
import { renderJunit } from "./junit.ts";
import { diffLines } from "./line-diff.ts";
import { renderPage } from "./page/render.ts";
import type { PageBlock, PageEntry, PageTag } from "./page/types.ts";
import { renderSarif, type SarifFinding } from "./sarif.ts";

export interface BatchAttempt {
  iteration: number;
  gates: Partial<GateResults>;
  errors: GateFinding[];
  sources: AtomSources;
}

/** A record that Atom A extracted, beside the lines it stands in. */
export interface ShownRecord {
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
  /** What the new set changes against the accepted one; null when none was made. */
  changes: SetChanges | null;
  /** What follows is empty where nothing is stored or the item did nothing in this run. */
  title: string;
  wants: string;
  questions: string[];
  ways_on: { title: string; commands: string[] }[];
  looked_at: { path: string; lines: number }[];
  attempts: BatchAttempt[];
  records: ShownRecord[];
  records_total: number;
  conversation: string;
  /** What the author declared, with quotes, one line each. */
  declared: string[];
}

export interface BatchReport {
  version: string;
  created_at: string;
  search_root: string;
  duration_ms: number;
  cost: string;
  /** Nothing was accepted. */
  dry_run: boolean;
  items: BatchReportItem[];
  not_started: { item_id: string; reason: string }[];
}

/** One line: how an item ended and why. */
function headline(item: BatchReportItem): string {
  if (item.error) return item.error.message;
  if (item.status === "accepted") {
    const tries = count(item.iterations, "attempt");
    if (item.up_to_date) return `up to date, accepted after ${tries}`;
    const { changes } = item;
    const compared = changes === null || changes.before === null ? "" : `; ${changesHeadline(changes)}`;
    return `accepted after ${tries}${compared}`;
  }
  return item.questions[0] ?? item.errors[0]?.message ?? "a person is asked";
}

function wholeStory(item: BatchReportItem): string {
  return [
    headline(item),
    ...item.questions.map((question) => `Question: ${question}`),
    ...item.errors.map(
      (error) =>
        `${error.gate} (${error.atom}, ${error.code}): ${error.message}${error.example ? `\n  ${error.example}` : ""}`,
    ),
    ...item.ways_on.flatMap((way) => [`${way.title}:`, ...way.commands.map((command) => `  ${command}`)]),
    ...(item.error && item.error.hint !== "" ? [item.error.hint] : []),
  ].join("\n");
}

/** JUnit: accepted passes, a person needed is a failure, anything else could not be judged. */
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
          message: headline(item),
          ...(item.status === "accepted" ? {} : { details: wholeStory(item) }),
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

/** SARIF: what a person must look at, placed on the ItemSpec it is about. */
export function renderBatchSarif(report: BatchReport): JsonObject {
  const findings = report.items.flatMap((item): SarifFinding[] => {
    if (item.status === "accepted") return [];
    const base = { file: item.spec_path, line: 1 };
    if (item.error) {
      const message = `${item.item_id}: ${item.error.message}`;
      return [{ ...base, rule: "atomsmith/error", level: "error", message, identity: [item.item_id] }];
    }
    const asked: SarifFinding = {
      ...base,
      rule: "atomsmith/human_required",
      level: "error",
      message: `${item.item_id}: ${headline(item)}`,
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
    return [asked, ...failed];
  });
  return renderSarif({
    version: report.version,
    searchRoot: report.search_root,
    rules: [
      { id: "atomsmith/human_required", description: "An item needs review before it can be accepted." },
      { id: "atomsmith/error", description: "An item could not be worked on." },
    ],
    findings,
    executionSuccessful: report.items.every(
      (item) => item.status !== "error" && item.status !== "interrupted",
    ),
  });
}

/** One self-contained page for the whole batch. */
export function renderBatchPage(report: BatchReport): string {
  const order = { error: 0, interrupted: 1, human_required: 2, accepted: 3 } as const;
  const entries = [...report.items].sort((a, b) => order[a.status] - order[b.status]).map(entryOf);
  const waiting = report.items.filter((item) => item.status === "human_required");
  return renderPage({
    title: report.dry_run ? "Batch plan" : "Batch results",
    facts: [
      ["Search root", report.search_root],
      ["Started", report.created_at.replace("T", " ").replace(/\.\d+Z$/, " UTC")],
      ["Took", `${(report.duration_ms / 1000).toFixed(1)} s`],
      ...(report.cost === "" ? [] : [["Cost", report.cost] as [string, string]]),
      ["Program", `atomsmith ${report.version}`],
    ],
    statuses: [
      { key: "error", label: "errors", badge: "ERROR", tone: "bad" },
      { key: "interrupted", label: "interrupted", badge: "STOPPED", tone: "warn" },
      { key: "human_required", label: "wait for a person", badge: "PERSON", tone: "warn" },
      { key: "accepted", label: "accepted", badge: "ACCEPTED", tone: "good" },
    ],
    notices: [
      ...(report.dry_run
        ? [{ tone: "warn" as const, text: "A dry run: nothing was accepted, and the output is as it was." }]
        : []),
      ...waiting.slice(0, 50).map((item) => ({
        tone: "warn" as const,
        text: `${item.item_id} waits for a person: ${item.ways_on[0]?.commands[0] ?? `see ${item.output_dir}`}`,
      })),
      ...(report.not_started.length === 0
        ? []
        : [
            {
              tone: "warn" as const,
              text: `${count(report.not_started.length, "item was", "items were")} not started: ${report.not_started[0]?.reason ?? ""}.`,
            },
          ]),
    ],
    entries,
    noun: { one: "item", many: "items" },
  });
}

function entryOf(item: BatchReportItem): PageEntry {
  const tags: PageTag[] = item.up_to_date ? [{ text: "unchanged", tone: "quiet" }] : [];
  return {
    id: item.item_id,
    status: item.status,
    kind: item.cost,
    headline: headline(item),
    description: item.title,
    tags,
    durationMs: item.up_to_date ? null : item.duration_ms,
    blocks: [
      ...errorBlock(item),
      ...changesBlock(item),
      ...list("Questions to a person", item.questions, false),
      ...item.ways_on.flatMap((way) => list(way.title, way.commands, true)),
      ...findingsBlock(item),
      ...list("Declared, with the page's words", item.declared, false),
      ...gatesBlock(item),
      ...list(
        "What was read",
        item.looked_at.map((file) => `${file.path}, ${count(file.lines, "line")}`),
        true,
      ),
      ...recordsBlock(item),
      ...item.attempts.flatMap((attempt, index) => codeBlocks(attempt, item.attempts[index - 1])),
      ...text("The page", "what to extract and what to check", item.wants),
      ...text("The conversation", "what the author was asked and what it answered", item.conversation),
      {
        kind: "facts",
        title: "Where things are",
        facts: [
          ["page", item.spec_path],
          ["output", item.output_dir],
          ["why it ran", item.reason],
        ],
      },
    ],
  };
}

/** Lines of one list of changes on the page; the JSON has as many. */
const CHANGE_LINES = 20;

function changesBlock({ changes }: BatchReportItem): PageBlock[] {
  if (changes === null || (changes.kind === "new" && changes.after.outcome === null)) return [];
  const title = `Against the accepted set: ${changesHeadline(changes)}`;
  const lines = changeLines(changes, CHANGE_LINES);
  if (lines.length === 0) return [{ kind: "list", title, items: ["Nothing changes."], code: false }];
  const rows = lines.map(({ sign, what, place, text }) => [sign, what, place, text]);
  return [{ kind: "table", title, header: ["", "what", "where", ""], rows }];
}

function errorBlock(item: BatchReportItem): PageBlock[] {
  if (!item.error) return [];
  const { message, hint } = item.error;
  const messages = [{ label: "Error", text: hint === "" ? message : `${message} (${hint})`, place: "" }];
  return [{ kind: "messages", title: "What went wrong", tone: "bad", messages }];
}

function findingsBlock(item: BatchReportItem): PageBlock[] {
  if (item.errors.length === 0) return [];
  const messages = item.errors.slice(0, 100).map((error) => ({
    label: error.gate,
    text: error.message,
    place: `${error.atom}${error.line === undefined ? "" : `:${error.line}`}${error.example ? `  ${truncate(error.example, 600).text}` : ""}`,
  }));
  return [{ kind: "messages", title: "What the gates found", tone: "bad", messages }];
}

function gatesBlock(item: BatchReportItem): PageBlock[] {
  const results = Object.entries(item.gates);
  if (results.every(([, result]) => result === null)) return [];
  const word = (result: boolean | null | undefined): string =>
    result === true ? "passed" : result === false ? "FAILED" : "not run";
  if (item.attempts.length < 2) {
    return [
      {
        kind: "table",
        title: "Gates",
        header: ["gate", "result"],
        rows: results.map(([name, r]) => [name, word(r)]),
      },
    ];
  }
  const rows = results.map(([name]) => [
    name,
    ...item.attempts.map((attempt) => word(attempt.gates[name as keyof GateResults])),
  ]);
  const header = ["gate", ...item.attempts.map((attempt) => `attempt ${attempt.iteration}`)];
  return [{ kind: "table", title: "Gates by attempt", header, rows }];
}

function recordsBlock(item: BatchReportItem): PageBlock[] {
  if (item.records_total === 0) return [];
  return [
    {
      kind: "evidence",
      title: "Extracted records",
      tone: "quiet",
      count: item.records_total,
      rest: "atomsmith check --items shows all of them.",
      entries: item.records.map((record) => ({
        text: record.value,
        tags: [],
        place: record.line_number === null ? record.file : `${record.file}:${record.line_number}`,
        notes: [],
        fields: Object.entries(record.parsed_fields).map(([name, value]) => [
          name,
          typeof value === "string" ? value : JSON.stringify(value),
        ]),
        context: record.context.lines.map((line, index) => ({
          number: record.context.start_line + index,
          text: truncate(line, 1000).text,
          hit: record.context.start_line + index === record.line_number,
        })),
      })),
    },
  ];
}

/** Each part of an attempt that differs from the attempt before; the first whole. */
function codeBlocks(attempt: BatchAttempt, before: BatchAttempt | undefined): PageBlock[] {
  return ATOM_PARTS.flatMap((part): PageBlock[] => {
    const now = attempt.sources[part];
    const old = before?.sources[part] ?? "";
    if (now === "" || now === old) return [];
    const lines =
      old === ""
        ? now.split("\n").map((line) => ({ text: line, change: "same" as const }))
        : diffLines(old, now);
    const note = old === "" ? "as first written" : "changes to the attempt before";
    return [{ kind: "code", title: `Attempt ${attempt.iteration}: ${ATOM_FILES[part]}`, note, lines }];
  });
}

function list(title: string, items: string[], code: boolean): PageBlock[] {
  return items.length === 0 ? [] : [{ kind: "list", title, items, code }];
}

function text(title: string, note: string, whole: string): PageBlock[] {
  if (whole.trim() === "") return [];
  const lines = whole.split("\n").map((line) => ({ text: line, change: "same" as const }));
  return [{ kind: "code", title, note, lines }];
}
