// Decodes one block of bzip2: Huffman codes, move-to-front, runs, and the inverse Burrows-Wheeler transform. The format has
// no specification; this decoder accepts what bzip2 1.0.8 accepts.

/** A problem of the data; the decoder converts it to a diagnostic. */
export class Fault extends Error {
  readonly kind: "truncated" | "corrupt" | "obsolete";

  constructor(kind: Fault["kind"]) {
    super(kind);
    this.kind = kind;
  }
}

/** Reads bits, the highest of a byte first. `more` returns the next bytes, none at the end of the file. */
export class BitReader {
  private readonly more: () => Uint8Array;
  private bytes: Uint8Array = new Uint8Array(0);
  private at = 0;
  private bits = 0;
  private live = 0;

  constructor(more: () => Uint8Array) {
    this.more = more;
  }

  /** The next `count` bits, at most 24. Throws a fault when the file ends before. */
  read(count: number): number {
    const value = this.peek(count);
    this.live -= count;
    return value;
  }

  /** The next `count` bits, which are not consumed. */
  peek(count: number): number {
    while (this.live < count) {
      if (this.at === this.bytes.byteLength && !this.refill()) throw new Fault("truncated");
      this.bits = (this.bits << 8) | (this.bytes[this.at] ?? 0);
      this.at += 1;
      this.live += 8;
    }
    return (this.bits >>> (this.live - count)) & ((1 << count) - 1);
  }

  skip(count: number): void {
    this.live -= count;
  }

  read32(): number {
    return this.read(16) * 65_536 + this.read(16);
  }

  /** Skips the remaining bits of the current byte. */
  align(): void {
    this.live -= this.live % 8;
  }

  /** Whether the input is exhausted. Only after `align`. */
  atEnd(): boolean {
    return this.live === 0 && this.at === this.bytes.byteLength && !this.refill();
  }

  private refill(): boolean {
    this.bytes = this.more();
    this.at = 0;
    return this.bytes.byteLength > 0;
  }
}

const MAX_CODE_BITS = 20;
const FAST_BITS = 10;
const GROUP_SYMBOLS = 50;
/** Symbols of a run: the digits 1 and 2 of a number in bijective base 2, least significant first. Larger symbols are
 * positions. */
const RUN_A = 0;
const RUN_B = 1;

/** A canonical Huffman code, for decoding. */
interface Code {
  /** By the first 10 bits: symbol and length of a short code (`symbol << 5 | length`), or 0. */
  fast: Uint16Array;
  /** By length: the last code of that length, and the number to subtract from a code to get its index in `symbols`. */
  limit: Int32Array;
  base: Int32Array;
  symbols: Uint16Array;
}

/** A decoded block: entries of the inverse transform, the first entry, the number of bytes before runs are expanded, and
 * the checksum of the block. */
export interface Block {
  table: Uint32Array;
  start: number;
  count: number;
  crc: number;
}

/** Reads a block after its magic number. `table` has room for the largest block of the stream. */
export function readBlock(bits: BitReader, table: Uint32Array): Block {
  const crc = bits.read32();
  if (bits.read(1) === 1) throw new Fault("obsolete");
  const origin = bits.read(24);
  const used = usedBytes(bits);
  const codes = bits.read(3);
  const selectors = bits.read(15);
  if (used.length === 0 || codes < 2 || codes > 6 || selectors === 0) throw new Fault("corrupt");
  const order = readSelectors(bits, codes, selectors);
  const tables = Array.from({ length: codes }, () => readCode(bits, used.length + 2));
  const { count, counts } = readSymbols(bits, table, used, order, tables);
  if (origin >= count) throw new Fault("corrupt");
  invert(table, count, counts);
  return { table, start: (table[origin] ?? 0) >>> 8, count, crc };
}

/** The bytes that occur in the block, in order: a bitmap of 16 groups, then a bitmap of 16 bytes for each group used. */
function usedBytes(bits: BitReader): number[] {
  const parts = bits.read(16);
  const used: number[] = [];
  for (let part = 0; part < 16; part += 1) {
    if ((parts & (0x8000 >> part)) === 0) continue;
    const members = bits.read(16);
    for (let i = 0; i < 16; i += 1) if ((members & (0x8000 >> i)) !== 0) used.push(16 * part + i);
  }
  return used;
}

/** The code of each group of 50 symbols, stored as positions in a move-to-front list of the codes. */
function readSelectors(bits: BitReader, codes: number, count: number): Uint8Array {
  const recent = Array.from({ length: codes }, (_, i) => i);
  const order = new Uint8Array(count);
  for (let i = 0; i < count; i += 1) {
    let place = 0;
    while (bits.read(1) === 1) {
      place += 1;
      if (place >= codes) throw new Fault("corrupt");
    }
    const [code = 0] = recent.splice(place, 1);
    recent.unshift(code);
    order[i] = code;
  }
  return order;
}

