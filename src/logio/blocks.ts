// Reads a log of any size as text blocks that end at line ends; memory depends only on the block size. The first pass
// verifies that the file is readable to its end and determines the encoding of the whole file; the second returns the text.
import type { Diagnostic } from "../contract/results.ts";
import { yieldToEventLoop } from "../core/event-loop.ts";
import type { TextEncodingName } from "./format.ts";
import { type FileIdentity, openProblem, problem, sameFile } from "./open.ts";
import { type BombLimits, type ByteRange, openSource } from "./source.ts";
import { decodeAs } from "./text.ts";
import { binaryProblem, lineEndsIn, TextBytes } from "./textbytes.ts";
import { Utf8Checker } from "./utf8.ts";

/** The result of a complete pass over a log. */
export interface TextFacts {
  /** Absolute, links resolved. */
  path: string;
  encoding: TextEncodingName;
  /** Number of lines, including a last line without a line end. */
  lines: number;
  /** Decompressed bytes. */
  textBytes: number;
  /** Bytes on disk. */
  bytes: number;
  compressed: boolean;
  identity: FileIdentity;
  warnings: Diagnostic[];
}

export type FactsResult = { ok: true; facts: TextFacts } | { ok: false; diagnostic: Diagnostic };

/** A piece of text: whole lines, except that a line longer than `maxLineBytes` is a problem. */
export type TextBlock =
  | { ok: true; text: string /** 1-based number of its first line. */; startLine: number }
  | { ok: false; diagnostic: Diagnostic };

const PIECE = 2 ** 20;

interface PassOptions {
  bombLimits?: BombLimits;
  /** Read only these bytes, which begin at a line start. */
  range?: ByteRange;
  signal?: AbortSignal;
}

/** First pass. Never throws; the codes of diagnostics are those of `readText`. */
export async function inspectText(path: string, options: PassOptions = {}): Promise<FactsResult> {
  const opened = openSource(path, sourceOptions(options));
  if (!opened.ok) return opened;
  const source = opened.source;
  try {
    const text = new TextBytes(source, (options.range?.from ?? 0) > 0);
    const checker = new Utf8Checker();
    const piece = Buffer.allocUnsafeSlow(PIECE);
    let textBytes = 0;
    let lineEnds = 0;
    let last = 0x0a;
    for (let count = text.read(piece); count > 0; count = text.read(piece)) {
      const part = piece.subarray(0, count);
      const nul = part.indexOf(0);
      if (nul >= 0) {
        const line = lineEnds + lineEndsIn(part.subarray(0, nul)) + 1;
        return { ok: false, diagnostic: binaryProblem(source.file.path, textBytes + nul, line) };
      }
      checker.add(part);
      lineEnds += lineEndsIn(part);
      textBytes += count;
      last = part[count - 1] ?? 0x0a;
      await yieldToEventLoop();
      if (options.signal?.aborted) return interrupted(source.file.path);
    }
    if (text.problem !== undefined) return { ok: false, diagnostic: text.problem };
    const change = source.file.change();
    if (change !== undefined) return { ok: false, diagnostic: change };
    const facts: TextFacts = {
      path: source.file.path,
      encoding: text.utf16 ?? (checker.end() ? "utf-8" : "latin-1"),
      lines: lineEnds + (last === 0x0a ? 0 : 1),
      textBytes,
      bytes: source.file.identity.size,
      compressed: source.compression !== "plain",
      identity: source.file.identity,
      warnings: source.warnings,
    };
    return { ok: true, facts };
  } catch (error) {
    return { ok: false, diagnostic: openProblem(path, error) };
  } finally {
    source.close();
  }
}

/** Second pass: the text of an inspected file in blocks of about `blockBytes`. A problem is always the last item; a file
 * that changed since it was inspected is `input_changed`. */
export async function* textBlocks(
  facts: TextFacts,
  options: PassOptions & { blockBytes?: number; maxLineBytes?: number } = {},
): AsyncGenerator<TextBlock, void, void> {
  const opened = openSource(facts.path, sourceOptions(options));
  if (!opened.ok) {
    yield opened;
    return;
  }
  const source = opened.source;
  try {
    const changedSince = problem(
      "input_changed",
      facts.path,
      "The file changed between two readings. Run again.",
    );
    if (!sameFile(source.file.identity, facts.identity)) {
      yield { ok: false, diagnostic: changedSince };
      return;
    }
    const text = new TextBytes(source);
    const encoding = facts.encoding === "latin-1" ? "latin-1" : "utf-8";
    const maxLine = options.maxLineBytes ?? 256 * 2 ** 20;
    let buffer = Buffer.allocUnsafeSlow(options.blockBytes ?? 4 * 2 ** 20);
    let held = 0;
    let startLine = 1;
    for (;;) {
      const count = text.read(buffer.subarray(held));
      const end = held + count;
      const atEnd = count === 0;
      const border = atEnd ? end : buffer.lastIndexOf(10, end - 1) + 1;
      if (border > 0 && (atEnd || end === buffer.byteLength || border === end)) {
        const block = decodeAs(buffer.subarray(0, border), encoding);
        yield { ok: true, text: block, startLine };
        startLine += countLines(block);
        buffer.copyWithin(0, border, end);
        held = end - border;
      } else held = end;
      if (atEnd) break;
      if (held === buffer.byteLength) {
        if (held >= maxLine) {
          yield { ok: false, diagnostic: longLine(facts.path, startLine, maxLine) };
          return;
        }
        const larger = Buffer.allocUnsafeSlow(Math.min(maxLine, held * 2));
        buffer.copy(larger, 0, 0, held);
        buffer = larger;
      }
      await yieldToEventLoop();
      if (options.signal?.aborted) {
        yield interrupted(facts.path);
        return;
      }
    }
    const diagnostic = text.problem ?? source.file.change();
    if (diagnostic !== undefined) yield { ok: false, diagnostic };
  } catch (error) {
    yield { ok: false, diagnostic: openProblem(facts.path, error) };
  } finally {
    source.close();
  }
}

function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}

function sourceOptions({ bombLimits, range }: PassOptions): { bombLimits?: BombLimits; range?: ByteRange } {
  return { ...(bombLimits && { bombLimits }), ...(range && { range }) };
}

function interrupted(path: string): { ok: false; diagnostic: Diagnostic } {
  return { ok: false, diagnostic: problem("input_interrupted", path, "Reading was interrupted.") };
}

function longLine(path: string, line: number, limit: number): Diagnostic {
  return { ...problem("input_too_large", path, `A line is longer than ${limit} bytes.`), line };
}
