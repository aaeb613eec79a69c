// Locates the lines of examples in the logs.
import type { Instance } from "../examples/instances.ts";
import type { Rule } from "../examples/rule.ts";

export interface LogText {
  path: string;
  lines: readonly string[];
}

/** A line of a log. */
export interface Place {
  /** Index of the log. */
  file: number;
  /** 0-based. */
  line: number;
}

/** The places of the anchor line of each instance. */
export function anchorPlaces(rules: readonly Rule[], logs: readonly LogText[]): Map<Instance, Place[]> {
  const instances = rules.flatMap((rule) => rule.instances);
  return new Map(
    instances.map((instance) => [
      instance,
      placesOf(instance.lines, logs).map(({ file, line }) => ({ file, line: line + instance.anchor })),
    ]),
  );
}

/** The places at which logs contain a sequence of lines, ignoring blanks at their ends. */
export function placesOf(sequence: readonly string[], logs: readonly LogText[]): Place[] {
  const places: Place[] = [];
  const [first = "", ...rest] = sequence.map((line) => line.trimEnd());
  for (const [file, { lines }] of logs.entries()) {
    for (const [line, text] of lines.entries()) {
      if (
        text.startsWith(first) &&
        text.trimEnd() === first &&
        rest.every((next, k) => lines[line + 1 + k]?.trimEnd() === next)
      ) {
        places.push({ file, line });
      }
    }
  }
  return places;
}
