// How well a hint of the page fits a part of a line: all the evidence together, and the reasons for it.

import { escapeRegex } from "../escape.ts";
import { isStandIn, type Token, tokenize } from "../logs/tokens.ts";
import { similarity, wordsOf } from "../page/names.ts";
import type { Hint } from "../page/page.ts";
import { isBounded } from "./bounds.ts";
import { carriedEvidence } from "./carried.ts";
import { MAIL_HOST } from "./conventions.ts";
import { keyEvidence, relationEvidence, type Say, type Span } from "./evidence.ts";
import { gapEvidence } from "./gap-cells.ts";
import { asksKey, isRepeated, programEvidence, shownElsewhere, sideEvidence } from "./key-owners.ts";
import { kindEvidence } from "./kinds.ts";
import { countedEvidence } from "./pieces-of.ts";
import { balanced } from "./spans.ts";
import { tailEvidence } from "./tails.ts";
import { wordEvidence } from "./words.ts";

export interface Fit {
  score: number;
  /** The evidence that spoke for it, strongest first. */
  why: string[];
}

const fits = new WeakMap<Hint, Map<string, Map<string, Fit>>>();
const MOST_LINES = 120;

/** How well a part of a line fits a hint. About 0 means no evidence either way; 4 and more is good evidence. */
export function fit(line: string, span: Span, hint: Hint): Fit {
  const byLine = fits.get(hint) ?? new Map<string, Map<string, Fit>>();
  fits.set(hint, byLine);
  const bySpan = byLine.get(line) ?? new Map<string, Fit>();
  const id = `${span.start}:${span.end}`;
  const known = bySpan.get(id);
  if (known !== undefined) return known;
  if (!byLine.has(line) && byLine.size > MOST_LINES) byLine.clear();
  byLine.set(line, bySpan);
  const fresh = fitOf(line, span, hint);
  bySpan.set(id, fresh);
  return fresh;
}

