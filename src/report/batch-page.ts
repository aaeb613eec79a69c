// A run of `batch` as one self-contained HTML page.
import { ATOM_FILES, ATOM_PARTS } from "../contract/atoms.ts";
import type { GateResults } from "../contract/gates.ts";
import { truncate } from "../core/limits.ts";
import { count } from "../core/words.ts";
import { type BatchAttempt, type BatchReport, type BatchReportItem, batchHeadline } from "./batch-report.ts";
import { changeLines, changesHeadline } from "./changes.ts";
import { diffLines } from "./line-diff.ts";
import { renderPage } from "./page/render.ts";
import type { PageBlock, PageEntry, PageTag } from "./page/types.ts";

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
      { key: "human_required", label: "need review", badge: "REVIEW", tone: "warn" },
      { key: "accepted", label: "accepted", badge: "ACCEPTED", tone: "good" },
    ],
    notices: [
      ...(report.dry_run
        ? [{ tone: "warn" as const, text: "Dry run: no set was accepted, and the output is unchanged." }]
        : []),
      ...waiting.slice(0, 50).map((item) => ({
        tone: "warn" as const,
        text: `${item.item_id} needs review: ${item.next_steps[0]?.commands[0] ?? `see ${item.output_dir}`}`,
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
    headline: batchHeadline(item),
    description: item.title,
    tags,
    durationMs: item.up_to_date ? null : item.duration_ms,
    blocks: [
      ...errorBlock(item),
      ...changesBlock(item),
      ...listBlock("Questions", item.questions, false),
      ...item.next_steps.flatMap((step) => listBlock(step.title, step.commands, true)),
      ...findingsBlock(item),
      ...listBlock("Declared, with quotes from the page", item.declared, false),
      ...gatesBlock(item),
      ...listBlock(
        "Files read",
        item.files_read.map((file) => `${file.path}, ${count(file.lines, "line")}`),
        true,
      ),
      ...recordsBlock(item),
      ...item.attempts.flatMap((attempt, index) => codeBlocks(attempt, item.attempts[index - 1])),
      ...textBlock("Page", "what to extract and what to check", item.spec_text),
      ...textBlock("Conversation", "requests to the author and its replies", item.conversation),
      {
        kind: "facts",
        title: "Locations",
        facts: [
          ["page", item.spec_path],
          ["output", item.output_dir],
          ["reason for the run", item.reason],
        ],
      },
    ],
  };
}

/** Maximum lines of one list of changes; the same as in the JSON. */
const CHANGE_LINES = 20;

function changesBlock({ changes }: BatchReportItem): PageBlock[] {
  if (changes === null || (changes.kind === "new" && changes.after.outcome === null)) return [];
  const title = `Compared with the accepted set: ${changesHeadline(changes)}`;
  const lines = changeLines(changes, CHANGE_LINES);
  if (lines.length === 0) return [{ kind: "list", title, items: ["No changes."], code: false }];
  const rows = lines.map(({ sign, what, place, text }) => [sign, what, place, text]);
  return [{ kind: "table", title, header: ["", "what", "where", ""], rows }];
}

function errorBlock(item: BatchReportItem): PageBlock[] {
  if (!item.error) return [];
  const { message, hint } = item.error;
  const messages = [{ label: "Error", text: hint === "" ? message : `${message} (${hint})`, place: "" }];
  return [{ kind: "messages", title: "Error", tone: "bad", messages }];
}

function findingsBlock(item: BatchReportItem): PageBlock[] {
  if (item.errors.length === 0) return [];
  const messages = item.errors.slice(0, 100).map((error) => ({
    label: error.gate,
    text: error.message,
    place: `${error.atom}${error.line === undefined ? "" : `:${error.line}`}${error.example ? `  ${truncate(error.example, 600).text}` : ""}`,
  }));
  return [{ kind: "messages", title: "Findings of the gates", tone: "bad", messages }];
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

/** The parts of an attempt that differ from the previous attempt; all parts of the first one. */
function codeBlocks(attempt: BatchAttempt, previous: BatchAttempt | undefined): PageBlock[] {
  return ATOM_PARTS.flatMap((part): PageBlock[] => {
    const source = attempt.sources[part];
    const oldSource = previous?.sources[part] ?? "";
    if (source === "" || source === oldSource) return [];
    const lines =
      oldSource === ""
        ? source.split("\n").map((line) => ({ text: line, change: "same" as const }))
        : diffLines(oldSource, source);
    const note = oldSource === "" ? "first version" : "changes since the previous attempt";
    return [{ kind: "code", title: `Attempt ${attempt.iteration}: ${ATOM_FILES[part]}`, note, lines }];
  });
}

function listBlock(title: string, items: string[], code: boolean): PageBlock[] {
  return items.length === 0 ? [] : [{ kind: "list", title, items, code }];
}

function textBlock(title: string, note: string, text: string): PageBlock[] {
  if (text.trim() === "") return [];
  const lines = text.split("\n").map((line) => ({ text: line, change: "same" as const }));
  return [{ kind: "code", title, note, lines }];
}