/** Reads a code as the lengths of its symbols: a first length, then increments and decrements. */
function readCode(bits: BitReader, symbols: number): Code {
  const lengths = new Uint8Array(symbols);
  let length = bits.read(5);
  for (let i = 0; i < symbols; i += 1) {
    for (;;) {
      if (length < 1 || length > MAX_CODE_BITS) throw new Fault("corrupt");
      if (bits.read(1) === 0) break;
      length += bits.read(1) === 0 ? 1 : -1;
    }
    lengths[i] = length;
  }
  return makeCode(lengths);
}

function makeCode(lengths: Uint8Array): Code {
  const code: Code = {
    fast: new Uint16Array(1 << FAST_BITS),
    limit: new Int32Array(MAX_CODE_BITS + 1).fill(-1),
    base: new Int32Array(MAX_CODE_BITS + 1),
    symbols: new Uint16Array(lengths.length),
  };
  let next = 0;
  let filled = 0;
  for (let length = 1; length <= MAX_CODE_BITS; length += 1) {
    code.base[length] = next - filled;
    lengths.forEach((own, symbol) => {
      if (own !== length) return;
      code.symbols[filled] = symbol;
      filled += 1;
      if (length <= FAST_BITS) {
        const from = next << (FAST_BITS - length);
        code.fast.fill((symbol << 5) | length, from, from + (1 << (FAST_BITS - length)));
      }
      next += 1;
    });
    code.limit[length] = next - 1;
    next <<= 1;
  }
  return code;
}

/** Reads symbols up to the end of the block and stores their bytes in the low bits of `table`. */
function readSymbols(
  bits: BitReader,
  table: Uint32Array,
  used: number[],
  order: Uint8Array,
  codes: Code[],
): { count: number; counts: Uint32Array } {
  const recent = Uint8Array.from(used);
  const counts = new Uint32Array(256);
  const end = used.length + 1;
  let count = 0;
  let run = 0;
  let runUnit = 1;
  for (let left = 0, group = 0; ; left -= 1) {
    if (left === 0) {
      if (group === order.length) throw new Fault("corrupt");
      left = GROUP_SYMBOLS;
      group += 1;
    }
    const symbol = readSymbol(bits, codes[order[group - 1] ?? 0]);
    if (symbol <= RUN_B) {
      run += symbol === RUN_A ? runUnit : 2 * runUnit;
      runUnit *= 2;
      if (run > table.length - count) throw new Fault("corrupt");
      continue;
    }
    if (run > 0) {
      count = addBytes(table, counts, count, recent[0] ?? 0, run);
      run = 0;
      runUnit = 1;
    }
    if (symbol === end) return { count, counts };
    if (count === table.length) throw new Fault("corrupt");
    count = addBytes(table, counts, count, moveToFront(recent, symbol - 1), 1);
  }
}

/** Writes a byte `times` times; returns the next index. */
function addBytes(table: Uint32Array, counts: Uint32Array, at: number, byte: number, times: number): number {
  counts[byte] = (counts[byte] ?? 0) + times;
  if (times === 1) table[at] = byte;
  else table.fill(byte, at, at + times);
  return at + times;
}

function moveToFront(recent: Uint8Array, place: number): number {
  const byte = recent[place] ?? 0;
  // Most positions are near the front, where a loop is faster than copyWithin.
  for (let at = place; at > 0; at -= 1) recent[at] = recent[at - 1] ?? 0;
  recent[0] = byte;
  return byte;
}

/** A code is shorter than the data that must follow the block, so peeking does not reach the end of the file. */
function readSymbol(bits: BitReader, code: Code | undefined): number {
  if (code === undefined) throw new Fault("corrupt");
  const ahead = bits.peek(MAX_CODE_BITS);
  const short = code.fast[ahead >>> (MAX_CODE_BITS - FAST_BITS)] ?? 0;
  if (short !== 0) {
    bits.skip(short & 31);
    return short >>> 5;
  }
  for (let length = FAST_BITS + 1; length <= MAX_CODE_BITS; length += 1) {
    const value = ahead >>> (MAX_CODE_BITS - length);
    if (value > (code.limit[length] ?? -1)) continue;
    bits.skip(length);
    const symbol = code.symbols[value - (code.base[length] ?? 0)];
    if (symbol === undefined) break;
    return symbol;
  }
  throw new Fault("corrupt");
}

/** Adds to each byte the index of the next one. */
function invert(table: Uint32Array, count: number, counts: Uint32Array): void {
  const places = new Uint32Array(256);
  for (let byte = 0, sum = 0; byte < 256; byte += 1) {
    places[byte] = sum;
    sum += counts[byte] ?? 0;
  }
  for (let i = 0; i < count; i += 1) {
    const byte = (table[i] ?? 0) & 0xff;
    const place = places[byte] ?? 0;
    places[byte] = place + 1;
    table[place] = (table[place] ?? 0) | (i << 8);
  }
}
