// Resumes decoding in the middle of a gzip file. zlib can start at the border of a deflate block if it has the 32 KiB of
// text before it and the right bit alignment. Blocks begin at any bit, so a few empty blocks are prepended that shift the
// stream by the right number of bits (RFC 1951, section 3.2).
import { NativeDecoder } from "./native.ts";

/** Bytes of text before a border that later text may refer to. */
export const WINDOW_BYTES = 32 * 1024;

/** A point where decoding can resume. */
export interface GzipPoint {
  /** Offset on disk of the first byte that belongs only to the next block. */
  rawOffset: number;
  /** Number of high bits of the byte before it that also belong to the next block (0 to 7). */
  bits: number;
  /** The byte before `rawOffset`. */
  before: number;
  /** The last 32 KiB of text before the border. */
  window: Uint8Array;
}

/** An empty block with fixed codes: 10 bits. */
const FIXED: [value: number, bits: number][] = [
  [0b010, 3],
  [0, 7],
];

/** An empty block with a dynamic code whose length is odd: 95 bits. The code has one symbol, the end of the
 * block; the code of code lengths has 18 ("many zeros"), 0 and 1. */
const DYNAMIC: [value: number, bits: number][] = [
  [0b100, 3],
  [0, 5],
  [0, 5],
  [15, 4],
  // Lengths in the order 16 17 18 0 8 7 9 6 10 5 11 4 12 3 13 2 14 1 15: 18 has 1 bit, 0 and 1 have 2.
  ...[0, 0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0].map((length): [number, number] => [length, 3]),
  // 138 zeros, 118 zeros, then length 1 for the end of the block, then 0 for the one distance.
  [0, 1],
  [127, 7],
  [0, 1],
  [107, 7],
  [0b11, 2],
  [0b01, 2],
  // The end of the block itself.
  [0, 1],
];

/** Bytes that align a decoder with the border of `point`; the bytes from `rawOffset` on follow. */
export function leadIn(point: GzipPoint): Uint8Array {
  const wanted = (8 - point.bits) % 8;
  const out: number[] = [];
  let byte = 0;
  let used = 0;
  const addBits = (value: number, bits: number) => {
    for (let i = 0; i < bits; i += 1) {
      byte |= ((value >> i) & 1) << used;
      used += 1;
      if (used === 8) {
        out.push(byte);
        byte = 0;
        used = 0;
      }
    }
  };
  if (wanted % 2 === 1) for (const [value, bits] of DYNAMIC) addBits(value, bits);
  while (used !== wanted) for (const [value, bits] of FIXED) addBits(value, bits);
  if (point.bits > 0) addBits(point.before >> (8 - point.bits), point.bits);
  return new Uint8Array(out);
}

/** A decoder at the border; the next input must be the bytes from `rawOffset` on. Undefined for a wrong number of bits. */
export function resumeAt(point: GzipPoint): NativeDecoder | undefined {
  const decoder = NativeDecoder.inflate(point.window);
  const output = new Uint8Array(64);
  for (let input = leadIn(point); input.byteLength > 0; ) {
    const step = decoder.step(input, output);
    if (step.failed !== undefined || step.produced > 0 || step.consumed === 0) {
      decoder.close();
      return undefined;
    }
    input = input.subarray(step.consumed);
  }
  return decoder;
}

/** Finds the number of bits by trial: zlib does not report it, but only the right number decodes to the known text.
 * @param next some bytes from `rawOffset` on
 * @param follows the text after the border */
export function findPoint(
  border: { rawOffset: number; before: number; window: Uint8Array },
  next: Uint8Array,
  follows: Uint8Array,
): GzipPoint | undefined {
  const output = new Uint8Array(follows.byteLength);
  for (let bits = 0; bits < 8; bits += 1) {
    const point: GzipPoint = { ...border, bits };
    const decoder = resumeAt(point);
    if (decoder === undefined) continue;
    let produced = 0;
    for (let input = next; input.byteLength > 0 && produced < output.byteLength; ) {
      const step = decoder.step(input, output.subarray(produced));
      if (step.failed !== undefined || (step.consumed === 0 && step.produced === 0)) break;
      produced += step.produced;
      input = input.subarray(step.consumed);
    }
    decoder.close();
    if (produced === output.byteLength && Buffer.compare(output, follows) === 0) return point;
  }
  return undefined;
}
