// The text bytes of a log: decompressed, without byte order mark, UTF-16 transcoded to UTF-8. The result is UTF-8 or
// Latin-1; the callers decide which, since that is a property of the whole file.
import type { Diagnostic } from "../contract/results.ts";
import { sniffBom } from "./format.ts";
import { problem } from "./open.ts";
import type { ByteSource } from "./source.ts";

/** Bytes of UTF-16 that are transcoded at a time. */
const UTF16_PIECE = 64 * 1024;

export class TextBytes {
  readonly source: ByteSource;
  /** Set if the file has a UTF-16 byte order mark. */
  readonly utf16: "utf-16le" | "utf-16be" | undefined;
  /** Length of the removed byte order mark, in decompressed bytes. */
  readonly bomLength: number;
  private pending: Uint8Array;
  private readonly decoder: TextDecoder | undefined;
  private readonly encoder = new TextEncoder();
  private invalid: Diagnostic | undefined;

  /** `resumed`: the source starts in the middle of the file, without a byte order mark. */
  constructor(source: ByteSource, resumed = false) {
    this.source = source;
    this.bomLength = 0;
    this.pending = new Uint8Array(0);
    if (resumed) return;
    const head = new Uint8Array(4);
    const firstBytes = head.subarray(0, source.read(head));
    const bom = sniffBom(firstBytes);
    this.bomLength = bom?.length ?? 0;
    this.pending = firstBytes.subarray(this.bomLength);
    if (bom?.encoding === "utf-16le" || bom?.encoding === "utf-16be") {
      this.utf16 = bom.encoding;
      this.decoder = new TextDecoder(bom.encoding, { fatal: true, ignoreBOM: true });
      this.pending = this.transcode(this.pending);
    }
  }

  get problem(): Diagnostic | undefined {
    return this.invalid ?? this.source.problem;
  }

  /** Fills `target` as far as possible; returns 0 at the end or when `problem` is set. */
  read(target: Uint8Array): number {
    let written = 0;
    while (written < target.byteLength) {
      if (this.pending.byteLength > 0) {
        const count = Math.min(this.pending.byteLength, target.byteLength - written);
        target.set(this.pending.subarray(0, count), written);
        this.pending = this.pending.subarray(count);
        written += count;
        continue;
      }
      const count = this.decoder === undefined ? this.source.read(target.subarray(written)) : this.refill();
      if (count === 0) break;
      if (this.decoder === undefined) written += count;
    }
    return written;
  }

  close(): void {
    this.source.close();
  }

  /** Transcodes the next piece; 0 at the end. */
  private refill(): number {
    if (this.invalid !== undefined) return 0;
    const piece = new Uint8Array(UTF16_PIECE);
    const count = this.source.read(piece);
    if (count === 0) {
      if (this.source.problem === undefined) this.transcode(new Uint8Array(0), true);
      return 0;
    }
    this.pending = this.transcode(piece.subarray(0, count));
    // A piece that ends inside a surrogate pair may yield nothing yet.
    return this.pending.byteLength > 0 ? this.pending.byteLength : this.refill();
  }

  private transcode(bytes: Uint8Array, last = false): Uint8Array {
    try {
      return this.encoder.encode(this.decoder?.decode(bytes, { stream: !last }) ?? "");
    } catch {
      this.invalid = problem(
        "input_corrupt",
        this.source.file.path,
        `The byte order mark is that of ${this.utf16}, but the bytes are not valid UTF-16.`,
      );
      return new Uint8Array(0);
    }
  }
}

/** The diagnostic for a NUL byte in a text. */
export function binaryProblem(path: string, offset: number): Diagnostic {
  return problem(
    "input_binary",
    path,
    `This is not text: it has a NUL byte at byte ${offset}. Binary files and UTF-16 without a byte order mark are not supported.`,
  );
}
