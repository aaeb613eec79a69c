// Questions about log lines, with the possible answers as worked examples to paste.
import {
  type ExampleRecord,
  type ExampleText,
  formatExample,
  type WorkedExample,
} from "../../../spec/example.ts";
import type { GivenUp } from "../../types.ts";
import { VALUE } from "../examples/instances.ts";
import type { LineCluster } from "../logs/clusters.ts";
import type { LineKind } from "../logs/decide.ts";
import type { LogText, Place } from "../logs/places.ts";

/** A worked example with one record of these texts; with null, a `none` example. */
export function exampleOf(
  lines: readonly string[],
  anchor: number,
  texts: ReadonlyMap<string, string> | null,
): WorkedExample {
  const text = lines.join("\n");
  if (texts === null) return { text, records: [] };
  const plainText = (content: string): ExampleText => ({ text: content, number: false, composed: false });
  const fields = new Map(
    [...texts].filter(([name]) => name !== VALUE).map(([name, content]) => [name, plainText(content)]),
  );
  const record: ExampleRecord = {
    value: plainText(texts.get(VALUE) ?? ""),
    line: lines.length > 1 ? anchor + 1 : null,
    fields,
  };
  return { text, records: [record] };
}

export type Question = Pick<GivenUp, "reasons" | "questions" | "lines" | "blocks">;

/** A worked example as a block to paste. */
export function exampleBlock(example: WorkedExample): { kind: "example"; content: string } {
  return { kind: "example", content: formatExample(example) };
}

/** Lines that a question about a page without examples shows, and characters of a shown line. */
const MAX_SHOWN_LINES = 12;
const MAX_SHOWN_CHARS = 200;

/** Asks which of several readings of a line is right. */
export function askLine(
  place: Place,
  readings: readonly (ReadonlyMap<string, string> | null)[],
  kinds: readonly LineKind[],
  logs: readonly LogText[],
): Question {
  const { lines, anchor } = linesOf(place, kinds, logs);
  const examples = readings.map((reading) => exampleOf(lines, anchor, reading));
  const where = `\`${logs[place.file]?.path ?? ""}:${place.line + 1}\``;
  const open = kinds.filter(({ verdict }) => verdict === "open");
  const count = open.reduce((sum, kind) => sum + kind.lines.length, 0);
  const kindsText = open.length === 1 ? "one kind" : `${open.length} kinds`;
  const more = count > 1 ? ` ${count} lines of ${kindsText} are undecided.` : "";
  const isAmbiguous = readings.every((reading) => reading !== null);
  return {
    reasons: [
      isAmbiguous
        ? `The line of an example contains a text of its record more than once; ${where} has different texts at these places.`
        : `Readings that agree with all examples differ on ${where}: is it a record?${more}`,
    ],
    questions: [
      "Which of these blocks is correct? Paste it into section 1 of the page (edit it if necessary), or pass it with `resume --example FILE`.",
    ],
    blocks: examples.map(exampleBlock),
  };
}

/** The lines that a question shows: from the first to the last line with a part of the record. */
export function linesOf(
  place: Place,
  kinds: readonly LineKind[],
  logs: readonly LogText[],
): { lines: string[]; anchor: number } {
  const candidate = kinds
    .flatMap(({ lines }) => lines)
    .find(({ file, line }) => file === place.file && line === place.line);
  const all = logs[place.file]?.lines ?? [];
  const lineNumbers = [place.line, ...(candidate?.placed.keys() ?? [])];
  const [first, last] = [Math.min(...lineNumbers), Math.max(...lineNumbers)];
  return { lines: all.slice(first, last + 1), anchor: place.line - first };
}

/** Asks which log a page is about whose section 4.1 names none.
 * @param patterns file patterns of section 4.1 */
export function askLog(heads: NonNullable<Question["lines"]>, patterns: readonly string[]): Question {
  return {
    reasons: [
      patterns.length === 0
        ? "Section 4.1 has no file pattern in backticks."
        : `No file below the search root matches ${patterns.map((pattern) => `\`${pattern}\``).join(", ")}.`,
    ],
    questions: [
      "Which log is the page about? Add its path or a pattern in backticks to section 4.1, or a worked example from it to section 1; `atomsmith label` creates one from any log below the search root.",
    ],
    lines: heads.map((head) => ({ ...head, text: head.text.trim().slice(0, MAX_SHOWN_CHARS) })),
  };
}

/** Asks which line is a record, for a page without examples. */
export function askFirst(clusters: readonly LineCluster[], logs: readonly LogText[]): Question {
  const shown = clusters.slice(0, MAX_SHOWN_LINES);
  const more = clusters.length - shown.length;
  const [first] = shown;
  return {
    reasons: ["The page has no worked example."],
    questions: [
      `Which line is a record? The kinds of lines of the logs are listed below, the most frequent first${more > 0 ? ` (${more} more are not shown)` : ""}. Add one line with its value and fields to section 1 as in the block, or mark it with \`atomsmith label\`.`,
    ],
    lines: shown.map(({ line, file, at, count }) => ({
      file: logs[file]?.path ?? "",
      line: at + 1,
      count,
      text: line.trim().slice(0, MAX_SHOWN_CHARS),
    })),
    blocks: [exampleBlock(exampleOf([first?.line ?? ""], 0, new Map([[VALUE, ""]])))],
  };
}
