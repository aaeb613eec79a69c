// Reads small files that are not logs (pages, configurations) with the same safety checks and bounds.
import type { Diagnostic } from "../contract/results.ts";
import { openLog, openProblem } from "./open.ts";

/** Reads the first `maxBytes` bytes of a regular file, unchanged. Never throws and never blocks. */
export function readBytes(
  path: string,
  maxBytes: number,
): { ok: true; bytes: Uint8Array } | { ok: false; diagnostic: Diagnostic } {
  const opened = openLog(path);
  if (!opened.ok) return opened;
  try {
    const bytes = new Uint8Array(Math.min(maxBytes, opened.file.identity.size));
    let length = 0;
    while (length < bytes.byteLength) {
      const count = opened.file.readAt(bytes.subarray(length), length);
      if (count === 0) break;
      length += count;
    }
    return { ok: true, bytes: bytes.subarray(0, length) };
  } catch (error) {
    return { ok: false, diagnostic: openProblem(path, error) };
  } finally {
    opened.file.close();
  }
}
