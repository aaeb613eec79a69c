// A minimal WebAssembly assembler: the kernel is readable source instead of a binary whose origin cannot be verified.
// Numbers are those of the WebAssembly 2.0 specification. Code is nested lists that are flattened once at the end.

/** Bytes in order, nested for readability. */
export type Code = readonly (number | Code)[];

export const I32 = 0x7f;
export const V128 = 0x7b;

/** Unsigned LEB128. */
export function unsigned(value: number): Code {
  const bytes: number[] = [];
  let rest = value;
  do {
    const low = rest & 0x7f;
    rest >>>= 7;
    bytes.push(rest === 0 ? low : low | 0x80);
  } while (rest !== 0);
  return bytes;
}

/** Signed LEB128. */
function signed(value: number): Code {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>= 7) {
    const low = rest & 0x7f;
    const done = (rest >> 7 === 0 && (low & 0x40) === 0) || (rest >> 7 === -1 && (low & 0x40) !== 0);
    bytes.push(done ? low : low | 0x80);
    if (done) return bytes;
  }
}

const simd = (code: number): Code => [0xfd, unsigned(code)];
const memory = (align: number, offset: number): Code => [align, unsigned(offset)];

/** Instructions; operands precede the operator. */
export const op = {
  get: (local: number): Code => [0x20, unsigned(local)],
  set: (local: number): Code => [0x21, unsigned(local)],
  tee: (local: number): Code => [0x22, unsigned(local)],
  int: (value: number): Code => [0x41, signed(value)],
  block: (...body: Code[]): Code => [0x02, 0x40, body, 0x0b],
  loop: (...body: Code[]): Code => [0x03, 0x40, body, 0x0b],
  when: (...body: Code[]): Code => [0x04, 0x40, body, 0x0b],
  branch: (depth: number): Code => [0x0c, depth],
  branchIf: (depth: number): Code => [0x0d, depth],
  load8: (offset: number): Code => [0x2d, memory(0, offset)],
  store32: (offset: number): Code => [0x36, memory(0, offset)],
  eqz: [0x45],
  equal: [0x46],
  atLeast: [0x4f],
  above: [0x4b],
  trailingZeros: [0x68],
  countOnes: [0x69],
  add: [0x6a],
  sub: [0x6b],
  and: [0x71],
  vload: (offset: number): Code => [simd(0x00), memory(0, offset)],
  vstore: (offset: number): Code => [simd(0x0b), memory(0, offset)],
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
  body: Code;
}

/** A module with `pages` of 64 KiB of exported memory ("memory") and the given exported functions. */
export function assemble(pages: number, functions: WasmFunction[]): Uint8Array<ArrayBuffer> {
  const sized = (content: Code): Code => {
    const bytes = flat(content);
    return [unsigned(bytes.length), bytes];
  };
  const section = (id: number, items: Code[]): Code => [id, sized([unsigned(items.length), items])];
  const name = (text: string): Code => sized([...Buffer.from(text, "latin1")]);
  const types = functions.map((f) => [0x60, unsigned(f.params), Array<number>(f.params).fill(I32), 1, I32]);
  const bodies = functions.map((f) => {
    const locals = f.locals.map((type) => [1, type]);
    return sized([unsigned(f.locals.length), locals, f.body, 0x0b]);
  });
  const exports = [[name("memory"), 2, 0], ...functions.map((f, i) => [name(f.name), 0, unsigned(i)])];
  const indices = functions.map((_, i) => unsigned(i));
  return new Uint8Array(
    flat([
      [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
      section(1, types),
      section(3, indices),
      section(5, [[1, unsigned(pages), unsigned(pages)]]),
      section(7, exports),
      section(10, bodies),
    ]),
  );
}

function flat(code: Code, into: number[] = []): number[] {
  for (let i = 0; i < code.length; i += 1) {
    const part = code[i];
    if (typeof part === "number") into.push(part);
    else if (part !== undefined) flat(part, into);
  }
  return into;
}
