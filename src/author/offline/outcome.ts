// Outcomes of the offline author that are not programs: examples that contradict each other, and lines to ask about.
import type { WorkedExample } from "../../spec/example.ts";
import type { Rule } from "./examples/rule.ts";
import { LIKE_NONE, type LineKind } from "./logs/decide.ts";
import { type LogText, type Place, placesOf } from "./logs/places.ts";
import type { Misfit } from "./program/fit.ts";
import type { Program } from "./program/program.ts";

export type Outcome =
  | { kind: "program"; program: Program; kinds: LineKind[] }
  /** Examples that do not contain the texts of their records, or that no program can reproduce. */
  | { kind: "contradiction"; message: string; examples: readonly WorkedExample[] }
  /** A line that programs consistent with all examples read differently; null is "not a record". */
  | {
      kind: "question";
      place: Place;
      readings: readonly (ReadonlyMap<string, string> | null)[];
      kinds: readonly LineKind[];
    };

/** Two examples with the same text and different records on the same line of it. */
export function findConflict(examples: readonly WorkedExample[]): WorkedExample[] | undefined {
  const seen = new Map<string, { example: WorkedExample; texts: string }>();
  for (const example of examples) {
    for (const { value, line, fields } of example.records) {
      const recordLine = example.text.includes("\n") ? line : 1;
      if (recordLine === null) continue;
      const key = `${recordLine} ${example.text}`;
      const texts = JSON.stringify([
        value.text,
        ...[...fields].map(([name, { text }]) => [name, text]).sort(),
      ]);
      const other = seen.get(key);
      if (other !== undefined && other.texts !== texts) return [...new Set([other.example, example])];
      seen.set(key, { example, texts });
    }
  }
  return undefined;
}

/** If no program reads all lines as decided: asks about the first of them that no example shows, or reports the
 * examples that contradict each other. */
export function explainMisfits(
  misfits: readonly Misfit[],
  kinds: readonly LineKind[],
  examples: readonly WorkedExample[],
  logs: readonly LogText[],
): Outcome {
  const shown = examples.map((example) => {
    const lines = example.text.split("\n");
    const starts = new Set(placesOf(lines, logs).map(({ file, line }) => `${file}:${line}`));
    const covers = ({ file, line }: Place): boolean =>
      lines.some((_, k) => starts.has(`${file}:${line - k}`));
    return { example, covers };
  });
  const known = new Set(kinds.flatMap(({ lines }) => lines.map(({ file, line }) => `${file}:${line}`)));
  const open = misfits.find((misfit) => {
    const { file, line, texts } = misfit;
    if (shown.some(({ covers }) => covers(misfit))) return false;
    const text = logs[file]?.lines[line] ?? "";
    return known.has(`${file}:${line}`) || [...texts.values()].every((part) => text.includes(part));
  });
  if (open !== undefined)
    return {
      kind: "question",
      place: { file: open.file, line: open.line },
      readings: [open.texts, null],
      kinds,
    };
  const contradictory = shown.filter(({ covers }) => misfits.some(covers)).map(({ example }) => example);
  return {
    kind: "contradiction",
    message: "no program reproduces all of them",
    examples: contradictory.length > 0 ? contradictory : examples,
  };
}

/** The contradiction between a `none` example and the examples with records. */
export function indistinguishable(lines: readonly string[], examples: readonly WorkedExample[]): Outcome {
  const none = examples.filter(({ text, records }) => records.length === 0 && text === lines.join("\n"));
  const records = examples.filter((example) => example.records.length > 0).slice(0, 1);
  return {
    kind: "contradiction",
    message: "a `none` example cannot be distinguished from one with a record",
    examples: [...none, ...records],
  };
}

/** The open kind of line that is most similar to the examples. */
export function closestOpen(kinds: readonly LineKind[]): LineKind | undefined {
  return kinds
    .filter(({ verdict }) => verdict === "open")
    .sort((a, b) => (a.lines[0]?.cost ?? 0) - (b.lines[0]?.cost ?? 0))[0];
}

/** If all examples have different forms, records of further forms may exist: the most similar line is one to ask
 * about. */
export function closestUnseen(rules: readonly Rule[], kinds: readonly LineKind[]): LineKind | undefined {
  if (
    rules.length < 2 ||
    rules.some(({ instances }) => new Set(instances.map(({ lines }) => lines.join("\n"))).size > 1)
  ) {
    return undefined;
  }
  return kinds
    .filter(({ verdict, why }) => verdict === "other" && why !== LIKE_NONE.why)
    .sort((a, b) => (a.lines[0]?.cost ?? 0) - (b.lines[0]?.cost ?? 0))[0];
}

/** The question about the first line of a kind. */
export function askAbout(kind: LineKind, kinds: readonly LineKind[]): Outcome {
  const [candidate] = kind.lines;
  if (candidate === undefined) throw new Error("a kind of line without lines");
  const { file, line } = candidate;
  return { kind: "question", place: { file, line }, readings: [candidate.texts, null], kinds };
}
