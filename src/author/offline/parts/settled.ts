// Which other readings of an example the log settles: a piece cut out of a text that other lines do not have in this form, and
// a word that stands in all lines where the part's own texts differ. The page's example alone cannot tell these.

import { escapeRegex } from "../escape.ts";
import type { Hint } from "../page/page.ts";
import type { Span } from "./spans.ts";

/** Lines that have to be read before they say anything. */
const LEAST = 3;
/** So many lines without the form of the piece are no chance. */
const ODD = 0.1;

/** What the log has: the texts of the part in all lines that are read, and these lines. */
export interface Read {
  texts: readonly string[];
  lines: readonly string[];
}

/** Does the log tell that the hint, best read at `best` on the line, is not the text at `other`? */
export function isSettled(line: string, hint: Hint, best: Span, other: Span, read: Read): boolean {
  const texts = read.texts.filter((text) => text !== "");
  if (texts.length < LEAST || new Set(texts).size < 2) return false;
  if (other.start >= best.start && other.end <= best.end)
    return isNoPiece(
      line.slice(best.start, other.start),
      line.slice(other.start, other.end),
      line.slice(other.end, best.end),
      hint,
      texts,
    );
  const isApart = other.end <= best.start || other.start >= best.end;
  if (!isApart) return false;
  // A word of the message: every line has it.
  const text = line.slice(other.start, other.end);
  if (!/[A-Za-z]{2}/.test(text) || hint.literals.includes(text)) return false;
  const own = new RegExp(
    `${/^\w/.test(text) ? "(?<![\\w-])" : ""}${escapeRegex(text)}${/\w$/.test(text) ? "(?![\\w-])" : ""}`,
  );
  return read.lines.every((one) => own.test(one));
}

/** The texts of other lines cannot be cut like the one of the example: they lack the mark or the words beside the piece. */
function isNoPiece(
  before: string,
  piece: string,
  after: string,
  hint: Hint,
  texts: readonly string[],
): boolean {
  // A piece of a word is told by marks, which the page speaks of.
  if (/[\w]$/.test(before) || /^[\w]/.test(after)) return false;
  if (!/\s/.test(before + after)) return false;
  const form = new RegExp(`^${formOf(before)}\\S.*${formOf(after)}$`, "su");
  const without = texts.filter((text) => !form.test(text)).length;
  if (without >= Math.max(1, texts.length * ODD)) return true;
  // What follows the first words of a text has as many words as it likes: the text goes on.
  if (hint.kind !== "text" || before !== "") return false;
  const words = wordCount(piece);
  const rests = new Set(texts.map((text) => Math.max(0, wordCount(text) - words)));
  return rests.size > 1;
}

/** Words as any, marks as they are. */
function formOf(text: string): string {
  return text.replace(/\s+|[\p{L}\p{N}_]+|[^\p{L}\p{N}_\s]/gu, (one) =>
    /^\s/.test(one) ? "\\s+" : /^[\p{L}\p{N}_]/u.test(one) ? "[\\p{L}\\p{N}_]+" : escapeRegex(one),
  );
}

function wordCount(text: string): number {
  return text.trim() === "" ? 0 : text.trim().split(/\s+/).length;
}
