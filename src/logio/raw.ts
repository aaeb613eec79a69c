// Reads the bytes of a file sequentially through one buffer, and optionally hashes them.
import type { Diagnostic } from "../contract/results.ts";
import { newHash } from "../core/hash.ts";
import { type OpenedLog, openProblem } from "./open.ts";

/** A large buffer: a system call and a call of the decompressor cost the same for 4 KiB and 256 KiB. */
const BUFFER_BYTES = 256 * 1024;

/** The bytes of one open file in order. Never throws: a failed read is `problem` and looks like the end. */
export class RawBytes {
  readonly file: OpenedLog;
  problem: Diagnostic | undefined;
  private readonly hash: Bun.CryptoHasher | undefined;
  private readonly store: Uint8Array;
  private buffered: Uint8Array;
  private position: number;
  private readonly end: number | undefined;

  /** @param options `start` and `end`: byte range, by default the whole file */
  constructor(file: OpenedLog, options: { hash?: boolean; start?: number; end?: number } = {}) {
    this.end = options.end;
    this.file = file;
    this.hash = options.hash ? newHash() : undefined;
    this.store = new Uint8Array(BUFFER_BYTES);
    this.buffered = this.store.subarray(0, 0);
    this.position = options.start ?? 0;
  }

  /** Absolute offset of the next byte to be consumed. */
  get offset(): number {
    return this.position - this.buffered.byteLength;
  }

  /** The buffered bytes; filled from the file when empty. Empty only at the end. */
  peek(): Uint8Array {
    if (this.buffered.byteLength === 0) this.buffered = this.store.subarray(0, this.fill(this.store));
    return this.buffered;
  }

  /** At least `count` bytes (at most 1024), fewer only at the end of the file. */
  peekAtLeast(count: number): Uint8Array {
    let have = this.peek();
    while (have.byteLength < count) {
      if (have.byteOffset > 0) {
        this.store.set(have, 0);
        have = this.store.subarray(0, have.byteLength);
      }
      const more = this.fill(this.store.subarray(have.byteLength));
      if (more === 0) break;
      have = this.store.subarray(0, have.byteLength + more);
      this.buffered = have;
    }
    return have;
  }

  /** Marks `count` buffered bytes as used. */
  consume(count: number): void {
    this.buffered = this.buffered.subarray(count);
  }

  /** Reads into `target`, bypassing the buffer when it is empty. 0 at the end. */
  readInto(target: Uint8Array): number {
    const have = this.buffered;
    if (have.byteLength === 0) return this.fill(target);
    const count = Math.min(have.byteLength, target.byteLength);
    target.set(have.subarray(0, count));
    this.consume(count);
    return count;
  }

  /** SHA-256 of the whole file; reads the rest of it. Only with `hash`. */
  digest(): string {
    while (this.fill(this.store) > 0);
    return this.hash?.digest("hex") ?? "";
  }

  private fill(target: Uint8Array): number {
    if (this.problem !== undefined) return 0;
    try {
      // Bytes appended since the file was opened are not read. A size of 0 is ignored, because some file systems (proc)
      // report it for files with content.
      const size = this.end ?? this.file.identity.size;
      const left = (size === 0 ? Number.MAX_SAFE_INTEGER : size) - this.position;
      const room = target.byteLength > left ? target.subarray(0, Math.max(0, left)) : target;
      if (room.byteLength === 0) return 0;
      const count = this.file.readAt(room, this.position);
      this.position += count;
      if (this.hash && count > 0) this.hash.update(room.subarray(0, count));
      return count;
    } catch (error) {
      this.problem = openProblem(this.file.path, error);
      return 0;
    }
  }
}
