// Lines as people and models see them: decoded, without line end, cut when they are very long.
import { isUtf8 } from "node:buffer";
import { truncate } from "../core/limits.ts";
import { incompleteTail } from "./utf8.ts";
import type { TextWindow } from "./window.ts";

/** Bytes of one line before decoding; `whole`: how long it really is. */
export interface RawLine {
  bytes: Uint8Array;
  whole: number;
  /** How the line ends, where that is known. */
  ended?: "lf" | "crlf";
}

/** Decodes lines that belong together: UTF-8 if all of them are, else Latin-1 for all. `maxBytes`: UTF-8 bytes of
 * one line, beyond which it is cut with a mark. */
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

/** The line in [start, stop) of a window, without a carriage return at its end: UTF-8 if it is, else Latin-1. */
export function lineText(window: TextWindow, start: number, stop: number): string {
  return textOf(window.data.subarray(start, stop));
}

export function textOf(line: Buffer): string {
  const bytes = line.at(-1) === 13 ? line.subarray(0, -1) : line;
  return isUtf8(bytes) ? bytes.toString("utf8") : bytes.toString("latin1");
}
