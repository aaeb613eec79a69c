// Chooses the logs of an item: the files that section 4.1 names and that contain the examples, and other files that
// contain an example.
import { atAnyDepth, escapeGlob } from "../../../files/glob.ts";
import { codeSpans } from "../../../spec/blocks.ts";
import type { LogFolder } from "../../../tools/log-folder.ts";
import { type LogText, placesOf } from "./places.ts";

/** Limits for the named logs of an item: files per pattern, and characters in total. */
const MAX_FILES = 200;
const MAX_CHARS = 64 * 2 ** 20;
/** Limits for other files, which are searched for examples that no named log contains. */
const MAX_OTHER_FILES = 400;
const MAX_OTHER_CHARS = 64 * 2 ** 20;

export interface ChosenLog extends LogText {
  /** Absolute path. */
  real: string;
}

export interface ChosenLogs {
  logs: ChosenLog[];
  /** Globs under the search root that match these files. */
  globs: string[];
  /** What was not read or left out, one sentence each. */
  notes: string[];
}

/** File patterns among the code spans of section 4.1. */
export function filePatterns(section: string): string[] {
  return [...new Set(codeSpans(section).map((text) => text.trim()))].filter(
    (text) => /[.*/]/.test(text) && !/\s/.test(text) && /[\p{L}\p{N}]/u.test(text),
  );
}

/** Reads logs once, up to a total size. */
class LogReader {
  readonly notes: string[] = [];
  readonly #folder: LogFolder;
  readonly #read = new Map<string, ChosenLog | undefined>();
  #chars = 0;

  constructor(folder: LogFolder) {
    this.#folder = folder;
  }

  /** A log; undefined if it is unreadable or the limit of characters is reached. */
  async read(path: string, maxChars: number): Promise<ChosenLog | undefined> {
    if (this.#read.has(path) || this.isFull(maxChars)) return this.#read.get(path);
    const input = await this.#folder.read(path);
    if (input === undefined) this.notes.push(`${path} cannot be read and was left out.`);
    else this.#chars += input.text.length;
    const log = input && { path, real: input.path, lines: input.text.split("\n") };
    this.#read.set(path, log);
    return log;
  }

  isFull(maxChars: number): boolean {
    return this.#chars >= maxChars;
  }
}

/** The files that match a pattern. */
interface LogGroup {
  glob: string;
  logs: ChosenLog[];
}

/** Chooses the logs of an item.
 * @param examples log texts of the examples with records */
export async function chooseLogs(
  section: string,
  examples: readonly string[],
  folder: LogFolder,
): Promise<ChosenLogs> {
  const reader = new LogReader(folder);
  const groups: LogGroup[] = [];
  for (const pattern of filePatterns(section)) {
    const group = await readGroup(pattern, folder, reader);
    if (group.logs.length > 0) groups.push(group);
  }
  const matching = groups.filter(({ logs }) =>
    logs.some((log) => examples.some((text) => contains(log, text))),
  );
  const chosen = matching.length > 0 ? matching : groups;
  const missing = examples.filter(
    (text) => !groups.some(({ logs }) => logs.some((log) => contains(log, text))),
  );
  const unnamed = await findUnnamedLogs(missing, folder, reader);
  if (chosen.length < groups.length) {
    const omitted = groups.filter((group) => !chosen.includes(group)).map(({ glob }) => glob);
    reader.notes.push(`The files of ${omitted.join(", ")} contain no example and were left out.`);
  }
  const byPath = new Map([...chosen.flatMap(({ logs }) => logs), ...unnamed].map((log) => [log.path, log]));
  return {
    logs: [...byPath.values()],
    globs: [...chosen.map(({ glob }) => glob), ...unnamed.map(({ path }) => escapeGlob(path))],
    notes: reader.notes,
  };
}

function contains(log: LogText, text: string): boolean {
  return placesOf(text.split("\n"), [log]).length > 0;
}

async function readGroup(pattern: string, folder: LogFolder, reader: LogReader): Promise<LogGroup> {
  const glob = atAnyDepth(pattern);
  const { paths, more } = await folder.list(glob);
  if (more || paths.length > MAX_FILES)
    reader.notes.push(`${pattern} matches more than ${MAX_FILES} files; only the first ones were read.`);
  const logs: ChosenLog[] = [];
  for (const path of paths.slice(0, MAX_FILES)) {
    const log = await reader.read(path, MAX_CHARS);
    if (log !== undefined) logs.push(log);
    else if (reader.isFull(MAX_CHARS))
      reader.notes.push(`${path} was not read: the logs have more than ${MAX_CHARS} characters.`);
  }
  return { glob, logs };
}

/** Files that are shown if the log of the page is unknown. */
const MAX_SHOWN = 20;

/** The first files below the search root, each with its first line that is not blank. */
export async function logHeads(folder: LogFolder): Promise<{ file: string; line: number; text: string }[]> {
  const heads: { file: string; line: number; text: string }[] = [];
  for (const file of (await folder.list()).paths) {
    if (heads.length >= MAX_SHOWN) break;
    const lines = (await folder.read(file))?.text.split("\n") ?? [];
    const index = lines.findIndex((line) => line.trim() !== "");
    if (index >= 0) heads.push({ file, line: index + 1, text: lines[index] ?? "" });
  }
  return heads;
}

/** Files that section 4.1 does not name and that contain an example. */
async function findUnnamedLogs(
  examples: readonly string[],
  folder: LogFolder,
  reader: LogReader,
): Promise<ChosenLog[]> {
  if (examples.length === 0) return [];
  const logs: ChosenLog[] = [];
  const { paths } = await folder.list();
  for (const path of paths.slice(0, MAX_OTHER_FILES)) {
    const log = await reader.read(path, MAX_CHARS + MAX_OTHER_CHARS);
    if (log !== undefined && examples.some((text) => contains(log, text))) logs.push(log);
  }
  return logs;
}
