// How well a part of a line of a block suits a value or field, beside what every line tells: labels in front of it, the
// place of the line in the block, what the page says it begins behind, counts and what they count.

import { likeness, similarity, stem, wordsOf } from "../../page/names.ts";
import type { Hint } from "../../page/page.ts";
import { quotedIn } from "../../page/text.ts";
import type { Span } from "../../parts/spans.ts";
import type { Label, Shown } from "./shown.ts";
import { innerKey, isWholeText } from "./told-labels.ts";

/** The value is what the page shows a list of, or what it says to stand below a title. */
export function listScore(
  { lines, repeated, titles }: Shown,
  at: number,
  span: Span,
  isValue: boolean,
): number {
  const below = !titles.has(at) && [...titles].some((title) => title < at);
  const line = lines[at] ?? "";
  const alone = span.start === line.search(/\S/) && !/\s/.test(line.slice(span.start, span.end));
  const first = repeated.has(at) && isValue && alone;
  const score = (repeated.has(at) ? 2.5 : 0) + (titles.has(at) ? -7 : 0) + (below ? 1 : 0);
  return score * (isValue ? 1 : 0.5) + (first ? 1.5 : 0);
}

/** The value is often what the line names that all others hang on, the more if it begins with its own name ("Slot7"). */
export function openingScore({ lines, labels }: Shown, at: number, span: Span, hint: Hint): number {
  const indent = (line: string): number => line.search(/\S/);
  const first = lines[0] ?? "";
  if (at !== 0 || lines.length < 3 || lines.slice(1).some((line) => indent(line) <= indent(first))) return 0;
  const letters = /^[A-Za-z]+(?=[\d/_-]+\d)/.exec(first.slice(span.start, span.end))?.[0];
  const isLabel = labels[0] !== undefined && /^\s*[:=]/.test(first.slice(span.end));
  const leads = span.start === indent(first) && !isLabel && !/^\s*=/.test(first.slice(span.end));
  // "en7: ..." names what all other lines hang on.
  const heads = leads && /^:(?:\s|$)/.test(first.slice(span.end));
  return (
    1 +
    (leads ? 1 : 0) +
    (heads ? 1.5 : 0) +
    (letters !== undefined && similarity(hint.name, letters) >= 0.6 ? 3 : 0)
  );
}

