// The logs an item was proved on: the files that its author read. The gates run on them; their hashes in the manifest
// decide later whether the item is up to date.
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

/** Maximum number of files that a config written by the user adds to the evidence. */
const MAX_NAMED_LOGS = 50;

/** Absolute paths of the logs that match the `input_files` of a config; empty for an unreadable config, which the
 * gates report. Atoms written by hand are proved on these logs even when no author read any. */
export async function logsNamedBy(configText: string, searchRoot: string, config: Config): Promise<string[]> {
  const inputs = await inputsOfConfig(configText, searchRoot, config.paths.variables);
  return inputs.files.slice(0, MAX_NAMED_LOGS);
}

/** The observed logs after L1. A log that cannot be read completely is omitted with a warning. */
export async function observedLogs(state: ItemState, services: ItemServices): Promise<LoadedText[]> {
  const logs: LoadedText[] = [];
  for (const path of observedFiles(state)) {
    const reading = await services.reader.read(path);
    if (reading.ok) logs.push(reading.input);
    else {
      const message = `evidence omitted: ${reading.diagnostic.message}`;
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
  /** Field names and types of all records, including those that violate the schema elsewhere: a repair of a value or
   * a line number does not change the fields, so the logic written for them stays valid. */
  shapes: ExtractionShapes;
}

/** Runs Atom A over the observed logs in the sandbox. A failing atom yields no records; the gates report why. */
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

/** Value and fields of a record that violates the schema; undefined when it is not an object. */
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

/** Number of records kept for reports, and lines of context before and after each. */
const SHOWN = { records: 50, contextLines: 2 };

/** Writes `stage_outputs/extraction.json`: the first records with their log lines, for reports. */
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
      const first = Math.max(1, (item.line_number ?? 0) - SHOWN.contextLines);
      const last = item.line_number === null ? 0 : item.line_number + SHOWN.contextLines;
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
