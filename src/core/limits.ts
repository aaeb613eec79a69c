// The one truncation policy, used for tool results, prompts, error messages and reports: a cut text states its full
// size, and no character is split.

export interface Cut {
  text: string;
  /** Was anything cut? */
  truncated: boolean;
  /** UTF-8 bytes of the whole text. */
  totalBytes: number;
}

/** The marker in place of a cut part. */
export function cutMark(totalBytes: number): string {
  return `…[cut, ${totalBytes} bytes in all]`;
}

/** Cuts a text to at most `maxBytes` UTF-8 bytes, marker included, at a character boundary. `totalBytes`: the full size,
 * when `text` is only the beginning. */
export function truncate(text: string, maxBytes: number, totalBytes = Buffer.byteLength(text)): Cut {
  if (totalBytes <= maxBytes) return { text, truncated: false, totalBytes };
  const mark = ` ${cutMark(totalBytes)}`;
  const room = Math.max(0, maxBytes - Buffer.byteLength(mark));
  const bytes = Buffer.from(text).subarray(0, room);
  // A trailing partial sequence decodes to U+FFFD; drop it rather than show it.
  const kept = bytes.toString("utf8").replace(/\uFFFD+$/, "");
  return { text: kept + mark, truncated: true, totalBytes };
}
