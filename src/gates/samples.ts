// Samples: parts of the observed logs with records that are small enough to be run many times.
import type { ParsedItem } from "../contract/atoms.ts";
import type { LoadedText } from "../logio/text.ts";
import type { AtomRuns } from "./atom-runs.ts";
import { LineIndex } from "./grounding.ts";

/** An observed log with the records that Atom A found in it. */
export interface Observation {
  log: LoadedText;
  records: ParsedItem[];
}

export interface Sample {
  /** Path of the log, as given to the atom. */
  path: string;
  text: string;
  records: ParsedItem[];
  /** The sample is the whole log. */
  whole: boolean;
}

export const SAMPLE_CHARS = 24 * 1024;
const LAST_RESORT_CHARS = 256 * 1024;
const MAX_SAMPLES = 3;
/** Lines of context kept around a record. */
const CONTEXT = 30;

/** Up to three samples from different logs, those with the most records first. */
export async function takeSamples(observations: readonly Observation[], runs: AtomRuns): Promise<Sample[]> {
  const useful = observations
    .filter((o) => o.records.length > 0)
    .sort((a, b) => b.records.length - a.records.length);
  const samples: Sample[] = [];
  for (const observation of useful) {
    if (samples.length >= MAX_SAMPLES) break;
    const sample = await takeSample(observation, runs);
    if (sample) samples.push(sample);
  }
  return samples;
}

async function takeSample({ log, records }: Observation, runs: AtomRuns): Promise<Sample | undefined> {
  if (log.text.length <= SAMPLE_CHARS) return { path: log.path, text: log.text, records, whole: true };
  for (const text of excerpts(log.text, records)) {
    const run = await runs.run({
      text,
      sourceFile: log.path,
      gate: "gate4_stability",
      what: `a part of ${log.path}`,
    });
    if (run.ok && run.records.length > 0) return { path: log.path, text, records: run.records, whole: false };
  }
  return undefined;
}

/** Excerpts of a log that may have records, the smallest ones first. */
function* excerpts(text: string, records: readonly ParsedItem[]): Generator<string> {
  const index = new LineIndex(text);
  const lines = records.map((r) => r.line_number).filter((n): n is number => n !== null);
  const first = Math.min(...lines);
  if (Number.isFinite(first)) {
    const upTo = withinChars(index, 1, SAMPLE_CHARS);
    if (upTo > first + 2) yield `${index.slice(1, upTo)}\n`;
    const from = Math.max(1, first - CONTEXT);
    yield `${index.slice(from, withinChars(index, from, SAMPLE_CHARS))}\n`;
    const far = withinChars(index, 1, LAST_RESORT_CHARS);
    if (far > first) yield `${index.slice(1, far)}\n`;
  } else {
    yield `${index.slice(1, withinChars(index, 1, SAMPLE_CHARS))}\n`;
  }
  if (text.length <= LAST_RESORT_CHARS) yield text;
}

/** The last line up to which the lines from `from` have at most `chars` characters; at least `from`. */
function withinChars(index: LineIndex, from: number, chars: number): number {
  const start = index.startOf(from);
  const last = index.lineAt(Math.min(index.text.length, start + chars));
  return Math.max(from, last - 1);
}

/** At most `count` entries, evenly distributed over the list, including the first and the last. */
export function spread<T>(list: readonly T[], count: number): T[] {
  if (list.length <= count) return [...list];
  const out: T[] = [];
  for (let i = 0; i < count; i++) {
    const entry = list[Math.round((i * (list.length - 1)) / (count - 1))];
    if (entry !== undefined) out.push(entry);
  }
  return out;
}
