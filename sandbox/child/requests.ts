// Reads the parent's requests into one reused buffer: a log that arrives in a hundred parts does not need a hundred
// buffers, each of which the kernel would have to map and clear.
import { type Frame, PREFIX_BYTES, readFrame, readPrefix } from "../protocol.ts";

const INITIAL_BYTES = 64 * 1024;
/** A larger buffer is released before the next request. */
const MAX_RETAINED_BYTES = 12 * 1024 * 1024;

export class RequestReader {
  private readonly read: (target: Uint8Array) => number;
  private store = Buffer.allocUnsafeSlow(INITIAL_BYTES);
  private filled = 0;
  /** Bytes at the start that belong to the request returned last. */
  private consumedBytes = 0;

  /** `read` reads available bytes into a buffer, blocks while there are none, and returns their number; 0 at the end
   * of the stream. */
  constructor(read: (target: Uint8Array) => number) {
    this.read = read;
  }

  /** The next request, whose body is valid until the next call; undefined at the end of the stream. Throws a plain
   * Error on a malformed frame. */
  next(): Frame | undefined {
    this.store.copyWithin(0, this.consumedBytes, this.filled);
    this.filled -= this.consumedBytes;
    this.consumedBytes = 0;
    if (this.store.byteLength > MAX_RETAINED_BYTES && this.filled < INITIAL_BYTES) this.resize(INITIAL_BYTES);
    if (!this.fill(PREFIX_BYTES)) return undefined;
    const prefix = readPrefix(this.store.subarray(0, PREFIX_BYTES), 0xffffffff);
    const end = PREFIX_BYTES + prefix.header + prefix.body;
    if (end > this.store.byteLength) this.resize(end);
    if (!this.fill(end)) return undefined;
    this.consumedBytes = end;
    return readFrame(this.store.subarray(PREFIX_BYTES, end), prefix);
  }

  private fill(wanted: number): boolean {
    while (this.filled < wanted) {
      const count = this.read(this.store.subarray(this.filled));
      if (count === 0) return false;
      this.filled += count;
    }
    return true;
  }

  private resize(bytes: number): void {
    const larger = Buffer.allocUnsafeSlow(bytes);
    this.store.copy(larger, 0, 0, this.filled);
    this.store = larger;
  }
}
