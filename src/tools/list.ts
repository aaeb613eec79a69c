// Discovery: the best matches of the patterns below the search root, with exact totals.
import { lstatSync, realpathSync } from "node:fs";
import { extname, join } from "node:path";
import type { JsonObject } from "../core/json.ts";
import type { ParsedGlob } from "../files/glob.ts";
import type { PathGuard } from "../files/guard.ts";
import { openLog, sniffCompression } from "../logio/index.ts";
import { type Answer, countFitting, jsonBytes, type Refusal } from "./answer.ts";
import {
  byPath,
  extensionsBelow,
  firstMatches,
  type Match,
  type Matches,
  type MatchLimits,
} from "./matches.ts";
import { compilePattern } from "./patterns.ts";

export interface ListRequest extends MatchLimits {
  /** The requested number of files, which may be more than `maxFiles`. */
  askedFiles: number | undefined;
  patterns: string[];
  /** Values of `${NAME}` in patterns: absolute directories. */
  variables: ReadonlyMap<string, string>;
}

export async function listFiles(
  guard: PathGuard,
  request: ListRequest,
  budget: number,
): Promise<Answer | Refusal> {
  const globs: ParsedGlob[] = [];
  for (const written of request.patterns) {
    const pattern = compilePattern(written, guard, request.variables);
    if (!pattern.ok) return pattern;
    globs.push(pattern.glob);
  }
  const deeper = deeperGlobs(request.patterns, guard, request.variables);
  const matches = await firstMatches(guard, [...globs, ...deeper.map(({ glob }) => glob)], request);
  const { found, notes: fallbacks } = withDeeper(matches, globs.length, deeper);
  const chosen = fairShare(found.kept, request.maxFiles);
  const files = chosen.flatMap((match) => describe(guard, match));
  const notes = [...fallbacks, ...(await notesOf(found, request, guard))];
  return answer(guard, request, found, { files, notes, budget });
}

/** A pattern without a slash, and its form that matches at any depth. */
interface Deeper {
  pattern: number;
  written: string;
  glob: ParsedGlob;
}

function deeperGlobs(
  patterns: readonly string[],
  guard: PathGuard,
  variables: ReadonlyMap<string, string>,
): Deeper[] {
  return patterns.flatMap((pattern, index) => {
    if (pattern.includes("/") || pattern.startsWith("${")) return [];
    const written = `**/${pattern}`;
    const deep = compilePattern(written, guard, variables);
    return deep.ok ? [{ pattern: index, written, glob: deep.glob }] : [];
  });
}

/** For a pattern without matches at the root, replaces them by those at any depth; otherwise only counts these. Notes
 * report both, so that the author uses the right glob in `input_files`. */
function withDeeper(
  matches: Matches,
  own: number,
  deeper: readonly Deeper[],
): { found: Matches; notes: string[] } {
  const found = {
    ...matches,
    kept: matches.kept.slice(0, own),
    perPattern: matches.perPattern.slice(0, own),
  };
  const notes: string[] = [];
  const counted = new Set(found.kept.keys());
  for (const [index, { pattern, written }] of deeper.entries()) {
    const number = own + index;
    if (found.perPattern[pattern] === 0) {
      const count = matches.perPattern[number] ?? 0;
      if (count === 0) continue;
      counted.add(number);
      found.perPattern[pattern] = count;
      found.kept[pattern] = (matches.kept[number] ?? []).map((match) => ({ ...match, pattern }));
      notes.push(`Nothing at the root matches; these match ${written}.`);
    } else {
      const count = countFiles(matches, (globs) => globs.includes(number) && !globs.includes(pattern));
      if (count > 0) notes.push(`${count} more below the root match ${written}.`);
    }
  }
  found.total = countFiles(matches, (globs) => globs.some((glob) => counted.has(glob)));
  return { found, notes };
}

/** Number of files whose matching patterns satisfy a predicate. */
function countFiles(matches: Matches, predicate: (globs: number[]) => boolean): number {
  let count = 0;
  for (const [group, files] of matches.together) if (predicate(group.split(",").map(Number))) count += files;
  return count;
}

