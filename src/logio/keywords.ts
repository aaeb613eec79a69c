// Keywords prepared for the kernel and for the comparison of candidates. Letters match in both cases (Unicode), in UTF-8 and
// in Latin-1, since the encoding is unknown before the end of the text.
import { isUtf8 } from "node:buffer";
import type { Kernel } from "./kernel.ts";
import { BUCKETS, CASE_BIT, FEW, type Fingerprint } from "./kernel-memory.ts";

export interface Keyword {
  text: string;
  /** The allowed bytes at each position of the fingerprint; undefined: any. */
  places: (ReadonlySet<number> | undefined)[];
  /** Whether the keyword occurs at this candidate (offset of its fingerprint) in [0, end) of the data. */
  matches(data: Buffer, candidate: number, end: number): boolean;
  /** Maximum bytes of an occurrence. */
  maxBytes: number;
}

/** Letters that are case variants of another letter but are not reached by lower- and upper-casing it, by that letter. */
const FOLDS_SPECIALLY = new Map<string, string[]>();
for (const letter of "\u017f\u212a\u212b\u1e9e\u03c2\u03d0\u03d1\u03d5\u03d6\u03f0\u03f1\u03f5\u1e9b\u00b5\u2126\u1fbe") {
  for (const form of [letter.toLowerCase(), letter.toUpperCase()]) {
    FOLDS_SPECIALLY.set(form, [...(FOLDS_SPECIALLY.get(form) ?? []), letter]);
  }
}

/** Prepares a non-empty keyword without line ends.
 * @param size bytes of the fingerprint
 * @param pairs statistics of the text to be searched */
export function compileKeyword(
  text: string,
  size: Fingerprint,
  pairs: BytePairs,
  caseSensitive: boolean,
): Keyword {
  const known = new Map<string, number[][]>();
  const characters = [...text].map((character) => {
    const bytes = known.get(character) ?? bytesOf(character);
    known.set(character, bytes);
    return bytes;
  });
  const maxBytes = characters.reduce((sum, c) => sum + Math.max(...c.map((bytes) => bytes.length)), 0);
  let best: { start: number; places: Keyword["places"]; rarity: number } | undefined;
  for (let start = 0; start < Math.max(1, characters.length - size + 1); start += 1) {
    const places = placesFrom(characters, start, size);
    const rarity = pairs.rarity(places);
    if (best === undefined || rarity < best.rarity) best = { start, places, rarity };
  }
  const { start, places } = best ?? { start: 0, places: [] };
  if (caseSensitive) return { text, places, matches: exactly(text, start), maxBytes };
  const ascii = /^[\0-\x7f]*$/.test(text) ? Buffer.from(text.toLowerCase()) : undefined;
  // Some ASCII letters have case variants beyond ASCII (k: the Kelvin sign), which are tried only next to such bytes.
  const exact = ascii !== undefined && characters.every((c) => c.every((bytes) => bytes.length === 1));
  let pattern: RegExp | undefined;
  const matches = (data: Buffer, candidate: number, end: number): boolean => {
    if (ascii !== undefined && equalsFolded(data, candidate - start, end, ascii)) return true;
    if (exact) return false;
    const from = Math.max(0, candidate - maxBytes);
    if (ascii !== undefined && !hasHighByte(data, from, Math.min(end, candidate + maxBytes))) return false;
    pattern ??= new RegExp(text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), "iu");
    return pattern.test(surroundings(data, candidate, end, maxBytes));
  };
  return { text, places, matches, maxBytes };
}

/** Compares bytes exactly, in UTF-8 and Latin-1. `start`: characters before the fingerprint. */
function exactly(text: string, start: number): Keyword["matches"] {
  const lead = [...text].slice(0, start).join("");
  const encodings = [{ bytes: Buffer.from(text), lead: Buffer.byteLength(lead) }];
  if (/[\x80-\xff]/.test(text) && /^[\0-\xff]*$/.test(text)) {
    encodings.push({ bytes: Buffer.from(text, "latin1"), lead: lead.length });
  }
  return (data, candidate, end) =>
    encodings.some(({ bytes, lead }) => {
      const at = candidate - lead;
      return (
        at >= 0 && at + bytes.byteLength <= end && bytes.equals(data.subarray(at, at + bytes.byteLength))
      );
    });
}

/** Loads the tables of these keywords into the kernel; returns the keywords of each bucket. */
export function loadKeywords(kernel: Kernel, keywords: Keyword[], size: Fingerprint): Keyword[][] {
  const pairs = keywords.map(casePair);
  if (size === 2 && keywords.length <= FEW && pairs.every((pair) => pair !== undefined)) {
    kernel.setPairs(pairs);
    return [keywords];
  }
  const buckets: Keyword[][] = Array.from({ length: Math.min(BUCKETS, keywords.length) }, () => []);
  keywords.forEach((keyword, i) => {
    buckets[i % BUCKETS]?.push(keyword);
  });
  kernel.setTables(
    size,
    buckets.map((members) =>
      Array.from({ length: size }, (_, place) => union(members.map((member) => member.places[place]))),
    ),
  );
  return buckets;
}

