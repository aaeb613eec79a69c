// Estimates the memory of parsed JSON text without parsing it. A few bytes of text can become thousands of bytes of objects,
// and values that are shared in the isolate are serialized once per reference.

// Bytes of heap per value, measured in Bun (docs/measurements/sandbox.md). Up to INLINE_MEMBERS members are part of the
// object; an object with more than MAX_SHAPED_MEMBERS is a hash table; a new sequence of member names needs a new
// description, created name by name (TRANSITION) and once more without a prototype (SHAPE).
const OBJECT = 80;
const ARRAY = 64;
const ELEMENT = 16;
const REPEATED_STRING = 8;
const STRING = 56;
const INLINE_MEMBERS = 6;
const MEMBER = 16;
const TRANSITION = 220;
const SHAPE = 300;
const MAX_SHAPED_MEMBERS = 64;
const HASHED_MEMBER = 112;
// Members with numbers as names: a vector with a slot for each number in between while they are small, otherwise a
// separate table.
const NUMBERED = 120;
const DENSE_MEMBER = 40;
const SPARSE_MEMBER = 260;
const MAX_VECTOR = 1000;
const VECTOR_SLOT = 8;

/** Strings up to this length are recognized when they are repeated. */
const SHORT_CHARS = 24;
/** Slots for recognizing shapes and strings; a power of two. A collision only increases the estimate. */
const SLOTS = 1 << 16;
/** Containers nested more deeply share the counts of this level; results are not that deep. */
const MAX_DEPTH = 64;
/** Factor that distinguishes the hash of a complete object from that of its members so far. */
const CLOSED = 0x9e3779b1;
/** Marks an array in the counts of members. */
const IS_ARRAY = -1;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const ZERO = 0x30;
const NINE = 0x39;

/** Estimated bytes of the value in `json`, from the character at `start`; stops soon after the estimate exceeds `limit`.
 * Text that is not JSON gives a meaningless number. */
export function estimateParsedBytes(json: string, start: number, limit: number): number {
  return new Estimate(json).run(start, limit);
}

class Estimate {
  private readonly json: string;
  private readonly strings = new Int32Array(SLOTS);
  private readonly shapes = new Int32Array(SLOTS);
  /** For each container around the current position: number of members, hash of their names, largest number. */
  private readonly members = new Int32Array(MAX_DEPTH).fill(IS_ARRAY);
  private readonly hashes = new Int32Array(MAX_DEPTH);
  private readonly largest = new Int32Array(MAX_DEPTH);
  private depth = 0;
  private bytes = 0;

  constructor(json: string) {
    this.json = json;
  }

  run(start: number, limit: number): number {
    const { json } = this;
    for (let i = start; i < json.length && this.bytes <= limit; i++) {
      const code = json.charCodeAt(i);
      if (code === QUOTE) i = this.string(i);
      else if (code === COMMA) this.bytes += this.members[this.depth] === IS_ARRAY ? ELEMENT : 0;
      else if (code === OPEN_ARRAY) this.open(ARRAY, IS_ARRAY);
      else if (code === OPEN_OBJECT) this.open(OBJECT, 0);
      else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) this.close();
    }
    return this.bytes;
  }

  private open(bytes: number, members: number): void {
    this.bytes += bytes;
    this.depth = Math.min(this.depth + 1, MAX_DEPTH - 1);
    this.members[this.depth] = members;
    this.hashes[this.depth] = 0;
    this.largest[this.depth] = -1;
  }

  private close(): void {
    const { depth } = this;
    const hash = this.hashes[depth] ?? 0;
    if ((this.members[depth] ?? 0) > 0 && isNew(this.shapes, Math.imul(hash, CLOSED))) this.bytes += SHAPE;
    this.depth = Math.max(0, depth - 1);
  }

  /** Counts the string that starts at `quote`; returns the position of its last character, or of the colon after it. */
  private string(quote: number): number {
    const { json } = this;
    let hash = 17;
    let number = 0;
    let end = quote + 1;
    const stop = Math.min(json.length, end + SHORT_CHARS);
    for (; end < stop; end++) {
      const code = json.charCodeAt(end);
      if (code === QUOTE || code === BACKSLASH) break;
      hash = (Math.imul(hash, 31) + code) | 0;
      number = code >= ZERO && code <= NINE ? number * 10 + code - ZERO : Number.NaN;
    }
    const isShort = json.charCodeAt(end) === QUOTE;
    if (!isShort) end = endOfString(json, end);
    if (json.charCodeAt(end + 1) === COLON) {
      if (isShort && end > quote + 1 && !Number.isNaN(number)) this.numberedMember(number);
      else this.member(hash);
      return end + 1;
    }
    const isRepeated = isShort && !isNew(this.strings, hash);
    this.bytes += isRepeated ? REPEATED_STRING : STRING + end - quote;
    return end;
  }

  private member(name: number): void {
    const { depth } = this;
    const count = (this.members[depth] ?? 0) + 1;
    const hash = (Math.imul(this.hashes[depth] ?? 0, 31) + name) | 0;
    this.members[depth] = count;
    this.hashes[depth] = hash;
    if (count > MAX_SHAPED_MEMBERS) this.bytes += HASHED_MEMBER;
    else {
      if (count > INLINE_MEMBERS) this.bytes += MEMBER;
      if (isNew(this.shapes, hash)) this.bytes += TRANSITION;
    }
  }

  private numberedMember(number: number): void {
    const { depth } = this;
    const largest = this.largest[depth] ?? -1;
    if (largest < 0) this.bytes += NUMBERED;
    this.bytes += number === largest + 1 ? DENSE_MEMBER : SPARSE_MEMBER;
    if (number > MAX_VECTOR) this.largest[depth] = Math.max(largest, 0);
    else if (number > largest) {
      this.bytes += VECTOR_SLOT * (number - largest);
      this.largest[depth] = number;
    }
  }
}

/** Records a hash; false if it was the last one recorded in its slot. */
function isNew(slots: Int32Array, hash: number): boolean {
  const slot = (hash ^ (hash >>> 16)) & (SLOTS - 1);
  if (slots[slot] === hash) return false;
  slots[slot] = hash;
  return true;
}

/** Position of the quote that ends a string, from a position inside it. */
function endOfString(json: string, from: number): number {
  for (let at = from; ; at += 1) {
    at = json.indexOf('"', at);
    if (at < 0) return json.length;
    let before = at;
    while (before > from && json.charCodeAt(before - 1) === BACKSLASH) before -= 1;
    if ((at - before) % 2 === 0) return at;
  }
}
