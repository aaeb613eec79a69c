// The expression of what an example and the lines like it share.

import { escapeRegex } from "../escape.ts";
import { tokenize } from "../logs/tokens.ts";
import { stem } from "../page/names.ts";
import type { Attempt } from "./attempt.ts";
import { typeClass } from "./context.ts";
import { isPlain, type Shared } from "./shared-pieces.ts";
import type { LineTask } from "./task.ts";
import { framing, looseClass, type Slot, type TemplateOptions } from "./template.ts";

export function expression(
  task: LineTask,
  line: string,
  slots: readonly Slot[],
  shared: readonly Shared[],
  before: Attempt,
  classes: ReadonlyMap<string, string>,
): string {
  const start = startOf(shared);
  const end = endOf(task, shared, before.options);
  let out = "";
  for (let index = start; index <= end; index += 1) {
    const one = shared[index];
    if (one === undefined) break;
    const lead = index === start ? "" : leadOf(one);
    const slot = slots.find(({ span }) => one.piece.isPart && span.start === one.piece.token.start);
    const part =
      slot === undefined
        ? sourceOf(line, one)
        : framing(
            line,
            slot,
            classes.get(slot.group) ??
              givenClass(before, slot.group) ??
              looseClass(line, slot.span, slot.hint.kind !== "number", slot.hint),
            before.options,
          );
    const body = one.framed === "" ? part : framed(part, one.framed);
    if (!one.absent) out += lead + body;
    else {
      // A run of pieces that the same lines lack is there as a whole or not at all.
      let run = lead + body;
      while (index < end && shared[index + 1]?.absent === true && shared[index + 1]?.piece.isPart === false) {
        index += 1;
        const next = shared[index];
        if (next !== undefined) run += leadOf(next) + sourceOf(line, next);
      }
      out += `(?:${run})?`;
    }
  }
  const first = shared[start];
  if (start === 0 && first?.more.size === 0) return `^\\s*${out}`;
  return (/\w/.test(first?.piece.token.text.charAt(0) ?? "") ? "(?<!\\w)" : "") + out;
}

/** The expression of a part that is known; that the numbers read so far are positive says nothing of others. */
export function givenClass(before: Attempt, group: string): string | undefined {
  const known = before.options.classes.get(group);
  return known === "\\d+" ? "-?\\d+" : known;
}

const CLOSERS: Record<string, string> = { "(": ")", "[": "]", "{": "}", "<": ">" };

/** The expression of a part that stands in brackets or quotes in some lines. */
function framed(part: string, open: string): string {
  const [lead, close] = [escapeRegex(open), escapeRegex(CLOSERS[open] ?? open)];
  return `${lead}?${part.replace(/^(\(\?<\w+>)/, `$1(?!${lead})`)}${close}?`;
}

/** From the first piece on that all lines have with the same text; from the start of the line where they all start the
 * same way; at the latest from the first part on. */
function startOf(shared: readonly Shared[]): number {
  const first = shared.findIndex(({ piece }) => piece.isPart);
  if (shared.slice(0, first + 1).every((one) => one.more.size === 0 && !one.absent)) return 0;
  const same = (one: Shared): boolean => !one.absent && one.texts.size === 1 && !one.echo;
  const word = shared.findIndex((one, index) => index < first && same(one) && isPlain(one.piece.token));
  if (word >= 0) return word;
  const before = shared[first - 1];
  return before !== undefined && same(before) && before.piece.token.kind === "punct" ? first - 1 : first;
}

/** The last part, or the last word behind it that all lines have: any where that text is kept, else one that the page
 * speaks of. */
function endOf(task: LineTask, shared: readonly Shared[], { tail, tailEnd }: TemplateOptions): number {
  const last = shared.findLastIndex(({ piece }) => piece.isPart);
  const word = shared.findLastIndex(
    ({ piece: { isPart, token }, texts, absent }) =>
      !isPart &&
      !absent &&
      texts.size === 1 &&
      token.kind === "word" &&
      token.end <= (tailEnd ?? Number.POSITIVE_INFINITY) &&
      (tail || (token.text.length > 3 && task.stems.has(stem(token.text.toLowerCase())))),
  );
  if (word > last) return word;
  // The mark right behind the last part ends it.
  const next = shared[last + 1];
  const closes =
    next !== undefined &&
    !next.absent &&
    next.piece.token.kind === "punct" &&
    next.texts.size === 1 &&
    !next.spaced.has(true);
  return closes ? last + 1 : last;
}

function leadOf({ spaced, more }: Shared): string {
  const blank = spaced.size === 2 ? "\\s*" : spaced.has(true) ? "\\s+" : "";
  if (more.size === 0) return blank;
  if (more.has("glued") || !spaced.has(true)) return "\\S*?(?:\\s+\\S+)*?\\s*";
  return `${spaced.size === 2 ? "\\s*" : "\\s+"}(?:\\S+\\s+)*?`;
}

function sourceOf(line: string, { piece: { token }, texts, echo, choice }: Shared): string {
  if (choice) return `(?:${[...texts].map(escapeRegex).join("|")})`;
  if (texts.size === 1 && !echo && ["word", "punct", "mixed", "path", "url"].includes(token.kind))
    return escapeRegex(token.text);
  const isTyped = [...texts].every((text) => tokenize(text)[0]?.kind === token.kind);
  if (isTyped && !["word", "punct"].includes(token.kind)) return typeClass(line, token);
  return "\\S+?";
}
