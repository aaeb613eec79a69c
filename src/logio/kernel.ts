// The kernel: WebAssembly loops over log bytes (kernel-code.ts) and the memory they work on.
// The code is made when the program is bundled (a macro of the bundler; in a checkout when this file is loaded):
// making it takes longer than searching a megabyte.
import { kernelCode } from "./kernel-code.ts" with { type: "macro" };
import {
  CANDIDATES_AT,
  CANDIDATES_END,
  CASE_BIT,
  DATA_AT,
  DATA_BYTES,
  type Fingerprint,
  SCRATCH_AT,
  STOP_AT,
  TABLES_AT,
} from "./kernel-memory.ts";

/** WebAssembly module, base64. */
const CODE: string = kernelCode();

interface KernelExports {
  memory: WebAssembly.Memory;
  count(pointer: number, end: number, byte: number): number;
  find2: Scan;
  find3: Scan;
  few1: Scan;
  few2: Scan;
  few3: Scan;
}
type Scan = (pointer: number, end: number, out: number, outEnd: number) => number;
type ScanName = "find2" | "find3" | "few1" | "few2" | "few3";
const FEW_NAMES: readonly ScanName[] = ["few1", "few2", "few3"];

let compiled: WebAssembly.Module | undefined;
const idle: Kernel[] = [];

/** One instance with its own memory. Positions are offsets into `data`. */
export class Kernel {
  /** Where the text goes. */
  readonly data: Buffer;
  private readonly exports: KernelExports;
  private readonly head: Uint32Array;
  private readonly tables: Uint8Array;
  private readonly least: Uint8Array;
  private scan: ScanName = "find3";

  private constructor() {
    compiled ??= new WebAssembly.Module(Buffer.from(CODE, "base64"));
    this.exports = new WebAssembly.Instance(compiled).exports as unknown as KernelExports;
    const memory = this.exports.memory.buffer;
    this.data = Buffer.from(memory, DATA_AT, DATA_BYTES);
    this.head = new Uint32Array(memory, 0, DATA_AT / 4);
    this.tables = new Uint8Array(memory, TABLES_AT, SCRATCH_AT - TABLES_AT);
    this.least = new Uint8Array(memory, SCRATCH_AT, 16);
  }

  /** Takes an idle instance or makes one. Give it back with `release`. */
  static acquire(): Kernel {
    return idle.pop() ?? new Kernel();
  }

  release(): void {
    if (idle.length < 2) idle.push(this);
  }

  /** Number of occurrences of a byte in [from, to). */
  count(from: number, to: number, byte = 10): number {
    return to > from ? this.exports.count(DATA_AT + from, DATA_AT + to, byte) : 0;
  }

  /** Line ends in [from, to), and the offset of the first NUL byte, -1 without one. */
  survey(from: number, to: number): { lineEnds: number; nul: number } {
    const lineEnds = this.count(from, to);
    // The last few bytes are not part of a whole block.
    const tail = Math.max(from, to - 16);
    const suspicious = this.least.includes(0) || this.data.subarray(tail, to).includes(0);
    if (!suspicious) return { lineEnds, nul: -1 };
    const found = this.data.subarray(from, to).indexOf(0);
    return { lineEnds, nul: found < 0 ? -1 : from + found };
  }

  /** Sets what is looked for: for each bucket (at most 8) and each place of the fingerprint, the bytes that may
   * stand there; undefined means any byte. */
  setTables(size: Fingerprint, buckets: (ReadonlySet<number> | undefined)[][]): void {
    this.scan = `find${size}`;
    this.tables.fill(0);
    buckets.forEach((places, bucket) => {
      for (let place = 0; place < size; place += 1) {
        const allowed = places[place];
        for (let byte = 0; byte < 256; byte += 1) {
          if (allowed !== undefined && !allowed.has(byte)) continue;
          this.mark(32 * place + (byte & 15), bucket);
          this.mark(32 * place + 16 + (byte >> 4), bucket);
        }
      }
    });
  }

  /** The same for up to `FEW` keywords by two bytes each, given in lower case; one bucket for all of them. */
  setPairs(pairs: [number, number][]): void {
    this.scan = FEW_NAMES[pairs.length - 1] ?? "few1";
    this.tables.fill(CASE_BIT, 0, 16);
    pairs.flat().forEach((byte, i) => {
      this.tables.fill(byte | CASE_BIT, 16 * (i + 1), 16 * (i + 2));
    });
  }

  /** Reports the candidates in [from, to) in order until `report` returns false. */
  find(from: number, to: number, report: (offset: number, buckets: number) => boolean): void {
    for (let at = from; at < to; ) {
      const end = this.exports[this.scan](DATA_AT + at, DATA_AT + to, CANDIDATES_AT, CANDIDATES_END);
      at = (this.head[STOP_AT / 4] ?? 0) - DATA_AT;
      for (let i = CANDIDATES_AT / 4; i < end / 4; i += 2) {
        const offset = (this.head[i] ?? 0) - DATA_AT;
        if (offset < to && !report(offset, this.head[i + 1] ?? 0)) return;
      }
    }
  }

  private mark(index: number, bucket: number): void {
    this.tables[index] = (this.tables[index] ?? 0) | (1 << bucket);
  }
}
