// Questions to a person: one line of a log, with what may be made of it as worked examples ready to be pasted.
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

/** An example with these texts, or one that says none. */
export function exampleOf(
  lines: readonly string[],
  anchor: number,
  texts: ReadonlyMap<string, string> | null,
): WorkedExample {
  const text = lines.join("\n");
  if (texts === null) return { text, records: [] };
  const plain = (one: string): ExampleText => ({ text: one, number: false, composed: false });
  const fields = new Map(
    [...texts].filter(([name]) => name !== VALUE).map(([name, one]) => [name, plain(one)]),
  );
  const record: ExampleRecord = {
    value: plain(texts.get(VALUE) ?? ""),
    line: lines.length > 1 ? anchor + 1 : null,
    fields,
  };
  return { text, records: [record] };
}

export type Question = Pick<GivenUp, "reasons" | "questions" | "lines" | "blocks">;

/** A worked example as a block to be pasted. */
export function exampleBlock(example: WorkedExample): { kind: "example"; content: string } {
  return { kind: "example", content: formatExample(example) };
}

/** Which of these readings of a line is right? */
export function askLine(
  place: Place,
  readings: readonly (ReadonlyMap<string, string> | null)[],
  kinds: readonly LineKind[],
  logs: readonly LogText[],
): Question {
  const { lines, anchor } = linesOf(place, kinds, logs);
  const examples = readings.map((one) => exampleOf(lines, anchor, one));
  const where = `\`${logs[place.file]?.path ?? ""}:${place.line + 1}\``;
  const open = kinds.filter(({ verdict }) => verdict === "open");
  const count = open.reduce((sum, kind) => sum + kind.lines.length, 0);
  const kindsText = open.length === 1 ? "one kind" : `${open.length} kinds`;
  const more = count > 1 ? ` ${count} lines of ${kindsText} are undecided.` : "";
  const two = readings.every((one) => one !== null);
  return {
    reasons: [
      two
        ? `A text of an example stands in the line more than once, and ${where} reads differently by where it is taken from.`
        : `Readings that agree with all examples differ on ${where}: is it a record?${more}`,
    ],
    questions: [
      "Which of these blocks is right? Paste it into section 1 of the page (correct it where it is wrong), or hand it in with `resume --example FILE`.",
    ],
    blocks: examples.map(exampleBlock),
  };
}

/** The lines that a question shows: the line itself, up to those on which its parts stand. */
export function linesOf(
  place: Place,
  kinds: readonly LineKind[],
  logs: readonly LogText[],
): { lines: string[]; anchor: number } {
  const candidate = kinds
    .flatMap(({ lines }) => lines)
    .find(({ file, line }) => file === place.file && line === place.line);
  const all = logs[place.file]?.lines ?? [];
  const at = [place.line, ...(candidate?.placed.keys() ?? [])];
  const [first, last] = [Math.min(...at), Math.max(...at)];
  return { lines: all.slice(first, last + 1), anchor: place.line - first };
}

/** Kinds of lines that a question shows. */
const SHOWN = 12;

/** Which log is meant? For a page whose section 4.1 leads to none. */
export function askLog(heads: NonNullable<Question["lines"]>, tried: readonly string[]): Question {
  return {
    reasons: [
      tried.length === 0
        ? "Section 4.1 shows no file pattern in backticks."
        : `No file below the search root matches ${tried.map((one) => `\`${one}\``).join(", ")}.`,
    ],
    questions: [
      "Which log is the page about? Write its path or a pattern in backticks into section 4.1, or put a worked example from it into section 1; `atomsmith label` makes one from any log below the search root.",
    ],
    lines: heads.map((head) => ({ ...head, text: head.text.trim().slice(0, SHOWN_CHARS) })),
  };
}

/** Which line is a record? For a page without an example. */
export function askFirst(clusters: readonly LineCluster[], logs: readonly LogText[]): Question {
  const shown = clusters.slice(0, SHOWN);
  const more = clusters.length - shown.length;
  const [first] = shown;
  return {
    reasons: ["The page has no worked example."],
    questions: [
      `Which line is a record? Below are the kinds of lines of the logs, most frequent first${more > 0 ? ` (${more} more are not shown)` : ""}. Put one line with its value and fields into section 1 as in the block, or mark it with \`atomsmith label\`.`,
    ],
    lines: shown.map(({ line, file, at, count }) => ({
      file: logs[file]?.path ?? "",
      line: at + 1,
      count,
      text: line.trim().slice(0, SHOWN_CHARS),
    })),
    blocks: [exampleBlock(exampleOf([first?.line ?? ""], 0, new Map([[VALUE, ""]])))],
  };
}

/** Characters of a line in a list of lines. */
const SHOWN_CHARS = 200;
