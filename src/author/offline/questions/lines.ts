// Questions to a person: one line of a log, with what may be made of it as worked examples ready to be pasted.
import {
  type ExampleRecord,
  type ExampleText,
  formatExampleBlock,
  type WorkedExample,
} from "../../../spec/example.ts";
import { VALUE } from "../examples/instances.ts";
import type { LineCluster } from "../logs/clusters.ts";
import type { LineKind } from "../logs/decide.ts";
import type { Place } from "../logs/places.ts";
import type { LogText } from "../logs/scan.ts";

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

export interface Question {
  reasons: string[];
  questions: string[];
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
  const where = `${logs[place.file]?.path ?? ""}:${place.line + 1}`;
  const open = kinds.filter(({ verdict }) => verdict === "open");
  const count = open.reduce((sum, kind) => sum + kind.lines.length, 0);
  const more = count > 1 ? ` ${count} lines of ${open.length} kinds are undecided.` : "";
  const two = readings.every((one) => one !== null);
  return {
    reasons: [
      two
        ? `A text of an example stands in the line more than once, and ${where} reads differently by where it is taken from.`
        : `Readings that agree with all examples differ on ${where}: is it a record?${more}`,
    ],
    questions: [
      `Paste the block that is right into section 1 of the page, or hand it in with \`resume --example FILE\` (correct it where it is wrong).\n\n${examples.map(formatExampleBlock).join("\n\n")}`,
    ],
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

/** Which line is a record? For a page without an example. */
export function askFirst(
  clusters: readonly LineCluster[],
  logs: readonly LogText[],
  tried: readonly string[],
): Question {
  if (clusters.length === 0) {
    const where =
      tried.length === 0
        ? "Section 4.1 shows no file pattern in backticks."
        : `No file below the search root matches ${tried.join(", ")}.`;
    return {
      reasons: ["The page has no worked example.", where],
      questions: [
        "Write the file pattern in backticks into section 4.1, and a worked example into section 1.",
      ],
    };
  }
  const shown = clusters.slice(0, SHOWN);
  const list = shown.map(
    ({ line, file, at, count }) =>
      `${count} like ${logs[file]?.path}:${at + 1}\n    ${line.trim().slice(0, 200)}`,
  );
  const [first] = shown;
  const block = formatExampleBlock(exampleOf([first?.line ?? ""], 0, new Map([[VALUE, ""]])));
  return {
    reasons: ["The page has no worked example."],
    questions: [
      `Which line is a record? These are the kinds of lines of the logs, most frequent first:\n\n${list.join("\n")}${clusters.length > shown.length ? `\n(and ${clusters.length - shown.length} more kinds)` : ""}`,
      `Put one line with its value and fields into section 1 like this, or use \`atomsmith label\`:\n\n${block}`,
    ],
  };
}
