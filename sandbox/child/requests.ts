// The requests of the parent, read one after another into a buffer that is used again: a log that comes in a
// hundred parts costs no hundred buffers, which the kernel would have to clear and map each time.
import { type Frame, PREFIX_BYTES, readFrame, readPrefix } from "../protocol.ts";

const FIRST_BYTES = 64 * 1024;
/** A buffer up to this size stays for the next request. */
const KEPT_BYTES = 12 * 1024 * 1024;

export class RequestReader {
  private readonly read: (target: Uint8Array) => number;
  private store = Buffer.allocUnsafeSlow(FIRST_BYTES);
  private filled = 0;
  /** Bytes at the start that belong to the request given out last. */
  private used = 0;

  /** `read` fills a buffer as far as there is something, waits when there is nothing, and returns the number of
   * bytes; 0 at the end of the stream. */
  constructor(read: (target: Uint8Array) => number) {
    this.read = read;
  }

  /** The next request, whose body is valid until the next call; undefined at the end of the stream. Throws a
   * plain Error on what is no frame. */
  next(): Frame | undefined {
    this.store.copyWithin(0, this.used, this.filled);
    this.filled -= this.used;
    this.used = 0;
    if (this.store.byteLength > KEPT_BYTES && this.filled < FIRST_BYTES) this.resize(FIRST_BYTES);
    if (!this.fill(PREFIX_BYTES)) return undefined;
    const prefix = readPrefix(this.store.subarray(0, PREFIX_BYTES), 0xffffffff);
    const end = PREFIX_BYTES + prefix.header + prefix.body;
    if (end > this.store.byteLength) this.resize(end);
    if (!this.fill(end)) return undefined;
    this.used = end;
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
