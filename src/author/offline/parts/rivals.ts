// Which other readings of a line are rivals of the best one. A piece of a link or an address, or a number with the words behind it,
// is what no reader would take, unless the page asks for a piece or for words.

import { escapeRegex } from "../escape.ts";
import { tokenize } from "../logs/tokens.ts";
import type { Hint } from "../page/page.ts";
import { quotedIn } from "../page/text.ts";
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
  if (isBordered(line, hint, best, other) || isCounted(hint, best, other)) return false;
  // "run:" in front of the number is a label.
  if (/[:=]\s*$/.test(line.slice(other.start, other.end)) && !/[:=]$/.test(text)) return false;
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

/** "In front of `: refused`", "the number after Load": the best text stands just there, and the other does not. */
function isBordered(line: string, { description }: Hint, best: Span, other: Span): boolean {
  const named = [
    ...quotedIn(description).map((span) => span.text.trim()),
    ...[
      ...description.matchAll(
        /\b(?:after|behind|following) (?:the (?:word |words |text )?)?([\w/ -]{3,30})/gi,
      ),
    ].map(([, text = ""]) => text.replace(/\s+$/, "")),
  ].filter((text) => /[A-Za-z]{2}/.test(text));
  const isBehind = (text: string, { start }: Span): boolean =>
    new RegExp(`(?<![\\w/-])${escapeRegex(text)}[\\s:=]*$`).test(line.slice(0, start));
  const isBefore = (text: string, { end }: Span): boolean => line.slice(end).trimStart().startsWith(text);
  return named.some(
    (text) =>
      (other.start !== best.start && isBehind(text, best) && !isBehind(text, other)) ||
      (other.end !== best.end && isBefore(text, best) && !isBefore(text, other)),
  );
}

/** "The first time that is given": of several the one in front. */
function isCounted({ description }: Hint, best: Span, other: Span): boolean {
  if (/\bfirst\b/i.test(description) && !/\blast\b/i.test(description)) return other.start >= best.end;
  return /\blast\b/i.test(description) && !/\bfirst\b/i.test(description) && other.end <= best.start;
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
