// Large logs checked in ranges by several machines: which logs may be split, how a range is read, and how ranges are
// joined. The joined extraction has exactly the records of a single reading; if a range has any diagnostic, the log is
// read as a whole instead.
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

/** Maximum ranges of one log, and their minimum size. */
const MAX_RANGES = 256;
export const RANGE_BYTES = 64 * 2 ** 20;

/** The payload of a job for one range of a log. */
export const rangeSchema = z.object({
  /** Absolute. */
  path: z.string(),
  from: z.int(),
  to: z.int(),
  first: z.int(),
  lead: z.int(),
  /** Size and modification time of the file when it was split. */
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
  /** Minimum size of a log to be split, bytes. */
  fromBytes: number;
  /** For tests: replace RANGE_BYTES and PART_BYTES. */
  rangeBytes?: number;
  partBytes?: number;
}

/** The ranges of each input of a set that is large enough and can be split. None unless the set is accepted and proved
 * line-local. `onUnsplittable` is called for large inputs that cannot be split. */
export async function splitInputs(
  dir: string,
  options: SplitOptions,
  guard: PathGuard,
  onUnsplittable: (path: string) => void,
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
  // Smaller logs are kept in memory as a whole.
  const minBytes = Math.max(options.fromBytes, options.partBytes === undefined ? HELD_BYTES + 1 : 0);
  return files.flatMap((path) => {
    const size = Bun.file(path).size;
    if (size < minBytes) return [];
    const ranges = rangesOf(path, size, reading.config.witnesses ?? [], options);
    if (ranges === undefined) onUnsplittable(path);
    return ranges === undefined || ranges.length < 2 ? [] : [ranges];
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
  const minBytes = rangeBytes ?? Math.max(RANGE_BYTES, Math.ceil(size / MAX_RANGES));
  const plan = planRanges(path, partBytes, minBytes);
  if (plan === undefined) return undefined;
  const file = { path, size: plan.identity.size, mtime: String(plan.identity.mtimeNs) };
  return plan.ranges.map(({ from, to, first, lead }) => {
    return { ...file, from, to, first, lead, part_bytes: partBytes, witnesses: [...witnesses] };
  });
}

/** The extraction of one range. Line numbers are relative to the range. */
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

/** Reads one range, or returns the reason why the log must be read as a whole. Throws the signal's reason. */
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
  const [diagnostic] = [...found.diagnostics, ...witness.diagnostics];
  if (diagnostic !== undefined) return diagnostic.message;
  // A single reading would decode the whole log as Latin-1, also ranges that are valid UTF-8.
  if (found.encoding === "latin-1") return "the log is not UTF-8";
  const { size, mtimeNs } = found.identity;
  if (size !== range.size || String(mtimeNs) !== range.mtime) return "the log changed since it was split";
  if (!found.read || found.end === null) return "the range was not read to its end";
  return { path: found.path, items: found.items, lineEnds: found.lineEnds, end: found.end };
}

/** Joins the ranges of one log, in order, to the extraction of the whole; undefined if it could differ from a single
 * reading.
 * @param path of the log on this machine, links resolved */
export function joinRanges(path: string, ranges: readonly RangeRecords[]): FileExtraction | undefined {
  const items: ParsedItem[] = [];
  let lines = 0;
  for (const range of ranges) {
    for (const item of range.items) {
      const own = relocated(path, range.path, item);
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

/** A record from a machine where the log has another path; undefined if other fields contain that path. */
function relocated(path: string, from: string, item: ParsedItem): ParsedItem | undefined {
  if (path === from) return item;
  const { source_file, ...rest } = item;
  if (source_file !== from || JSON.stringify(rest).includes(JSON.stringify(from).slice(1, -1)))
    return undefined;
  return { ...item, source_file: path };
}
