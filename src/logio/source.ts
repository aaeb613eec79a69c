// A log as a sequence of decompressed bytes: opened safely, decompressed by content, with limits against decompression
// bombs.
import type { Diagnostic } from "../contract/results.ts";
import { Bzip2Decoder } from "./bzip2.ts";
import { type Compression, sniffCompression } from "./format.ts";
import { type Decoder, GzipDecoder } from "./gzip.ts";
import { type OpenedLog, openLog, problem } from "./open.ts";
import { RawBytes } from "./raw.ts";
import type { GzipPoint } from "./resume.ts";
import { XzDecoder } from "./xz.ts";
import { ZstdDecoder } from "./zstd.ts";

/** Limits against decompression bombs. */
export interface BombLimits {
  /** Maximum decompressed bytes per byte on disk, beyond `ratioFrom`. */
  maxRatio: number;
  /** Up to this many decompressed bytes the ratio is not checked. */
  ratioFrom: number;
  /** Maximum decompressed bytes of one file. */
  maxBytes: number;
}

/** Deflate cannot exceed 1032:1, and repetitive logs reach 200:1 to 300:1; zstd has no such limit. */
export const BOMB_LIMITS: BombLimits = { maxRatio: 600, ratioFrom: 64 * 2 ** 20, maxBytes: 256 * 2 ** 30 };

/** A byte range of an uncompressed file, `to` exclusive. */
export interface ByteRange {
  from: number;
  to: number;
}

/** Creates the source of an open file, and closes the file when it is closed. */
export function sourceOf(
  file: OpenedLog,
  options: { hash?: boolean; bombLimits?: BombLimits; range?: ByteRange } = {},
): SourceResult {
  if (options.range !== undefined) {
    const part = new RawBytes(file, { start: options.range.from, end: options.range.to });
    return { ok: true, source: new ByteSource(part, "plain", new PlainDecoder(part), BOMB_LIMITS) };
  }
  const raw = new RawBytes(file, options.hash ? { hash: true } : {});
  const compression = sniffCompression(raw.peekAtLeast(10));
  const decoder = makeDecoder(compression, raw);
  if (decoder === undefined) {
    file.close();
    return { ok: false, diagnostic: unsupported(file.path, compression) };
  }
  return { ok: true, source: new ByteSource(raw, compression, decoder, options.bombLimits ?? BOMB_LIMITS) };
}

export type SourceResult = { ok: true; source: ByteSource } | { ok: false; diagnostic: Diagnostic };

/** A start position other than the beginning. */
export type Resume = { kind: "plain"; rawOffset: number } | { kind: "gzip"; point: GzipPoint };

/** Opens a log as decompressed bytes. `hash`: also compute the SHA-256 of the bytes on disk. */
export function openSource(
  path: string,
  options: { hash?: boolean; bombLimits?: BombLimits; range?: ByteRange } = {},
): SourceResult {
  const opened = openLog(path);
  return opened.ok ? sourceOf(opened.file, options) : opened;
}

/** Opens a log at a point recorded by an earlier pass. The bomb limits apply to the text read from there. */
export function resumeSource(file: OpenedLog, resume: Resume): ByteSource {
  if (resume.kind === "plain") {
    const raw = new RawBytes(file, { start: resume.rawOffset });
    return new ByteSource(raw, "plain", new PlainDecoder(raw), BOMB_LIMITS);
  }
  const raw = new RawBytes(file, { start: resume.point.rawOffset });
  return new ByteSource(raw, "gzip", new GzipDecoder(raw, resume.point), BOMB_LIMITS);
}

export class ByteSource implements Decoder {
  readonly file: OpenedLog;
  readonly compression: Compression;
  /** Decompressed bytes read so far. */
  textOffset = 0;
  private readonly raw: RawBytes;
  private readonly limits: BombLimits;
  /** The decoder below; for the access points of gzip. */
  readonly decoder: Decoder;
  private bomb: Diagnostic | undefined;

  constructor(raw: RawBytes, compression: Compression, decoder: Decoder, limits: BombLimits) {
    this.file = raw.file;
    this.raw = raw;
    this.compression = compression;
    this.decoder = decoder;
    this.limits = limits;
  }

  get problem(): Diagnostic | undefined {
    return this.bomb ?? this.decoder.problem;
  }

  get warnings(): Diagnostic[] {
    return this.decoder.warnings;
  }

  /** Bytes on disk consumed so far. */
  get rawOffset(): number {
    return this.raw.offset;
  }

  /** Fills `target` as far as data is available; 0 means the end or a problem: see `problem`. */
  read(target: Uint8Array): number {
    if (this.bomb !== undefined) return 0;
    const count = this.decoder.read(target);
    this.textOffset += count;
    if (this.compression !== "plain") this.checkBomb();
    return this.bomb === undefined ? count : 0;
  }

  /** SHA-256 of the whole file on disk (only when opened with `hash`); reads the rest of it. */
  digest(): string {
    return this.raw.digest();
  }

  close(): void {
    this.decoder.close();
    this.file.close();
  }

  private checkBomb(): void {
    const { maxRatio, ratioFrom, maxBytes } = this.limits;
    const ratio = this.textOffset / Math.max(1, this.raw.offset);
    if (this.textOffset <= maxBytes && (this.textOffset <= ratioFrom || ratio <= maxRatio)) return;
    const why =
      this.textOffset > maxBytes
        ? `more than ${maxBytes} bytes`
        : `more than ${maxRatio} times its size on disk`;
    this.bomb = problem(
      "input_bomb",
      this.file.path,
      `Decompression was stopped: the file expands to ${why}. If it is a real log, decompress it by hand.`,
    );
  }
}

class PlainDecoder implements Decoder {
  readonly warnings: Diagnostic[] = [];
  private readonly raw: RawBytes;

  constructor(raw: RawBytes) {
    this.raw = raw;
  }

  get problem(): Diagnostic | undefined {
    return this.raw.problem;
  }

  read(target: Uint8Array): number {
    let written = 0;
    while (written < target.byteLength) {
      const count = this.raw.readInto(target.subarray(written));
      if (count === 0) break;
      written += count;
    }
    return written;
  }

  close(): void {
    // The file is closed by its owner.
  }
}

function makeDecoder(compression: Compression, raw: RawBytes): Decoder | undefined {
  if (compression === "plain") return new PlainDecoder(raw);
  if (compression === "gzip") return new GzipDecoder(raw);
  if (compression === "zstd") return new ZstdDecoder(raw);
  if (compression === "xz") return new XzDecoder(raw);
  if (compression === "bzip2") return new Bzip2Decoder(raw);
  return undefined;
}

const UNPACK: Partial<Record<Compression, string>> = {
  lz4: "lz4 -d",
  zip: "unzip",
  compress: "gzip -d",
};

function unsupported(path: string, compression: Compression): Diagnostic {
  const how = UNPACK[compression] ?? "decompress";
  return problem(
    "input_unsupported_compression",
    path,
    `This is a ${compression} archive, which is not supported. Decompress it (${how}) or compress it with gzip or zstd.`,
  );
}
