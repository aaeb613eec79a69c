// L2 for one file: small texts in one call, large ones in parts when the atom is proved `line_local`, otherwise
// whole up to a stated size, otherwise an honest error. The parts depend on the bytes alone, never on how many
// children there are, and their records are put together in order.
import type { AtomSession, CallLimits } from "../../sandbox/types.ts";
import type { ParsedItem } from "../contract/atoms.ts";
import type { Diagnostic } from "../contract/results.ts";
import type { TextFacts } from "../logio/index.ts";
import { AtomFaults, callExtract } from "./atom-calls.ts";
import { BorderProbe } from "./border-probe.ts";
import type { LogPool } from "./log-pool.ts";
import type { PathGuard } from "./path-guard.ts";
import type { FileExtraction, FileExtractor } from "./types.ts";

export interface FileExtractorOptions {
  /** Proved by the gates: the records of a text are those of its parts. */
  lineLocal: boolean;
  /** Calls that may be under way at once for one file. */
  parallel: number;
  limits: Partial<CallLimits>;
  /** Records of all files of an item at most (`check.max_records`). */
  maxRecords: number;
  guard: PathGuard;
  /** A large log is looked through before any of it is given to an atom. */
  onInspect?: (path: string) => void;
  onProgress?: (doneBytes: number, totalBytes: number, path: string) => void;
  /** For tests: other sizes than WHOLE_BYTES and PART_BYTES. */
  wholeBytes?: number;
  partBytes?: number;
}

/** Texts up to this size are always given whole. */
export const WHOLE_BYTES = 8 * 2 ** 20;
/** Size of a part. */
export const PART_BYTES = 2 ** 19;
/** Heap of an isolate that works on parts: a hundred times the text. With more, V8 lets garbage pile up. */
const PART_MEMORY_MB = 96;
/** Garbage is collected after this many bytes: left alone, the texts of past parts pile up to several times it. */
const COLLECT_BYTES = 16 * 2 ** 20;
/** Longest line of a log that is read in parts. */
const MAX_LINE_BYTES = 64 * 2 ** 20;

/** The FileExtractor of one item. Faults of the atom are part of each file's diagnostics. */
export function createFileExtractor(
  session: AtomSession,
  pool: LogPool,
  options: FileExtractorOptions,
): FileExtractor {
  const budget = { records: 0 };
  return async (path) => {
    const faults = new AtomFaults();
    const file = new OneFile(session, pool, options, faults, budget, path);
    const extraction = await file.run();
    return { ...extraction, diagnostics: [...extraction.diagnostics, ...faults.diagnostics] };
  };
}

class OneFile {
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
    const small = await this.pool.readUpTo(this.path, this.options.wholeBytes ?? WHOLE_BYTES);
    if (small.ok) return this.whole(small.input.path, small.input.text, small.input.warnings ?? []);
    if (small.diagnostic.code !== "input_too_large") return this.unread(small.diagnostic);
    this.options.onInspect?.(this.path);
    const inspected = await this.pool.facts(this.path);
    if (!inspected.ok) return this.unread(inspected.diagnostic);
    const { facts } = inspected;
    if (this.options.lineLocal) return this.inParts(facts);
    if (facts.textBytes > this.pool.maxTextBytes) return this.unread(tooLarge(facts, this.pool.maxTextBytes));
    const large = await this.pool.read(this.path);
    if (!large.ok) return this.unread(large.diagnostic);
    return this.whole(large.input.path, large.input.text, large.input.warnings ?? []);
  }

  private async whole(path: string, text: string, warnings: Diagnostic[]): Promise<FileExtraction> {
    // The name was inside when it was judged; what was opened must be, too.
    if (!this.options.guard.holds(path)) return this.unread(this.options.guard.refusal(path));
    const items = await callExtract(this.session, text, path, this.options.limits, this.faults);
    return { path, read: true, items: this.counted(items), diagnostics: warnings };
  }

  private async inParts(facts: TextFacts): Promise<FileExtraction> {
    const { path } = facts;
    if (!this.options.guard.holds(path)) return this.unread(this.options.guard.refusal(path));
    const parts: Promise<ParsedItem[]>[] = [];
    const running = new Set<Promise<unknown>>();
    let done = 0;
    let uncollected = 0;
    const partBytes = this.options.partBytes ?? PART_BYTES;
    const probe = new BorderProbe(this.session, path, this.options.limits, this.faults);
    for await (const block of this.pool.blocks(facts, partBytes, MAX_LINE_BYTES)) {
      if (!block.ok) {
        await Promise.all(running);
        return this.unread(block.diagnostic);
      }
      const { text, startLine } = block;
      // Bounded: reading waits until a child is free for the next part.
      while (running.size >= this.options.parallel) await Promise.race(running);
      if (!this.faults.mayCall("atom_a")) break;
      await probe.next(text, startLine);
      const part = this.part(text, path, startLine);
      parts.push(part);
      const counted = part.then(() => {
        const before = step(done, facts);
        done += text.length;
        running.delete(counted);
        // A hundred steps are enough for any file.
        if (step(done, facts) > before)
          this.options.onProgress?.(Math.min(done, facts.textBytes), facts.textBytes, path);
      });
      running.add(counted);
      uncollected += text.length;
      if (uncollected >= COLLECT_BYTES) {
        Bun.gc(true);
        uncollected = 0;
      }
    }
    const items: ParsedItem[] = [];
    for (const part of parts) for (const item of await part) items.push(item);
    return { path, read: true, items, diagnostics: facts.warnings };
  }

  private async part(text: string, path: string, startLine: number): Promise<ParsedItem[]> {
    const memoryMb = Math.min(PART_MEMORY_MB, this.options.limits.memoryMb ?? PART_MEMORY_MB);
    const limits = { ...this.options.limits, memoryMb };
    const items = await callExtract(this.session, text, path, limits, this.faults);
    const shift = startLine - 1;
    if (shift > 0) for (const item of items) if (item.line_number !== null) item.line_number += shift;
    return this.counted(items);
  }

  /** Drops records over the limit, and says so: the outcome is then `error`. */
  private counted(items: ParsedItem[]): ParsedItem[] {
    const room = this.options.maxRecords - this.budget.records;
    this.budget.records += items.length;
    if (items.length <= room) return items;
    const limit = `more than ${this.options.maxRecords} records were extracted (check.max_records)`;
    this.faults.add("atom_a", "too_many_records", limit, { file: this.path });
    return items.slice(0, Math.max(0, room));
  }

  private unread(diagnostic: Diagnostic): FileExtraction {
    return { path: this.path, read: false, items: [], diagnostics: [diagnostic] };
  }
}

function step(done: number, facts: TextFacts): number {
  return Math.floor((100 * done) / Math.max(1, facts.textBytes));
}

function tooLarge(facts: TextFacts, limit: number): Diagnostic {
  const mb = (bytes: number) => `${Math.ceil(bytes / 2 ** 20)} MiB`;
  return {
    severity: "error",
    code: "input_too_large",
    message: `The text has ${mb(facts.textBytes)}; this atom is not proved line-local, and at most ${mb(limit)} are given to such an atom at once (check.max_text_mb).`,
    file: facts.path,
  };
}
