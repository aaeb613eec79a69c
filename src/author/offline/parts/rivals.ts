// Which other readings of a line are rivals of the best one. A piece of a link or an address, or a number with the words behind it,
// is what no reader would take, unless the page asks for a piece or for words.

import { tokenize } from "../logs/tokens.ts";
import type { Hint } from "../page/page.ts";
import type { Span } from "./spans.ts";

const WHOLE = new Set(["url", "ip", "mac", "uuid", "time", "hex", "number", "date"]);
/** Words by which a page asks for a piece of a longer text. */
const PIECE =
  /\b(?:before|in front of|up to|until|first|last|prefix|suffix|between|piece|part of|digits?|letters?|characters?|at sign|only|alone|without|bare|host|domain|scheme|protocol)\b/i;

const MARKED = /\b(?:quot\w+|brackets?|parenthes[ei]s|braces|as (?:printed|written|shown|it stands)|with)\b/i;

/** "Without the final dot" leaves the rest whole. */
const MARK_ONLY =
  /\b(?:without|not) (?:the |its |a )?(?:final |last |trailing |closing )?(?:dot|period|full stop|comma|colon|semicolon|quotes?|brackets?)\b/gi;

/** Could the hint mean the other text as well, where its best text is the one at `best`? */
export function isRival(line: string, hint: Hint, best: Span, other: Span): boolean {
  const text = line.slice(best.start, best.end);
  // A link is a link, whatever stands in brackets beside it.
  const isLink = (one: string): boolean => /^[a-z][a-z+]*:\/\//i.test(one);
  if (
    /(?:^|_)(?:link|url|uri)$/.test(hint.name) &&
    isLink(text) &&
    !isLink(line.slice(other.start, other.end))
  )
    return false;
  if (other.start >= best.start && other.end <= best.end) {
    // "4096 MB": a unit behind a number belongs to it.
    const isUnit = /^[-+]?\d[\d.,]*\s+[A-Za-z%]{1,8}$/.test(text) && other.start === best.start;
    if (
      isUnit &&
      /^[-+]?\d[\d.,]*$/.test(line.slice(other.start, other.end)) &&
      !PIECE.test(hint.description)
    )
      return false;
    if (PIECE.test(hint.description.replace(MARK_ONLY, " "))) return true;
    return !cutsWhole(text, other.start - best.start, other.end - best.start);
  }
  // Quotes and brackets around a text are no part of it where the page does not speak of them; one of a pair never is.
  const around = line.slice(other.start, best.start) + line.slice(best.end, other.end);
  if (other.start <= best.start && other.end >= best.end && /^["'`([{<>}\])]+[.,;:]?$/.test(around)) {
    const isPair = around.length === 2 && other.start < best.start && other.end > best.end;
    return isPair && MARKED.test(hint.description);
  }
  // "AB12 Serial No": the words are the label of what follows.
  const label = other.start === best.start && /^\s+[A-Z][A-Za-z ]*$/.test(line.slice(best.end, other.end));
  if (label && /^\s*[:=]/.test(line.slice(other.end))) return false;
  if (other.start <= best.start && other.end >= best.end && hint.kind !== "text") {
    const [only, ...more] = tokenize(text);
    const isWhole = more.length === 0 && only !== undefined && WHOLE.has(only.kind);
    const rest = line.slice(other.start, best.start) + line.slice(best.end, other.end);
    return !(isWhole && /^[A-Za-z\s]*$/.test(rest) && /\s/.test(rest));
  }
  return true;
}

/** Is the piece cut out of a link, an address, a time, or a name with an at sign? */
function cutsWhole(text: string, start: number, end: number): boolean {
  if (/^[\w.+-]+@[\w.-]+$/.test(text)) return true;
  return tokenize(text).some(
    (token) =>
      WHOLE.has(token.kind) &&
      token.start < end &&
      token.end > start &&
      (token.start < start || token.end > end),
  );
}
