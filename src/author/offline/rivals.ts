// Other places for the texts of the examples that are about as likely: which one a heading row names, and a line that
// reads otherwise.
import { isName, VALUE } from "./examples/instances.ts";
import type { Rule } from "./examples/rule.ts";
import type { LineKind } from "./logs/decide.ts";
import { gridOf } from "./logs/grid.ts";
import type { LogText } from "./logs/places.ts";
import { type Place, placesOfAll } from "./logs/places.ts";
import { type Candidate, scanLogs } from "./logs/scan.ts";

/** How one way to place the texts of the examples reads the logs. */
export interface LooseReading {
  texts: Map<string, Candidate>;
  /** Lines in which a part is its own name, as in a heading row. */
  names: number;
}

export function readingOf(rules: readonly Rule[], logs: readonly LogText[]): LooseReading {
  const texts = new Map<string, Candidate>();
  let names = 0;
  for (const rule of rules) {
    const places = placesOfAll([rule], logs);
    const fields = rule.instances.flatMap(({ placed }) =>
      [...placed.values()]
        .flatMap((spans) => [...spans.keys()])
        .flatMap((name) => (name === VALUE ? [] : [name.toLowerCase().slice(0, 4)])),
    );
    for (const candidate of scanLogs(rule, logs, gridOf(rule, logs, places))) {
      const line = logs[candidate.file]?.lines[candidate.line]?.toLowerCase() ?? "";
      if (fields.some((name) => line.includes(name))) {
        for (const [name, text] of candidate.texts) if (isName(name, text)) names += 1;
      }
      if (candidate.cost <= LOOSE) texts.set(`${candidate.file}:${candidate.line}`, candidate);
    }
  }
  return { texts, names };
}

const LOOSE = 4;
/** Share of the records that another reading has to read as well. */
const RIVAL = 0.95;

/** A line whose parts read otherwise when the texts of the examples are placed in another way that is as likely. */
export function twoReadings(
  kinds: readonly LineKind[],
  rivals: readonly LooseReading[],
): { place: Place; readings: ReadonlyMap<string, string>[] } | undefined {
  const records = kinds.filter(({ verdict }) => verdict === "record").flatMap(({ lines }) => lines);
  for (const { texts } of rivals) {
    const read = records.filter(({ file, line }) => texts.has(`${file}:${line}`));
    if (read.length < records.length * RIVAL) continue;
    for (const { file, line, texts: own } of read) {
      const other = texts.get(`${file}:${line}`)?.texts ?? new Map<string, string>();
      if ([...own].every(([name, text]) => other.get(name) === text)) continue;
      return { place: { file, line }, readings: [own, other] };
    }
  }
  return undefined;
}
