// Lines as shown to users and models: decoded, without line end, and truncated when very long.
import { isUtf8 } from "node:buffer";
import { truncate } from "../core/limits.ts";
import { incompleteTail } from "./utf8.ts";
import type { TextWindow } from "./window.ts";

/** Bytes of one line before decoding; `whole`: the full length of the line. */
export interface RawLine {
  bytes: Uint8Array;
  whole: number;
  /** The line end, if known. */
  ended?: "lf" | "crlf";
}

/** Decodes a group of lines: UTF-8 if all of them are valid, otherwise Latin-1 for all. `maxBytes`: maximum UTF-8 bytes of
 * one line; longer lines are truncated with a mark. */
export function decodeLines(
  lines: RawLine[],
  maxBytes: number,
): { lines: string[]; cut: number; encoding: "utf-8" | "latin-1" } {
  const views = lines.map(({ bytes, whole }) => {
    const kept =
      bytes.byteLength < whole ? bytes.subarray(0, bytes.byteLength - incompleteTail(bytes)) : bytes;
    return Buffer.from(kept.buffer, kept.byteOffset, kept.byteLength);
  });
  const utf8 = views.every((view) => isUtf8(view));
  let cut = 0;
  const decoded = views.map((view, i) => {
    const text = utf8 ? view.toString("utf8") : view.toString("latin1");
    const whole = lines[i]?.whole ?? view.byteLength;
    const ended = whole === view.byteLength && text.endsWith("\r") ? text.slice(0, -1) : text;
    if (whole === view.byteLength && Buffer.byteLength(ended) <= maxBytes) return ended;
    cut += 1;
    return truncate(ended, maxBytes, Math.max(whole, Buffer.byteLength(ended))).text;
  });
  return { lines: decoded, cut, encoding: utf8 ? "utf-8" : "latin-1" };
}

/** The line in [start, stop) of a window without a final carriage return, as UTF-8 if valid, otherwise Latin-1. */
export function lineText(window: TextWindow, start: number, stop: number): string {
  return textOf(window.data.subarray(start, stop));
}

export function textOf(line: Buffer): string {
  const bytes = line.at(-1) === 13 ? line.subarray(0, -1) : line;
  return isUtf8(bytes) ? bytes.toString("utf8") : bytes.toString("latin1");
}
