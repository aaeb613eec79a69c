// Which logs an item is about: the files of section 4.1 that have the examples, and the files beside them that do.
import { atAnyDepth, escapeGlob } from "../../../files/glob.ts";
import { codeSpans } from "../../../spec/blocks.ts";
import type { LogFolder } from "../../../tools/log-folder.ts";
import type { LogText } from "./places.ts";
import { placesOf } from "./places.ts";

/** Logs that are read for one item, and their characters in all. */
const MAX_FILES = 200;
const MAX_CHARS = 64 * 2 ** 20;
/** Other files that are looked through for an example that stands in none of those. */
const MAX_OTHER_FILES = 400;
const MAX_OTHER_CHARS = 64 * 2 ** 20;

export interface ChosenLogs {
  logs: (LogText & { real: string })[];
  /** Globs under the search root that mean these files. */
  globs: string[];
  /** What was left out, for people. */
  notes: string[];
}

/** File patterns that section 4.1 shows in backticks. */
export function filePatterns(section: string): string[] {
  return [...new Set(codeSpans(section).map((text) => text.trim()))].filter(
    (text) => /[.*/]/.test(text) && !/\s/.test(text) && /[\p{L}\p{N}]/u.test(text),
  );
}

/** @param wanted log texts of the examples with records */
export async function chooseLogs(
  section: string,
  wanted: readonly string[],
  folder: LogFolder,
): Promise<ChosenLogs> {
  const notes: string[] = [];
  const read = new Map<string, (LogText & { real: string }) | undefined>();
  let chars = 0;
  const open = async (path: string, limit: number): Promise<(LogText & { real: string }) | undefined> => {
    if (read.has(path) || chars >= limit) return read.get(path);
    const input = await folder.read(path);
    if (input === undefined) notes.push(`${path} cannot be read and was left out.`);
    else chars += input.text.length;
    const log = input && { path, real: input.path, lines: input.text.split("\n") };
    read.set(path, log);
    return log;
  };
  const has = (log: LogText, text: string): boolean => placesOf(text.split("\n"), [log]).length > 0;

  const groups: { glob: string; logs: (LogText & { real: string })[] }[] = [];
  for (const pattern of filePatterns(section)) {
    const glob = atAnyDepth(pattern);
    const { paths, more } = await folder.list(glob);
    if (more || paths.length > MAX_FILES)
      notes.push(`${pattern} means more than ${MAX_FILES} files; the first were read.`);
    const logs: (LogText & { real: string })[] = [];
    for (const path of paths.slice(0, MAX_FILES)) {
      const log = await open(path, MAX_CHARS);
      if (log !== undefined) logs.push(log);
      else if (chars >= MAX_CHARS)
        notes.push(`${path} was not read: the logs have more than ${MAX_CHARS} characters.`);
    }
    if (logs.length > 0) groups.push({ glob, logs });
  }
  const holding = groups.filter(({ logs }) => logs.some((log) => wanted.some((text) => has(log, text))));
  const named = holding.length > 0 ? holding : groups;
  const missing = wanted.filter((text) => !groups.some(({ logs }) => logs.some((log) => has(log, text))));
  const found = await elsewhere(missing, folder, (path) => open(path, MAX_CHARS + MAX_OTHER_CHARS), has);
  if (holding.length < groups.length && holding.length > 0) {
    const left = groups.filter((group) => !holding.includes(group)).map(({ glob }) => glob);
    notes.push(`No example stands in the files of ${left.join(", ")}: they were left out.`);
  }
  const logs = [
    ...new Map([...named.flatMap((group) => group.logs), ...found].map((log) => [log.path, log])).values(),
  ];
  return {
    logs,
    globs: [...named.map(({ glob }) => glob), ...found.map(({ path }) => escapeGlob(path))],
    notes,
  };
}

/** Files that are shown when nothing says which log is meant. */
const MAX_SHOWN = 20;

/** The first files below the search root, each with its first line that is not blank. */
export async function logHeads(folder: LogFolder): Promise<{ file: string; line: number; text: string }[]> {
  const heads: { file: string; line: number; text: string }[] = [];
  for (const file of (await folder.list()).paths) {
    if (heads.length >= MAX_SHOWN) break;
    const lines = (await folder.read(file))?.text.split("\n") ?? [];
    const at = lines.findIndex((line) => line.trim() !== "");
    if (at >= 0) heads.push({ file, line: at + 1, text: lines[at] ?? "" });
  }
  return heads;
}

/** Files that section 4.1 does not show, for examples that stand in none of its files. */
async function elsewhere(
  missing: readonly string[],
  folder: LogFolder,
  open: (path: string) => Promise<(LogText & { real: string }) | undefined>,
  has: (log: LogText, text: string) => boolean,
): Promise<(LogText & { real: string })[]> {
  const found = new Map<string, LogText & { real: string }>();
  if (missing.length === 0) return [];
  const { paths } = await folder.list();
  for (const path of paths.slice(0, MAX_OTHER_FILES)) {
    const log = await open(path);
    if (log !== undefined && missing.some((text) => has(log, text))) found.set(path, log);
  }
  return [...found.values()];
}
