// The wire between the program and a sandbox child: length-prefixed frames of one JSON header and raw bytes.
// Both sides are compiled from this file; PROTOCOL is compared in the greeting.
import type { CallLimits } from "./types.ts";

export const PROTOCOL = 2;
/** Bytes of a header at most; the body has a limit of its own, set by the reader. */
export const MAX_HEADER_BYTES = 4 * 1024 * 1024;
/** Bytes before the header: a mark, the length of the header, the length of the body. */
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

/** A text argument that travels beside the JSON: position, encoding and length in the body. */
export interface RawArgument {
  list: number;
  arg: number;
  encoding: "latin1" | "utf16le";
  bytes: number;
}

/** Runs one function on `count` argument lists. The body holds: the source (unless `known`, UTF-8), the
 * argument lists (`argsBytes`, one JSON array per line), then the raw arguments in order. */
export interface RunRequest {
  type: "run";
  id: number;
  session: number;
  name: string;
  fn: string;
  count: number;
  /** The child was given the source before. */
  known: boolean;
  sourceBytes: number;
  argsBytes: number;
  raws: RawArgument[];
  limits: CallLimits;
  /** Run in an isolate of its own that is thrown away afterwards. */
  fresh: boolean;
  /** After a call that did not end, answer the others with `not_run`. */
  halt: boolean;
  /** Calls per entry into the isolate; 1 where the parent looks for the call that killed a child. */
  batch: number;
  /** Sessions that ended; their isolates go. */
  drop: number[];
}

/** Outcomes `from .. from + count - 1`. The body holds one line each: "v<ms> <json>" or "e<ms> <json failure>". */
export interface PartReply {
  type: "part";
  id: number;
  from: number;
  count: number;
  last: boolean;
}

/** Parts of a body up to this size are copied, so that they need no write of their own. */
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

/** Reads PREFIX_BYTES bytes. Throws a plain Error when they begin no frame, or one over the limits. */
export function readPrefix(bytes: Uint8Array, maxBodyBytes: number): Prefix {
  const view = new DataView(bytes.buffer, bytes.byteOffset, PREFIX_BYTES);
  if (view.getUint32(0, true) !== MAGIC) throw new Error("not a frame");
  const header = view.getUint32(4, true);
  const body = view.getUint32(8, true);
  if (header > MAX_HEADER_BYTES) throw new Error(`a header of ${header} bytes`);
  if (body > maxBodyBytes) throw new Error(`a body of ${body} bytes`);
  return { header, body };
}

/** The frame in the bytes after a prefix; the body is a view of them. Throws on a header that is no JSON. */
export function readFrame(bytes: Uint8Array, prefix: Prefix): Frame {
  const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(0, prefix.header));
  return { header: JSON.parse(text) as unknown, body: bytes.subarray(prefix.header) };
}

/** A frame larger than this is gathered in one buffer of its size from the start. */
const LARGE_BYTES = 1024 * 1024;

/** Cuts a byte stream into frames. Throws a plain Error on any violation; the stream is then unusable. */
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

  /** Frames that are complete with this chunk. */
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
      else frames.push(this.finish(this.take(this.need), this.prefix));
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
    this.prefix = readPrefix(this.take(PREFIX_BYTES), this.maxBodyBytes());
    this.need = this.prefix.header + this.prefix.body;
  }

  private finish(bytes: Uint8Array, prefix: Prefix): Frame {
    this.prefix = undefined;
    this.need = PREFIX_BYTES;
    return readFrame(bytes, prefix);
  }

  private take(count: number): Uint8Array {
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
