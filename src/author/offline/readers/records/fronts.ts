// A time in front of the lines of a record that the page shows without one: "[   20.4] Module x: ...".

import type { FoundLine } from "./line-ways.ts";

const FRONT = "(?:\\[\\s*\\d[\\d:.,T +-]*\\]\\s*|\\d[\\d:.,TZ+/-]*\\d(?: \\d[\\d:.,]*)?\\s+)?";
/** Few lines with a time in front may be quoted by others. */
const LEAST = 3;

/** The lines with a time allowed in front, where the log has such lines as well. */
export function withFronts(found: Map<number, FoundLine>, lines: readonly string[]): void {
  for (const [at, one] of found) {
    if (!one.pattern.startsWith("^\\s*") || one.scope !== undefined || one.after !== undefined) continue;
    const body = one.pattern.slice(4);
    // A part at the very start would take the time for itself.
    if (/^\(\?</.test(body) || !/^(?:\\?[A-Za-z([<"'#*-])/.test(body)) continue;
    const pattern = `^\\s*${FRONT}${body}`;
    const regex = new RegExp(pattern);
    const known = new Set(one.hits);
    const hits = lines.flatMap((line, index) => (line.length < 2000 && regex.test(line) ? [index] : []));
    const more = hits.filter((hit) => !known.has(hit));
    if (more.length < LEAST || !one.hits.every((hit) => hits.includes(hit))) continue;
    found.set(at, { ...one, pattern, hits });
  }
}
