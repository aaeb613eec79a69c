// A log of any size in parts of whole lines, read once. As long as every byte is ASCII, which encoding the file has
// does not matter: such parts are given out at once, as bytes. The first other byte settles it by a look through the
// whole file (blocks.ts), and reading continues with text.
import { isAscii } from "node:buffer";
import type { Diagnostic } from "../contract/results.ts";
import { yieldToEventLoop } from "../core/event-loop.ts";
import type { FactsResult, TextFacts } from "./blocks.ts";
import { Kernel } from "./kernel.ts";
import { type FileIdentity, openProblem, problem, sameFile } from "./open.ts";
import { type BombLimits, type ByteRange, type ByteSource, openSource } from "./source.ts";
import { decodeAs } from "./text.ts";
import { binaryProblem, lineEndsIn, TextBytes } from "./textbytes.ts";

/** Whole lines. A problem is the last item and invalidates all earlier ones. */
export type TextPart =
  | {
      ok: true;
      /** LF line ends. Bytes are one character each (ASCII, Latin-1) and stay what they are until `release`. */
      text: string | Uint8Array;
      /** 1-based number of its first line. */
      startLine: number;
      /** Bytes of the file on disk that were read for it. */
      fileBytes: number;
      /** To be called once when the text is not used any more: its memory serves a later part. */
      release: () => void;
    }
  | { ok: false; diagnostic: Diagnostic };

export interface PartsOptions {
  partBytes: number;
  maxLineBytes: number;
  /** A look through the whole file; asked for once, when a byte is not ASCII. */
  inspect: () => Promise<FactsResult>;
  /** Called at the end when `inspect` was not needed. */
  onFacts?: (facts: TextFacts) => void;
  bombLimits?: BombLimits;
  /** Only these bytes, which begin at a line start. */
  range?: ByteRange;
  signal?: AbortSignal;
}

/** A log that is open for one reading. */
export interface OpenedParts {
  /** Absolute, links resolved. */
  path: string;
  /** Bytes on disk. */
  fileBytes: number;
  parts: AsyncGenerator<TextPart, void, void>;
  /** Complete when all parts were taken. */
  warnings: Diagnostic[];
  identity: FileIdentity;
  /** Line ends in the parts taken so far, and how these were decoded: undefined while all is ASCII. */
  taken: () => { lineEnds: number; encoding: "utf-8" | "latin-1" | undefined };
  /** Closes the file; the end of the parts does it, too. */
  close: () => void;
}

export type PartsResult = { ok: true; log: OpenedParts } | { ok: false; diagnostic: Diagnostic };

/** Opens a log for one reading in parts of about `partBytes`. Never throws; the codes of a diagnosis are those of
 * `readText`. */
export function openParts(path: string, options: PartsOptions): PartsResult {
  const { bombLimits, range } = options;
  const opened = openSource(path, { ...(bombLimits && { bombLimits }), ...(range && { range }) });
  if (!opened.ok) return opened;
  const { source } = opened;
  const reader = new PartReader(source, options);
  const log: OpenedParts = {
    path: source.file.path,
    fileBytes: source.file.identity.size,
    parts: reader.read(),
    warnings: source.warnings,
    identity: source.file.identity,
    taken: () => ({ lineEnds: reader.lineEnds, encoding: reader.encoding }),
    close: () => source.close(),
  };
  return { ok: true, log };
}

class PartReader {
  private readonly source: ByteSource;
  private readonly options: PartsOptions;
  /** Buffers of `partBytes` that no part uses. */
  private readonly free: Buffer[] = [];
  private buffer: Buffer;
  /** Undefined as long as all is ASCII. */
  encoding: "utf-8" | "latin-1" | undefined;
  private inspected = false;
  private startLine = 1;
  private textBytes = 0;
  private fileBytes: number;
  private endsInLine = false;

  constructor(source: ByteSource, options: PartsOptions) {
    this.source = source;
    this.options = options;
    this.buffer = this.acquireBuffer();
    this.fileBytes = options.range?.from ?? 0;
  }

  get lineEnds(): number {
    return this.startLine - 1;
  }

