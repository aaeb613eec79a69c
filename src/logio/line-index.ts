// A sparse index from line numbers to positions in a file, built during other passes over the text. Later reads start
// at the nearest indexed position. Plain files need only offsets; in gzip files each position includes the state to
// resume the decoder. zstd and UTF-16 files are not indexed and are read from the beginning.
import { GzipDecoder } from "./gzip.ts";
import { type FileIdentity, type OpenedLog, sameFile } from "./open.ts";
import { findPoint, type GzipPoint, WINDOW_BYTES } from "./resume.ts";
import type { Resume } from "./source.ts";
import type { TextWindow } from "./window.ts";
import { zlib } from "./zlib.ts";

/** A position in the text where reading can start. */
export interface LinePoint {
  /** Bytes and line ends of the text before it. */
  textOffset: number;
  lineEnds: number;
  resume: Resume;
}

interface StoredPoint {
  textOffset: number;
  lineEnds: number;
  rawOffset: number;
  /** gzip only; the window is kept compressed. */
  gzip?: Omit<GzipPoint, "rawOffset">;
}

const SPACING = { plain: 2 ** 20, gzip: 4 * 2 ** 20 } as const;
/** Beyond this number every other point is dropped, so that the size of an index is bounded. */
const MAX_POINTS = { plain: 8192, gzip: 512 } as const;
/** Text after a border that is needed to verify it, and compressed bytes that certainly contain as much. */
const PROOF_TEXT = 1024;
const PROOF_RAW = 4096;

interface Border {
  rawOffset: number;
  textOffset: number;
}

export class LineIndex {
  readonly identity: FileIdentity;
  /** Number of lines of the whole text, once a pass has reached its end. */
  totalLines: number | undefined;
  private readonly points: StoredPoint[] = [];
  private spacing: number = SPACING.plain;
  private border: Border | undefined;
  /** Text offset up to which the text is indexed. */
  private indexedTo = 0;

  constructor(identity: FileIdentity) {
    this.identity = identity;
  }

  /** The last point at or before the start of the line; undefined: the beginning. */
  nearest(line: number): LinePoint | undefined {
    let low = 0;
    let high = this.points.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.points[middle]?.lineEnds ?? 0) < line - 1) low = middle + 1;
      else high = middle;
    }
    // A point with exactly `line - 1` line ends before it may be inside the line, so it needs one fewer.
    const found = this.points[low - 1];
    return found === undefined ? undefined : toLinePoint(found);
  }

  /** Called when a window starts a pass over the text. */
  attach(window: TextWindow): void {
    this.border = undefined;
    const { compression, decoder } = window.text.source;
    if (compression !== "gzip" || window.text.utf16 !== undefined || !(decoder instanceof GzipDecoder))
      return;
    this.spacing = Math.max(this.spacing, SPACING.gzip);
    const shift = window.base - window.text.bomLength;
    decoder.onBorder = (rawOffset, decoded) => {
      const at = shift + decoded;
      if (this.border === undefined && at >= this.indexedTo + this.spacing) {
        this.border = { rawOffset, textOffset: at };
      }
    };
  }

  /** Called when a window has grown; the new bytes start at `from`. */
  recordPiece(window: TextWindow, from: number): void {
    const { compression } = window.text.source;
    if (window.text.utf16 !== undefined) return;
    if (compression === "plain") {
      const textOffset = window.base + from;
      if (textOffset < this.indexedTo + this.spacing) return;
      const lineEnds = window.lineEndsBefore(from);
      this.add({ textOffset, lineEnds, rawOffset: textOffset + this.bomLength(window) }, MAX_POINTS.plain);
    } else if (compression === "gzip" && this.border !== undefined) this.recordBorder(window, this.border);
  }

  /** Called when a window has reached the end of the text. */
  finish(window: TextWindow): void {
    const ends = window.lineEndsBefore(window.end);
    const unfinished = window.base + window.end > 0 && window.lastByte !== 10;
    this.totalLines = ends + (unfinished ? 1 : 0);
  }

  /** Approximate memory size in bytes. */
  get size(): number {
    return this.points.reduce((sum, point) => sum + 48 + (point.gzip?.window.byteLength ?? 0), 0);
  }

  private bom: number | undefined;

  /** Determined by the first pass, which starts at the beginning of the file. */
  private bomLength(window: TextWindow): number {
    this.bom ??= window.text.bomLength;
    return this.bom;
  }

  private recordBorder(window: TextWindow, border: Border): void {
    const at = border.textOffset - window.base;
    if (at < WINDOW_BYTES) {
      this.border = undefined;
      return;
    }
    if (window.end < at + PROOF_TEXT) return;
    this.border = undefined;
    const before = new Uint8Array(1);
    const next = new Uint8Array(PROOF_RAW);
    window.file.readAt(before, border.rawOffset - 1);
    const readBytes = window.file.readAt(next, border.rawOffset);
    const point = findPoint(
      {
        rawOffset: border.rawOffset,
        before: before[0] ?? 0,
        window: window.data.subarray(at - WINDOW_BYTES, at),
      },
      next.subarray(0, readBytes),
      window.data.subarray(at, at + PROOF_TEXT),
    );
    if (point === undefined) return;
    const { bits, window: text } = point;
    const lineEnds = window.lineEndsBefore(at);
    const gzip = {
      bits,
      before: point.before,
      window: new Uint8Array(zlib().deflateRawSync(text, { level: 1 })),
    };
    this.add({ textOffset: border.textOffset, lineEnds, rawOffset: border.rawOffset, gzip }, MAX_POINTS.gzip);
  }

  private add(point: StoredPoint, limit: number): void {
    this.points.push(point);
    this.indexedTo = point.textOffset;
    if (this.points.length < limit) return;
    const kept = this.points.filter((_, i) => i % 2 === 1);
    this.points.length = 0;
    this.points.push(...kept);
    this.spacing *= 2;
  }
}

function toLinePoint(point: StoredPoint): LinePoint {
  const { textOffset, lineEnds, rawOffset, gzip } = point;
  if (gzip === undefined) return { textOffset, lineEnds, resume: { kind: "plain", rawOffset } };
  const window = new Uint8Array(zlib().inflateRawSync(gzip.window));
  return { textOffset, lineEnds, resume: { kind: "gzip", point: { ...gzip, rawOffset, window } } };
}

/** The indexes of a run, one per file; a file that changed gets a new one. */
export class LineIndexes {
  private readonly byPath = new Map<string, LineIndex>();
  private readonly maxBytes: number;

  /** `maxBytes`: memory for all indexes together. */
  constructor(maxBytes = 24 * 2 ** 20) {
    this.maxBytes = maxBytes;
  }

  of(file: OpenedLog): LineIndex {
    const found = this.byPath.get(file.path);
    if (found !== undefined && sameFile(found.identity, file.identity)) return found;
    const index = new LineIndex(file.identity);
    this.byPath.delete(file.path);
    let used = 0;
    for (const other of this.byPath.values()) used += other.size;
    for (const [path, other] of this.byPath) {
      if (used <= this.maxBytes) break;
      used -= other.size;
      this.byPath.delete(path);
    }
    this.byPath.set(file.path, index);
    return index;
  }
}
