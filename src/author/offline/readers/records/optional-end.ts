// A part in brackets at the end of its line that the page says may be missing: the lines without the brackets are read as well.

import type { Slot } from "../../templates/template.ts";
import type { FoundLine } from "./line-ways.ts";

/** Makes the last part of the line optional, brackets and all, where more lines of the log are read then. */
export function withOptionalEnd(
  found: FoundLine | undefined,
  slots: readonly Slot[],
  lines: readonly string[],
): void {
  const last = [...slots].sort((a, b) => a.span.start - b.span.start).at(-1);
  if (found === undefined || slots.length < 2 || last === undefined || !last.hint.optional) return;
  const from = found.pattern.indexOf(`(?<${last.group}>`);
  const front = /\\s\+(\\[([{])$/.exec(found.pattern.slice(0, from));
  const end = /(\\[)\]}])(?:\\s\*\$|\(\?=\\s\|\$\))?$/.exec(found.pattern);
  if (from < 0 || front === null || end === null) return;
  const part = found.pattern.slice(from, end.index);
  const pattern = `${found.pattern.slice(0, front.index)}(?:\\s+${front[1]}${part}${end[1]})?\\s*$`;
  const regex = new RegExp(pattern);
  const hits = lines.flatMap((line, index) => (regex.test(line) ? [index] : []));
  if (hits.length <= found.hits.length || !found.hits.every((hit) => hits.includes(hit))) return;
  Object.assign(found, { pattern, hits, example: lines[found.hits[0] ?? 0] ?? found.example });
}
