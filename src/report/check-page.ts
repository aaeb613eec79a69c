// A run of `check` as the HTML page.

import type { GlobalWaiverNote, ResultItem } from "../contract/results.ts";
import { truncate } from "../core/limits.ts";
import { count } from "../core/words.ts";
import { checkWords, headline } from "./headline.ts";
import { marksOf, typeText } from "./item-text.ts";
import { renderPage } from "./page/render.ts";
import type { ContextLine, EvidenceEntry, PageBlock, PageEntry, PageTag, Tone } from "./page/types.ts";
import type { Change, ItemComparison, ReportItem, ReportRun } from "./types.ts";
import {
  type EntryList,
  entryLists,
  entryText,
  isNote,
  patternMatches,
  placeOf,
  shortPath,
} from "./violations.ts";

/** Maximum entries and files of one list, bytes of one text, and log lines before and after an entry. */
const SHOWN = { entries: 100, around: 3, files: 200, textBytes: 1000 };

/** The whole document. */
export function renderRunPage(run: ReportRun): string {
  const comparisons = new Map(run.comparison?.items.map((item) => [item.item_id, item]));
  const worst = { error: 0, fail: 1, pass: 2 } as const;
  const entries = [...run.items]
    .sort((a, b) => worst[a.result.outcome] - worst[b.result.outcome])
    .map((item) => entryOf(item, run, comparisons.get(item.result.item_id)));
  return renderPage({
    title: "Check results",
    facts: [
      ["Search root", run.search_root],
      ["Started", run.created_at.replace("T", " ").replace(/\.\d+Z$/, " UTC")],
      ["Took", `${(run.duration_ms / 1000).toFixed(1)} s`],
      ["Program", `atomsmith ${run.version}`],
      ...(run.comparison === null ? [] : [["Compared with", run.comparison.baseline] as [string, string]]),
    ],
    statuses: [
      { key: "error", label: "could not be judged", badge: "ERROR", tone: "warn" },
      { key: "fail", label: "failed", badge: "FAIL", tone: "bad" },
      { key: "pass", label: "passed", badge: "PASS", tone: "good" },
    ],
    notices: [...doubtNotices(run), ...comparisonNotices(run)],
    entries,
    noun: { one: "item", many: "items" },
  });
}

function doubtNotices(run: ReportRun): { tone: Tone; text: string }[] {
  const notice = (mark: "unverified" | "outdated", what: string) => {
    const n = run.items.filter((item) => item[mark]).length;
    return n === 0 ? [] : [{ tone: "warn" as const, text: `${n} of ${run.items.length} sets were ${what}` }];
  };
  return [
    ...notice("unverified", "run unverified: nothing proves that the atoms are right."),
    ...notice("outdated", "run outdated: the page changed since the atoms were accepted."),
  ];
}

function comparisonNotices(run: ReportRun): { tone: Tone; text: string }[] {
  if (run.comparison === null) return [];
  const count = (change: Change) =>
    run.comparison?.items.filter((item) => item.change === change).length ?? 0;
  const failing = count("newly_failing");
  const gone = run.comparison.items.filter((item) => item.change === "gone").map((item) => item.item_id);
  const text = `Since the earlier run: ${failing} newly failing, ${count("newly_passing")} newly passing, ${count("changed")} with changed evidence, ${count("new")} new, ${gone.length} gone${gone.length > 0 ? ` (${truncate(gone.join(", "), 300).text})` : ""}.`;
  return [{ tone: failing > 0 ? "bad" : "quiet", text }];
}

const CHANGE_TAGS: Partial<Record<Change, PageTag>> = {
  newly_failing: { text: "newly failing", tone: "bad" },
  newly_passing: { text: "newly passing", tone: "good" },
  changed: { text: "changed", tone: "quiet" },
  new: { text: "new", tone: "quiet" },
};

