// The inner loops over log bytes, 16 at a time (WebAssembly SIMD): counting a byte, and finding the positions where a
// keyword may begin. The latter is the "Teddy" algorithm of Hyperscan: a position is a candidate when the table entries of
// the nibbles of its two or three bytes have a common bit. Each bit is a bucket of keywords.
import { FEW, type Fingerprint, PAGES, SCRATCH_AT, STOP_AT, TABLES_AT } from "./kernel-memory.ts";
import { assemble, type Code, I32, op, V128, type WasmFunction } from "./wasm.ts";

const { get, set, tee, int } = op;

/** count(pointer, end, byte): number of occurrences of the byte in [pointer, end). The smallest bytes are stored in the
 * scratch block, so that a NUL can be detected without a second pass. */
const count: WasmFunction = (() => {
  const [ptr, end, byte, sum, wanted, text, least] = [0, 1, 2, 3, 4, 5, 6];
  return {
    name: "count",
    params: 3,
    locals: [I32, V128, V128, V128],
    body: [
      [get(byte), op.vsplat8, set(wanted), int(255), op.vsplat8, set(least)],
      op.block(
        op.loop(
          [get(ptr), int(16), op.add, get(end), op.above, op.branchIf(1)],
          [get(ptr), op.vload(0), tee(text), get(least), op.vmin8, set(least)],
          [get(sum), get(text), get(wanted), op.veq8, op.vmask8],
          [op.countOnes, op.add, set(sum)],
          [get(ptr), int(16), op.add, set(ptr), op.branch(0)],
        ),
      ),
      op.block(
        op.loop(
          [get(ptr), get(end), op.atLeast, op.branchIf(1)],
          [get(sum), get(ptr), op.load8(0), get(byte), op.equal, op.add, set(sum)],
          [get(ptr), int(1), op.add, set(ptr), op.branch(0)],
        ),
      ),
      [int(SCRATCH_AT), get(least), op.vstore(0)],
      get(sum),
    ],
  };
})();

/** A function NAME(pointer, end, out, outEnd) that writes the candidates of [pointer, end) and returns the end of the
 * output; the position reached, which may be before the end when the output is full, is stored at STOP_AT.
 * @param constants number of vectors loaded from the tables first
 * @param hits code that returns a vector with a byte other than 0 for each candidate among the 16 positions from
 * pointer + offset on */
function makeScan(
  name: string,
  constants: number,
  hits: (offset: number, constant: (i: number) => Code, spare: readonly [number, number]) => Code,
): WasmFunction {
  const [ptr, end, out, outEnd, mask, stop, hit, spareA, spareB, firstConstant] = [
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
  ];
  const found = (offset: number) => hits(offset, (i) => get(firstConstant + i), [spareA, spareB]);
  const writeHits = [
    [int(SCRATCH_AT), get(hit), op.vstore(0)],
    [get(hit), int(0), op.vsplat8, op.vne8, op.vmask8, set(mask)],
    op.block(
      op.loop(
        [get(mask), op.eqz, op.branchIf(1)],
        [get(out), get(ptr), get(mask), op.trailingZeros, op.add, op.store32(0)],
        [get(out), get(mask), op.trailingZeros, op.load8(SCRATCH_AT), op.store32(4)],
        [get(out), int(8), op.add, set(out)],
        [get(mask), get(mask), int(1), op.sub, op.and, set(mask), op.branch(0)],
      ),
    ),
  ];
  return {
    name,
    params: 4,
    locals: [I32, I32, V128, V128, V128, ...Array<number>(constants).fill(V128)],
    body: [
      Array.from({ length: constants }, (_, i) => [
        int(TABLES_AT + 16 * i),
        op.vload(0),
        set(firstConstant + i),
      ]),
      op.block(
        op.loop(
          // Four blocks at once while there is no candidate.
          op.block(
            op.loop(
              [get(ptr), int(64), op.add, get(end), op.above, op.branchIf(1)],
              [found(0), found(16), op.vor, found(32), op.vor, found(48), op.vor],
              [op.vany, op.branchIf(1)],
              [get(ptr), int(64), op.add, set(ptr), op.branch(0)],
            ),
          ),
          [get(ptr), int(64), op.add, set(stop)],
          op.block(
            op.loop(
              [get(ptr), get(end), op.atLeast, op.branchIf(3)],
              [get(out), int(128), op.add, get(outEnd), op.above, op.branchIf(3)],
              [found(0), tee(hit), op.vany],
              op.when(...writeHits),
              [get(ptr), int(16), op.add, tee(ptr), get(stop), op.atLeast, op.branchIf(1)],
              op.branch(0),
            ),
          ),
          op.branch(0),
        ),
      ),
      [int(STOP_AT), get(ptr), op.store32(0)],
      get(out),
    ],
  };
}

/** For many keywords: the possible buckets at each position, by the nibbles of two or three bytes. Constants: for each byte
 * of the fingerprint, the tables of its low and high nibble. */
function makeFind(size: Fingerprint): WasmFunction {
  return makeScan(`find${size}`, 2 * size, (offset, constant) =>
    Array.from({ length: size }, (_, i) => {
      const text = [get(0), op.vload(offset + i)];
      const half = [int(15), op.vsplat8, op.vand];
      const low = [constant(2 * i), text, half, op.vswizzle];
      const high = [constant(2 * i + 1), text, int(4), op.vshr16, half, op.vswizzle];
      return [low, high, op.vand, i === 0 ? [] : op.vand];
    }),
  );
}

/** For few keywords: both bytes of each are compared directly, ignoring the case bit. Constants: the case bit, then two
 * bytes for each keyword. */
function makeFew(keywords: number): WasmFunction {
  return makeScan(`few${keywords}`, 1 + 2 * keywords, (offset, constant, [first, second]) => [
    [get(0), op.vload(offset), constant(0), op.vor, set(first)],
    [get(0), op.vload(offset + 1), constant(0), op.vor, set(second)],
    Array.from({ length: keywords }, (_, i) => [
      [get(first), constant(1 + 2 * i), op.veq8],
      [get(second), constant(2 + 2 * i), op.veq8, op.vand],
      i === 0 ? [] : op.vor,
    ]),
  ]);
}

/** The module in base64. */
export function kernelCode(): string {
  const few = Array.from({ length: FEW }, (_, i) => makeFew(i + 1));
  return Buffer.from(assemble(PAGES, [count, makeFind(2), makeFind(3), ...few])).toString("base64");
}
