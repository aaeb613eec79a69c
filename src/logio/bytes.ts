// Reads small files that are not logs, such as pages and configurations next to logs, as safely as logs.
import type { Diagnostic } from "../contract/results.ts";
import { openLog, openProblem } from "./open.ts";

/** The first `maxBytes` bytes of a regular file. Never throws and never blocks. */
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
