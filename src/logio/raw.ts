// Sequential reading of the bytes on disk through one buffer, hashing on the way if asked to.
import type { Diagnostic } from "../contract/results.ts";
import { newHash } from "../core/hash.ts";
import { type OpenedLog, openProblem } from "./open.ts";

/** Large pieces: one system call and one call of the decompressor cost the same for 4 KiB and for 256 KiB. */
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

  /** `start`: where to begin, in bytes; `end`: where to end, by default where the file does. */
  constructor(file: OpenedLog, options: { hash?: boolean; start?: number; end?: number } = {}) {
    this.end = options.end;
    this.file = file;
    this.hash = options.hash ? newHash() : undefined;
    this.store = new Uint8Array(BUFFER_BYTES);
    this.buffered = this.store.subarray(0, 0);
    this.position = options.start ?? 0;
  }

  /** Bytes handed out so far, as an absolute offset. */
  get offset(): number {
    return this.position - this.buffered.byteLength;
  }

  /** What is buffered; filled from the file when empty. Empty only at the end. */
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

  /** Reads straight into `target`, past the buffer when that is empty. 0 at the end. */
  readInto(target: Uint8Array): number {
    const have = this.buffered;
    if (have.byteLength === 0) return this.fill(target);
    const count = Math.min(have.byteLength, target.byteLength);
    target.set(have.subarray(0, count));
    this.consume(count);
    return count;
  }

  /** SHA-256 of the whole file, reading what is left of it. Only with `hash`. */
  digest(): string {
    while (this.fill(this.store) > 0);
    return this.hash?.digest("hex") ?? "";
  }

  private fill(target: Uint8Array): number {
    if (this.problem !== undefined) return 0;
    try {
      // What a writer appends meanwhile is not part of the file as it was opened. A size of 0 is not believed:
      // some file systems (proc) give it for files that have content.
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
