// Reads the bytes of a file sequentially through one buffer, and optionally hashes them.
import type { Diagnostic } from "../contract/results.ts";
import { newHash } from "../core/hash.ts";
import { type OpenedLog, openProblem } from "./open.ts";

/** Large, since the overhead of system calls and decompressor calls is per call. */
const BUFFER_BYTES = 256 * 1024;

/** The bytes of one open file in order. Never throws: a failed read sets `problem` and looks like the end. */
export class RawBytes {
  readonly file: OpenedLog;
  problem: Diagnostic | undefined;
  private readonly hash: Bun.CryptoHasher | undefined;
  private readonly store: Uint8Array;
  private buffered: Uint8Array;
  private position: number;

  /** `start`: where to begin, in bytes. */
  constructor(file: OpenedLog, options: { hash?: boolean; start?: number } = {}) {
    this.file = file;
    this.hash = options.hash ? newHash() : undefined;
    this.store = new Uint8Array(BUFFER_BYTES);
    this.buffered = this.store.subarray(0, 0);
    this.position = options.start ?? 0;
  }

  /** Absolute offset of the next byte to consume. */
  get offset(): number {
    return this.position - this.buffered.byteLength;
  }

  /** The buffered bytes; refilled from the file when empty. Empty only at the end. */
  peek(): Uint8Array {
    if (this.buffered.byteLength === 0) this.buffered = this.store.subarray(0, this.fill(this.store));
    return this.buffered;
  }

  /** At least `count` bytes (at most 1024), fewer only at the end of the file. */
  peekAtLeast(count: number): Uint8Array {
    let available = this.peek();
    while (available.byteLength < count) {
      if (available.byteOffset > 0) {
        this.store.set(available, 0);
        available = this.store.subarray(0, available.byteLength);
      }
      const more = this.fill(this.store.subarray(available.byteLength));
      if (more === 0) break;
      available = this.store.subarray(0, available.byteLength + more);
      this.buffered = available;
    }
    return available;
  }

  /** Removes `count` buffered bytes. */
  consume(count: number): void {
    this.buffered = this.buffered.subarray(count);
  }

  /** Reads into `target`, bypassing the buffer when it is empty. 0 at the end. */
  readInto(target: Uint8Array): number {
    const available = this.buffered;
    if (available.byteLength === 0) return this.fill(target);
    const count = Math.min(available.byteLength, target.byteLength);
    target.set(available.subarray(0, count));
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
      // Bytes appended after opening are not read. A size of 0 is ignored: some file systems (proc) report it for files
      // with content.
      const size = this.file.identity.size;
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
