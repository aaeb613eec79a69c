// Context packs: the description of a project for the model, of bounded size. Compact has the structure of the spec
// without its values; debug adds failures with reasons; full has what the model requested. Packs contain no times and
// no absolute paths, so that a recorded turn can be replayed elsewhere.
import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../../config/schema.ts";
import { fenceData } from "../../conversation/fence.ts";
import { isJsonObject, type JsonValue } from "../../core/json.ts";
import { truncate } from "../../core/limits.ts";
import { PathGuard } from "../../files/guard.ts";
import { relevantRuns } from "./artifacts.ts";
import type { ContextRequests } from "./directive.ts";
import { type ProjectReader, REPORTS } from "./folder.ts";
import { pointerOf } from "./patches.ts";
import type { Pipeline } from "./pipeline/types.ts";
import { readIndex } from "./runs.ts";
import type { Question, Run } from "./schemas.ts";
import type { PastTurn } from "./turn-log.ts";

export type PackMode = "compact" | "debug compact" | "full";
export interface Pack {
  mode: PackMode;
  text: string;
}
export type ContextLimits = Config["loops"]["design"];

/** Source data of the packs. */
export interface ContextSource {
  reader: ProjectReader;
  pipeline: Pipeline;
  limits: ContextLimits;
  /** Oldest first. */
  turns: readonly PastTurn[];
  openQuestions: readonly Question[];
}

/** Size of the markers around a pack, bytes. */
const MARKER_BYTES = 80;
/** Maximum size of one line about a turn or a failure, bytes. */
const LINE_BYTES = 600;

/** The first pack of a turn: compact, or debug compact if the last run or one of its checks failed. */
export function firstPack(source: ContextSource): Pack {
  const { reader, limits } = source;
  const runs = relevantRuns(
    reader.runIds().map((id) => reader.run(id)),
    limits.runs,
  );
  const last = runs[0];
  const debug =
    last !== undefined && (last.status !== "ok" || last.stages.some(({ failures }) => failures.length > 0));
  const spec = reader.latestVersion();
  const sections: Section[] = [
    { title: "Project", share: 0.05, lines: [`${reader.project.name}, spec version ${spec.version}`] },
    { title: "Outline of the spec", share: 0.4, lines: outline(spec.spec) },
    { title: "Runs, newest first", share: 0.2, lines: runs.flatMap(runLines) },
    { title: "Waiting for the person", share: 0.15, lines: waitingLines(reader, source.openQuestions) },
    { title: "Last turns", share: 0.2, lines: turnLines(source.turns.slice(-limits.turns)) },
  ];
  if (!debug) return buildPack("compact", "context", sections, limits.compact_chars);
  const more = [
    { title: "What failed", share: 0.4, lines: failureLines(last) },
    { title: "Files of the last run", share: 0.1, lines: fileLines(source, last) },
  ];
  const smaller = sections.map((section) => ({ ...section, share: section.share / 2 }));
  return buildPack("debug compact", "context", [...smaller, ...more], limits.debug_chars);
}

/** The pack that a model requested. */
export function fullPack(source: ContextSource, requests: ContextRequests): Pack {
  const { reader, limits, pipeline } = source;
  const reportText = (path: string): string[] => [reader.text(path) ?? "there is none"];
  const sections: Omit<Section, "share">[] = [];
  const add = (wanted: boolean, title: string, lines: () => string[]): void => {
    if (wanted) sections.push({ title, lines: lines() });
  };
  add(requests.need_full_spec, "The whole spec", () => [
    JSON.stringify(reader.latestVersion().spec, null, 1),
  ]);
  add(requests.need_last_run_report, "Report of the last run", () => lastReport(reader));
  add(requests.need_validity_report, "Validity report", () => {
    const stage = pipeline.validityStage;
    const run = reader.runIds().findLast((id) => reader.run(id).stages.some(({ name }) => name === stage));
    return stage === null || run === undefined
      ? ["there is none"]
      : reportText(join("runs", run, stage, "report.json"));
  });
  const networkPaths = requests.need_network_artifact ? networkFiles(reader) : [];
  add(requests.need_network_artifact && networkPaths.length === 0, "Network artifacts", () => [
    "there are none",
  ]);
  for (const path of new Set([...networkPaths, ...requests.need_specific_files])) {
    add(true, `File ${path}`, () => [fileText(reader, path, limits.file_chars)]);
  }
  add(requests.need_more_history, "All turns", () => turnLines(source.turns));
  add(requests.need_more_history, "All runs", () =>
    reader
      .runIds()
      .reverse()
      .flatMap((id) => runLines(reader.run(id))),
  );
  const share = 1 / Math.max(1, sections.length);
  return buildPack(
    "full",
    "what was asked for",
    sections.map((section) => ({ ...section, share })),
    limits.full_chars,
  );
}

