// The two tools that return lines unchanged: the head of a file, and a range.
import type { JsonObject } from "../core/json.ts";
import { type LineIndexes, type LinesRead, type MayRead, readLines } from "../logio/index.ts";
import { type Answer, countFitting, jsonBytes, type Refusal, refuse } from "./answer.ts";

export interface ReadContext {
  real: string;
  shown: string;
  /** Maximum bytes of the answer. */
  budget: number;
  maxLines: number;
  indexes: LineIndexes;
  mayRead: MayRead;
  signal?: AbortSignal;
}

/** Longer lines are truncated with a mark. */
export const MAX_LINE_BYTES = 2000;
/** Maximum text read for a header, when lines are very long. */
const HEADER_SCAN_BYTES = 2 * 2 ** 20;

/** The first lines; the cost does not depend on the size of the file. */
export async function readHeader(context: ReadContext, asked: number): Promise<Answer | Refusal> {
  const wanted = Math.min(asked, context.maxLines);
  const read = await readLines(context.real, {
    ...optionsOf(context),
    from: 1,
    to: wanted,
    maxScanBytes: HEADER_SCAN_BYTES,
  });
  if (!read.ok) return refuse(read.diagnostic.code, read.diagnostic.message, "Look at another file.");
  const notes = notesOf(read);
  if (asked > wanted && read.more) notes.push(`A call returns at most ${context.maxLines} lines.`);
  if (read.stopped) notes.push("The lines are so long that reading was stopped.");
  return linesAnswer(context, read, notes, "read_file_header", (count) => ({
    lines_read: count,
    file_size: read.size,
    encoding: read.encoding,
    ...(read.lineEnds === null ? {} : { line_ends: read.lineEnds }),
    ...(read.compression === "plain" ? {} : { compression: read.compression }),
    more_follows: read.more || count < read.lines.length,
    ...totalOf(read),
  }));
}

/** The number of lines of the file, if it was counted completely. */
function totalOf(read: LinesRead): JsonObject {
  return read.totalLines === undefined || read.problem !== undefined ? {} : { total_lines: read.totalLines };
}

/** Lines by number. */
export async function readRange(context: ReadContext, start: number, end: number): Promise<Answer | Refusal> {
  if (end < start) {
    return refuse(
      "bad_arguments",
      `end_line ${end} is before start_line ${start}.`,
      "Give the smaller number first.",
    );
  }
  const to = Math.min(end, start + context.maxLines - 1);
  const read = await readLines(context.real, { ...optionsOf(context), from: start, to });
  if (!read.ok) return refuse(read.diagnostic.code, read.diagnostic.message, "Look at another file.");
  if (read.lines.length === 0) {
    const total = read.totalLines === undefined ? "" : ` It has ${read.totalLines} lines.`;
    return refuse("past_the_end", `The file ends before line ${start}.${total}`, "Ask for earlier lines.");
  }
  const notes = notesOf(read);
  if (to < end && read.more) notes.push(`A call returns at most ${context.maxLines} lines.`);
  if (read.lines.length < to - start + 1 && !read.more) notes.push("The file ends here.");
  return linesAnswer(context, read, notes, "read_file_range", (count) => ({
    start_line: start,
    end_line: start + count - 1,
    truncated: start + count - 1 < end && (read.more || count < read.lines.length),
    more_follows: read.more || count < read.lines.length,
    ...totalOf(read),
  }));
}

function optionsOf(context: ReadContext) {
  const { indexes, mayRead, signal } = context;
  return { maxLineBytes: MAX_LINE_BYTES, indexes, mayRead, ...(signal === undefined ? {} : { signal }) };
}

function notesOf(read: LinesRead): string[] {
  const notes: string[] = [];
  if (read.cut > 0) notes.push(`${read.cut} long lines were cut; the mark in them says how long they are.`);
  if (read.problem !== undefined) notes.push(read.problem.message);
  return notes;
}

function linesAnswer(
  context: ReadContext,
  read: LinesRead,
  notes: string[],
  tool: string,
  fields: (count: number) => JsonObject,
): Answer | Refusal {
  const build = (count: number): JsonObject => {
    const allNotes = count < read.lines.length ? [...notes, "The quota allows no more lines."] : notes;
    return {
      file_path: context.shown,
      content: read.lines.slice(0, count).join("\n"),
      ...fields(count),
      ...(allNotes.length === 0 ? {} : { notes: allNotes }),
    };
  };
  // A line costs its JSON without the quotes, and two bytes for the line end.
  const count = countFitting(read.lines, jsonBytes(build(0)) + 64, context.budget);
  if (count === 0 && read.lines.length > 0) {
    return refuse(
      "quota_exhausted",
      "What is left of the quota does not hold a single line.",
      "Work with what you have seen.",
    );
  }
  const shown = read.lines.slice(0, count);
  return {
    ok: true,
    data: build(count),
    observed: [{ path: read.path, startLine: read.startLine, lines: shown }],
    summary: `${tool} ${context.shown} lines ${read.startLine}-${read.startLine + count - 1}`,
  };
}
