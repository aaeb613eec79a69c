// The tool that searches a file for several keywords in one pass and shows the lines around the matches.
import {
  keywordMatcher,
  readLines,
  regexMatcher,
  regexTest,
  type SearchHit,
  type SearchRead,
  searchText,
} from "../logio/index.ts";
import { type Answer, type Refusal, refuse } from "./answer.ts";
import { MAX_LINE_BYTES, type ReadContext } from "./read.ts";
import { searchAnswer } from "./search-answer.ts";
import type { Excerpt, SearchArguments, SearchPatterns, ShownExcerpt } from "./search-types.ts";

export async function searchFile(context: ReadContext, request: SearchArguments): Promise<Answer | Refusal> {
  const patterns = await compilePatterns(request);
  const { matcher, excludes } = patterns;
  if (matcher === undefined) {
    const [first] = patterns.bad;
    const instead = "RE2 syntax has no back references and no look-around; or search without regex.";
    const what = `"${first?.pattern.slice(0, 80)}": ${first?.message}`;
    return refuse("bad_regex", `Not a usable regular expression: ${what}`, instead);
  }
  const { indexes, mayRead, signal } = context;
  const found = await searchText(context.real, matcher, {
    maxMatches: request.maxMatches,
    countAll: true,
    contextLines: request.contextLines,
    maxLineBytes: MAX_LINE_BYTES,
    maxTime: request.maxTime,
    indexes,
    mayRead,
    ...(excludes === undefined ? {} : { exclude: excludes }),
    ...(signal === undefined ? {} : { signal }),
  });
  if (!found.ok) return refuse(found.diagnostic.code, found.diagnostic.message, "Look at another file.");
  const excerpts = mergeContexts(found.hits, request.contextLines);
  const shown = await fillExcerpts(context, found, excerpts);
  return searchAnswer(context, request, patterns, { found, excerpts: shown });
}

async function compilePatterns({
  keywords,
  exclude,
  regex,
  caseSensitive,
}: SearchArguments): Promise<SearchPatterns> {
  const distinct = [...new Set(keywords)];
  if (!regex) {
    const matcher = keywordMatcher(distinct, { caseSensitive });
    const excludes = exclude.length === 0 ? undefined : literalTest(exclude, caseSensitive);
    return { keywords: distinct, matcher, excludes, bad: [] };
  }
  const included = await regexMatcher(distinct, { caseSensitive });
  const excluded = await regexTest(exclude, { caseSensitive });
  const bad = new Set(included.bad.map(({ pattern }) => pattern));
  return {
    keywords: distinct.filter((keyword) => !bad.has(keyword)),
    matcher: included.matcher,
    excludes: exclude.length === 0 ? undefined : excluded.test,
    bad: [...included.bad, ...excluded.bad],
  };
}

function literalTest(texts: string[], caseSensitive: boolean): (line: string) => boolean {
  const any = texts.map((text) => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")).join("|");
  const pattern = new RegExp(any, caseSensitive ? "u" : "iu");
  return (line) => pattern.test(line);
}

/** Merges overlapping and adjacent contexts. */
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

/** Adds the text of the excerpts, up to the maximum lines of one call. */
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
    // Hits beyond the maximum number of lines are not shown.
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
  const { indexes, mayRead, signal } = context;
  const options = {
    from,
    to,
    maxLineBytes: MAX_LINE_BYTES,
    indexes,
    mayRead,
    ...(signal === undefined ? {} : { signal }),
  };
  const read = await readLines(context.real, options);
  return read.ok ? read.lines : [];
}
