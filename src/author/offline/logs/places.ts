// Where the lines of examples stand in the logs.
import type { Instance } from "../examples/instances.ts";
import type { Rule } from "../examples/rule.ts";

/** A place in the logs. */
/** A log that is looked at. */
export interface LogText {
  path: string;
  lines: readonly string[];
}

export interface Place {
  file: number;
  /** 0-based. */
  line: number;
}

/** Where the lines that count of the examples stand in the logs. */
export function placesOfAll(rules: readonly Rule[], logs: readonly LogText[]): Map<Instance, Place[]> {
  const instances = rules.flatMap((rule) => rule.instances);
  return new Map(
    instances.map((instance) => [
      instance,
      placesOf(instance.lines, logs).map(({ file, line }) => ({ file, line: line + instance.anchor })),
    ]),
  );
}

/** Where lines stand in the logs one below the other, blanks at their ends apart. */
export function placesOf(wanted: readonly string[], logs: readonly LogText[]): Place[] {
  const places: Place[] = [];
  const [first = "", ...rest] = wanted.map((line) => line.trimEnd());
  for (const [file, { lines }] of logs.entries()) {
    for (const [line, text] of lines.entries()) {
      if (
        text.startsWith(first) &&
        text.trimEnd() === first &&
        rest.every((one, k) => lines[line + 1 + k]?.trimEnd() === one)
      ) {
        places.push({ file, line });
      }
    }
  }
  return places;
}
