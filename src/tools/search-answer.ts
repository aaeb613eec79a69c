// The answer of a search: the exact number of matching lines per keyword, the excerpts, and notes on omitted parts.
import type { JsonObject } from "../core/json.ts";
import { MAX_REGEX_LINE, type SearchRead } from "../logio/index.ts";
import { type Answer, jsonBytes, type Refusal, refuse } from "./answer.ts";
import type { ReadContext } from "./read.ts";
import type { SearchArguments, SearchPatterns, ShownExcerpt } from "./search-types.ts";

/** A longer keyword is not repeated in the answer: its beginning and its number in the call identify it. */
const MAX_NAMED = 40;

function named(keyword: string, request: SearchArguments): JsonObject {
  if (keyword.length <= MAX_NAMED) return { keyword };
  return {
    keyword: `${keyword.slice(0, MAX_NAMED)}…`,
    keyword_number: request.keywords.indexOf(keyword) + 1,
  };
}

/** The number of matching lines per keyword, independent of the excerpts shown. */
function countsOf(request: SearchArguments, { keywords }: SearchPatterns, found: SearchRead): JsonObject[] {
  const { maxMatches, askedMatches } = request;
  return keywords.map((keyword, i) => {
    const count = found.counts[i] ?? 0;
    const lowered = askedMatches !== undefined && count > maxMatches;
    return {
      ...named(keyword, request),
      count,
      count_is_total: found.complete,
      ...(lowered ? { asked_for: askedMatches, limit: maxMatches } : {}),
    };
  });
}

function matchOf(excerpt: ShownExcerpt, request: SearchArguments, keywords: string[]): JsonObject {
  const [first, ...others] = excerpt.hits;
  const also = others.map((hit) => ({
    ...named(keywords[hit.pattern] ?? "", request),
    line_number: hit.line,
  }));
  return {
    ...named(keywords[first?.pattern ?? 0] ?? "", request),
    line_number: first?.line ?? excerpt.from,
    start_line: excerpt.from,
    content: excerpt.lines.join("\n"),
    ...(also.length === 0 ? {} : { also }),
  };
}

/** The answer with as many excerpts as fit in the quota. */
export function searchAnswer(
  context: ReadContext,
  request: SearchArguments,
  patterns: SearchPatterns,
  { found, excerpts }: { found: SearchRead; excerpts: ShownExcerpt[] },
): Answer | Refusal {
  const { keywords, bad } = patterns;
  const parts = excerpts.map((excerpt) => matchOf(excerpt, request, keywords));
  const unmatched = keywords.filter((_, i) => (found.counts[i] ?? 0) === 0);
  const fixed: JsonObject = {
    keywords: countsOf(request, patterns, found),
    ...(bad.length === 0
      ? {}
      : { bad_expressions: bad.map(({ pattern, message }) => ({ expression: cut(pattern), message })) }),
    total_matches: found.hits.length,
    not_found: unmatched.map((keyword) => named(keyword, request)["keyword"] ?? ""),
    scanned_bytes: found.scannedBytes,
    complete: found.complete,
    // A file that changed or could not be read to its end has no number of lines.
    ...(found.totalLines === undefined || !found.complete ? {} : { total_lines: found.totalLines }),
  };
  const build = (count: number): JsonObject => {
    const notes = notesOf(request, found, excerpts, count);
    return {
      file_path: context.shown,
      matches: parts.slice(0, count),
      ...fixed,
      ...(notes.length === 0 ? {} : { notes }),
    };
  };
  let count = parts.length;
  while (count > 0 && jsonBytes(build(count)) > context.budget) count -= 1;
  if (jsonBytes(build(count)) > context.budget || (count === 0 && parts.length > 0)) {
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

function cut(text: string): string {
  return text.length <= MAX_NAMED ? text : `${text.slice(0, MAX_NAMED)}…`;
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
  if (found.counts.some((lines) => lines > request.maxMatches)) {
    notes.push(`Of each keyword the first ${request.maxMatches} matching lines are shown, \`count\` is all.`);
  }
  if (found.longLines > 0) {
    notes.push(
      `${found.longLines} lines are very long: only a part of them was tried (${MAX_REGEX_LINE} bytes at most).`,
    );
  }
  if (found.stopped === "time")
    notes.push(`Stopped after ${request.maxTime / 1000} s; the rest was not searched.`);
  if (found.stopped === "limit" || found.stopped === "interrupted")
    notes.push("Stopped; the rest was not searched.");
  if (found.problem !== undefined) notes.push(found.problem.message);
  return notes;
}