function answer(
  guard: PathGuard,
  request: ListRequest,
  found: Matches,
  content: { files: { shown: string; real: string; data: JsonObject }[]; notes: string[]; budget: number },
): Answer {
  const { files, notes, budget } = content;
  const perPattern: JsonObject = {};
  request.patterns.forEach((pattern, i) => {
    perPattern[pattern] = found.perPattern[i] ?? 0;
  });
  const build = (count: number): JsonObject => ({
    files: files.slice(0, count).map((file) => file.data),
    total_found: found.total,
    truncated: count < found.total || found.stopped !== undefined,
    ...(request.patterns.length > 1 ? { found_per_pattern: perPattern } : {}),
    ...(notes.length === 0 && count === files.length
      ? {}
      : { notes: count < files.length ? [...notes, "The quota allows no more files."] : notes }),
  });
  const fixed = jsonBytes(build(0)) + 64;
  const count = countFitting(
    files.map((file) => file.data),
    fixed,
    budget,
  );
  return {
    ok: true,
    data: build(count),
    observed: [],
    discovered: files.slice(0, count).map((file) => [file.shown, file.real]),
    summary: `${request.patterns.join(" ")}: ${count} of ${found.total} files below ${guard.root}`,
  };
}

async function notesOf(found: Matches, request: ListRequest, guard: PathGuard): Promise<string[]> {
  const notes: string[] = [];
  if (found.stopped === "enough") notes.push("Stopped early as asked: there may be more files.");
  const { askedFiles, maxFiles } = request;
  if (askedFiles !== undefined && askedFiles > maxFiles && found.total > maxFiles)
    notes.push(`${askedFiles} files were asked for, a call returns at most ${maxFiles}.`);
  if (found.stopped === "time")
    notes.push(`Stopped after ${request.maxTime / 1000} s: there may be more files.`);
  if (found.stopped === "interrupted") notes.push("Interrupted: there may be more files.");
  const { links, special, unreadable } = found.skipped;
  if (links > 0) notes.push(`${links} matching links lead nowhere or out of the search root.`);
  if (special > 0) notes.push(`${special} matching pipes, sockets or devices were left out.`);
  if (unreadable > 0) notes.push(`${unreadable} folders or names could not be read.`);
  if (found.total === 0) {
    const kinds = [...(await extensionsBelow(guard))]
      .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
      .slice(0, 8);
    notes.push(
      kinds.length === 0
        ? "There are no files below the search root."
        : `Nothing matches. There are: ${kinds.map(([kind, count]) => `${count} × ${kind}`).join(", ")}.`,
    );
  }
  return notes;
}

/** Chooses at most `limit` files: an equal share for every pattern, the remainder to earlier patterns. Sorted by pattern
 * and path. */
function fairShare(kept: Match[][], limit: number): Match[] {
  const chosen = new Map<string, Match>();
  const share = Math.max(1, Math.floor(limit / Math.max(1, kept.length)));
  for (const perPattern of [share, limit]) {
    for (const matches of kept) {
      for (const match of matches.slice(0, perPattern)) {
        if (chosen.size < limit && !chosen.has(match.path)) chosen.set(match.path, match);
      }
    }
  }
  return [...chosen.values()].sort((a, b) => a.pattern - b.pattern || byPath(a, b));
}

const TYPES: Record<string, string> = {
  ".log": "log",
  ".rpt": "report",
  ".v": "netlist",
  ".vg": "netlist",
  ".sv": "netlist",
  ".spef": "spef",
  ".sdc": "constraints",
  ".yaml": "config",
  ".yml": "config",
  ".json": "config",
};

/** Description of a file for the author; empty if it was removed or is no longer below the search root. */
function describe(guard: PathGuard, match: Match): { shown: string; real: string; data: JsonObject }[] {
  const seen = lookAt(guard, join(guard.root, match.path));
  if (seen === undefined) return [];
  const name = match.path.replace(/\.(gz|zst|bz2|xz)$/i, "");
  const data: JsonObject = {
    path: match.path,
    size: seen.size,
    type: TYPES[extname(name).toLowerCase()] ?? "unknown",
  };
  if (seen.compression !== "plain") data["compression"] = seen.compression;
  return [{ shown: match.path, real: seen.real, data }];
}

/** Facts about a file below the search root: from the open file or, without permission to open it, from its directory
 * entry. */
function lookAt(
  guard: PathGuard,
  path: string,
): { real: string; size: number; compression: string } | undefined {
  const opened = openLog(path, (real) => guard.allows(real));
  try {
    if (opened.ok) {
      const head = new Uint8Array(10);
      const compression = sniffCompression(head.subarray(0, opened.file.readAt(head, 0)));
      return { real: opened.file.path, size: opened.file.identity.size, compression };
    }
    if (opened.diagnostic.code !== "input_unreadable") return undefined;
    const real = realpathSync(path);
    return guard.allows(real) ? { real, size: lstatSync(real).size, compression: "plain" } : undefined;
  } catch {
    return undefined;
  } finally {
    if (opened.ok) opened.file.close();
  }
}