function entryOf(item: ReportItem, run: ReportRun, comparison: ItemComparison | undefined): PageEntry {
  const change = comparison === undefined ? undefined : CHANGE_TAGS[comparison.change];
  return {
    id: item.result.item_id,
    status: item.result.outcome,
    kind: item.result.type === null ? "" : checkWords(item),
    headline: headline(item, run.search_root, { comparison }),
    description: item.config?.description ?? "",
    tags: [
      ...marksOf(item).map((text) => ({ text, tone: "warn" }) as const),
      ...(change === undefined ? [] : [change]),
    ],
    durationMs: item.result.duration_ms,
    blocks: [
      ...diagnosisBlocks(item, run),
      ...changeBlocks(comparison),
      ...evidenceBlocks(item, run),
      ...unusedBlock(item),
      ...configBlocks(item),
      ...declaredBlock(item),
      ...searchedBlock(item, run),
    ],
  };
}

/** The author's declarations about the page, with their quotes. */
function declaredBlock({ declared }: ReportItem): PageBlock[] {
  if (declared.length === 0) return [];
  const items = declared.map((line) => truncate(line, SHOWN.textBytes).text);
  return [{ kind: "list", title: "Declared, with quotes from the page", items, code: false }];
}

/** Each pattern, and what it matched. */
function patternBlock({ result, config }: ReportItem): PageBlock[] {
  const patterns = config?.requirements.pattern_items ?? [];
  if (patterns.length === 0) return [];
  const title = "Patterns";
  if (result.result === null)
    return [{ kind: "list", title, items: patterns.slice(0, SHOWN.files), code: true }];
  const rows = patternMatches(result.result, config).map(({ pattern, matched }) => [
    pattern,
    truncate(matched.join(", ") || "nothing", SHOWN.textBytes).text,
  ]);
  return [{ kind: "table", title, header: ["pattern", "matched"], rows: rows.slice(0, SHOWN.files) }];
}

function diagnosisBlocks(item: ReportItem, run: ReportRun): PageBlock[] {
  const titles = { error: "Why it could not be judged", warning: "Warnings", info: "Remarks" } as const;
  const tones = { error: "warn", warning: "quiet", info: "quiet" } as const;
  return (["error", "warning", "info"] as const).flatMap((severity): PageBlock[] => {
    const messages = item.result.diagnostics
      .filter((d) => d.severity === severity)
      .map((d) => ({
        label: d.code,
        text: d.message,
        place:
          d.file === undefined
            ? ""
            : `${shortPath(d.file, run.search_root)}${d.line === undefined ? "" : `:${d.line}`}`,
      }));
    if (messages.length === 0) return [];
    return [{ kind: "messages", title: titles[severity], tone: tones[severity], messages }];
  });
}

function changeBlocks(comparison: ItemComparison | undefined): PageBlock[] {
  if (comparison === undefined || comparison.before === null) return [];
  const list = (title: string, lines: string[]): PageBlock[] =>
    lines.length === 0 ? [] : [{ kind: "list", title, items: lines.slice(0, SHOWN.entries), code: true }];
  return [
    ...list(`New since the earlier run (previous outcome: ${comparison.before})`, comparison.appeared),
    ...list("Gone since the earlier run", comparison.disappeared),
  ];
}

function evidenceBlocks(item: ReportItem, run: ReportRun): PageBlock[] {
  if (item.result.result === null) return [];
  return entryLists(item.result.result, item.config).map((list) => ({
    kind: "evidence",
    title: list.title,
    tone: toneOf(list),
    count: list.entries.length,
    entries: list.entries.slice(0, SHOWN.entries).map((entry) => evidenceOf(entry, item, run)),
    rest: "The JSON document and the log of the item list all of them.",
  }));
}

function toneOf(list: EntryList): Tone {
  if (list.key === "waived") return "quiet";
  const open = list.violates && list.entries.some((entry) => isNote(entry) || entry.severity !== "INFO");
  if (open) return "bad";
  return list.key === "found" && !list.violates ? "good" : "quiet";
}