  async *read(): AsyncGenerator<TextPart, void, void> {
    const { source, options } = this;
    const path = source.file.path;
    try {
      const text = new TextBytes(source, (options.range?.from ?? 0) > 0);
      if (text.utf16 !== undefined) this.encoding = "utf-8";
      for (let held = 0; ; ) {
        const count = text.read(this.buffer.subarray(held));
        const end = held + count;
        const atEnd = count === 0;
        const border = atEnd ? end : this.buffer.lastIndexOf(10, end - 1) + 1;
        held = end;
        // A buffer that is not full and ends within a line: the end of the text comes next, and belongs to it.
        if (border > 0 && (atEnd || end === this.buffer.byteLength || border === end)) {
          held = end - border;
          const part = await this.part(border, end);
          yield part;
          if (!part.ok) return;
        }
        if (atEnd) break;
        if (held === this.buffer.byteLength && !this.grow(held)) {
          const message = `A line is longer than ${options.maxLineBytes} bytes.`;
          const diagnostic = { ...problem("input_too_large", path, message), line: this.startLine };
          yield { ok: false, diagnostic };
          return;
        }
        await yieldToEventLoop();
        if (options.signal?.aborted) {
          yield { ok: false, diagnostic: problem("input_interrupted", path, "Reading was interrupted.") };
          return;
        }
      }
      const found = text.problem ?? source.file.change();
      if (found !== undefined) yield { ok: false, diagnostic: found };
      else if (!this.inspected) options.onFacts?.(this.facts(text.utf16));
    } catch (error) {
      yield { ok: false, diagnostic: openProblem(path, error) };
    } finally {
      source.close();
    }
  }

  /** The first `border` bytes of the buffer as a part; those up to `end` stand at the start of the buffer then. */
  private async part(border: number, end: number): Promise<TextPart> {
    const { source } = this;
    const bytes = this.buffer.subarray(0, border);
    const { lineEnds, nul } = survey(bytes);
    if (nul >= 0) {
      const line = this.startLine + lineEndsIn(bytes.subarray(0, nul));
      return { ok: false, diagnostic: binaryProblem(source.file.path, this.textBytes + nul, line) };
    }
    const ascii = isAscii(bytes);
    if (!ascii && this.encoding === undefined) {
      const diagnostic = await this.settleEncoding();
      if (diagnostic !== undefined) return { ok: false, diagnostic };
    }
    const { startLine } = this;
    const fileBytes = source.rawOffset - this.fileBytes;
    this.fileBytes += fileBytes;
    this.textBytes += border;
    this.startLine += lineEnds;
    this.endsInLine = bytes[border - 1] !== 10;
    if ((ascii || this.encoding === "latin-1") && !bytes.includes("\r\n")) {
      const used = this.buffer;
      this.buffer = this.acquireBuffer(end - border);
      used.copy(this.buffer, 0, border, end);
      return { ok: true, text: bytes, startLine, fileBytes, release: () => this.releaseBuffer(used) };
    }
    const text = decodeAs(bytes, this.encoding ?? "utf-8");
    this.buffer.copyWithin(0, border, end);
    return { ok: true, text, startLine, fileBytes, release: () => {} };
  }

  private async settleEncoding(): Promise<Diagnostic | undefined> {
    const { file } = this.source;
    const looked = await this.options.inspect();
    if (!looked.ok) return looked.diagnostic;
    this.inspected = true;
    if (!sameFile(file.identity, looked.facts.identity)) {
      return problem("input_changed", file.path, "The file changed between two readings. Run again.");
    }
    this.encoding = looked.facts.encoding === "latin-1" ? "latin-1" : "utf-8";
    return undefined;
  }

  private facts(utf16: "utf-16le" | "utf-16be" | undefined): TextFacts {
    const { file, compression, warnings } = this.source;
    return {
      path: file.path,
      encoding: utf16 ?? "utf-8",
      lines: this.startLine - (this.endsInLine ? 0 : 1),
      textBytes: this.textBytes,
      bytes: file.identity.size,
      compressed: compression !== "plain",
      identity: file.identity,
      warnings,
    };
  }

  /** More room for a line of which `held` bytes are known; false when it is over the limit. */
  private grow(held: number): boolean {
    if (held >= this.options.maxLineBytes) return false;
    const larger = Buffer.allocUnsafeSlow(Math.min(this.options.maxLineBytes, held * 2));
    this.buffer.copy(larger, 0, 0, held);
    this.releaseBuffer(this.buffer);
    this.buffer = larger;
    return true;
  }

  /** A buffer of `partBytes`, or a larger one where so much is needed. */
  private acquireBuffer(least = 0): Buffer {
    const { partBytes } = this.options;
    if (least > partBytes) return Buffer.allocUnsafeSlow(least);
    return this.free.pop() ?? Buffer.allocUnsafeSlow(partBytes);
  }

  private releaseBuffer(buffer: Buffer): void {
    if (buffer.byteLength === this.options.partBytes) this.free.push(buffer);
  }
}

/** Line ends, and the offset of the first NUL byte, -1 if there is none. */
function survey(bytes: Buffer): { lineEnds: number; nul: number } {
  const kernel = Kernel.acquire();
  try {
    let lineEnds = 0;
    for (let from = 0; from < bytes.byteLength; from += kernel.data.byteLength) {
      const count = bytes.copy(kernel.data, 0, from);
      const found = kernel.survey(0, count);
      if (found.nul >= 0) return { lineEnds, nul: from + found.nul };
      lineEnds += found.lineEnds;
    }
    return { lineEnds, nul: -1 };
  } finally {
    kernel.release();
  }
}