/** The two bytes of a fingerprint if their variants differ only in the case bit. */
function casePair({ places }: Keyword): [number, number] | undefined {
  const bytes = places.map((set) => {
    const folded = new Set([...(set ?? [])].map((byte) => byte | CASE_BIT));
    return folded.size === 1 ? [...folded][0] : undefined;
  });
  const [first, second] = bytes;
  return first === undefined || second === undefined ? undefined : [first, second];
}

/** All byte sequences of a character: either case, UTF-8 or Latin-1. */
function bytesOf(character: string): number[][] {
  const cases = new Set([character]);
  for (const form of cases) {
    for (const other of [form.toLowerCase(), form.toUpperCase()])
      if ([...other].length === 1) cases.add(other);
    for (const special of FOLDS_SPECIALLY.get(form) ?? []) cases.add(special);
  }
  const sequences: number[][] = [];
  for (const form of cases) {
    sequences.push([...Buffer.from(form)]);
    const code = form.codePointAt(0) ?? 0;
    if (code >= 0x80 && code <= 0xff) sequences.push([code]);
  }
  return sequences;
}

function placesFrom(characters: number[][][], start: number, size: number): Keyword["places"] {
  // All prefixes of the keyword from this character on, up to the size of the fingerprint.
  let prefixes: number[][] = [[]];
  for (const character of characters.slice(start, start + size)) {
    prefixes = prefixes.flatMap((head) =>
      head.length >= size ? [head] : character.map((bytes) => [...head, ...bytes]),
    );
  }
  return Array.from({ length: size }, (_, place) => {
    // A prefix that is too short allows any byte.
    if (prefixes.some((head) => head.length <= place)) return undefined;
    return new Set(prefixes.map((head) => head[place] ?? 0));
  });
}

function union(sets: (ReadonlySet<number> | undefined)[]): ReadonlySet<number> | undefined {
  const all = new Set<number>();
  for (const set of sets) {
    if (set === undefined) return undefined;
    for (const byte of set) all.add(byte);
  }
  return all;
}

/** Frequencies of byte pairs in a sample of the text: the fingerprint of a keyword is placed where it is rarest. */
export class BytePairs {
  private readonly counts = new Uint32Array(65_536);

  constructor(sample: Uint8Array) {
    for (let i = 1; i < sample.byteLength; i += 1) {
      const pair = ((sample[i - 1] ?? 0) << 8) | (sample[i] ?? 0);
      this.counts[pair] = (this.counts[pair] ?? 0) + 1;
    }
  }

  /** Smaller is rarer. Bytes missing from the sample are ranked by how common they are in logs. */
  rarity(places: Keyword["places"]): number {
    let rarity = 1;
    for (let i = 1; i < places.length; i += 1) rarity *= 0.01 + this.pairsOf(places[i - 1], places[i]);
    return rarity * places.reduce((product, set) => product * commonness(set), 1);
  }

  private pairsOf(first: ReadonlySet<number> | undefined, second: ReadonlySet<number> | undefined): number {
    if (first === undefined || second === undefined) return 1e6;
    let sum = 0;
    for (const a of first) for (const b of second) sum += this.counts[(a << 8) | b] ?? 0;
    return sum;
  }
}

/** A rough estimate that only breaks ties. */
function commonness(set: ReadonlySet<number> | undefined): number {
  if (set === undefined) return 10;
  let sum = 1;
  for (const byte of set) {
    const plain = (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x30 && byte <= 0x39);
    sum += byte === 0x20 ? 1 : plain ? 0.3 : 0.1;
  }
  return sum;
}

function hasHighByte(data: Buffer, from: number, to: number): boolean {
  for (let i = from; i < to; i += 1) if ((data[i] ?? 0) >= 0x80) return true;
  return false;
}

function equalsFolded(data: Buffer, at: number, end: number, lower: Buffer): boolean {
  if (at < 0 || at + lower.byteLength > end) return false;
  for (let i = 0; i < lower.byteLength; i += 1) {
    const byte = data[at + i] ?? 0;
    const folded = byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte;
    if (folded !== lower[i]) return false;
  }
  return true;
}

/** The part of the line around a candidate that may contain the whole keyword, as text. */
function surroundings(data: Buffer, candidate: number, end: number, maxBytes: number): string {
  let from = Math.max(0, candidate - maxBytes - 3);
  let to = Math.min(end, candidate + maxBytes + 3);
  const lineStart = candidate === 0 ? 0 : data.lastIndexOf(10, candidate - 1) + 1;
  const lineEnd = data.indexOf(10, candidate);
  from = Math.max(from, lineStart);
  if (lineEnd >= 0) to = Math.min(to, lineEnd);
  // Cut at character boundaries of UTF-8.
  while (from > lineStart && from < candidate && ((data[from] ?? 0) & 0xc0) === 0x80) from += 1;
  while (to > candidate + 1 && to < end && ((data[to] ?? 0) & 0xc0) === 0x80) to -= 1;
  const part = data.subarray(from, to);
  return isUtf8(part) ? part.toString("utf8") : part.toString("latin1");
}
