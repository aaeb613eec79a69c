// The expression of a line of the block by its form, where neither words in front of its parts nor its likeness tells it from
// the other lines of the block: "d99 (3500c5aa) dm-40 MAKER,MODEL" above lines of another form.

import { escapeRegex } from "../../escape.ts";
import type { Slot } from "../../templates/template.ts";

export interface FormLine {
  pattern: string;
  hits: number[];
}

interface Way {
  /** Letters stand for themselves. */
  strict: boolean;
  /** Behind the last chunk that has marks anything may stand. */
  open: boolean;
}

const WAYS: Way[] = [
  { strict: true, open: false },
  { strict: true, open: true },
  { strict: false, open: false },
  { strict: false, open: true },
];

/** The form that most lines of the log follow, and none of `others`, the expressions of further lines of the block. */
export function formLine(
  line: string,
  slots: readonly Slot[],
  others: readonly RegExp[],
  lines: readonly string[],
): FormLine | undefined {
  let best: FormLine | undefined;
  for (const way of WAYS) {
    const pattern = build(line, slots, way);
    if (pattern === undefined) continue;
    const regex = new RegExp(pattern);
    const hits = lines.flatMap((text, index) => (regex.test(text) ? [index] : []));
    const free = hits.every((hit) => !others.some((other) => other.test(lines[hit] ?? "")));
    if (hits.length > (best?.hits.length ?? 0) && free) best = { pattern, hits };
  }
  return best;
}

function build(line: string, slots: readonly Slot[], { strict, open }: Way): string | undefined {
  const chunks = [...line.matchAll(/\S+/g)];
  const inSlot = (start: number, end: number): Slot | undefined =>
    slots.find(({ span }) => span.start < end && span.end > start);
  const marked = chunks.findLastIndex(
    ([text], at) =>
      at > 0 &&
      /[^\w\s]/.test(text) &&
      inSlot(chunks[at]?.index ?? 0, (chunks[at]?.index ?? 0) + 1) === undefined,
  );
  let out = line.search(/\S/) > 0 ? "^\\s+" : "^";
  let telling = 0;
  let last: Slot | undefined;
  for (const [at, chunk] of chunks.entries()) {
    const [text] = chunk;
    const slot = inSlot(chunk.index, chunk.index + text.length);
    if (slot !== undefined && slot === last) continue;
    if (at > 0) out += "\\s+";
    last = slot ?? last;
    if (slot !== undefined) {
      out += slotForm(line, slot, chunk.index);
      continue;
    }
    const isEnd = open && at === marked;
    const form = formOf(text, strict);
    if (/[^\w\s]/.test(text) || (strict && /[A-Za-z]{3}/.test(text))) telling += 1;
    out += isEnd ? form.replace(/\\w\+$/, "") : form;
    if (isEnd) return telling === 0 ? undefined : out;
  }
  return telling === 0 ? undefined : `${out}\\s*$`;
}

/** A part with the marks glued to it; one of several words goes on. */
function slotForm(line: string, { span, group }: Slot, from: number): string {
  const before = escapeRegex(line.slice(from, Math.max(from, span.start)));
  const tail = /^\S*/.exec(line.slice(span.end))?.[0] ?? "";
  const wide = /\s/.test(line.slice(span.start, span.end));
  return `${before}(?<${group}>${wide ? "\\S.*?" : tail === "" ? "\\S+" : "\\S+?"})${escapeRegex(tail)}`;
}

/** Runs of letters and digits between the marks: digits may be others, letters as well unless `strict`. */
function formOf(text: string, strict: boolean): string {
  return text.replace(/[A-Za-z0-9_]+|[^A-Za-z0-9_]/g, (run) => {
    if (/^\d+$/.test(run)) return "\\d+";
    if (/^\w+$/.test(run)) return strict && !/\d/.test(run) ? run : "\\w+";
    return escapeRegex(run);
  });
}
