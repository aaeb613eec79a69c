// Texts that are no part of their own: keys, plain words of the message, pieces of names, paths and addresses; and parts that
// begin or end where other parts stand.

import { isStandIn } from "../logs/tokens.ts";
import type { Hint } from "../page/page.ts";
import type { Say, Span } from "./evidence.ts";
import { asksLetter } from "./senses.ts";
import { halfEvidence, pieceEvidence } from "./whole-pieces.ts";

/** Pieces of a path, or of a path with its drive. */
function pathEvidence(text: string, before: string, hint: Hint, say: Say): void {
  if (/(?<![\w])[A-Za-z]:$/.test(before) && /^[\\/]/.test(text)) say(-5, "cut inside a path");
  if (hint.kind === "path" && !hint.basename && /[\w)\]][\\/]$/.test(before)) say(-4, "cut inside a path");
}

/** Does the page ask for the key of a pair? */
function asksForKey(names: readonly string[], hint: Hint): boolean {
  return (
    names.some((one) => /\b(?:name|key|parameter|variable|option|attribute|property|macro)$/.test(one)) ||
    /^\W*the (?:name|key) of the\b/i.test(hint.description)
  );
}

/** A lower-case word of the message, unless it stands in quotes of its own or behind a key. */
function isPlainWord(text: string, before: string, after: string): boolean {
  const quote = /["'`]$/.exec(before)?.[0];
  const isQuoted = quote !== undefined && after.startsWith(quote);
  return /^[a-z]+$/.test(text) && !/[=:]\s*["'(]?$/.test(before) && !isQuoted && !isStandIn(text);
}

/** `[INFO ABC-0116]` says what kind of message it is, and is no part of what it tells. */
function levelEvidence(text: string, said: string, say: Say): void {
  if (/\b(?:level|severity|code|id|identifier|kind|type|message|prefix|tag)\b/i.test(said.replace(/_/g, " ")))
    return;
  if (/^(?:INFO|WARN(?:ING)?|ERROR|NOTE|DEBUG|FATAL|CRITICAL)\b/.test(text)) say(-3, "a level");
}

/** `a::b` and `A#b` are one name, unless the page parts them. */
function joinedEvidence(text: string, before: string, after: string, say: Say): void {
  const joined = /^(::|#)[A-Za-z_]/.exec(after)?.[1];
  if (joined !== undefined && /\w$/.test(text)) say(joined === "#" ? -1.1 : -1.5, "cut inside a name");
  const joins = /\w(::|#)$/.exec(before)?.[1];
  if (joins !== undefined && /^[A-Za-z_]/.test(text)) say(joins === "#" ? -1.1 : -1.5, "cut inside a name");
}

/** Texts that are no part of their own: keys, words of the message, pieces of names. */
export function wordEvidence(line: string, span: Span, names: readonly string[], hint: Hint, say: Say): void {
  const text = line.slice(span.start, span.end);
  const after = line.slice(span.end);
  if (/^[[(/.][^\s]/.test(after) && /\w$/.test(text)) say(-0.7, "cut inside a name");
  const before = line.slice(0, span.start);
  joinedEvidence(text, before, after, say);
  levelEvidence(text, `${hint.name} ${hint.description}`, say);
  if (/^@\w/.test(after) && /[:=]\s*["']?$/.test(before)) say(-4, "cut inside an address of mail");
  if (
    /^[0-9a-f]{1,4}(?::[0-9a-f]{1,4})+$/i.test(text) &&
    (/^:[0-9a-f]/i.test(after) || /[0-9a-f]:$/i.test(line.slice(0, span.start)))
  )
    say(-3, "cut inside an address");
  if (/^[+~]\w/.test(after) && /\w$/.test(text)) say(-2, "cut inside a version");
  if (/\w[+~]$/.test(line.slice(0, span.start)) && /^\w/.test(text)) say(-3, "cut inside a version");
  pathEvidence(text, before, hint, say);
  pieceEvidence(line, span, hint, say);
  halfEvidence(line, span, hint, say);
  const asksKey = asksForKey(names, hint);
  const leads = /^\s*$/.test(before) || (hint.literals.includes(text) && /(?:^|[\s:;,])\s*$/.test(before));
  if (/^\s*=(?![=>])/.test(after)) say(asksKey && leads && !/[\s=]/.test(text) ? 2 : -5, "is a key");
  if (/\s=$|\w[@#]$|\s[A-Za-z_][\w.-]*=$/.test(text)) say(-4, "carries a delimiter");
  if (/^(?:NOT|AND|OR|NO)$/.test(text)) say(-4, "a plain word");
  if (/^\d+\.$/.test(text) && /^\s/.test(after)) say(-3, "carries a full stop");
  if (names.includes(text.toLowerCase()) && !/^[\s=:]/.test(after) && span.end < line.length) {
    say(3, "a stand-in of its own name");
  }
  if (/^[^\p{L}\p{N}]+$/u.test(text) && !/^[-–—%*]+(?: ?\/ ?[-–—%*]+)*$/.test(text)) say(-5, "no text");
  if (isPlainWord(text, before, after) && !(/^[b-z]$/.test(text) && asksLetter(hint))) {
    say(FUNCTION_WORD.test(text) ? -4 : -1.5, "a plain word");
  }
  ownPartEvidence(line, span, hint, say);
}

/** Whether a text goes from border to border, and whether other parts stand at its start. */
function ownPartEvidence(line: string, span: Span, hint: Hint, say: Say): void {
  const text = line.slice(span.start, span.end);
  if (/^[-–—/*+.#&]+\s/.test(text) && !/^[-+]\s\d|^\S \/ \S+$/.test(text))
    say(-3, "starts with a loose mark");
  const after = line.slice(span.end);
  if (hint.kind === "text" && !/\s/.test(text) && span.end < line.trimEnd().length)
    say(-1.2, "one word of a text");
  if (hint.kind === "text" && (line.match(/\S\s{2,}(?=\S)/g) ?? []).length >= 3) {
    const column = /(?:^|\s{2,})$/.test(line.slice(0, span.start)) && /^(?:\s{2,}|\s*$)/.test(after);
    say(column ? 1.5 : -1, column ? "a column of its own" : "a piece of a column");
  }
  if (hint.kind === "text" && /,\s*$/.test(line.slice(0, span.start))) say(-1.5, "starts behind a comma");
  const apart = hint.kind === "number" ? -4 : hint.kind === undefined ? -2.5 : 0;
  if (/^[([{]\S*[)\]}]\s/.test(text) && apart !== 0) say(apart, "starts with a part of its own");
  if (hint.kind === "text" && /^(?:[([{]\S*[)\]}]|[\d:.,T/Z-]+)\s/.test(text))
    say(-1, "starts with a part of its own");
  if (hint.kind === "text" && /^\s+["']/.test(after)) say(-1.5, "stops in front of a quoted word");
  if (/^(?:is|are|was|were|has|have) \S/.test(text)) say(-2, "starts with a verb");
  pairsEvidence(text, hint, say);
  if (hint.kind === "text" && /^ \([^()]*\)\S/.test(after)) say(-1.5, "stops in front of a remark");
}

/** A text with keys of its own is more than the text. */
function pairsEvidence(text: string, hint: Hint, say: Say): void {
  if (hint.kind !== "text") return;
  const pairs = text.match(/(?:^|\s)[A-Za-z_][\w.-]*=/g)?.length ?? 0;
  if (pairs >= 2) say(-3, "pairs of their own");
  else if (
    hint.kind === "text" &&
    /^[A-Za-z_][\w.-]*=\S/.test(text) &&
    !/=/.test(hint.description) &&
    !hint.literals.includes(text)
  )
    say(-3, "starts with a key");
}

const FUNCTION_WORD = /^(?:for|from|to|the|of|is|in|on|at|by|with|and|or|not|was|has|an?|as|are|be)$/;
