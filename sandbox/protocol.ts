// The wire format between the program and a sandbox child: length-prefixed frames of one JSON header and raw bytes.
// Both sides are compiled from this file; the hello frame carries PROTOCOL for comparison.
import type { CallLimits } from "./types.ts";

export const PROTOCOL = 2;
/** Maximum size of a header; the reader sets a separate limit for the body. */
export const MAX_HEADER_BYTES = 4 * 1024 * 1024;
/** Bytes before the header: a magic number, the length of the header, the length of the body. */
export const PREFIX_BYTES = 12;
const MAGIC = 0x314d5341; // "ASM1"

/** First frame of a child. */
export interface Greeting {
  type: "hello";
  protocol: number;
  node: string;
  v8: string;
  isolatedVm: boolean;
}

/** A text argument that is sent after the JSON: position, encoding and length in the body. */
export interface RawArgument {
  list: number;
  arg: number;
  encoding: "latin1" | "utf16le";
  bytes: number;
}

/** Runs one function on `count` argument lists. The body has the source (unless `known`, UTF-8), the argument lists
 * (`argsBytes`, one JSON array per line), then the raw arguments in order. */
export interface RunRequest {
  type: "run";
  id: number;
  session: number;
  name: string;
  fn: string;
  count: number;
  /** The child has the source already; it is not sent again. */
  known: boolean;
  sourceBytes: number;
  argsBytes: number;
  raws: RawArgument[];
  limits: CallLimits;
  /** Run in a new isolate that is disposed of afterwards. */
  fresh: boolean;
  /** After a call that did not end, report the others as `not_run`. */
  halt: boolean;
  /** Calls per entry into the isolate; 1 while the parent searches for the call that killed a child. */
  batch: number;
  /** Sessions that ended; the child releases their state. */
  drop: number[];
}

/** Outcomes `from .. from + count - 1`. The body has one line each: "v<ms> <json>" or "e<ms> <json failure>". */
export interface PartReply {
  type: "part";
  id: number;
  from: number;
  count: number;
  last: boolean;
}

/** Parts of a body up to this size are copied into one chunk, so that they need no separate write. */
const SMALL_BYTES = 32 * 1024;

/** Header and body as the chunks of one frame, ready to be written in order. */
export function encodeFrame(header: object, body: readonly Uint8Array[] = []): Uint8Array[] {
  const head = new TextEncoder().encode(JSON.stringify(header));
  let bodyBytes = 0;
  for (const part of body) bodyBytes += part.byteLength;
  const prefix = new Uint8Array(PREFIX_BYTES);
  const view = new DataView(prefix.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, head.byteLength, true);
  view.setUint32(8, bodyBytes, true);
  const chunks: Uint8Array[] = [];
  let small: Uint8Array[] = [prefix, head];
  for (const part of body) {
    if (part.byteLength <= SMALL_BYTES) small.push(part);
    else {
      if (small.length > 0) chunks.push(Buffer.concat(small));
      small = [];
      chunks.push(part);
    }
  }
  if (small.length > 0) chunks.push(Buffer.concat(small));
  return chunks;
}

export interface Frame {
  header: unknown;
  body: Uint8Array;
}

/** Lengths in bytes of the two parts of a frame. */
export interface Prefix {
  header: number;
  body: number;
}

/** Parses PREFIX_BYTES bytes. Throws a plain Error for bytes that do not start a frame, and for a frame over the limits. */
export function readPrefix(bytes: Uint8Array, maxBodyBytes: number): Prefix {
  const view = new DataView(bytes.buffer, bytes.byteOffset, PREFIX_BYTES);
  if (view.getUint32(0, true) !== MAGIC) throw new Error("not a frame");
  const header = view.getUint32(4, true);
  const body = view.getUint32(8, true);
  if (header > MAX_HEADER_BYTES) throw new Error(`a header of ${header} bytes exceeds the limit`);
  if (body > maxBodyBytes) throw new Error(`a body of ${body} bytes exceeds the limit`);
  return { header, body };
}

/** Parses the bytes after a prefix; the body is a view of them. Throws when the header is not JSON. */
export function readFrame(bytes: Uint8Array, prefix: Prefix): Frame {
  const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(0, prefix.header));
  return { header: JSON.parse(text) as unknown, body: bytes.subarray(prefix.header) };
}

/** A larger frame is collected in one preallocated buffer. */
const LARGE_BYTES = 1024 * 1024;

/** Splits a byte stream into frames. Throws a plain Error on any violation; the stream is then unusable. */
export class FrameReader {
  private chunks: Uint8Array[] = [];
  private have = 0;
  private need = PREFIX_BYTES;
  private prefix: Prefix | undefined;
  private large: { bytes: Uint8Array; filled: number } | undefined;

  private readonly maxBodyBytes: () => number;

  constructor(maxBodyBytes: () => number) {
    this.maxBodyBytes = maxBodyBytes;
  }

  /** Adds a chunk; returns the frames that it completes. */
  push(chunk: Uint8Array): Frame[] {
    const frames: Frame[] = [];
    let rest = chunk;
    const { large, prefix } = this;
    if (large !== undefined && prefix !== undefined) {
      const count = Math.min(large.bytes.byteLength - large.filled, chunk.byteLength);
      large.bytes.set(chunk.subarray(0, count), large.filled);
      large.filled += count;
      rest = chunk.subarray(count);
      if (large.filled === large.bytes.byteLength) {
        this.large = undefined;
        frames.push(this.finish(large.bytes, prefix));
      }
      if (rest.byteLength === 0) return frames;
    }
    this.chunks.push(rest);
    this.have += rest.byteLength;
    while (this.have >= this.need) {
      if (this.prefix === undefined) this.startFrame();
      else frames.push(this.finish(this.shiftBytes(this.need), this.prefix));
    }
    if (this.prefix !== undefined && this.need > LARGE_BYTES) {
      this.large = { bytes: new Uint8Array(this.need), filled: 0 };
      for (const part of this.chunks) {
        this.large.bytes.set(part, this.large.filled);
        this.large.filled += part.byteLength;
      }
      this.chunks = [];
      this.have = 0;
    }
    return frames;
  }

  private startFrame(): void {
    this.prefix = readPrefix(this.shiftBytes(PREFIX_BYTES), this.maxBodyBytes());
    this.need = this.prefix.header + this.prefix.body;
  }

  private finish(bytes: Uint8Array, prefix: Prefix): Frame {
    this.prefix = undefined;
    this.need = PREFIX_BYTES;
    return readFrame(bytes, prefix);
  }

  private shiftBytes(count: number): Uint8Array {
    const first = this.chunks[0];
    if (first !== undefined && first.byteLength >= count) {
      if (first.byteLength === count) this.chunks.shift();
      else this.chunks[0] = first.subarray(count);
      this.have -= count;
      return first.subarray(0, count);
    }
    const out = new Uint8Array(count);
    let at = 0;
    while (at < count) {
      const next = this.chunks[0];
      if (next === undefined) break;
      const part = next.subarray(0, count - at);
      out.set(part, at);
      at += part.byteLength;
      if (part.byteLength === next.byteLength) this.chunks.shift();
      else this.chunks[0] = next.subarray(part.byteLength);
    }
    this.have -= count;
    return out;
  }
}