function fitOf(line: string, span: Span, hint: Hint): Fit {
  const text = line.slice(span.start, span.end);
  const why: { score: number; text: string }[] = [];
  const say: Say = (score, reason) => {
    why.push({ score, text: reason });
  };
  const own = [hint.name.replace(/_/g, " "), headWords(hint)].filter(
    (name) => name !== "" && !hint.literals.includes(name),
  );
  const names = [...new Set([...own, ...own.map(coreOf)])].filter((name) => name !== "");
  const after = line.slice(span.end);
  const wantsKey = asksKey(text, hint);
  const isKey =
    isNamedKey(text, after, hint) ||
    /^\s*=(?![=>])/.test(after) ||
    // "the end point (To)" on "To:  u_a/D".
    (/^:\s+\S/.test(after) &&
      /^\s*$/.test(line.slice(0, span.start)) &&
      /^[A-Z][a-z]+$/.test(text) &&
      hint.description.includes(`(${text})`)) ||
    (/^:\s/.test(after) && similarity(hint.name, text) >= 0.6 && !followsOwnName(line, span, hint));
  textEvidence(text, names, hint, isKey && !wantsKey && /^[A-Za-z_][\w.-]*$/.test(text), say);
  // "attribute `sc`": what the page calls a key of the line.
  const keys = [
    ...hint.literals.filter((one) => /^[A-Za-z_]\w*$/.test(one)),
    ...[
      ...hint.description.matchAll(/\b(?:key|field|attribute|element|member)\s+[`"]([A-Za-z_][\w.-]*)[`"]/gi),
    ].map((match) => match[1] ?? ""),
  ];
  keyEvidence(line, span, [...names, ...keys], hint, say);
  const owner = ownerWords(hint);
  if (owner !== "")
    keyEvidence(line, span, [owner], { ...hint, kind: undefined }, (points, reason) =>
      say(0.5 * points, reason),
    );
  relationEvidence(line, span, hint, say);
  kindEvidence(text, hint, span.end >= line.trimEnd().length, say);
  sizeEvidence(line, span, hint, say);
  tabEvidence(line, span, hint, say);
  gapEvidence(line, span, hint, say);
  // Where the page says what stands around the part, a plain word is as good as any.
  const bracketed = why.some((one) => one.score >= 6 && one.text === "by its brackets");
  const told = why.some((one) => one.score >= 7 && /^(?:after|before) /.test(one.text));
  wordEvidence(
    line,
    span,
    names,
    hint,
    told || bracketed
      ? (points, reason) =>
          reason === "a plain word" || (bracketed && reason === "one word of a text")
            ? undefined
            : say(points, reason)
      : say,
  );
  // A text that the page shows is a part wherever it ends.
  if (!hint.literals.includes(text)) borderEvidence(line, span, hint, say);
  carriedEvidence(text, line, hint.description, say);
  tailEvidence(line, span, hint.description, say);
  countedEvidence(line, span, hint.description, say);
  namedEvidence(text, names, hint.description, say);
  crossEvidence(text, hint, say);
  if (isAlternative(line, span, hint)) say(-12, "one of the alternatives that the line names");
  sideEvidence(line, span, hint, say);
  programEvidence(line, span, hint, say);
  if (isRepeated(line, span)) say(-0.9, "behind a key that stood there before");
  if (wantsKey) say(5, "the key itself");
  if (shownElsewhere(line, text, hint)) say(-4, "the page shows another text");
  const score = why.reduce((sum, one) => sum + one.score, 0);
  const strong = why.filter((one) => one.score > 0).sort((a, b) => b.score - a.score);
  return { score, why: strong.map((one) => one.text) };
}

/** "the setting `name`": the text is the key of the part. */
function isNamedKey(text: string, after: string, hint: Hint): boolean {
  if (!/^["']?\s*[:=]/.test(after) || !hint.literals.includes(text)) return false;
  return new RegExp(
    `\\b(?:settings?|keys?|property|attribute|entry|option|parameter|label|tag|element|variable) [\`"']?${escapeRegex(text)}`,
  ).test(hint.description);
}

/** "network A_net: ..." has the name in front of the text. */
function followsOwnName(line: string, span: Span, hint: Hint): boolean {
  const word = /([A-Za-z]+)\s+$/.exec(line.slice(0, span.start))?.[1]?.toLowerCase();
  return word !== undefined && word === hint.name.toLowerCase();
}

/** "connected to logic 1 or logic 0": the line itself names the texts that the part may have, and says nothing of which. */
function isAlternative(line: string, span: Span, hint: Hint): boolean {
  const text = line.slice(span.start, span.end);
  if (hint.choices.length < 2 || !hint.choices.includes(text)) return false;
  return hint.choices.some((other) => {
    if (other === text) return false;
    const [before, after] = [line.slice(0, span.start), line.slice(span.end)];
    const own = escapeRegex(other);
    return (
      new RegExp(`^ (?:or|and) (?:[\\w-]+ ){0,2}${own}(?![\\w-])`).test(after) ||
      new RegExp(`(?<![\\w-])${own} (?:or|and) (?:[\\w-]+ ){0,2}$`).test(before)
    );
  });
}

/** Texts that reach over what closes one part and opens the next. */
function crossEvidence(text: string, hint: Hint, say: Say): void {
  if (/^[^<>]*>[^<>]*</.test(text)) say(-5, "goes over its brackets");
  if (/^[\w.-]+:\s+\S/.test(text) && hint.kind === "number") say(-3, "two parts of the line");
}

/** "ROW_99" for the row, "net7" for the net: the text has the name at its beginning, and something of its own. */
function namedEvidence(text: string, names: readonly string[], description: string, say: Say): void {
  const lead = /^([A-Za-z]{2,})[-_#. ]?\d/.exec(text)?.[1]?.toLowerCase();
  if (lead === undefined || /\s\D/.test(text)) return;
  // "session 1111" for the number of the session is its name and the number.
  if (/^[A-Za-z]+ \d/.test(text) && /\b(?:number|digits|id|index)\b/i.test(description)) {
    if (names.includes(lead)) say(-3, "has its name in it");
    return;
  }
  if (names.some((name) => name === lead || (lead.length >= 3 && name.split(" ").at(-1) === lead)))
    say(3.5, "begins with its name");
}

/** "full test name" is called "test" in a line, "rule id" is called "rule". */
function coreOf(name: string): string {
  return name
    .replace(/^(?:full|whole|complete|exact|own) /, "")
    .replace(/ (?:name|id|identifier|text|number)$/, "");
}

/** Texts that the page shows, placeholders, stand-ins. */
function textEvidence(text: string, names: readonly string[], hint: Hint, key: boolean, say: Say): void {
  const marks = /^(?:<([A-Za-z][\w .-]*)>|\{([A-Za-z][\w .-]*)\}|\$\{?(\w+)\}?|%(\w+)%)$/.exec(text);
  const placeholder = marks?.[1] ?? marks?.[2] ?? marks?.[3] ?? marks?.[4];
  if (placeholder !== undefined) {
    const like = Math.max(
      ...names.map((name) => similarity(placeholder, name)),
      descriptionLikeness(placeholder, hint),
    );
    say(like >= 0.5 ? 9 * like : 1, "placeholder");
  } else if (/^[A-Z][A-Z_]{2,}$/.test(text)) {
    const like = Math.max(0, ...names.map((name) => similarity(text, name)));
    if (like >= 0.6) say(4, "stand-in of the same name");
  }
  const beginning = hint.literals.some((one) => beginsWith(text, one));
  // "`blk_` and its number": the shown text is how the part begins, not all of it.
  if (beginning) say(10, "begins as the page shows");
  else if (hint.literals.includes(text) && !/^[\w.-]*[_:/@.-]$/.test(text))
    say(key ? -6 : /\s/.test(text) ? 14 : 10, key ? "is a key" : "the page shows this text");
  else if (hint.literals.some((one) => one.length > text.length && one.includes(text)))
    say(-1, "only a piece of the text that the page shows");
  else if (
    hint.literals.some((one) => isForm(one) && formOf(one) === formOf(text) && caseOf(one) === caseOf(text))
  )
    say(2.5, "of the form that the page shows");
  else if (shownInBrackets(hint).includes(text)) say(10, "the page shows this text");
  else if (hint.choices.includes(text)) say(9, "one of the listed texts");
  if (isStandIn(text)) say(0.5, "a stand-in");
}

/** Has a shown text a form that plain words have not: digits and marks, or names joined by a low line? */
function isForm(text: string): boolean {
  return (/\d/.test(text) && /[^\w\s]/.test(text)) || /^[A-Za-z]+(?:_[A-Za-z\d]+)+$/.test(text);
}

/** Capitals alone, or not. */
function caseOf(text: string): boolean {
  return /[A-Za-z]/.test(text) && text === text.toUpperCase();
}

/** Runs of letters as one, runs of digits as one. */
function formOf(text: string): string {
  return text.replace(/\p{L}+/gu, "a").replace(/\d+/g, "9");
}

/** A shown text that ends in a joining mark goes on with what is glued to it. */
function beginsWith(text: string, shown: string): boolean {
  return (
    /^[\w.-]*[_:/@.-]$/.test(shown) &&
    text.startsWith(shown) &&
    text.length > shown.length &&
    /^[\w.-]*$/.test(text.slice(shown.length))
  );
}

/** "may contain blanks": a part that has none in the example may have some in the log. */
export function mayHaveBlanks(hint: Hint): boolean {
  if (
    /\bwith (?:all )?(?:its|the|their|any) (?:arguments|options|parameters|flags)\b/i.test(hint.description)
  )
    return true;
  return (
    /\b(?:may|can|could|might)\b[^.;]*\b(?:blanks?|spaces?|(?:several|many|more|two|three|more than one) words?)\b/i.test(
      hint.description,
    ) && !/\b(?:be|is) (?:blank|empty)\b[^.;]*$/i.test(hint.description)
  );
}

/** `a=b` and `a@b`, but no address of mail. */
function isPair(text: string): boolean {
  const isMail = /^[\w.+-]+@/.test(text) && MAIL_HOST.test(text.slice(text.indexOf("@")));
  return /[=@]/.test(text) && !isMail;
}

/** "the component, full name": a name of several steps. */
function fullName(text: string, { description }: Hint, say: Say): void {
  if (/\bfull (?:\w+ )?name\b/i.test(description) && /^\S*[A-Za-z_][./]\w\S*$/.test(text))
    say(1.2, "a full name");
}

/** Whether the part is as long as a reader would take it. */
function sizeEvidence(line: string, span: Span, hint: Hint, say: Say): void {
  const text = line.slice(span.start, span.end);
  const chunks = text.split(/\s+/).length;
  const bounded = isBounded(line, span);
  const plain = hint.kind === "text" || hint.kind === undefined;
  if (chunks > 1 && mayHaveBlanks(hint)) {
    // The page speaks of blanks because there are some: a text that goes on to its border rather than a piece of it.
    if (bounded || span.end >= line.trimEnd().length)
      say(Math.min(2.4, 0.8 * (chunks - 1)), "may have blanks");
  } else if (chunks > 1 && /\bwords\b|\bphrase\b|\bblanks\b|\bspaces\b/i.test(hint.description)) {
    say(Math.min(4, 1.2 * (chunks - 1)), "several words, as the page says");
  } else if (chunks > 1 && !bounded && hint.kind !== "text" && hint.kind !== "time") {
    say(-0.7 * Math.min(6, chunks - 1), "several words");
  }
  if (chunks > 1 && bounded) {
    const single = hint.kind === "number" || hint.kind === "address";
    say(plain ? 0.5 : single ? -1 : 0.3 * (3 - chunks), "all between two delimiters");
    if (!plain && hint.kind !== "time" && chunks > 3 && /[:[\]=]/.test(text)) say(-2, "more than one part");
  }
  if (!bounded && hint.kind !== "number") say(-0.4, "part of a run of words");
  if (chunks > 1) return;
  const whole =
    /(?:^|\s)["'([]?$/.test(line.slice(0, span.start)) && /^["')\],;:.]*(?:\s|$)/.test(line.slice(span.end));
  if (whole) say(0.4, "a whole word of the line");
  if (whole && /\bwith (?:its|the|their) \w+/i.test(hint.description) && /[A-Za-z_)][:/.@-]\w/.test(text)) {
    say(1.5, "with what belongs to it");
  }
  fullName(text, hint, say);
  if (isPair(text) && !/url|uri|address|mail|pair/.test(hint.description + hint.name)) say(-1.5, "a pair");
}

/** Where tabs part the cells, a cell is one part, and a piece of one without blanks is what the page has to ask for. */
function tabEvidence(line: string, span: Span, hint: Hint, say: Say): void {
  if (!line.includes("\t")) return;
  const start = line.lastIndexOf("\t", span.start - 1) + 1;
  const next = line.indexOf("\t", span.end);
  const cell = line.slice(start, next < 0 ? line.length : next).trim();
  const text = line.slice(span.start, span.end);
  if (cell === text) say(1.5, "a cell between tabs");
  else if (hint.description === "" && !/\s/.test(cell) && /[()[\]{}]/.test(cell) && cell.includes(text))
    say(-2, "a piece of a cell");
}

const WITH_DELIMITERS = /\bwith (?:its |the |their )?(?:\w+ ){0,2}(?:braces|brackets|parentheses|quotes)\b/i;

/** "[101" opens a bracket and closes none. */
function opensOnly(text: string): boolean {
  return /^[[({]/.test(text) && /^[^)\]}]*$/.test(text);
}

/** Does the text reach over the key of another part? */
function goesOverKey(line: string, span: Span): boolean {
  const text = line.slice(span.start, span.end);
  return (
    /\s{2,}[A-Za-z_][\w.-]*\s*[:=]\s/.test(text) ||
    (/\s{2,}[A-Za-z_][\w.-]*$/.test(text) && /^\s*[:=]/.test(line.slice(span.end)))
  );
}

/** Whether the part starts and ends where a reader would cut. */
function borderEvidence(line: string, span: Span, hint: Hint, say: Say): void {
  const text = line.slice(span.start, span.end);
  const before = line.charAt(span.start - 1);
  if (!balanced(text)) say(opensOnly(text) ? -7 : -4, "unbalanced brackets");
  if (/[,;]\s/.test(text) && hint.kind !== "text" && hint.kind !== "time")
    say(hint.kind === undefined ? -1.5 : -3, "two parts of the line");
  if (/^[:;,=|]/.test(text)) say(-4, "starts with a delimiter");
  if (hint.kind !== "text" && /\s\([^()]*\)$/.test(text) && !/parenthes|bracket/i.test(hint.description))
    say(/^[-+\d.,]+\s/.test(text) ? -0.8 : -0.3, "has a remark in parentheses");
  if (hint.kind !== "time" && /\S(?:\s{2,}|\t)\S/.test(text))
    say(hint.kind === "text" ? -1.5 : -3, "goes over a gap");
  if (goesOverKey(line, span)) say(-5, "goes over the key of another part");
  if (/^[A-Za-z][\w -]*:\s+\S/.test(text) && hint.kind !== "text" && !hint.literals.includes(text))
    say(-4, "has a key in it");
  if (hint.kind !== "text" && /^[-+]?\d[\d.,]*\s+\(/.test(text)) say(-2.5, "a number and a remark");
  if (carriesDelimiter(text) && !WITH_DELIMITERS.test(hint.description)) say(-2, "carries a delimiter");
  if (cutsToken(line, span)) say(-2.5, "cuts a number, time or address");
  if (startsInside(before, text)) say(-4, "starts inside a word");
  if (/["']/.test(before) && text.includes(before)) say(-4, "leaves its quotes");
  if (/\bwithout\b[^.;]*\b(?:bracket|parenthes)/i.test(hint.description) && /[([]/.test(text)) {
    say(-4, "has the brackets that it is said not to have");
  }
}

function startsInside(before: string, text: string): boolean {
  return (/[\w.]/.test(before) && /^[\w/.]/.test(text)) || (/[)\]}]/.test(before) && /^[/\\]/.test(text));
}

function carriesDelimiter(text: string): boolean {
  if (/[=*#-]{2,}$|^[=*#-]{2,}|^[^\w\s"'([{<$/.~@%-]\s/.test(text)) return true;
  if (/[,;:]$/.test(text) || /(?:^|\s)'[^']*$/.test(text)) return true;
  if (/^(["'`])[^"'`]*\1[.,;:]$/.test(text)) return true;
  const opens = /^[([{<"'`]/.test(text);
  const closes = /[)\]}>"'`]$/.test(text);
  if (opens && closes) return true;
  // "f(x)", "a 'b'" and "(a) b" are whole; the brackets belong to the text.
  return (
    (opens && !/^[([{<"'`][^)\]}>"'`]*[)\]}>"'`]/.test(text)) ||
    (closes && !/[([{<"'`][^([{<"'`]*[)\]}>"'`]$/.test(text))
  );
}

let tokenized: { line: string; tokens: readonly Token[] } = { line: "", tokens: [] };

/** Starts or ends inside something that is one piece to any reader. */
function cutsToken(line: string, span: Span): boolean {
  if (tokenized.line !== line) tokenized = { line, tokens: tokenize(line) };
  return tokenized.tokens.some(
    ({ kind, start, end }) =>
      ["time", "date", "ip", "uuid", "mac", "hex", "number"].includes(kind) &&
      ((span.start > start && span.start < end) || (span.end > start && span.end < end)),
  );
}

/** "the code in the first brackets (ABC 10-1)": a text in brackets that stands in the example as well. */
export function shownInBrackets(hint: Hint): string[] {
  // A text that is said not to belong to the part is no such text.
  const said = hint.description
    .replace(/`[^`]*`/g, "``")
    .replace(/\bwithout (?:the |its |an? )?(?:``|"[^"]*")/gi, " ");
  return [...said.matchAll(/\(([^()`"]{2,40})\)/g)].map((match) => (match[1] ?? "").trim());
}

/** The words by which the description calls it, e.g. "git sha1" in "(the git sha1)". */
function headWords(hint: Hint): string {
  const plain = hint.description.replace(/^\(|\)$/g, "");
  const head =
    /^(?:the |an? |its |name of the |name of )*([\w -]+?)(?:$|[,.;(:]| of | as | in | that | which | from | between | after | before | with)/i.exec(
      plain,
    )?.[1];
  return head !== undefined && wordsOf(head).length <= 3 ? head : "";
}

/** "the text of the warning": the thing it belongs to may stand in front of it as its name. */
function ownerWords(hint: Hint): string {
  return (
    /^\(?(?:the )?(?:text|message|name|body|content|number|value|title) of (?:the |an? |each )?([\w-]+)/i.exec(
      hint.description,
    )?.[1] ?? ""
  );
}

function descriptionLikeness(text: string, hint: Hint): number {
  return Math.max(0, ...wordsOf(hint.description).map((word) => (similarity(text, word) >= 0.9 ? 0.7 : 0)));
}
