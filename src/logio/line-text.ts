// Lines for display: decoded, without line end, truncated when very long.
import { isUtf8 } from "node:buffer";
import { truncate } from "../core/limits.ts";
import { incompleteTail } from "./utf8.ts";

/** Bytes of one line before decoding; `fullLength`: the length of the whole line. */
export interface RawLine {
  bytes: Uint8Array;
  fullLength: number;
}

/** Decodes lines of one text: as UTF-8 if all of them are valid, else all as Latin-1. `maxBytes`: UTF-8 bytes after
 * which a line is truncated with a marker. */
export function decodeLines(
  lines: RawLine[],
  maxBytes: number,
): { lines: string[]; cut: number; encoding: "utf-8" | "latin-1" } {
  const views = lines.map(({ bytes, fullLength }) => {
    const kept =
      bytes.byteLength < fullLength ? bytes.subarray(0, bytes.byteLength - incompleteTail(bytes)) : bytes;
    return Buffer.from(kept.buffer, kept.byteOffset, kept.byteLength);
  });
  const utf8 = views.every((view) => isUtf8(view));
  let cut = 0;
  const decoded = views.map((view, i) => {
    const text = utf8 ? view.toString("utf8") : view.toString("latin1");
    const fullLength = lines[i]?.fullLength ?? view.byteLength;
    const ended = fullLength === view.byteLength && text.endsWith("\r") ? text.slice(0, -1) : text;
    if (fullLength === view.byteLength && Buffer.byteLength(ended) <= maxBytes) return ended;
    cut += 1;
    return truncate(ended, maxBytes, Math.max(fullLength, Buffer.byteLength(ended))).text;
  });
  return { lines: decoded, cut, encoding: utf8 ? "utf-8" : "latin-1" };
}
