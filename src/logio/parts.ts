// Reads a log of any size once, in parts of whole lines. While every byte is ASCII, the encoding does not matter, and parts
// are returned as bytes. At the first other byte, the whole file is scanned for its encoding (blocks.ts), and reading
// continues with text.
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
      /** LF line ends. Bytes are one character each (ASCII, Latin-1) and are valid until `release`. */
      text: string | Uint8Array;
      /** 1-based number of its first line. */
      startLine: number;
      /** Bytes of the file on disk that were read for it. */
      fileBytes: number;
      /** Must be called once when the text is no longer used; its memory is reused. */
      release: () => void;
    }
  | { ok: false; diagnostic: Diagnostic };

export interface PartsOptions {
  partBytes: number;
  maxLineBytes: number;
  /** Scans the whole file; called once, at the first byte that is not ASCII. */
  inspect: () => Promise<FactsResult>;
  /** Called at the end when `inspect` was not needed. */
  onFacts?: (facts: TextFacts) => void;
  bombLimits?: BombLimits;
  /** Read only these bytes, which begin at a line start. */
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
  /** Complete after the last part. */
  warnings: Diagnostic[];
  identity: FileIdentity;
  /** Line ends in the parts read so far, and their encoding: undefined while all is ASCII. */
  progress: () => { lineEnds: number; encoding: "utf-8" | "latin-1" | undefined };
  /** Closes the file; also done after the last part. */
  close: () => void;
}

export type PartsResult = { ok: true; log: OpenedParts } | { ok: false; diagnostic: Diagnostic };

/** Opens a log for one reading in parts of about `partBytes`. Never throws; the codes of diagnostics are those of
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
    progress: () => ({ lineEnds: reader.lineEnds, encoding: reader.encoding }),
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
  /** Undefined while all is ASCII. */
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
        // A buffer that is not full and ends within a line: the end of the text follows and belongs to it.
        if (border > 0 && (atEnd || end === this.buffer.byteLength || border === end)) {
          held = end - border;
          const part = await this.cutPart(border, end);
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
      const diagnostic = text.problem ?? source.file.change();
      if (diagnostic !== undefined) yield { ok: false, diagnostic };
      else if (!this.inspected) options.onFacts?.(this.facts(text.utf16));
    } catch (error) {
      yield { ok: false, diagnostic: openProblem(path, error) };
    } finally {
      source.close();
    }
  }

  /** Returns the first `border` bytes of the buffer as a part and moves those up to `end` to the start of the buffer. */
  private async cutPart(border: number, end: number): Promise<TextPart> {
    const { source } = this;
    const bytes = this.buffer.subarray(0, border);
    const { lineEnds, nul } = survey(bytes);
    if (nul >= 0) {
      const line = this.startLine + lineEndsIn(bytes.subarray(0, nul));
      return { ok: false, diagnostic: binaryProblem(source.file.path, this.textBytes + nul, line) };
    }
    const ascii = isAscii(bytes);
    if (!ascii && this.encoding === undefined) {
      const diagnostic = await this.detectEncoding();
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

  private async detectEncoding(): Promise<Diagnostic | undefined> {
    const { file } = this.source;
    const inspection = await this.options.inspect();
    if (!inspection.ok) return inspection.diagnostic;
    this.inspected = true;
    if (!sameFile(file.identity, inspection.facts.identity)) {
      return problem("input_changed", file.path, "The file changed between two readings. Run again.");
    }
    this.encoding = inspection.facts.encoding === "latin-1" ? "latin-1" : "utf-8";
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

  /** Enlarges the buffer for a line of at least `held` bytes; false when the line is too long. */
  private grow(held: number): boolean {
    if (held >= this.options.maxLineBytes) return false;
    const larger = Buffer.allocUnsafeSlow(Math.min(this.options.maxLineBytes, held * 2));
    this.buffer.copy(larger, 0, 0, held);
    this.releaseBuffer(this.buffer);
    this.buffer = larger;
    return true;
  }

  /** A buffer of `partBytes`, or of `minBytes` if that is larger. */
  private acquireBuffer(minBytes = 0): Buffer {
    const { partBytes } = this.options;
    if (minBytes > partBytes) return Buffer.allocUnsafeSlow(minBytes);
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
