// The tool that searches a file for several keywords in one pass and shows the lines around the matches.
import type { JsonObject } from "../core/json.ts";
import {
  keywordMatcher,
  type RegexMatcherResult,
  readLines,
  regexMatcher,
  type SearchHit,
  type SearchRead,
  searchText,
} from "../logio/index.ts";
import { type Answer, jsonBytes, type Refusal, refuse } from "./answer.ts";
import { MAX_LINE_BYTES, type ReadContext } from "./read.ts";

export interface SearchArguments {
  keywords: string[];
  contextLines: number;
  maxMatches: number;
  /** Keywords are regular expressions. */
  regex: boolean;
  /** Milliseconds for the whole pass. */
  maxTime: number;
}

/** Lines that belong together because the contexts of their matches touch. */
interface Excerpt {
  from: number;
  to: number;
  hits: SearchHit[];
}

export async function searchFile(context: ReadContext, request: SearchArguments): Promise<Answer | Refusal> {
  // The same keyword twice is one keyword.
  const keywords = [...new Set(request.keywords)];
  const made = await makeMatcher(keywords, request.regex);
  if (!made.ok) {
    const instead = "RE2 syntax has no back references and no look-around; or search without regex.";
    return refuse("bad_regex", `Not a usable regular expression: ${made.message}`, instead);
  }
  const matcher = made.matcher;
  const { indexes, signal } = context;
  const found = await searchText(context.real, matcher, {
    maxMatches: request.maxMatches,
    contextLines: request.contextLines,
    maxLineBytes: MAX_LINE_BYTES,
    maxTime: request.maxTime,
    indexes,
    ...(signal === undefined ? {} : { signal }),
  });
  if (!found.ok) return refuse(found.diagnostic.code, found.diagnostic.message, "Look at another file.");
  const excerpts = mergeContexts(found.hits, request.contextLines);
  const shown = await fillExcerpts(context, found, excerpts);
  return answer(context, request, keywords, found, shown);
}

async function makeMatcher(keywords: string[], regex: boolean): Promise<RegexMatcherResult> {
  return regex ? await regexMatcher(keywords) : { ok: true, matcher: keywordMatcher(keywords) };
}

/** Overlapping and touching contexts become one. Hits are in order of line. */
function mergeContexts(hits: SearchHit[], around: number): Excerpt[] {
  const excerpts: Excerpt[] = [];
  for (const hit of [...hits].sort((a, b) => a.line - b.line || a.pattern - b.pattern)) {
    const from = Math.max(1, hit.line - around);
    const last = excerpts.at(-1);
    if (last !== undefined && from <= last.to + 1) {
      last.to = hit.line + around;
      last.hits.push(hit);
    } else excerpts.push({ from, to: hit.line + around, hits: [hit] });
  }
  return excerpts;
}

interface ShownExcerpt extends Excerpt {
  lines: string[];
}

/** The text of the excerpts, within the lines that one call may return. */
async function fillExcerpts(
  context: ReadContext,
  found: SearchRead,
  excerpts: Excerpt[],
): Promise<ShownExcerpt[]> {
  const shown: ShownExcerpt[] = [];
  let room = context.maxLines;
  for (const excerpt of excerpts) {
    if (room <= 0) break;
    const to = Math.min(excerpt.to, excerpt.from + room - 1);
    const lines = linesFrom(found.lines, excerpt.from, to) ?? (await readAgain(context, excerpt.from, to));
    // A hit that the room cut away is not shown.
    const hits = excerpt.hits.filter((hit) => hit.line < excerpt.from + lines.length);
    if (hits.length === 0) break;
    shown.push({ from: excerpt.from, to: excerpt.from + lines.length - 1, hits, lines });
    room -= lines.length;
  }
  return shown;
}

function linesFrom(known: Map<number, string>, from: number, to: number): string[] | undefined {
  const lines: string[] = [];
  for (let line = from; line <= to; line += 1) {
    const text = known.get(line);
    if (text === undefined) return undefined;
    lines.push(text);
  }
  return lines;
}

async function readAgain(context: ReadContext, from: number, to: number): Promise<string[]> {
  const { indexes, signal } = context;
  const options = {
    from,
    to,
    maxLineBytes: MAX_LINE_BYTES,
    indexes,
    ...(signal === undefined ? {} : { signal }),
  };
  const read = await readLines(context.real, options);
  return read.ok ? read.lines : [];
}

function answer(
  context: ReadContext,
  request: SearchArguments,
  keywords: string[],
  found: SearchRead,
  excerpts: ShownExcerpt[],
): Answer | Refusal {
  const matchOf = (excerpt: ShownExcerpt): JsonObject => {
    const [first, ...others] = excerpt.hits;
    const also = others.map((hit) => ({ keyword: keywords[hit.pattern] ?? "", line_number: hit.line }));
    return {
      keyword: keywords[first?.pattern ?? 0] ?? "",
      line_number: first?.line ?? excerpt.from,
      start_line: excerpt.from,
      content: excerpt.lines.join("\n"),
      ...(also.length === 0 ? {} : { also }),
    };
  };
  const parts = excerpts.map(matchOf);
  const build = (count: number): JsonObject => {
    const notes = notesOf(request, found, excerpts, count);
    return {
      file_path: context.shown,
      matches: parts.slice(0, count),
      total_matches: found.hits.length,
      not_found: keywords.filter((_, i) => !found.hits.some((hit) => hit.pattern === i)),
      scanned_bytes: found.scannedBytes,
      complete: found.complete,
      ...(found.totalLines === undefined ? {} : { total_lines: found.totalLines }),
      ...(notes.length === 0 ? {} : { notes }),
    };
  };
  let count = parts.length;
  while (count > 0 && jsonBytes(build(count)) + 64 > context.budget) count -= 1;
  if (jsonBytes(build(count)) + 64 > context.budget || (count === 0 && parts.length > 0)) {
    return refuse(
      "quota_exhausted",
      "What is left of the quota does not hold a single match.",
      "Ask with fewer context_lines.",
    );
  }
  return {
    ok: true,
    data: build(count),
    observed: excerpts
      .slice(0, count)
      .map(({ from, lines }) => ({ path: found.path, startLine: from, lines })),
    summary: `search_in_file ${context.shown} ${keywords.join(" | ").slice(0, 80)}: ${found.hits.length} matches`,
  };
}

function notesOf(
  request: SearchArguments,
  found: SearchRead,
  excerpts: ShownExcerpt[],
  count: number,
): string[] {
  const notes: string[] = [];
  const shown = excerpts.slice(0, count).reduce((sum, excerpt) => sum + excerpt.hits.length, 0);
  if (shown < found.hits.length) {
    notes.push(
      `${found.hits.length - shown} matches are not shown (limit of lines or bytes); use fewer context_lines.`,
    );
  }
  const full = new Map<number, number>();
  for (const hit of found.hits) full.set(hit.pattern, (full.get(hit.pattern) ?? 0) + 1);
  if ([...full.values()].some((hits) => hits >= request.maxMatches)) {
    notes.push(
      `A keyword is not followed beyond ${request.maxMatches} matching lines: there may be more of them.`,
    );
  }
  if (found.stopped === "time")
    notes.push(`Stopped after ${request.maxTime / 1000} s; the rest was not searched.`);
  if (found.stopped === "limit" || found.stopped === "interrupted")
    notes.push("Stopped; the rest was not searched.");
  if (found.problem !== undefined) notes.push(found.problem.message);
  return notes;
}