function evidenceOf(entry: ResultItem | GlobalWaiverNote, item: ReportItem, run: ReportRun): EvidenceEntry {
  const tags: PageTag[] = entry.tag === undefined ? [] : [{ text: entry.tag.slice(1, -1), tone: "quiet" }];
  const text = truncate(entryText(entry), SHOWN.textBytes).text;
  if (isNote(entry)) {
    return {
      text,
      tags,
      place: "",
      notes: [{ label: "Reason:", text: "Global Waiver" }],
      fields: [],
      context: [],
    };
  }
  const notes: EvidenceEntry["notes"] = [];
  if (entry.reason !== undefined) notes.push({ label: "Because", text: entry.reason });
  if (entry.value !== undefined && entry.expected !== undefined) {
    notes.push({ label: "Matches the pattern", text: entry.expected });
  }
  if (entry.waiver_pattern !== undefined) {
    notes.push({ label: "Waived by", text: entry.waiver_pattern });
    notes.push({ label: "Reason:", text: entry.waiver_reason ?? "N/A" });
  }
  const searched = entry.searched_files?.length;
  if (searched !== undefined) {
    notes.push({ label: "Searched in", text: count(searched, "file") });
  }
  const context = contextOf(entry, item);
  if (context.length === 0 && entry.matched_content !== "") {
    notes.push({ label: "Line:", text: truncate(entry.matched_content, SHOWN.textBytes).text });
  }
  return {
    text,
    tags,
    place: placeOf(entry, run.search_root),
    notes,
    fields: Object.entries(entry.parsed_fields).map(([name, value]) => [
      name,
      truncate(typeof value === "string" ? value : JSON.stringify(value), 300).text,
    ]),
    context,
  };
}

function contextOf(entry: ResultItem, item: ReportItem): ContextLine[] {
  const line = entry.line_number;
  if (line === null) return [];
  const excerpt = item.excerpts.find(
    ({ file, startLine, lines }) =>
      file === entry.source_file && line >= startLine && line < startLine + lines.length,
  );
  if (excerpt === undefined) return [];
  const from = Math.max(excerpt.startLine, line - SHOWN.around);
  return excerpt.lines
    .slice(from - excerpt.startLine, line + SHOWN.around + 1 - excerpt.startLine)
    .map((text, i) => ({ number: from + i, text, hit: from + i === line }));
}

function unusedBlock(item: ReportItem): PageBlock[] {
  const unused = item.result.result?.unused_waivers ?? [];
  if (unused.length === 0) return [];
  return [
    {
      kind: "table",
      title: "Waivers that matched nothing",
      header: ["Waiver", "Reason"],
      rows: unused.map((w) => [w.pattern, w.reason]),
    },
  ];
}

function configBlocks(item: ReportItem): PageBlock[] {
  const { config } = item;
  if (config === null) return [];
  const blocks: PageBlock[] = [
    {
      kind: "facts",
      title: "Config",
      facts: [
        ["checker", typeText(item)],
        [
          "requirements.value",
          config.requirements.value === null ? "N/A" : String(config.requirements.value),
        ],
        ["waivers.value", config.waivers.value === null ? "N/A" : String(config.waivers.value)],
        ["input_files", config.input_files.join(", ")],
      ],
    },
  ];
  blocks.push(...patternBlock(item));
  const { waive_items: waivers, waive_reasons: reasons } = config.waivers;
  if (waivers.length > 0) {
    const rows = waivers.slice(0, SHOWN.files).map((pattern, i) => [pattern, reasons[i] ?? "N/A"]);
    blocks.push({ kind: "table", title: "Waivers", header: ["Waiver", "Reason"], rows });
  }
  return blocks;
}

function searchedBlock(item: ReportItem, run: ReportRun): PageBlock[] {
  const files = item.searchedFiles.map((file) => shortPath(file, run.search_root));
  const shown = files.slice(0, SHOWN.files);
  if (files.length > shown.length) shown.push(`… and ${files.length - shown.length} more`);
  return [
    {
      kind: "list",
      title: `Searched: ${count(files.length, "file")}`,
      items: shown,
      code: true,
    },
  ];
}
