// The bytes of a log's text: decompressed, without byte order mark, UTF-16 converted to UTF-8. The result is UTF-8 or
// Latin-1, which the callers decide for the whole file.
import type { Diagnostic } from "../contract/results.ts";
import { sniffBom } from "./format.ts";
import { problem } from "./open.ts";
import type { ByteSource } from "./source.ts";

/** Bytes of UTF-16 that are transcoded at once. */
const UTF16_PIECE = 64 * 1024;

export class TextBytes {
  readonly source: ByteSource;
  /** Set by the byte order mark of the file. */
  readonly utf16: "utf-16le" | "utf-16be" | undefined;
  /** Length of the dropped byte order mark, in decompressed bytes. */
  readonly bomLength: number;
  private pending: Uint8Array;
  private readonly decoder: TextDecoder | undefined;
  private readonly encoder = new TextEncoder();
  private invalid: Diagnostic | undefined;

  /** @param resumed the source starts in the middle, without a byte order mark */
  constructor(source: ByteSource, resumed = false) {
    this.source = source;
    this.bomLength = 0;
    this.pending = new Uint8Array(0);
    if (resumed) return;
    const head = new Uint8Array(4);
    const got = head.subarray(0, source.read(head));
    const bom = sniffBom(got);
    this.bomLength = bom?.length ?? 0;
    this.pending = got.subarray(this.bomLength);
    if (bom?.encoding === "utf-16le" || bom?.encoding === "utf-16be") {
      this.utf16 = bom.encoding;
      this.decoder = new TextDecoder(bom.encoding, { fatal: true, ignoreBOM: true });
      this.pending = this.transcode(this.pending);
    }
  }

  get problem(): Diagnostic | undefined {
    return this.invalid ?? this.source.problem;
  }

  /** Fills `target` as far as data is available; 0 means the end or a problem: see `problem`. */
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
    // A piece may end inside a surrogate pair and decode to nothing yet.
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

export function lineEndsIn(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) count += 1;
  return count;
}

/** The diagnostic for a NUL byte in a text. `line`: 1-based line of the first one. */
export function binaryProblem(path: string, offset: number, line: number): Diagnostic {
  const message = `This is not text: a NUL byte at byte ${offset}, in line ${line}. If the file is a log, remove the NUL bytes (tr -d '\\000' < FILE > COPY) or find out which program wrote them; UTF-16 needs a byte order mark.`;
  return { ...problem("input_binary", path, message), line };
}
