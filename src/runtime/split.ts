// A huge log checked in ranges by several machines: which logs of a set may be cut, what a range gives, and how ranges are
// joined. The joined extraction is that of one reading, record for record; where anything at all is odd about a range, there
// is none, and the log is read as a whole.
import { z } from "zod";
import type { AtomSession, CallLimits } from "../../sandbox/types.ts";
import type { ParsedItem } from "../contract/atoms.ts";
import type { PathGuard } from "../files/guard.ts";
import { expandVariables } from "../files/variables.ts";
import { planRanges } from "../logio/index.ts";
import { WitnessSearch } from "./completeness.ts";
import { extractRange, HELD_BYTES, PART_BYTES } from "./extract-file.ts";
import { findInputs } from "./inputs.ts";
import type { LogPool } from "./log-pool.ts";
import { applyOverrides, type ConfigOverride } from "./override.ts";
import { readItemConfig } from "./read-config.ts";
import { readSet } from "./set-state.ts";
import type { FileExtraction } from "./types.ts";

/** Ranges of one log at most, and their least size. */
const MAX_RANGES = 256;
export const RANGE_BYTES = 64 * 2 ** 20;

/** One range of a log, as a job says it. */
export const rangeSchema = z.object({
  /** Absolute. */
  path: z.string(),
  from: z.int(),
  to: z.int(),
  first: z.int(),
  lead: z.int(),
  /** Of the file, when it was cut. */
  size: z.int(),
  mtime: z.string(),
  part_bytes: z.int(),
  witnesses: z.array(z.string()),
});
export type Range = z.infer<typeof rangeSchema>;

export interface SplitOptions {
  variables: ReadonlyMap<string, string>;
  inputs?: readonly string[];
  overrides: readonly ConfigOverride[];
  /** Logs from this size on are cut, bytes. */
  fromBytes: number;
  /** For tests: other sizes than RANGE_BYTES and PART_BYTES. */
  rangeBytes?: number;
  partBytes?: number;
}

/** The ranges of each input of a set that is large enough and can be cut. None unless the gates proved the accepted set
 * line-local. `whole` is told of large inputs that cannot be cut. */
export async function splitInputs(
  dir: string,
  options: SplitOptions,
  guard: PathGuard,
  whole: (path: string) => void,
): Promise<Range[][]> {
  const set = await readSet(dir);
  if (set.state !== "accepted" || set.manifest.line_local !== true) return [];
  const handwritten = options.overrides.length > 0;
  const text = applyOverrides(set.sources.config, options.overrides);
  const reading = readItemConfig(text, handwritten ? "handwritten" : "generated");
  if (!reading.ok) return [];
  const { files } = options.inputs
    ? { files: options.inputs }
    : await findInputs(globsOf(reading.config.input_files, options.variables), guard);
  // Smaller ones are held as a whole, and cut elsewhere.
  const least = Math.max(options.fromBytes, options.partBytes === undefined ? HELD_BYTES + 1 : 0);
  return files.flatMap((path) => {
    const size = Bun.file(path).size;
    if (size < least) return [];
    const cut = rangesOf(path, size, reading.config.witnesses ?? [], options);
    if (cut === undefined) whole(path);
    return cut === undefined || cut.length < 2 ? [] : [cut];
  });
}

function globsOf(globs: readonly string[], variables: ReadonlyMap<string, string>): string[] {
  return globs.flatMap((glob) => {
    const expansion = expandVariables(glob, variables);
    return expansion.ok ? [expansion.glob] : [];
  });
}

function rangesOf(
  path: string,
  size: number,
  witnesses: readonly string[],
  { rangeBytes, partBytes = PART_BYTES }: SplitOptions,
): Range[] | undefined {
  const least = rangeBytes ?? Math.max(RANGE_BYTES, Math.ceil(size / MAX_RANGES));
  const plan = planRanges(path, partBytes, least);
  if (plan === undefined) return undefined;
  const file = { path, size: plan.identity.size, mtime: String(plan.identity.mtimeNs) };
  return plan.ranges.map(({ from, to, first, lead }) => {
    return { ...file, from, to, first, lead, part_bytes: partBytes, witnesses: [...witnesses] };
  });
}

/** What one range gave. Line numbers begin with the range. */
export interface RangeRecords {
  /** Absolute path on the machine that read it, links resolved. */
  path: string;
  items: ParsedItem[];
  lineEnds: number;
  end: { blank: boolean; witness: boolean; torn: boolean };
}

export interface RangeServices {
  session: AtomSession;
  openWitness: () => Promise<AtomSession>;
  pool: LogPool;
  guard: PathGuard;
  limits: Partial<CallLimits>;
  maxRecords: number;
  parallel: number;
  signal: AbortSignal;
}

/** Reads one range. A text says why it does not count: then the log has to be read as a whole. Throws the signal's reason. */
export async function readRange(
  path: string,
  range: Range,
  services: RangeServices,
): Promise<RangeRecords | string> {
  const { session, openWitness, pool, ...options } = services;
  const witness = new WitnessSearch(range.witnesses, openWitness);
  const found = await extractRange(
    session,
    pool,
    { ...options, lineLocal: true, witness, partBytes: range.part_bytes },
    path,
    range,
  );
  options.signal.throwIfAborted();
  if (!("read" in found)) return found.message;
  const [odd] = [...found.diagnostics, ...witness.diagnostics];
  if (odd !== undefined) return odd.message;
  // One reading decodes the whole log so, also where other ranges are valid UTF-8.
  if (found.encoding === "latin-1") return "the log is not UTF-8";
  const { size, mtimeNs } = found.identity;
  if (size !== range.size || String(mtimeNs) !== range.mtime) return "the log is another one than was cut";
  if (!found.read || found.end === null) return "the range was not read to its end";
  return { path: found.path, items: found.items, lineEnds: found.lineEnds, end: found.end };
}

/** Ranges of one log in their order as the extraction of the whole; undefined where that could differ from one reading.
 * @param path where the log lies here, links resolved */
export function joinRanges(path: string, ranges: readonly RangeRecords[]): FileExtraction | undefined {
  const items: ParsedItem[] = [];
  let lines = 0;
  for (const range of ranges) {
    for (const item of range.items) {
      const own = movedTo(path, range.path, item);
      if (own === undefined) return undefined;
      items.push(own.line_number === null ? own : { ...own, line_number: own.line_number + lines });
    }
    lines += range.lineEnds;
  }
  const end = {
    blank: ranges.every((range) => range.end.blank),
    witness: ranges.some((range) => range.end.witness),
    torn: ranges.at(-1)?.end.torn === true,
  };
  return { path, read: true, items, diagnostics: [], end };
}

/** A record of a machine where the log lies elsewhere; undefined where it names that place in other fields. */
function movedTo(path: string, from: string, item: ParsedItem): ParsedItem | undefined {
  if (path === from) return item;
  const { source_file, ...rest } = item;
  if (source_file !== from || JSON.stringify(rest).includes(JSON.stringify(from).slice(1, -1)))
    return undefined;
  return { ...item, source_file: path };
}