interface Section {
  title: string;
  /** Minimum share of the pack; unused space is given to sections that need more. */
  share: number;
  lines: readonly string[];
}

function buildPack(mode: PackMode, label: string, sections: readonly Section[], chars: number): Pack {
  const room = Math.max(0, chars - MARKER_BYTES);
  const texts = sections.map(({ title, lines }) => `## ${title}\n${lines.join("\n") || "nothing"}`);
  const shares = sections.map(({ share }) => Math.floor(share * room));
  const spare = texts.reduce(
    (sum, text, i) => sum + Math.max(0, (shares[i] ?? 0) - Buffer.byteLength(text) - 2),
    0,
  );
  const overflowing = texts.filter((text, i) => Buffer.byteLength(text) + 2 > (shares[i] ?? 0)).length;
  const extra = Math.floor(spare / Math.max(1, overflowing));
  const truncated = texts.map((text, i) => truncate(text, Math.max(0, (shares[i] ?? 0) - 2 + extra)).text);
  return { mode, text: fenceData(label, truncate(truncated.join("\n\n"), room).text) };
}

/** Maximum number of lines of an outline, and of names of one object. */
const OUTLINE_LINES = 2_000;
const OUTLINE_NAMES = 40;

/** The structure of a value: a line for every object and array with the names or number of its members, and the types
 * of the other values. Contains no values. */
export function outline(spec: JsonValue): string[] {
  const lines: string[] = [];
  const queue: { tokens: (string | number)[]; value: JsonValue }[] = [{ tokens: [], value: spec }];
  for (let next = queue.shift(); next !== undefined && lines.length < OUTLINE_LINES; next = queue.shift()) {
    const { tokens, value } = next;
    const at = pointerOf(tokens) || "(the spec)";
    if (Array.isArray(value)) {
      lines.push(`${at}: array of ${value.length}`);
      if (value.some((entry) => typeof entry === "object" && entry !== null)) {
        for (const [i, entry] of value.slice(0, OUTLINE_NAMES).entries())
          queue.push({ tokens: [...tokens, i], value: entry });
      }
    } else if (isJsonObject(value)) {
      const names = Object.keys(value);
      const shown = names.slice(0, tokens.length === 1 ? names.length : OUTLINE_NAMES);
      const omitted = names.length > shown.length ? `, … ${names.length - shown.length} more` : "";
      lines.push(`${at}: {${shown.map((name) => `${name}: ${typeName(value[name])}`).join(", ")}${omitted}}`);
      for (const name of shown) {
        const member = value[name];
        if (typeof member === "object" && member !== null)
          queue.push({ tokens: [...tokens, name], value: member });
      }
    }
  }
  if (queue.length > 0) lines.push(`… ${queue.length} more objects and arrays are not shown`);
  return lines;
}

