// A sparse index from line numbers to positions in a file, built while the text is read for another purpose. Later reads
// start at the nearest point. Plain files need only offsets; in gzip files a point also has the state of the decoder. zstd
// and UTF-16 have no points: they are read from the beginning.
import { GzipDecoder } from "./gzip.ts";
import { type FileIdentity, type OpenedLog, sameFile } from "./open.ts";
import { findPoint, type GzipPoint, WINDOW_BYTES } from "./resume.ts";
import type { Resume } from "./source.ts";
import type { TextBytes } from "./textbytes.ts";
import { zlib } from "./zlib.ts";

/** A point in the text where reading can start. */
export interface LinePoint {
  /** Bytes and line ends of the text before it. */
  textOffset: number;
  lineEnds: number;
  resume: Resume;
}

/** The members of a window that the index uses. */
export interface PassingWindow {
  readonly file: OpenedLog;
  readonly text: TextBytes;
  /** Bytes in the window; valid from 0 to `end`. */
  readonly data: Uint8Array;
  readonly end: number;
  /** Offset of the window's first byte in the text. */
  readonly base: number;
  /** The last byte of the text so far. */
  readonly lastByte: number;
  /** Line ends of the text before an offset of the window. */
  lineEndsBefore(offset: number): number;
}

interface StoredPoint {
  textOffset: number;
  lineEnds: number;
  rawOffset: number;
  /** gzip only; the window is kept compressed. */
  gzip?: Omit<GzipPoint, "rawOffset">;
}

const SPACING = { plain: 2 ** 20, gzip: 4 * 2 ** 20 } as const;
/** Maximum number of points; beyond it every second one is dropped. */
const MAX_POINTS = { plain: 8192, gzip: 512 } as const;
/** Text after a border that is needed to verify it, and compressed bytes that contain at least as much. */
const PROOF_TEXT = 1024;
const PROOF_RAW = 4096;

interface Border {
  rawOffset: number;
  textOffset: number;
}

export class LineIndex {
  readonly identity: FileIdentity;
  /** Lines of the whole text, once a reader has reached its end. */
  totalLines: number | undefined;
  private readonly points: StoredPoint[] = [];
  private spacing: number = SPACING.plain;
  private border: Border | undefined;
  /** Text offset up to which the index is complete. */
  private known = 0;

  constructor(identity: FileIdentity) {
    this.identity = identity;
  }

  /** The last point at or before the start of a line; undefined: the beginning. */
  nearest(line: number): LinePoint | undefined {
    let low = 0;
    let high = this.points.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.points[middle]?.lineEnds ?? 0) < line - 1) low = middle + 1;
      else high = middle;
    }
    // A point with as many line ends as lines before may be inside the line, so one line end less is required.
    const point = this.points[low - 1];
    return point === undefined ? undefined : toLinePoint(point);
  }

  /** Called when a window starts reading the text. */
  attach(window: PassingWindow): void {
    this.border = undefined;
    const { compression, decoder } = window.text.source;
    if (compression !== "gzip" || window.text.utf16 !== undefined || !(decoder instanceof GzipDecoder))
      return;
    this.spacing = Math.max(this.spacing, SPACING.gzip);
    const shift = window.base - window.text.bomLength;
    decoder.onBorder = (rawOffset, decoded) => {
      const at = shift + decoded;
      if (this.border === undefined && at >= this.known + this.spacing) {
        this.border = { rawOffset, textOffset: at };
      }
    };
  }

  /** Called when a window has read more; the new bytes start at `from`. */
  note(window: PassingWindow, from: number): void {
    const { compression } = window.text.source;
    if (window.text.utf16 !== undefined) return;
    if (compression === "plain") {
      const textOffset = window.base + from;
      if (textOffset < this.known + this.spacing) return;
      const lineEnds = window.lineEndsBefore(from);
      this.add({ textOffset, lineEnds, rawOffset: textOffset + this.bomLength(window) }, MAX_POINTS.plain);
    } else if (compression === "gzip" && this.border !== undefined) this.noteBorder(window, this.border);
  }

  /** Called when a window has reached the end of the text. */
  finish(window: PassingWindow): void {
    const ends = window.lineEndsBefore(window.end);
    const unfinished = window.base + window.end > 0 && window.lastByte !== 10;
    this.totalLines = ends + (unfinished ? 1 : 0);
  }

  /** Approximate memory, bytes. */
  get size(): number {
    return this.points.reduce((sum, point) => sum + 48 + (point.gzip?.window.byteLength ?? 0), 0);
  }

  private bom: number | undefined;

  /** Known from the first pass, which starts at the beginning of the file. */
  private bomLength(window: PassingWindow): number {
    this.bom ??= window.text.bomLength;
    return this.bom;
  }

  private noteBorder(window: PassingWindow, border: Border): void {
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
    const got = window.file.readAt(next, border.rawOffset);
    const point = findPoint(
      {
        rawOffset: border.rawOffset,
        before: before[0] ?? 0,
        window: window.data.subarray(at - WINDOW_BYTES, at),
      },
      next.subarray(0, got),
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
    this.known = point.textOffset;
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

/** The indexes of a run, one per file; a changed file gets a new one. */
export class LineIndexes {
  private readonly byPath = new Map<string, LineIndex>();
  private readonly maxBytes: number;

  /** @param maxBytes memory for all indexes together */
  constructor(maxBytes = 24 * 2 ** 20) {
    this.maxBytes = maxBytes;
  }

  indexOf(file: OpenedLog): LineIndex {
    const known = this.byPath.get(file.path);
    if (known !== undefined && sameFile(known.identity, file.identity)) return known;
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
