// Reads a whole log as one text for L1 and the gates: bounded, decoded, with LF line ends; or a diagnostic.
import { isUtf8 } from "node:buffer";
import type { Diagnostic } from "../contract/results.ts";
import { yieldToEventLoop } from "../core/event-loop.ts";
import type { TextEncodingName } from "./format.ts";
import { openProblem, problem } from "./open.ts";
import { type BombLimits, type ByteSource, openSource } from "./source.ts";
import { binaryProblem, lineEndsIn, TextBytes } from "./textbytes.ts";

/** A log after L1: decoded, without BOM, with LF line ends. */
export interface LoadedText {
  /** Absolute path, links resolved. */
  path: string;
  text: string;
  /** SHA-256 of the bytes on disk, and their number. */
  sha256: string;
  bytes: number;
  encoding: "utf-8" | "latin-1" | "utf-16le" | "utf-16be";
  compressed: boolean;
  /** Warnings that do not affect the text, e.g. garbage after the gzip data. */
  warnings?: Diagnostic[];
}

/** The text, or the diagnostic why it cannot be read. */
export type TextReading = { ok: true; input: LoadedText } | { ok: false; diagnostic: Diagnostic };

export interface ReadTextOptions {
  /** Maximum decompressed bytes; a larger text is `input_too_large`. */
  maxBytes: number;
  bombLimits?: BombLimits;
  /** Ends the reading early with `input_interrupted`. */
  signal?: AbortSignal;
}

const PIECE = 4 * 2 ** 20;

/** Reads a whole log (docs/contract.md, L1). Never throws: a failure is a diagnostic of severity `error` with one of the
 * codes `input_missing`, `input_unreadable`, `input_not_regular`, `input_link_loop`,
 * `input_truncated`, `input_corrupt`, `input_binary`, `input_bomb`, `input_too_large`, `input_changed`,
 * `input_unsupported_compression`, `input_interrupted`. */
export async function readText(path: string, options: ReadTextOptions): Promise<TextReading> {
  const opened = openSource(path, {
    hash: true,
    ...(options.bombLimits === undefined ? {} : { bombLimits: options.bombLimits }),
  });
  if (!opened.ok) return opened;
  try {
    return await load(opened.source, options);
  } catch (error) {
    return { ok: false, diagnostic: openProblem(path, error) };
  } finally {
    opened.source.close();
  }
}

async function load(source: ByteSource, options: ReadTextOptions): Promise<TextReading> {
  const path = source.file.path;
  const plain = source.compression === "plain";
  if (plain && source.file.identity.size > options.maxBytes) return tooLarge(path, options.maxBytes);
  const text = new TextBytes(source);
  const collected = await collect(text, options, plain ? source.file.identity.size : undefined);
  if (!collected.ok) return collected;
  const bytes = collected.bytes;
  const nul = bytes.indexOf(0);
  if (nul >= 0)
    return { ok: false, diagnostic: binaryProblem(path, nul, lineEndsIn(bytes.subarray(0, nul)) + 1) };
  const sha256 = source.digest();
  const change = source.file.change();
  if (change !== undefined) return { ok: false, diagnostic: change };
  const { decoded, encoding } = decodeWhole(bytes, text.utf16);
  const input: LoadedText = {
    path,
    text: decoded,
    sha256,
    bytes: source.file.identity.size,
    encoding,
    compressed: !plain,
    ...(source.warnings.length === 0 ? {} : { warnings: source.warnings }),
  };
  return { ok: true, input };
}

type Collected = { ok: true; bytes: Buffer } | { ok: false; diagnostic: Diagnostic };

async function collect(
  text: TextBytes,
  options: ReadTextOptions,
  size: number | undefined,
): Promise<Collected> {
  const path = text.source.file.path;
  // One byte more than allowed detects a larger text; plain files of known size need a single buffer.
  const pieces: Uint8Array[] = [];
  let total = 0;
  for (;;) {
    const piece = Buffer.allocUnsafeSlow(
      Math.min(size === undefined ? PIECE : size + 1, options.maxBytes + 1, PIECE),
    );
    const count = text.read(piece);
    if (count === 0) break;
    pieces.push(piece.subarray(0, count));
    total += count;
    if (total > options.maxBytes) return tooLarge(path, options.maxBytes);
    await yieldToEventLoop();
    if (options.signal?.aborted) {
      return { ok: false, diagnostic: problem("input_interrupted", path, "Reading was interrupted.") };
    }
  }
  if (text.problem !== undefined) return { ok: false, diagnostic: text.problem };
  return {
    ok: true,
    bytes: pieces.length === 1 ? Buffer.from(pieces[0] as Uint8Array) : Buffer.concat(pieces),
  };
}

/** Decodes a text as UTF-8, or completely as Latin-1 if that fails; CRLF becomes LF. */
export function decodeWhole(
  bytes: Uint8Array,
  utf16?: "utf-16le" | "utf-16be",
): { decoded: string; encoding: TextEncodingName } {
  const utf8 = utf16 !== undefined || isUtf8(bytes);
  const decoded = decodeAs(bytes, utf8 ? "utf-8" : "latin-1");
  return { decoded, encoding: utf16 ?? (utf8 ? "utf-8" : "latin-1") };
}

/** Decodes bytes and converts CRLF to LF. */
export function decodeAs(bytes: Uint8Array, encoding: "utf-8" | "latin-1"): string {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = encoding === "utf-8" ? view.toString("utf8") : view.toString("latin1");
  return text.includes("\r\n") ? text.replaceAll("\r\n", "\n") : text;
}

function tooLarge(path: string, maxBytes: number): { ok: false; diagnostic: Diagnostic } {
  return {
    ok: false,
    diagnostic: problem(
      "input_too_large",
      path,
      `The text is larger than the limit of ${maxBytes} bytes. Raise check.max_text_mb.`,
    ),
  };
}
