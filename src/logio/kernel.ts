// The inner loops over log bytes, 16 at a time (WebAssembly SIMD): counting a byte, and finding the places where
// one of several keywords may begin. The second is the "Teddy" idea of Hyperscan: a place is a candidate when
// its two or three bytes, looked up by their half-bytes, leave a common bit. Each bit is a bucket of keywords.
import { assemble, type Bytes, I32, op, V128, type WasmFunction } from "./wasm.ts";

/** Bytes compared before a place counts as a candidate: two are faster, three let fewer false ones through. */
export type Fingerprint = 2 | 3;
export const BUCKETS = 8;

const PAGE = 65_536;
/** Address of the position where `find` stopped, of the tables, and of the scratch block. */
const STOP_AT = 0;
const TABLES_AT = 16;
const SCRATCH_AT = 192;
/** Candidates: pairs of 32-bit position and bucket mask. */
const CANDIDATES_AT = 256;
const CANDIDATES_END = PAGE - 256;
/** What tells a small ASCII letter from a capital one. */
export const CASE_BIT = 0x20;
/** Room for text: what is kept of the previous piece, and a piece. */
const DATA_AT = PAGE;
export const DATA_BYTES = 12 * PAGE;
/** Blocks are read whole, so a few bytes after the text are looked at (and ignored). */
const PAGES = 1 + 12 + 1;

const { get, set, tee, int } = op;

/** count(pointer, end, byte): how often the byte stands in [pointer, end). The smallest bytes seen are left in the
 * scratch block, so that a NUL among them can be told without a second pass. */
const count: WasmFunction = (() => {
  const [ptr, end, byte, sum, wanted, text, least] = [0, 1, 2, 3, 4, 5, 6];
  return {
    name: "count",
    params: 3,
    locals: [I32, V128, V128, V128],
    body: [
      [...get(byte), ...op.vsplat8, ...set(wanted), ...int(255), ...op.vsplat8, ...set(least)],
      op.block(
        op.loop(
          [...get(ptr), ...int(16), ...op.add, ...get(end), ...op.above, ...op.branchIf(1)],
          [...get(ptr), ...op.vload(0), ...tee(text), ...get(least), ...op.vmin8, ...set(least)],
          [...get(sum), ...get(text), ...get(wanted), ...op.veq8, ...op.vmask8],
          [...op.countOnes, ...op.add, ...set(sum)],
          [...get(ptr), ...int(16), ...op.add, ...set(ptr), ...op.branch(0)],
        ),
      ),
      op.block(
        op.loop(
          [...get(ptr), ...get(end), ...op.atLeast, ...op.branchIf(1)],
          [...get(sum), ...get(ptr), ...op.load8(0), ...get(byte), ...op.equal, ...op.add, ...set(sum)],
          [...get(ptr), ...int(1), ...op.add, ...set(ptr), ...op.branch(0)],
        ),
      ),
      [...int(SCRATCH_AT), ...get(least), ...op.vstore(0)],
      get(sum),
    ],
  };
})();

/** A function NAME(pointer, end, out, outEnd) that writes the candidates of [pointer, end) and returns the end of
 * what was written; the position reached, past the end or where the room ran out, is stored at STOP_AT. `constants`:
 * how many vectors it loads from the tables first; `hits`: the code that leaves a vector with a byte other than 0 for
 * each candidate among the 16 places from pointer + offset on. */
