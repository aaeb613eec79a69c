// A bzip2 decoder for files of several streams, with memory for one block. No maintained library can stop early
// (docs/tools.md). The checksum of every block and stream is verified.
import type { Diagnostic } from "../contract/results.ts";
import { BitReader, type Block, Fault, readBlock } from "./bzip2-block.ts";
import type { Decoder } from "./gzip.ts";
import { problem } from "./open.ts";
import type { RawBytes } from "./raw.ts";

/** "BZh"; the magic numbers of a block (digits of pi) and of the end of a stream (of its square root). */
const STREAM = 0x425a68;
const BLOCK = [0x314159, 0x265359] as const;
const END = [0x177245, 0x385090] as const;
/** Block size per level, bytes. */
const LEVEL_BYTES = 100_000;
/** After this many equal bytes, the next byte is the number of further repetitions. */
const RUN = 4;
/** The table of a closed file, reused for the next one. */
let idle: Uint32Array<ArrayBuffer> | undefined;

export class Bzip2Decoder implements Decoder {
  problem: Diagnostic | undefined;
  readonly warnings: Diagnostic[] = [];
  private readonly raw: RawBytes;
  private readonly bits: BitReader;
  private ended = false;
  private streams = 0;
  /** Maximum bytes of a block of this stream; 0 between streams. */
  private blockBytes = 0;
  private table = new Uint32Array(0);
  private streamCrc = 0;
  private block: Block | undefined;
  // State of the current block: entry, bytes consumed, last byte and its run length, repetitions still to be written.
  private entry = 0;
  private used = 0;
  private last = -1;
  private same = 0;
  private owed = 0;
  private crc = 0;

  constructor(raw: RawBytes) {
    this.raw = raw;
    this.bits = new BitReader(() => {
      const bytes = raw.peek();
      // The bytes stay valid until the next call of `peek`.
      raw.consume(bytes.byteLength);
      return bytes;
    });
  }

  read(target: Uint8Array): number {
    let written = 0;
    try {
      while (written < target.byteLength && !this.ended) {
        if (this.block === undefined) this.advance();
        else written += this.expandRuns(this.block, target.subarray(written));
      }
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.fail(error.kind);
    }
    return written;
  }

  close(): void {
    this.ended = true;
    this.block = undefined;
    if (this.table.length > (idle?.length ?? 0)) idle = this.table;
    this.table = new Uint32Array(0);
  }

  /** Moves to the next block, also in the next stream. */
  private advance(): void {
    if (this.blockBytes === 0 && !this.openStream()) return;
    const magic = [this.bits.read(24), this.bits.read(24)];
    if (magic[0] === END[0] && magic[1] === END[1]) {
      if (this.bits.read32() !== this.streamCrc) throw new Fault("corrupt");
      this.bits.align();
      this.blockBytes = 0;
    } else if (magic[0] === BLOCK[0] && magic[1] === BLOCK[1]) {
      this.block = readBlock(this.bits, this.table.subarray(0, this.blockBytes));
      this.entry = this.block.start;
      this.used = 0;
      this.last = -1;
      this.same = 0;
      this.owed = 0;
      this.crc = 0xffffffff;
    } else throw new Fault("corrupt");
  }

  /** Reads the header of a stream; false at the end of the file or of its bzip2 data. */
  private openStream(): boolean {
    if (this.bits.atEnd()) {
      if (this.streams === 0) throw new Fault("truncated");
      this.ended = true;
      this.problem = this.raw.problem;
      return false;
    }
    // Byte by byte: a file that ends in the header of a further stream is truncated, any other data is not bzip2.
    for (let shift = 16; shift >= 0; shift -= 8) {
      if (this.bits.read(8) !== ((STREAM >> shift) & 0xff)) return this.afterLastStream();
    }
    const level = this.bits.read(8) - 0x30;
    if (level < 1 || level > 9) return this.afterLastStream();
    this.blockBytes = level * LEVEL_BYTES;
    if (this.table.length < this.blockBytes) this.table = acquireTable(this.blockBytes);
    this.streamCrc = 0;
    this.streams += 1;
    return true;
  }

  /** Other data after a complete stream is ignored with a warning, as by bzip2 and gzip. */
  private afterLastStream(): false {
    if (this.streams === 0) throw new Fault("corrupt");
    this.ended = true;
    this.warnings.push({
      severity: "warning",
      code: "input_trailing_garbage",
      message: "Bytes after the end of the bzip2 data were ignored.",
      file: this.raw.file.path,
    });
    return false;
  }

  /** Expands the runs of the block into `target`; returns the number of bytes written. */
  private expandRuns(block: Block, target: Uint8Array): number {
    const { table, count } = block;
    let { entry, used, last, same, owed, crc } = this;
    let written = 0;
    while (written < target.byteLength) {
      if (owed > 0) {
        owed -= 1;
      } else {
        if (used === count) break;
        entry = table[entry] ?? 0;
        const byte = entry & 0xff;
        entry >>>= 8;
        used += 1;
        if (same === RUN) {
          owed = byte;
          same = 0;
          continue;
        }
        same = byte === last && same > 0 ? same + 1 : 1;
        last = byte;
      }
      target[written] = last;
      written += 1;
      crc = (crc << 8) ^ (CRC_TABLE[(crc >>> 24) ^ last] ?? 0);
    }
    Object.assign(this, { entry, used, last, same, owed, crc });
    if (used === count && owed === 0) this.endBlock(block);
    return written;
  }

  private endBlock(block: Block): void {
    const crc = ~this.crc >>> 0;
    if (crc !== block.crc) throw new Fault("corrupt");
    this.streamCrc = (((this.streamCrc << 1) | (this.streamCrc >>> 31)) ^ crc) >>> 0;
    this.block = undefined;
  }

  private fail(kind: Fault["kind"]): void {
    this.ended = true;
    this.block = undefined;
    const { path } = this.raw.file;
    const diagnostics = {
      truncated: ["input_truncated", "The bzip2 data ends early: the file is truncated."],
      corrupt: ["input_corrupt", "The bzip2 data is damaged, or its checksum does not match."],
      obsolete: [
        "input_unsupported_compression",
        "This bzip2 archive uses a format from before 1997, which is not supported. Decompress it (bunzip2 -k) and compress it again.",
      ],
    } as const;
    this.problem = this.raw.problem ?? problem(diagnostics[kind][0], path, diagnostics[kind][1]);
  }
}

function acquireTable(entries: number): Uint32Array<ArrayBuffer> {
  const table = idle !== undefined && idle.length >= entries ? idle : new Uint32Array(entries);
  if (table === idle) idle = undefined;
  return table;
}

/** Table of CRC-32 with the most significant bit first, polynomial 0x04c11db7. */
const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 24;
  for (let bit = 0; bit < 8; bit += 1) crc = (crc << 1) ^ ((crc >> 31) & 0x04c11db7);
  return crc >>> 0;
});
