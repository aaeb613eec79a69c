// L2 for one file: small texts in one call, large ones in parts if the atom is proved `line_local`, otherwise as a whole
// up to a size limit, beyond which it is an error. The parts depend only on the bytes, not on the number of children, and
// their records are joined in order.
import { type AtomSession, type CallLimits, RawText } from "../../sandbox/types.ts";
import type { ParsedItem } from "../contract/atoms.ts";
import type { Diagnostic } from "../contract/results.ts";
import type { PathGuard } from "../files/guard.ts";
import type { FileIdentity, LogRange, OpenedParts, TextFacts, TextPart } from "../logio/index.ts";
import type { LoadedText } from "../logio/text.ts";
import { AtomFaults, callExtract } from "./atom-calls.ts";
import { BorderProbe } from "./border-probe.ts";
import { EndOfText, type WitnessSearch } from "./completeness.ts";
import type { LogPool } from "./log-pool.ts";
import type { FileExtraction, FileExtractor } from "./types.ts";

export interface FileExtractorOptions {
  /** The gates proved that the records of a text are those of its parts. */
  lineLocal: boolean;
  /** Maximum concurrent calls for one file. */
  parallel: number;
  limits: Partial<CallLimits>;
  /** Maximum records of all files of an item (`check.max_records`). */
  maxRecords: number;
  guard: PathGuard;
  /** Ends the extraction at the next file or part by throwing its reason. */
  signal?: AbortSignal;
  /** Searches the texts for witnesses; absent if the set has none. */
  witness?: WitnessSearch;
  /** Called when a large log is scanned before it is passed to an atom. */
  onInspect?: (path: string) => void;
  onProgress?: (doneBytes: number, totalBytes: number, path: string) => void;
  /** Extractions of large logs whose ranges were read on other machines, by path. */
  joined?: ReadonlyMap<string, FileExtraction>;
  /** For tests: replace HELD_BYTES, WHOLE_BYTES and PART_BYTES. */
  heldBytes?: number;
  wholeBytes?: number;
  partBytes?: number;
}

/** Texts up to this size are kept in memory, also for other items; larger ones are read in blocks. */
export const HELD_BYTES = 32 * 2 ** 20;
/** Texts up to this size are always passed to the atom as a whole. */
const WHOLE_BYTES = 8 * 2 ** 20;
/** Size of a part. Twice the size would be 8 % faster and use 60 MB more; from 1,031,913 characters on, Node stores a
 * text outside its heap and frees it much later. */
export const PART_BYTES = 500_000;
/** Heap of an isolate for parts, 130 times the text. With a larger heap, V8 collects garbage too late. */
export const PART_MEMORY_MB = 64;
/** Garbage collection is forced after this many bytes; otherwise texts of earlier parts accumulate. */
const COLLECT_BYTES = 16 * 2 ** 20;
/** Longest line of a log that is read in parts. */
const MAX_LINE_BYTES = 64 * 2 ** 20;

/** A text in parts: a log that is being read, or a text in memory. */
type PartedText = Pick<OpenedParts, "path" | "fileBytes" | "warnings" | "close"> & {
  parts: AsyncIterable<TextPart> | Iterable<TextPart>;
};

/** Creates the FileExtractor of one item. Faults of the atom are part of the diagnostics of each file. */
export function createFileExtractor(
  session: AtomSession,
  pool: LogPool,
  options: FileExtractorOptions,
): FileExtractor {
  const budget = { records: 0 };
  return async (path) => {
    options.signal?.throwIfAborted();
    const joined = options.joined?.get(path);
    // Over the limit the log is read here, so that records and messages are the same as without ranges.
    if (joined !== undefined && budget.records + joined.items.length <= options.maxRecords) {
      budget.records += joined.items.length;
      return joined;
    }
    const faults = new AtomFaults();
    const file = new FileReader(session, pool, options, faults, budget, path);
    const extraction = await pool.inSlot(() => file.run());
    return { ...extraction, diagnostics: [...extraction.diagnostics, ...faults.diagnostics] };
  };
}

/** The extraction of one range of a log; line numbers are relative to the range. */
export interface RangeExtraction extends FileExtraction {
  identity: FileIdentity;
  lineEnds: number;
  encoding: "utf-8" | "latin-1" | undefined;
}