function makeScan(
  name: string,
  constants: number,
  hits: (offset: number, constant: (i: number) => Bytes, spare: readonly [number, number]) => Bytes,
): WasmFunction {
  const [ptr, end, out, outEnd, mask, stop, hit, spareA, spareB, firstConstant] = [
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
  ];
  const found = (offset: number) => hits(offset, (i) => get(firstConstant + i), [spareA, spareB]);
  const writeHits = [
    [...int(SCRATCH_AT), ...get(hit), ...op.vstore(0)],
    [...get(hit), ...int(0), ...op.vsplat8, ...op.vne8, ...op.vmask8, ...set(mask)],
    op.block(
      op.loop(
        [...get(mask), ...op.eqz, ...op.branchIf(1)],
        [...get(out), ...get(ptr), ...get(mask), ...op.trailingZeros, ...op.add, ...op.store32(0)],
        [...get(out), ...get(mask), ...op.trailingZeros, ...op.load8(SCRATCH_AT), ...op.store32(4)],
        [...get(out), ...int(8), ...op.add, ...set(out)],
        [...get(mask), ...get(mask), ...int(1), ...op.sub, ...op.and, ...set(mask), ...op.branch(0)],
      ),
    ),
  ];
  return {
    name,
    params: 4,
    locals: [I32, I32, V128, V128, V128, ...Array<number>(constants).fill(V128)],
    body: [
      ...Array.from({ length: constants }, (_, i) => [
        ...int(TABLES_AT + 16 * i),
        ...op.vload(0),
        ...set(firstConstant + i),
      ]),
      op.block(
        op.loop(
          // Four blocks at once while nothing is there.
          op.block(
            op.loop(
              [...get(ptr), ...int(64), ...op.add, ...get(end), ...op.above, ...op.branchIf(1)],
              [...found(0), ...found(16), ...op.vor, ...found(32), ...op.vor, ...found(48), ...op.vor],
              [...op.vany, ...op.branchIf(1)],
              [...get(ptr), ...int(64), ...op.add, ...set(ptr), ...op.branch(0)],
            ),
          ),
          [...get(ptr), ...int(64), ...op.add, ...set(stop)],
          op.block(
            op.loop(
              [...get(ptr), ...get(end), ...op.atLeast, ...op.branchIf(3)],
              [...get(out), ...int(128), ...op.add, ...get(outEnd), ...op.above, ...op.branchIf(3)],
              [...found(0), ...tee(hit), ...op.vany],
              op.when(...writeHits),
              [
                ...get(ptr),
                ...int(16),
                ...op.add,
                ...tee(ptr),
                ...get(stop),
                ...op.atLeast,
                ...op.branchIf(1),
              ],
              op.branch(0),
            ),
          ),
          op.branch(0),
        ),
      ),
      [...int(STOP_AT), ...get(ptr), ...op.store32(0)],
      get(out),
    ],
  };
}

/** Many keywords: the buckets possible at each place, by the half-bytes of two or three bytes. Constants: for each
 * byte of the fingerprint the table of its low and of its high half. */
function makeFind(size: Fingerprint): WasmFunction {
  return makeScan(`find${size}`, 2 * size, (offset, constant) =>
    Array.from({ length: size }, (_, i) => {
      const text = [...get(0), ...op.vload(offset + i)];
      const half = [...int(15), ...op.vsplat8, ...op.vand];
      const low = [...constant(2 * i), ...text, ...half, ...op.vswizzle];
      const high = [...constant(2 * i + 1), ...text, ...int(4), ...op.vshr16, ...half, ...op.vswizzle];
      return [...low, ...high, ...op.vand, ...(i === 0 ? [] : op.vand)];
    }).flat(),
  );
}

/** Few keywords: both bytes of each are compared directly, without the bit that tells the cases apart. Constants:
 * that bit, then two bytes for each keyword. */
function makeFew(keywords: number): WasmFunction {
  return makeScan(`few${keywords}`, 1 + 2 * keywords, (offset, constant, [first, second]) => [
    ...[...get(0), ...op.vload(offset), ...constant(0), ...op.vor, ...set(first)],
    ...[...get(0), ...op.vload(offset + 1), ...constant(0), ...op.vor, ...set(second)],
    ...Array.from({ length: keywords }, (_, i) => [
      ...[...get(first), ...constant(1 + 2 * i), ...op.veq8],
      ...[...get(second), ...constant(2 + 2 * i), ...op.veq8, ...op.vand],
      ...(i === 0 ? [] : op.vor),
    ]).flat(),
  ]);
}

/** Up to so many keywords are compared directly. */
export const FEW = 3;

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
    compiled ??= new WebAssembly.Module(
      assemble(PAGES, [count, makeFind(2), makeFind(3), ...FEW_NAMES.map((_, i) => makeFew(i + 1))]),
    );
    this.exports = new WebAssembly.Instance(compiled).exports as unknown as KernelExports;
    const memory = this.exports.memory.buffer;
    this.data = Buffer.from(memory, DATA_AT, DATA_BYTES);
    this.head = new Uint32Array(memory, 0, PAGE / 4);
    this.tables = new Uint8Array(memory, TABLES_AT, SCRATCH_AT - TABLES_AT);
    this.least = new Uint8Array(memory, SCRATCH_AT, 16);
  }

  /** Takes an idle instance or makes one. Give it back with `release`. */
  static take(): Kernel {
    return idle.pop() ?? new Kernel();
  }

  release(): void {
    if (idle.length < 2) idle.push(this);
  }

  /** How often a byte stands in [from, to). */
  count(from: number, to: number, byte = 10): number {
    return to > from ? this.exports.count(DATA_AT + from, DATA_AT + to, byte) : 0;
  }

  /** Line ends in [from, to), and the offset of the first NUL byte, -1 if there is none. */
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