function typeName(value: JsonValue | undefined): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function runLines(run: Run): string[] {
  const metrics = run.stages.flatMap(({ name, metrics }) =>
    Object.entries(metrics).map(([key, value]) => `${name}.${key}=${shortText(JSON.stringify(value), 80)}`),
  );
  return [
    `${run.run_id}: ${run.status}, until ${run.until}, spec version ${run.spec_version}; ${run.stages.map(({ name, status, failures }) => `${name} ${status}${failures.length === 0 ? "" : ` (${failures.length} failures)`}`).join(", ")}`,
    ...(metrics.length === 0 ? [] : [`  figures: ${shortText(metrics.join(", "), LINE_BYTES)}`]),
  ];
}

function failureLines(run: Run): string[] {
  const failures = run.stages.flatMap(({ name, failures: own }) =>
    own.map((failure) => ({ stage: name, ...failure })),
  );
  return [
    ...run.stages
      .filter(({ status }) => status === "failed" || status === "timeout" || status === "interrupted")
      .map(({ name, status }) => `stage ${name}: ${status}`),
    ...failures.map(({ stage, name, reason }) => `${stage}: ${name}: ${shortText(reason, LINE_BYTES)}`),
  ];
}

function fileLines({ reader }: ContextSource, run: Run): string[] {
  const index = readIndex(reader.text(join(REPORTS, "artifact_index.json")));
  const files = index.runs.find(({ run_id }) => run_id === run.run_id)?.files ?? [];
  // Without sizes: they depend on the length of times and paths.
  return files.map(({ path }) => path);
}

function waitingLines(reader: ProjectReader, questions: readonly Question[]): string[] {
  const { pending_patch_ids, pending_run } = reader.state;
  const patches = pending_patch_ids.map((id) => {
    const patch = reader.patch(id);
    return `patch ${id}: ${shortText(JSON.stringify(patch.patches), 2 * LINE_BYTES)}`;
  });
  const run =
    pending_run === null
      ? []
      : [`a run until ${pending_run.run_until}: ${shortText(pending_run.reason, LINE_BYTES)}`];
  return [
    ...patches,
    ...run,
    ...questions.map(({ id, question }) => `question ${id}: ${shortText(question, LINE_BYTES)}`),
  ];
}

function turnLines(turns: readonly PastTurn[]): string[] {
  return turns.flatMap(({ turn, message, answer, decisions }) => [
    `turn ${turn}, the person: ${shortText(message, LINE_BYTES)}`,
    `turn ${turn}, you: ${shortText(answer, LINE_BYTES)}`,
    ...decisions.map((decision) => `then the person: ${shortText(decision, LINE_BYTES)}`),
  ]);
}

function lastReport(reader: ProjectReader): string[] {
  const run = reader.lastRun();
  if (run === undefined) return ["there was no run yet"];
  const stages = run.stages.map(({ seconds: _, inputs_hash: __, ...stage }) => stage);
  return [JSON.stringify({ run_id: run.run_id, until: run.until, status: run.status, stages }, null, 1)];
}

/** Artifacts of the last run whose stage or file name marks them as the network. */
function networkFiles(reader: ProjectReader): string[] {
  const index = readIndex(reader.text(join(REPORTS, "artifact_index.json")));
  const files = index.runs.at(-1)?.files ?? [];
  return files.map(({ path }) => path).filter((path) => /network/i.test(path.split("/").slice(2).join("/")));
}

/** A file of the index, if it is text, truncated to the limit. */
function fileText(reader: ProjectReader, path: string, chars: number): string {
  const index = readIndex(reader.text(join(REPORTS, "artifact_index.json")));
  if (!index.runs.some(({ files }) => files.some((file) => file.path === path)))
    return "this file is not in the artifact index";
  const file = reader.path(path);
  const place = new PathGuard(reader.dir).resolve(file);
  if (!place.inside || lstatSync(file, { throwIfNoEntry: false })?.isFile() !== true)
    return "this file is gone";
  const bytes = readFileSync(file);
  if (bytes.includes(0)) return `this file is not text (${bytes.length} bytes)`;
  return truncate(bytes.toString("utf8"), chars).text;
}

function shortText(text: string, bytes: number): string {
  return truncate(text.replace(/\s+/g, " ").trim(), bytes).text;
}