/** Runs Atom A over one range of an uncompressed log, in the same parts as a reading of the whole log. */
export async function extractRange(
  session: AtomSession,
  pool: LogPool,
  options: FileExtractorOptions,
  path: string,
  range: LogRange,
): Promise<RangeExtraction | Diagnostic> {
  const faults = new AtomFaults();
  const file = new FileReader(session, pool, options, faults, { records: 0 }, path);
  const found = await pool.inSlot(() => file.runRange(range));
  return "read" in found ? { ...found, diagnostics: [...found.diagnostics, ...faults.diagnostics] } : found;
}

class FileReader {
  private readonly session: AtomSession;
  private readonly pool: LogPool;
  private readonly options: FileExtractorOptions;
  private readonly faults: AtomFaults;
  private readonly budget: { records: number };
  private readonly path: string;

  constructor(
    session: AtomSession,
    pool: LogPool,
    options: FileExtractorOptions,
    faults: AtomFaults,
    budget: { records: number },
    path: string,
  ) {
    this.session = session;
    this.pool = pool;
    this.options = options;
    this.faults = faults;
    this.budget = budget;
    this.path = path;
  }

  async run(): Promise<FileExtraction> {
    const small = await this.pool.readUpTo(this.path, this.options.heldBytes ?? HELD_BYTES);
    if (small.ok) return this.extractHeld(small.input);
    if (small.diagnostic.code !== "input_too_large") return this.unread(small.diagnostic);
    if (this.options.lineLocal) {
      const opened = this.pool.parts(this.path, this.partBytes, MAX_LINE_BYTES, this.options.onInspect);
      if (!opened.ok) return this.unread(opened.diagnostic);
      return this.extractParts(opened.log);
    }
    this.options.onInspect?.(this.path);
    const inspected = await this.pool.facts(this.path);
    if (!inspected.ok) return this.unread(inspected.diagnostic);
    const { facts } = inspected;
    if (facts.textBytes > this.pool.maxTextBytes) return this.unread(tooLarge(facts, this.pool.maxTextBytes));
    const large = await this.pool.read(this.path);
    return large.ok ? this.extractWhole(large.input) : this.unread(large.diagnostic);
  }

  async runRange({ from, to, first, lead }: LogRange): Promise<RangeExtraction | Diagnostic> {
    const { pool, path, partBytes, session, faults } = this;
    const probe = new BorderProbe(session, path, this.partLimits, faults, Math.max(0, first - 1));
    if (first > 0) {
      // The previous part belongs to another range; only its end is needed, to probe the border.
      const before = pool.partsOf(path, { from: lead, to: from }, partBytes, MAX_LINE_BYTES);
      if (!before.ok) return before.diagnostic;
      for await (const part of before.log.parts) {
        if (!part.ok) return part.diagnostic;
        await probe.next(part.text, 1);
        part.release();
      }
    }
    const opened = pool.partsOf(path, { from, to }, partBytes, MAX_LINE_BYTES);
    if (!opened.ok) return opened.diagnostic;
    const { log } = opened;
    const found = await this.extractParts(log, probe);
    return { ...found, identity: log.identity, ...log.progress() };
  }

  private get partBytes(): number {
    return this.options.partBytes ?? PART_BYTES;
  }

  /** Extracts from a text in memory. */
  private extractHeld(input: LoadedText): Promise<FileExtraction> {
    const { text, path, warnings } = input;
    if (!this.options.lineLocal || text.length <= (this.options.wholeBytes ?? WHOLE_BYTES))
      return this.extractWhole(input);
    const parts = cutAtLines(text, this.partBytes);
    return this.extractParts({
      path,
      fileBytes: text.length,
      warnings: warnings ?? [],
      parts,
      close: () => {},
    });
  }

  private async extractWhole({ path, text, warnings }: LoadedText): Promise<FileExtraction> {
    // The path was checked before; check the file that was opened too.
    if (!this.options.guard.allows(path)) return this.unread(this.options.guard.refusal(path));
    const [extracted, witness] = await Promise.all([
      callExtract(this.session, text, path, this.options.limits, this.faults),
      this.options.witness?.occursIn(text, path) ?? false,
    ]);
    const items = this.limited(extracted);
    const end = new EndOfText();
    end.add(text, 1);
    return { path, read: true, items, diagnostics: warnings ?? [], end: end.finish(linesOf(items), witness) };
  }

