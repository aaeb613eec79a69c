// The shared reader of a run: a log that several items need is read, decompressed and decoded once, as long as the cached
// texts stay below a limit.
import type { Diagnostic } from "../contract/results.ts";
import { createSlots, type Slots } from "../core/slots.ts";
import {
  type ByteRange,
  type FactsResult,
  inspectText,
  openParts,
  type PartsResult,
  readText,
  type TextBlock,
  type TextFacts,
  textBlocks,
} from "../logio/index.ts";
import type { TextReading } from "../logio/text.ts";
import type { TextReader } from "./types.ts";

export interface LogPoolOptions {
  /** Largest text returned as a whole, bytes after decompression (`check.max_text_mb`). */
  maxTextBytes: number;
  /** Maximum bytes of cached texts. */
  cacheBytes?: number;
  /** Maximum files processed at once by all items; each may hold a text. */
  slots?: number;
  signal?: AbortSignal;
}

const CACHE_BYTES = 96 * 2 ** 20;
const SLOTS = 6;

interface Held {
  reading: Promise<TextReading>;
  bytes: number;
  settled: boolean;
}

/** Shared by all items of a run. No method throws. */
export class LogPool implements TextReader {
  readonly maxTextBytes: number;
  private readonly cacheBytes: number;
  private readonly signal: AbortSignal | undefined;
  /** Least recently used first. */
  private readonly texts = new Map<string, Held>();
  private readonly factsByPath = new Map<string, Promise<FactsResult>>();
  private heldBytes = 0;
  private readonly slots: Slots;
  /** Number of files opened for a whole text; for tests. */
  reads = 0;

  constructor(options: LogPoolOptions) {
    this.maxTextBytes = options.maxTextBytes;
    this.cacheBytes = options.cacheBytes ?? CACHE_BYTES;
    this.signal = options.signal;
    this.slots = createSlots(options.slots ?? SLOTS);
  }

  /** Runs the work on one file when a slot is free, so that the memory of all items is bounded. Must not be nested. */
  inSlot<T>(work: () => Promise<T>): Promise<T> {
    return this.slots.run(work);
  }

  /** The whole text, or a diagnostic; a text over the limit is `input_too_large`. */
  read(path: string): Promise<TextReading> {
    return this.readUpTo(path, this.maxTextBytes);
  }

  /** The whole text if it has at most `maxBytes`; a larger one is `input_too_large` and is not cached. */
  readUpTo(path: string, maxBytes: number): Promise<TextReading> {
    const limit = Math.min(maxBytes, this.maxTextBytes);
    const key = `${limit} ${path}`;
    const held = this.texts.get(key);
    if (held !== undefined) {
      this.texts.delete(key);
      this.texts.set(key, held);
      return held.reading;
    }
    this.reads += 1;
    const entry: Held = { reading: this.load(path, limit), bytes: 0, settled: false };
    this.texts.set(key, entry);
    void entry.reading.then((reading) => {
      entry.settled = true;
      entry.bytes = reading.ok ? reading.input.text.length : 0;
      this.heldBytes += entry.bytes;
      this.evict();
    });
    return entry.reading;
  }

  /** Encoding, lines, size and hash of a log of any size, from a pass that stores nothing or from an earlier reading. */
  facts(path: string): Promise<FactsResult> {
    const known = this.factsByPath.get(path);
    if (known !== undefined) return known;
    const facts = inspectText(path, this.signal === undefined ? {} : { signal: this.signal });
    this.factsByPath.set(path, facts);
    return facts;
  }

  /** The text of a log in blocks of whole lines. */
  blocks(facts: TextFacts, blockBytes: number, maxLineBytes: number): AsyncGenerator<TextBlock, void, void> {
    const signal = this.signal === undefined ? {} : { signal: this.signal };
    return textBlocks(facts, { blockBytes, maxLineBytes, ...signal });
  }

  /** Reads a log of any size in parts. If its encoding must be determined first, the file is scanned before, and `onInspect`
   * is called. Its facts are cached afterwards. */
  parts(
    path: string,
    partBytes: number,
    maxLineBytes: number,
    onInspect?: (path: string) => void,
  ): PartsResult {
    return openParts(path, {
      partBytes,
      maxLineBytes,
      inspect: () => {
        onInspect?.(path);
        return this.facts(path);
      },
      onFacts: (facts) => this.factsByPath.set(path, Promise.resolve({ ok: true, facts })),
      ...this.stop,
    });
  }

  /** Like `parts`, for a byte range of an uncompressed log. */
  partsOf(path: string, range: ByteRange, partBytes: number, maxLineBytes: number): PartsResult {
    const inspect = (): Promise<FactsResult> => inspectText(path, { range, ...this.stop });
    return openParts(path, { partBytes, maxLineBytes, inspect, range, ...this.stop });
  }

  private get stop(): { signal?: AbortSignal } {
    return this.signal === undefined ? {} : { signal: this.signal };
  }

  private async load(path: string, maxBytes: number): Promise<TextReading> {
    try {
      return await readText(path, {
        maxBytes,
        ...(this.signal === undefined ? {} : { signal: this.signal }),
      });
    } catch (error) {
      // readText must not throw; if it does, the input counts as unreadable.
      return { ok: false, diagnostic: unreadable(path, error) };
    }
  }

  private evict(): void {
    for (const [key, held] of this.texts) {
      if (this.heldBytes <= this.cacheBytes) return;
      if (!held.settled || held.bytes === 0) continue;
      this.texts.delete(key);
      this.heldBytes -= held.bytes;
    }
  }
}

function unreadable(path: string, error: unknown): Diagnostic {
  const why = error instanceof Error ? error.message : String(error);
  return {
    severity: "error",
    code: "input_unreadable",
    message: `The file could not be read: ${why}`,
    file: path,
  };
}
