// A zstd decoder by frames (RFC 8878). The native decoder does not detect truncated frames, so this code follows the borders
// of blocks and frames; the native decoder decodes content and verifies checksums.
import type { Diagnostic } from "../contract/results.ts";
import type { Decoder } from "./gzip.ts";
import { NativeDecoder } from "./native.ts";
import { problem } from "./open.ts";
import type { RawBytes } from "./raw.ts";

const FRAME_MAGIC = 0xfd2fb528;
const SKIPPABLE_MAGIC = 0x184d2a50;
/** Longest frame header: magic, descriptor, window, dictionary id, content size. */
const HEADER_LIMIT = 18;

export class ZstdDecoder implements Decoder {
  problem: Diagnostic | undefined;
  readonly warnings: Diagnostic[] = [];
  private readonly raw: RawBytes;
  private readonly native = NativeDecoder.zstd();
  private frames = 0;
  private ended = false;
  /** Compressed bytes known to belong to the current frame. */
  private ready = 0;
  private lastBlock = false;
  private checksum = false;
  private inFrame = false;
  /** The decoder may have buffered output although it consumed all input. */
  private draining = false;

  constructor(raw: RawBytes) {
    this.raw = raw;
  }

  read(target: Uint8Array): number {
    let written = 0;
    while (written < target.byteLength && !this.ended) {
      if (this.ready === 0 && !this.draining && !this.advance()) break;
      const input = this.raw.peek();
      if (input.byteLength === 0 && this.ready > 0) {
        this.fail("input_truncated", "The zstd data ends early: the file is truncated.");
        break;
      }
      const part = this.ready === 0 ? input.subarray(0, 0) : input.subarray(0, this.ready);
      const room = target.subarray(written);
      const step = this.native.step(part, room);
      if (step.failed !== undefined) {
        this.fail("input_corrupt", `The zstd data is damaged (${step.failed}).`);
        break;
      }
      this.raw.consume(step.consumed);
      this.ready -= step.consumed;
      written += step.produced;
      this.draining = step.produced === room.byteLength;
      if (step.consumed === 0 && step.produced === 0 && part.byteLength > 0) {
        this.fail("input_corrupt", "The zstd data is damaged.");
      }
    }
    return written;
  }

  close(): void {
    this.ended = true;
    this.native.close();
  }

  /** Finds the next piece of compressed data; false at the end or at a problem. */
  private advance(): boolean {
    if (!this.inFrame) return this.readFrameHeader();
    if (this.lastBlock) {
      this.inFrame = false;
      return this.readFrameHeader();
    }
    const head = this.raw.peekAtLeast(3);
    if (head.byteLength < 3) {
      return this.fail("input_truncated", "The zstd data ends early: the file is truncated.");
    }
    const header = (head[0] ?? 0) | ((head[1] ?? 0) << 8) | ((head[2] ?? 0) << 16);
    this.lastBlock = (header & 1) === 1;
    const runLength = ((header >> 1) & 3) === 1;
    this.ready = 3 + (runLength ? 1 : header >> 3) + (this.lastBlock && this.checksum ? 4 : 0);
    return true;
  }

  private readFrameHeader(): boolean {
    for (;;) {
      const head = this.raw.peekAtLeast(HEADER_LIMIT);
      if (head.byteLength === 0 && this.frames > 0) return this.end();
      if (head.byteLength < 8) {
        if (this.frames > 0) return this.endAtGarbage();
        return this.fail("input_truncated", "The zstd header is incomplete: the file is truncated.");
      }
      const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
      const magic = view.getUint32(0, true);
      if ((magic & 0xfffffff0) >>> 0 === SKIPPABLE_MAGIC) {
        if (!this.skip(8 + view.getUint32(4, true))) return false;
        this.frames += 1;
        continue;
      }
      if (magic !== FRAME_MAGIC) return this.endAtGarbage();
      const descriptor = head[4] ?? 0;
      const single = (descriptor & 0x20) !== 0;
      const sizeFlag = descriptor >> 6;
      const sizeBytes = sizeFlag === 0 ? (single ? 1 : 0) : 1 << sizeFlag;
      this.ready = 5 + (single ? 0 : 1) + ([0, 1, 2, 4][descriptor & 3] ?? 0) + sizeBytes;
      this.checksum = (descriptor & 4) !== 0;
      this.lastBlock = false;
      this.inFrame = true;
      if (this.frames > 0) this.native.reset();
      this.frames += 1;
      return true;
    }
  }

  private skip(count: number): boolean {
    for (let left = count; left > 0; ) {
      const have = this.raw.peek();
      if (have.byteLength === 0) {
        return this.fail("input_truncated", "A skippable zstd frame is incomplete: the file is truncated.");
      }
      const used = Math.min(left, have.byteLength);
      this.raw.consume(used);
      left -= used;
    }
    return true;
  }

  private endAtGarbage(): false {
    this.warnings.push({
      severity: "warning",
      code: "input_trailing_garbage",
      message: "Bytes after the end of the zstd data were ignored.",
      file: this.raw.file.path,
    });
    return this.end();
  }

  private end(): false {
    this.ended = true;
    this.problem ??= this.raw.problem;
    return false;
  }

  private fail(code: string, message: string): false {
    this.problem = this.raw.problem ?? problem(code, this.raw.file.path, message);
    return this.end();
  }
}
