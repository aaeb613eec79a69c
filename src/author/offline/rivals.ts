// Compares hypotheses that place the texts of the examples differently and are about equally likely: which one agrees
// with the names in heading rows, and which line they read differently.
import { isName, VALUE } from "./examples/instances.ts";
import type { Rule } from "./examples/rule.ts";
import type { LineKind } from "./logs/decide.ts";
import { inferGrid } from "./logs/grid.ts";
import { anchorPlaces, type LogText, type Place } from "./logs/places.ts";
import { type Candidate, scanLogs } from "./logs/scan.ts";

/** How the rules of a hypothesis read the logs, before any line is judged. */
export interface LooseReading {
  /** Lines that resemble the examples, by `file:line`. */
  candidates: Map<string, Candidate>;
  /** Number of parts whose text is their own name, as in a heading row. */
  names: number;
}

/** Reads the logs with the rules of a hypothesis. */
export function readLoosely(rules: readonly Rule[], logs: readonly LogText[]): LooseReading {
  const candidates = new Map<string, Candidate>();
  let names = 0;
  for (const rule of rules) {
    const places = anchorPlaces([rule], logs);
    // A cheap test before the parts of a line are located: it contains the beginning of a field name.
    const prefixes = rule.instances.flatMap(({ placed }) =>
      [...placed.values()]
        .flatMap((spans) => [...spans.keys()])
        .flatMap((name) => (name === VALUE ? [] : [name.toLowerCase().slice(0, 4)])),
    );
    for (const candidate of scanLogs(rule, logs, inferGrid(rule, logs, places))) {
      const line = logs[candidate.file]?.lines[candidate.line]?.toLowerCase() ?? "";
      if (prefixes.some((prefix) => line.includes(prefix))) {
        for (const [name, text] of candidate.texts) if (isName(name, text)) names += 1;
      }
      if (candidate.cost <= MAX_LOOSE_COST) candidates.set(`${candidate.file}:${candidate.line}`, candidate);
    }
  }
  return { candidates, names };
}

const MAX_LOOSE_COST = 4;
/** Share of the records that a rival hypothesis must read, too. */
const MIN_RIVAL_SHARE = 0.95;

/** A record whose parts have other texts under a rival hypothesis. */
export function findAmbiguousLine(
  kinds: readonly LineKind[],
  rivals: readonly LooseReading[],
): { place: Place; readings: ReadonlyMap<string, string>[] } | undefined {
  const records = kinds.filter(({ verdict }) => verdict === "record").flatMap(({ lines }) => lines);
  for (const { candidates } of rivals) {
    const shared = records.filter(({ file, line }) => candidates.has(`${file}:${line}`));
    if (shared.length < records.length * MIN_RIVAL_SHARE) continue;
    for (const { file, line, texts } of shared) {
      const rivalTexts = candidates.get(`${file}:${line}`)?.texts ?? new Map<string, string>();
      if ([...texts].every(([name, text]) => rivalTexts.get(name) === text)) continue;
      return { place: { file, line }, readings: [texts, rivalTexts] };
    }
  }
  return undefined;
}
