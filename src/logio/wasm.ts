// A very small assembler for WebAssembly: enough to write a kernel of a few loops in the source instead of
// keeping a binary blob whose origin nobody can check. Numbers are those of the WebAssembly 2.0 specification.

export type Bytes = number[];

export const I32 = 0x7f;
export const V128 = 0x7b;

/** Unsigned LEB128. */
export function unsigned(value: number): Bytes {
  const bytes: Bytes = [];
  let rest = value;
  do {
    const low = rest & 0x7f;
    rest >>>= 7;
    bytes.push(rest === 0 ? low : low | 0x80);
  } while (rest !== 0);
  return bytes;
}

/** Signed LEB128. */
function signed(value: number): Bytes {
  const bytes: Bytes = [];
  for (let rest = value; ; rest >>= 7) {
    const low = rest & 0x7f;
    const done = (rest >> 7 === 0 && (low & 0x40) === 0) || (rest >> 7 === -1 && (low & 0x40) !== 0);
    bytes.push(done ? low : low | 0x80);
    if (done) return bytes;
  }
}

const simd = (op: number, ...immediates: Bytes): Bytes => [0xfd, ...unsigned(op), ...immediates];
const memory = (align: number, offset: number): Bytes => [align, ...unsigned(offset)];

/** Instructions as byte sequences; operands stand before the operator. */
export const op = {
  get: (local: number): Bytes => [0x20, ...unsigned(local)],
  set: (local: number): Bytes => [0x21, ...unsigned(local)],
  tee: (local: number): Bytes => [0x22, ...unsigned(local)],
  int: (value: number): Bytes => [0x41, ...signed(value)],
  block: (...body: Bytes[]): Bytes => [0x02, 0x40, ...body.flat(), 0x0b],
  loop: (...body: Bytes[]): Bytes => [0x03, 0x40, ...body.flat(), 0x0b],
  when: (...body: Bytes[]): Bytes => [0x04, 0x40, ...body.flat(), 0x0b],
  branch: (depth: number): Bytes => [0x0c, depth],
  branchIf: (depth: number): Bytes => [0x0d, depth],
  load8: (offset: number): Bytes => [0x2d, ...memory(0, offset)],
  store32: (offset: number): Bytes => [0x36, ...memory(0, offset)],
  eqz: [0x45],
  equal: [0x46],
  atLeast: [0x4f],
  above: [0x4b],
  trailingZeros: [0x68],
  countOnes: [0x69],
  add: [0x6a],
  sub: [0x6b],
  and: [0x71],
  vload: (offset: number): Bytes => simd(0x00, ...memory(0, offset)),
  vstore: (offset: number): Bytes => simd(0x0b, ...memory(0, offset)),
  vswizzle: simd(0x0e),
  vsplat8: simd(0x0f),
  veq8: simd(0x23),
  vne8: simd(0x24),
  vmin8: simd(0x77),
  vand: simd(0x4e),
  vor: simd(0x50),
  vany: simd(0x53),
  vmask8: simd(0x64),
  vshr16: simd(0x8d),
} as const;

export interface WasmFunction {
  name: string;
  /** All parameters and the one result are i32. */
  params: number;
  /** Types of further locals. */
  locals: number[];
  body: Bytes[];
}

/** A module with `pages` of 64 KiB of exported memory ("memory") and the given exported functions. */
export function assemble(pages: number, functions: WasmFunction[]): Uint8Array<ArrayBuffer> {
  const section = (id: number, items: Bytes[]): Bytes => {
    const content = [...unsigned(items.length), ...items.flat()];
    return [id, ...unsigned(content.length), ...content];
  };
  const name = (text: string): Bytes => [...unsigned(text.length), ...Buffer.from(text, "latin1")];
  const types = functions.map((f) => [
    0x60,
    ...unsigned(f.params),
    ...Array<number>(f.params).fill(I32),
    1,
    I32,
  ]);
  const bodies = functions.map((f) => {
    const locals = f.locals.flatMap((type) => [1, type]);
    const code = [...unsigned(f.locals.length), ...locals, ...f.body.flat(), 0x0b];
    return [...unsigned(code.length), ...code];
  });
  const exports = [
    [...name("memory"), 2, 0],
    ...functions.map((f, i) => [...name(f.name), 0, ...unsigned(i)]),
  ];
  return new Uint8Array([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, types),
    ...section(
      3,
      functions.map((_, i) => unsigned(i)),
    ),
    ...section(5, [[1, ...unsigned(pages), ...unsigned(pages)]]),
    ...section(7, exports),
    ...section(10, bodies),
  ]);
}
