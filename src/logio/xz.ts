// An xz decoder for files with several streams and padding: xz-embedded in WebAssembly (xz-code.ts), which confines hostile
// input to its memory. It verifies CRC32, CRC64 and the index. SHA-256 checks, filters other than LZMA2 and dictionaries
// above 64 MiB are reported as unsupported.
import type { Diagnostic } from "../contract/results.ts";
import type { Decoder } from "./gzip.ts";
import { problem } from "./open.ts";
import type { RawBytes } from "./raw.ts";
import { xzCode } from "./xz-code.ts" with { type: "macro" };

/** WebAssembly module, base64. */
const CODE: string = xzCode();

/** Results of `get_next_output`: enum xz_ret of xz-embedded. */
const XZ = { ok: 0, end: 1, noMemory: 3, tooMuchMemory: 4, noXz: 5, options: 6, truncated: 8 } as const;

interface Exports {
  memory: WebAssembly.Memory;
  /** Address of a new context: the size of its two buffers, then struct xz_buf. */
  create_context(): number;
  destroy_context(context: number): void;
  /** Sets the number of bytes in the input buffer; 0 means the end of the file. */
  supply_input(context: number, bytes: number): void;
  get_next_output(context: number): number;
}

/** 32-bit fields of a context. */
const FIELD = { size: 0, input: 1, inputAt: 2, inputSize: 3, output: 4, outputAt: 5 } as const;

let compiled: WebAssembly.Module | undefined;
/** One instance is kept for the next file, unless a large dictionary enlarged its memory. */
let idle: Exports | undefined;
const IDLE_BYTES = 16 * 2 ** 20;

export class XzDecoder implements Decoder {
  problem: Diagnostic | undefined;
  readonly warnings: Diagnostic[] = [];
  private readonly raw: RawBytes;
  private readonly wasm: Exports;
  private readonly context: number;
  private readonly size: number;
  private readonly input: number;
  private readonly output: number;
  private ended = false;
  private closed = false;
  /** Bytes of the output buffer that were already returned. */
  private outputRead = 0;

  constructor(raw: RawBytes) {
    this.raw = raw;
    this.wasm = idle ?? instantiate();
    idle = undefined;
    this.context = this.wasm.create_context();
    this.size = this.field(FIELD.size);
    this.input = this.field(FIELD.input);
    this.output = this.field(FIELD.output);
  }

  read(target: Uint8Array): number {
    let written = 0;
    while (written < target.byteLength) {
      const outputEnd = this.field(FIELD.outputAt);
      if (this.outputRead < outputEnd) {
        const count = Math.min(outputEnd - this.outputRead, target.byteLength - written);
        target.set(this.bytes(this.output + this.outputRead, count), written);
        this.outputRead += count;
        written += count;
      } else if (this.ended || !this.step()) break;
    }
    return written;
  }

  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.ended = true;
    this.wasm.destroy_context(this.context);
    if (this.wasm.memory.buffer.byteLength <= IDLE_BYTES) idle = this.wasm;
  }

  /** Decodes the next piece into the emptied output buffer; false when the file could not be read. */
  private step(): boolean {
    this.setField(FIELD.outputAt, 0);
    this.outputRead = 0;
    if (this.field(FIELD.inputAt) === this.field(FIELD.inputSize)) {
      const next = this.raw.peek().subarray(0, this.size);
      if (this.raw.problem !== undefined) return this.fail(this.raw.problem);
      this.bytes(this.input, next.byteLength).set(next);
      this.raw.consume(next.byteLength);
      this.wasm.supply_input(this.context, next.byteLength);
    }
    const result = this.wasm.get_next_output(this.context);
    if (result === XZ.end) this.ended = true;
    else if (result !== XZ.ok) this.fail(this.diagnose(result));
    return true;
  }

  private diagnose(result: number): Diagnostic {
    const { path } = this.raw.file;
    const unsupported = (what: string) =>
      problem(
        "input_unsupported_compression",
        path,
        `This xz archive ${what}, which is not supported. Decompress it (unxz -k) or compress it with gzip or zstd.`,
      );
    switch (result) {
      case XZ.truncated:
        return problem("input_truncated", path, "The xz data ends early: the file is truncated.");
      case XZ.options:
        return unsupported("uses a filter or a checksum other than LZMA2, CRC32 and CRC64");
      case XZ.noMemory:
      case XZ.tooMuchMemory:
        return unsupported("needs a dictionary of more than 64 MiB");
      case XZ.noXz:
        return problem("input_corrupt", path, "The xz data is damaged, or other data follows it.");
      default:
        return problem("input_corrupt", path, `The xz data is damaged (code ${result}).`);
    }
  }

  private fail(diagnostic: Diagnostic): false {
    this.ended = true;
    this.problem = diagnostic;
    return false;
  }

  private field(index: number): number {
    return new DataView(this.wasm.memory.buffer).getUint32(this.context + 4 * index, true);
  }

  private setField(index: number, value: number): void {
    new DataView(this.wasm.memory.buffer).setUint32(this.context + 4 * index, value, true);
  }

  /** A view that is valid until the memory grows. */
  private bytes(address: number, length: number): Uint8Array {
    return new Uint8Array(this.wasm.memory.buffer, address, length);
  }
}

function instantiate(): Exports {
  compiled ??= new WebAssembly.Module(Buffer.from(CODE, "base64"));
  return new WebAssembly.Instance(compiled).exports as unknown as Exports;
}
