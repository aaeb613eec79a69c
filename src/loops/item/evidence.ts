// The logs an item was proved on: the files its author's tools read. Their content stands in the manifest, is
// what the gates run on, and decides later whether the item is still up to date.
import { relative, sep } from "node:path";
import type { Config } from "../../config/schema.ts";
import type { ParsedItem } from "../../contract/atoms.ts";
import { parsedItemSchema } from "../../contract/atoms.ts";
import type { Manifest } from "../../contract/manifest.ts";
import { hashJson } from "../../core/hash.ts";
import { isJsonObject, type JsonValue } from "../../core/json.ts";
import { inputsOfConfig } from "../../gates/set-context.ts";
import type { LoadedText } from "../../logio/text.ts";
import { summarizeExtraction } from "../../runtime/index.ts";
import type { ExtractionShapes } from "../../runtime/summary.ts";
import { saveStageOutput } from "./item-store.ts";
import { readToolsSnapshot } from "./prepare.ts";
import type { ItemServices } from "./services.ts";
import type { ItemState } from "./state.ts";

/** Absolute paths of the files of which the author saw at least one line, sorted. */
export function observedFiles(state: ItemState): string[] {
  const seen = state.tool_quota === null ? [] : readToolsSnapshot(state.tool_quota).observed;
  return [...new Set([...seen.map((text) => text.path), ...state.named_logs])].sort();
}

/** Files at most that a person's config adds to the evidence. */
const MAX_NAMED_LOGS = 50;

/** Logs that the `input_files` of a config mean, absolute; none for a config that cannot be read (the gates say
 * so). Whoever wrote atoms by hand proves them on these, also when no author ever read a log. */
export async function logsNamedBy(configText: string, searchRoot: string, config: Config): Promise<string[]> {
  const found = await inputsOfConfig(configText, searchRoot, config.paths.variables);
  return found.files.slice(0, MAX_NAMED_LOGS);
}

/** The observed logs after L1. One that cannot be read whole is left out and said so. */
export async function observedLogs(state: ItemState, services: ItemServices): Promise<LoadedText[]> {
  const logs: LoadedText[] = [];
  for (const path of observedFiles(state)) {
    const reading = await services.reader.read(path);
    if (reading.ok) logs.push(reading.input);
    else {
      const message = `evidence left out: ${reading.diagnostic.message}`;
      services.emit({ type: "log", level: "warning", message });
    }
  }
  return logs;
}

/** The `evidence` member of the manifest: paths relative to the search root, with `/`. */
export function evidenceOf(logs: readonly LoadedText[], searchRoot: string): Manifest["evidence"] {
  return logs
    .map((log) => ({
      path: relative(searchRoot, log.path).split(sep).join("/"),
      sha256: log.sha256,
      bytes: log.bytes,
    }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** One hash for the names and the content of the logs. */
export function hashOfLogs(logs: readonly LoadedText[], searchRoot: string): string {
  return hashJson(evidenceOf(logs, searchRoot));
}

export interface ObservedRecords {
  /** Records that fit the schema. */
  items: ParsedItem[];
  /** Names and types of all records, also of those that break the schema elsewhere: a repair of a value or a line
   * number leaves the fields as they are, and the logic that was written for them holds. */
  shapes: ExtractionShapes;
}

/** Runs Atom A over the observed logs in the sandbox. An atom that fails gives no records; the gates report why. */
export async function extractObserved(
  atomA: string,
  logs: readonly LoadedText[],
  services: ItemServices,
): Promise<ObservedRecords> {
  const session = await services.sandbox.open({ name: "atom_a.js", source: atomA });
  try {
    const outcomes = await session.callMany(
      "extract_context",
      logs.map((log) => [log.text, log.path]),
    );
    const items: ParsedItem[] = [];
    const readable: ParsedItem[] = [];
    outcomes.forEach((outcome, i) => {
      if (!outcome.ok || !Array.isArray(outcome.value)) return;
      for (const record of outcome.value) {
        const parsed = parsedItemSchema.safeParse(record);
        if (parsed.success) items.push(parsed.data as ParsedItem);
        const item = parsed.success
          ? (parsed.data as ParsedItem)
          : readableRecord(record, logs[i]?.path ?? "");
        if (item !== undefined) readable.push(item);
      }
    });
    return { items, shapes: summarizeExtraction(readable) };
  } finally {
    await session.close();
  }
}

/** What a record that breaks the schema shows of its value and fields; undefined when it is no object. */
function readableRecord(record: JsonValue, path: string): ParsedItem | undefined {
  if (!isJsonObject(record)) return undefined;
  const { value = "", parsed_fields: fields = null } = record;
  return {
    value: typeof value === "string" ? value : JSON.stringify(value),
    source_file: path,
    line_number: null,
    matched_content: "",
    parsed_fields: isJsonObject(fields) ? fields : {},
  };
}

/** Records kept for reports, and lines of context on either side. */
const SHOWN = { records: 50, around: 2 };

/** `stage_outputs/extraction.json`: the first records beside the log lines they stand in, for people. */
export async function saveRecords(
  state: ItemState,
  items: readonly ParsedItem[],
  logs: readonly LoadedText[],
  services: ItemServices,
): Promise<void> {
  const lines = new Map(logs.map((log) => [log.path, log.text.split("\n")]));
  await saveStageOutput(services.store, "extraction", {
    timestamp: services.now(),
    total: items.length,
    records: items.slice(0, SHOWN.records).map((item) => {
      const first = Math.max(1, (item.line_number ?? 0) - SHOWN.around);
      const last = item.line_number === null ? 0 : item.line_number + SHOWN.around;
      return {
        value: item.value,
        file: relative(state.search_root, item.source_file),
        line_number: item.line_number,
        parsed_fields: item.parsed_fields,
        context: { start_line: first, lines: (lines.get(item.source_file) ?? []).slice(first - 1, last) },
      };
    }),
  });
}