  private async extractParts(
    log: PartedText,
    probe = new BorderProbe(this.session, log.path, this.partLimits, this.faults),
  ): Promise<FileExtraction> {
    const { path, fileBytes: size } = log;
    if (!this.options.guard.allows(path)) {
      log.close();
      return this.unread(this.options.guard.refusal(path));
    }
    const records: Promise<ParsedItem[]>[] = [];
    const running = new Set<Promise<unknown>>();
    const probes: Promise<void>[] = [];
    let done = 0;
    let uncollected = 0;
    const end = new EndOfText();
    let witness = false;
    for await (const part of log.parts) {
      if (!part.ok) {
        // The records so far belong to a file that could not be read, so they are discarded.
        await Promise.all([...running, ...probes]);
        return this.unread(part.diagnostic);
      }
      // Back pressure: reading waits until a child is free for the next part.
      while (running.size >= this.options.parallel) await Promise.race(running);
      if (this.options.signal?.aborted) {
        await Promise.allSettled([...running, ...probes]);
        this.options.signal.throwIfAborted();
      }
      if (!this.faults.mayCall("atom_a")) break;
      const { text, startLine } = part;
      probes.push(probe.next(text, startLine));
      const argument = typeof text === "string" ? text : new RawText(text);
      end.add(argument, startLine);
      const found = this.extractPart(argument, path, startLine);
      records.push(found);
      const search = witness ? false : (this.options.witness?.occursIn(argument, path) ?? false);
      const finished = Promise.all([found, search]).then(([, occurs]) => {
        witness ||= occurs;
        part.release();
        const percentBefore = percent(done, size);
        done += part.fileBytes;
        running.delete(finished);
        if (percent(done, size) > percentBefore) this.options.onProgress?.(Math.min(done, size), size, path);
      });
      running.add(finished);
      if (typeof text !== "string") continue;
      uncollected += text.length;
      if (uncollected >= COLLECT_BYTES) {
        Bun.gc(true);
        uncollected = 0;
      }
    }
    await Promise.all(probes);
    const items: ParsedItem[] = [];
    for (const found of records) for (const item of await found) items.push(item);
    await Promise.all(running);
    return {
      path,
      read: true,
      items,
      diagnostics: log.warnings,
      end: end.finish(linesOf(items), witness),
    };
  }

  private get partLimits(): Partial<CallLimits> {
    const { limits } = this.options;
    return { ...limits, memoryMb: Math.min(PART_MEMORY_MB, limits.memoryMb ?? PART_MEMORY_MB) };
  }

  private async extractPart(text: string | RawText, path: string, startLine: number): Promise<ParsedItem[]> {
    const items = await callExtract(this.session, text, path, this.partLimits, this.faults);
    const shift = startLine - 1;
    if (shift > 0) for (const item of items) if (item.line_number !== null) item.line_number += shift;
    return this.limited(items);
  }

  /** Drops records over the limit and adds a fault: the outcome is then `error`. */
  private limited(items: ParsedItem[]): ParsedItem[] {
    const room = this.options.maxRecords - this.budget.records;
    this.budget.records += items.length;
    if (items.length <= room) return items;
    const limit = `more than ${this.options.maxRecords} records were extracted (check.max_records)`;
    this.faults.add("atom_a", "too_many_records", limit, { file: this.path });
    return items.slice(0, Math.max(0, room));
  }

  private unread(diagnostic: Diagnostic): FileExtraction {
    return { path: this.path, read: false, items: [], diagnostics: [diagnostic], end: null };
  }
}

function linesOf(items: readonly ParsedItem[]): Set<number | null> {
  return new Set(items.map((item) => item.line_number));
}

function percent(done: number, size: number): number {
  return Math.floor((100 * done) / Math.max(1, size));
}

/** Cuts a text into parts of about `size` characters that end at line ends. */
function* cutAtLines(text: string, size: number): Generator<TextPart> {
  let startLine = 1;
  for (let from = 0; from < text.length; ) {
    const last = text.lastIndexOf("\n", from + size - 1);
    const lineEnd = last >= from ? last : text.indexOf("\n", from + size);
    const end = from + size >= text.length || lineEnd < 0 ? text.length : lineEnd + 1;
    const part = text.slice(from, end);
    yield { ok: true, text: part, startLine, fileBytes: part.length, release: () => {} };
    for (let at = part.indexOf("\n"); at >= 0; at = part.indexOf("\n", at + 1)) startLine += 1;
    from = end;
  }
}

function tooLarge(facts: TextFacts, limit: number): Diagnostic {
  const mb = (bytes: number) => `${Math.ceil(bytes / 2 ** 20)} MiB`;
  return {
    severity: "error",
    code: "input_too_large",
    message: `The text has ${mb(facts.textBytes)}; this atom is not proved line-local, and such an atom reads at most ${mb(limit)} at once (check.max_text_mb).`,
    file: facts.path,
  };
}