/** "(tcp, from the second line)" shows the text itself. */
export function shownFirst(hint: Hint): string[] {
  const shown = /^\(([^\s(),]+), /.exec(hint.description)?.[1];
  const last = /[^(],? ([^\s(),`"]*\d[^\s(),`"]*[^\s(),`".;:])$/.exec(hint.description)?.[1];
  return [shown, last].filter((one) => one !== undefined);
}

/** "the text of frame `# 0`": the part stands behind what the page shows of its line. */
export function toldScore(line: string, span: Span, hint: Hint): number {
  if (shownFirst(hint).includes(line.slice(span.start, span.end))) return 12;
  const indent = line.search(/\S/);
  const start = quotedIn(hint.description).find(
    ({ text }) => text.length > 1 && line.startsWith(text, indent),
  )?.text;
  if (start === undefined || hint.literals.includes(start)) return 0;
  return span.start >= indent + start.length ? 3 : -5;
}

/** Where a part may start on a line whose label and text are joined by a row of dots. */
export function behindDots(line: string): number {
  return /^\s*\S.*?(?:\s?\.){3,}\s*[:=]?\s*(?=\S)/.exec(line)?.[0].length ?? 0;
}

const NAMED = /(?:^|_)(?:name|type|class|kind|host|user|level|state|status|module|component)$/;

/** A name or a kind is seldom a mere number, and a name is no list. */
function isNumberOrList(text: string, { name, kind, literals }: Hint): boolean {
  if (literals.includes(text)) return false;
  const isNumber = /^[-+]?\d[\d.,]*$/.test(text) && kind !== "number" && NAMED.test(name);
  return isNumber || (/(?:^|_)name$/.test(name) && /^[^\s,]+(?:,[^\s,]+){2,}$/.test(text));
}

/** "1048 blocks super 1.2", "4 packets sent": the number is the count, not what it counts and what follows. */
export function countScore(line: string, span: Span, hint: Hint): number {
  const text = line.slice(span.start, span.end);
  const quote = line.charAt(span.end);
  const isQuoted = /["'`]/.test(quote) && line.charAt(span.start - 1) === quote;
  if (/^[^\p{L}\p{N}]+$/u.test(text) && !isQuoted) return -12;
  if (/^(?:url|uri|link|href)s?$|_(?:url|uri|link)$/.test(hint.name))
    return /^[a-z]+:\/\//i.test(text) ? 4 : -2;
  // A full stop behind a number closes the sentence.
  if (isNumberOrList(text, hint) || /^\d+\.$/.test(text)) return -2.5;
  const end = span.end >= line.trimEnd().length;
  if (
    /\brest of (?:the|its|that|this|each) (?:line|row|record)\b|\bto the end of (?:the|its|that) line\b/i.test(
      hint.description,
    )
  ) {
    const from = /(?:^|\s)$/.test(line.slice(0, span.start));
    return end && from ? 4 : -3;
  }
  const whole = /\b(?:words?|blanks?|units?|phrase|text|all)\b/i.test(hint.description);
  if (whole || hint.literals.includes(text)) return 0;
  // User, group and process numbers.
  if (/^(?:e|p|s)?[ugpt]id$/.test(hint.name)) return /^\d+$/.test(text) ? 1.5 : -2.5;
  if (hint.kind === "number" && /^[A-Za-z]{2,}[\w-]*\s/.test(text)) return -3;
  const lead = /([A-Za-z][\w-]*)\s+$/.exec(line.slice(0, span.start))?.[1];
  const plain = hint.kind === undefined || hint.kind === "word";
  if (plain && lead !== undefined && similarity(hint.name, lead) >= 0.95) {
    // "scope global eth0": one word behind its name.
    return /^\S+\s+\S/.test(text) ? -2 : /^[a-z]+$/.test(text) ? 1.5 : 0;
  }
  return hint.kind !== "text" && hint.kind !== "time" && /^[-+]?\d[\d.,]*\s+[a-z]{3,}(?:\s|$)/.test(text)
    ? -1.5
    : 0;
}

/** A part that begins inside the label of its line, or stops at a hyphen, was cut at the wrong place. */
export function cutScore(
  line: string,
  span: Span,
  hint: Hint,
  hints: readonly Hint[],
  label: Label | undefined,
): number {
  // The text behind the name of another part is its own, but for what marks set apart.
  if (label !== undefined && label.to === undefined && span.start >= label.from) {
    const owner = hints.find((one) => similarity(one.name, label.name) >= 0.95);
    const free = /(?:^|\s)$/.test(line.slice(0, span.start)) && /^(?:\s|$)/.test(line.slice(span.end));
    if (
      owner !== undefined &&
      owner !== hint &&
      free &&
      !hint.literals.includes(line.slice(span.start, span.end))
    )
      return -3;
  }
  // A key and its text are no part of one kind.
  const text = line.slice(span.start, span.end);
  if (label === undefined && /^[A-Za-z][\w@/ -]*:\s+\S/.test(text) && !/^\S+ \S+ /.test(text)) return -4;
  if (/^-\w/.test(line.slice(span.end)) || /\w-$/.test(line.slice(0, span.start))) return -2.5;
  if (label?.to !== undefined && span.end > label.to)
    return hints.some((hint) => similarity(hint.name, label.name) >= 0.6) ? -5 : 0;
  if (label === undefined || span.start >= label.from) return 0;
  if (span.end > label.from) return -4;
  return hints.some((hint) => similarity(hint.name, label.name) >= 0.6) ? -5 : 0;
}

/** "HomePort", "home_port" and "homeport" are one name. */
function squashed(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, "");
}

/** The text behind the label of a line is what the label says: "Serial number: x", "part number is x", "from x;". */
export function labelScore(line: string, span: Span, hint: Hint, label: Label | undefined): number {
  if (label !== undefined)
    return label.to === undefined && span.start > label.from
      ? behindKey(line, span, hint, label)
      : behindLabel(line, span, hint, label);
  const before = line.slice(0, span.start);
  const lead = /^\W*([A-Za-z][\w-]*(?: [\w-]+){0,3}?)[\s"'([<{]+$/.exec(before)?.[1];
  if (lead !== undefined) return 2 * likeness(hint, lead);
  return namedInFront(before, hint);
}

/** A part further on in a line that has a label: behind a key of its own, or behind words. */
function behindKey(line: string, span: Span, hint: Hint, label: Label): number {
  const key = innerKey(line.slice(0, span.start));
  if (key === undefined) return namedInFront(line.slice(label.from, span.start), hint);
  const own = likeness(hint, key);
  const whole = isWholeText(line.slice(span.start, span.end), line.slice(span.end));
  // "untranslated" is like "translated" and yet another key.
  const very = squashed(hint.name) === squashed(key) ? 3 : similarity(hint.name, key) >= 0.95 ? 2 : 0;
  return 2 * own + very + (whole && own >= 0.4 ? 1.5 : 0);
}

/** "Model: HP      AB12": the text behind the only label of a line, blanks and all; columns of numbers are several parts. */
export function gappedText(line: string, label: Label | undefined): Span[] {
  if (label === undefined || label.to !== undefined || !/[:=]\s*$/.test(line.slice(0, label.from))) return [];
  const text = line.slice(label.from).trimEnd();
  const pieces = text.split(/\s{2,}/);
  if (pieces.length !== 2 || /[:=](?:\s|$)/.test(text) || pieces.some((one) => !/[A-Za-z]/.test(one)))
    return [];
  return [{ start: label.from, end: label.from + text.length }];
}

/** The part that the label names. */
function behindLabel(line: string, span: Span, hint: Hint, label: Label): number {
  const seen = /^[^.]*[:=]/.test(line.slice(0, label.from)) || /\S\s{2,}/.test(line.slice(0, label.from));
  if (span.start !== label.from || (label.to !== undefined && span.end !== label.to)) return 0;
  // Behind dots and "is" nothing else says what the part is.
  const exact = similarity(hint.name, label.name) >= 0.95 || squashed(hint.name) === squashed(label.name);
  const own = exact ? 1 : likeness(hint, label.name);
  const very = squashed(hint.name) === squashed(label.name) ? 1 : 0;
  const like = (seen ? 2 : 5) * own + (exact ? 3 : 0) + very;
  const rest = line.slice(span.end);
  // A date is no text of its own where the time follows.
  const dated = /^\d+[-/.]\d+[-/.]\d+$/.test(line.slice(span.start, span.end)) && /^\s+\d+:\d/.test(rest);
  const [all] = gappedText(line, label);
  const whole =
    label.to === undefined && !dated && (all === undefined ? /^(?:\s{2,}|\s*$)/ : /^\s*$/).test(rest);
  // All that stands behind a label is its text, unless the page wants only the number of it.
  const part = /\b(?:number only|only the number|without (?:the |its )?unit|digits?|\(?the numbers?\)?$)/i;
  const text = line.slice(span.start, span.end);
  const remark = /^[-+]?\d[\d.,]*\S*\s+[([{]/.test(text) || /^\S+\s+[([{][^()[\]{}]*[)\]}]$/.test(text);
  return like + (whole && own >= 0.4 && !remark && !part.test(hint.description) ? (exact ? 4 : 3) : 0);
}

/** "at bad file path x": all words of the name among the last ones in front of the part. */
function namedInFront(before: string, hint: Hint): number {
  const near = wordsOf(before.slice(-60)).slice(-4).map(stem);
  const words = wordsOf(hint.name.replace(/_/g, " ")).map(stem);
  if (words.length > 1 && words.every((word) => near.includes(word))) return 2.5;
  // "the query's ID" is what "ID" stands in front of.
  const last = /(?:^|[\s,;(])([A-Za-z]+)\s+$/.exec(before)?.[1];
  return words.length > 1 && last !== undefined && stem(last.toLowerCase()) === words.at(-1) ? 2 : 0;
}
