// A gzip decoder for files of one or several members (RFC 1952): header, deflate data, checksum and length. Truncation and
// damage are problems; garbage after a complete member is a warning, as in gzip(1).
import type { Diagnostic } from "../contract/results.ts";
import { NativeDecoder } from "./native.ts";
import { problem } from "./open.ts";
import type { RawBytes } from "./raw.ts";
import { type GzipPoint, resumeAt } from "./resume.ts";
import { zlib } from "./zlib.ts";

/** Decompressed bytes of a file, pulled into the caller's buffer. */
export interface Decoder {
  /** Fills `target` as far as data is available; 0 means the end or a problem: see `problem`. */
  read(target: Uint8Array): number;
  readonly problem: Diagnostic | undefined;
  readonly warnings: Diagnostic[];
  close(): void;
}

/** Called at the border between two deflate blocks with the offset of the next unread byte on disk and the number of
 * decompressed bytes. The last byte before the offset may contain up to 7 bits of the next block. */
export type BlockBorder = (rawOffset: number, textOffset: number) => void;

const HEADER_LIMIT = 1024;
const FLAG = { headerCrc: 2, extra: 4, name: 8, comment: 16 } as const;

type State = "header" | "data" | "trailer" | "end";

export class GzipDecoder implements Decoder {
  problem: Diagnostic | undefined;
  readonly warnings: Diagnostic[] = [];
  onBorder: BlockBorder | undefined;
  private readonly raw: RawBytes;
  private readonly native: NativeDecoder;
  /** Decoding started inside a member, so its checksum cannot be verified. */
  private unchecked = false;
  private state: State = "header";
  private members = 0;
  private crc = 0;
  private memberBytes = 0;
  private textOffset = 0;

  /** @param point start position; `raw` must be at its offset */
  constructor(raw: RawBytes, point?: GzipPoint) {
    this.raw = raw;
    const resumed = point === undefined ? undefined : resumeAt(point);
    this.native = resumed ?? NativeDecoder.inflate();
    if (point === undefined) return;
    this.members = 1;
    this.state = "data";
    this.unchecked = true;
    if (resumed === undefined) this.fail("input_changed", "The file changed after it was indexed.");
  }

  read(target: Uint8Array): number {
    let written = 0;
    while (written < target.byteLength && this.state !== "end") {
      if (this.state === "header") this.readHeader();
      else if (this.state === "trailer") this.readTrailer();
      else {
        const part = target.subarray(written);
        const count = this.readData(part);
        if (count > 0) this.crc = zlib().crc32(part.subarray(0, count), this.crc);
        written += count;
      }
    }
    return written;
  }

  close(): void {
    this.state = "end";
    this.native.close();
  }

  private readData(target: Uint8Array): number {
    const input = this.raw.peek();
    if (input.byteLength === 0) {
      this.fail("input_truncated", "The gzip data ends early: the file is truncated.");
      return 0;
    }
    const { consumed, produced, failed } = this.native.step(input, target);
    if (failed !== undefined) {
      this.fail("input_corrupt", `The gzip data is damaged (${failed}).`);
      return 0;
    }
    this.raw.consume(consumed);
    this.memberBytes += produced;
    this.textOffset += produced;
    if (consumed === 0 && produced === 0) this.state = "trailer";
    else if (consumed < input.byteLength && produced < target.byteLength) {
      this.onBorder?.(this.raw.offset, this.textOffset);
    }
    return produced;
  }

  private readHeader(): void {
    const head = this.raw.peekAtLeast(HEADER_LIMIT);
    if (this.members > 0 && !(head[0] === 0x1f && head[1] === 0x8b)) {
      this.afterLastMember(head);
      return;
    }
    const length = headerLength(head);
    if (length === "short" && head.byteLength < HEADER_LIMIT) {
      this.fail("input_truncated", "The gzip header is incomplete: the file is truncated.");
    } else if (typeof length !== "number") {
      this.fail("input_corrupt", "The gzip header is damaged or unsupported.");
    } else {
      this.raw.consume(length);
      this.unchecked = false;
      if (this.members > 0) this.native.reset();
      this.members += 1;
      this.crc = 0;
      this.memberBytes = 0;
      this.state = "data";
    }
  }

  private readTrailer(): void {
    const tail = this.raw.peekAtLeast(8);
    if (tail.byteLength < 8) {
      this.fail("input_truncated", "The gzip checksum is missing: the file is truncated.");
      return;
    }
    const view = new DataView(tail.buffer, tail.byteOffset, 8);
    const matches =
      view.getUint32(0, true) === this.crc && view.getUint32(4, true) === this.memberBytes % 2 ** 32;
    if (!matches && !this.unchecked) {
      this.fail("input_corrupt", "The gzip checksum does not match: the file is damaged.");
      return;
    }
    this.raw.consume(8);
    this.state = "header";
  }

  /** Handles the end of the file, zero padding (tapes, block devices) or garbage after a complete member. */
  private afterLastMember(rest: Uint8Array): void {
    this.state = "end";
    this.problem = this.raw.problem;
    if (rest.some((byte) => byte !== 0)) {
      this.warnings.push({
        severity: "warning",
        code: "input_trailing_garbage",
        message: `${this.raw.file.identity.size - this.raw.offset} bytes after the end of the gzip data were ignored.`,
        file: this.raw.file.path,
      });
    }
  }

  private fail(code: string, message: string): void {
    this.state = "end";
    this.problem = this.raw.problem ?? problem(code, this.raw.file.path, message);
  }
}

/** Length of a member's header; `short` when `head` ends before it does, `bad` when it is not a valid header. */
function headerLength(head: Uint8Array): number | "short" | "bad" {
  if (head.byteLength < 10) return "short";
  const flags = head[3] ?? 0;
  if (head[0] !== 0x1f || head[1] !== 0x8b || head[2] !== 8 || (flags & 0xe0) !== 0) return "bad";
  let at = 10;
  if (flags & FLAG.extra) at += 2 + (head[at] ?? 0) + 256 * (head[at + 1] ?? 0);
  for (const flag of [FLAG.name, FLAG.comment]) {
    if (!(flags & flag)) continue;
    const end = head.indexOf(0, at);
    if (end < 0) return "short";
    at = end + 1;
  }
  if (flags & FLAG.headerCrc) at += 2;
  return at > head.byteLength ? "short" : at;
}
