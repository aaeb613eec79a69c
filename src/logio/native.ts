// The native decompressors of node:zlib, called step by step: into our own buffer, with the exact number of bytes consumed
// and produced, and stopping at block borders. The stream API does not support this; it also loses output before trailing
// garbage, and accepts a truncated zstd frame as complete. The handle is internal to node:zlib; the runtime is pinned and
// embedded, and test/logio verifies the behavior.
import { zlib } from "./zlib.ts";

interface NativeHandle {
  writeSync(
    flush: number,
    input: Uint8Array,
    inputOffset: number,
    inputLength: number,
    output: Uint8Array,
    outputOffset: number,
    outputLength: number,
  ): void;
  reset(): void;
  close(): void;
  onerror: (message: string, errno: number, code: string) => void;
}

interface NativeStream {
  _handle: NativeHandle;
  _writeState: Uint32Array;
  on(event: "error", listener: () => void): unknown;
}

/** Result of one step. `failed` is the library's message. */
export interface Step {
  consumed: number;
  produced: number;
  failed: string | undefined;
}

/** The stream's own output buffer is never used. */
const OWN_BUFFERS = { chunkSize: 64 };

export class NativeDecoder {
  private readonly stream: NativeStream;
  private readonly flush: number;
  private failed: string | undefined;
  private closed = false;

  private constructor(stream: NativeStream, flush: number) {
    this.stream = stream;
    this.flush = flush;
    if (typeof stream._handle?.writeSync !== "function" || stream._writeState?.length !== 2) {
      throw new Error("this runtime's node:zlib has no synchronous handle; use the pinned Bun version");
    }
    stream.on("error", () => undefined);
    stream._handle.onerror = (message) => {
      this.failed = message;
    };
  }

  /** Raw deflate that stops after every block. `window`: up to 32 KiB of preceding text. */
  static inflate(window?: Uint8Array): NativeDecoder {
    const stream = zlib().createInflateRaw({
      ...OWN_BUFFERS,
      ...(window === undefined ? {} : { dictionary: window }),
    });
    return new NativeDecoder(stream as unknown as NativeStream, zlib().constants.Z_BLOCK);
  }

  static zstd(): NativeDecoder {
    const stream = zlib().createZstdDecompress(OWN_BUFFERS) as unknown as NativeStream;
    return new NativeDecoder(stream, zlib().constants.ZSTD_e_continue);
  }

  /** Decodes as much of `input` as fits into `output`. If nothing is consumed or produced although both have room, the
   * stream has ended. */
  step(input: Uint8Array, output: Uint8Array): Step {
    this.stream._handle.writeSync(this.flush, input, 0, input.byteLength, output, 0, output.byteLength);
    const [outputLeft = 0, inputLeft = 0] = this.stream._writeState;
    if (this.failed !== undefined) return { consumed: 0, produced: 0, failed: this.failed };
    const [consumed, produced] = [input.byteLength - inputLeft, output.byteLength - outputLeft];
    return { consumed, produced, failed: undefined };
  }

  /** Starts over for the next member or frame. */
  reset(): void {
    this.failed = undefined;
    this.stream._handle.reset();
  }

  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.stream._handle.close();
  }
}
