// The one truncation policy: whatever is cut says so, how much there was, and nothing is cut in the middle
// of a character. Used by tool results, prompts, error messages and reports alike.

export interface Cut {
  text: string;
  /** Was anything left out? */
  truncated: boolean;
  /** UTF-8 bytes of the whole text. */
  totalBytes: number;
}

/** What stands where something was left out. */
export function cutMark(totalBytes: number): string {
  return `…[cut, ${totalBytes} bytes in all]`;
}

/** Cuts a text to at most `maxBytes` UTF-8 bytes, the mark included, at a character border. `totalBytes`: how
 * long it was, when `text` is already only its beginning. */
export function truncate(text: string, maxBytes: number, totalBytes = Buffer.byteLength(text)): Cut {
  if (totalBytes <= maxBytes) return { text, truncated: false, totalBytes };
  const mark = ` ${cutMark(totalBytes)}`;
  const room = Math.max(0, maxBytes - Buffer.byteLength(mark));
  const bytes = Buffer.from(text).subarray(0, room);
  // A trailing partial sequence decodes to U+FFFD; drop it rather than show it.
  const kept = bytes.toString("utf8").replace(/\uFFFD+$/, "");
  return { text: kept + mark, truncated: true, totalBytes };
}
