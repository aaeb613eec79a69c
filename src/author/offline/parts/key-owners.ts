// What the keys and the small words in front of a part say beside its own name: that the key is another field's, that the
// page shows another text for it, which side of a change ("from NEW to DONE") it is, and whose number follows.

import { escapeRegex } from "../escape.ts";
import { similarity, wordsOf } from "../page/names.ts";
import type { Hint } from "../page/page.ts";
import type { Say, Span } from "./evidence.ts";

const KEY = /(?<![\w.-])([A-Za-z_][\w.-]*)\s?[:=]\s?["'([<{]*$/;
const SURE = 0.95;

/** Stands the part behind a key that is the very name of another hint and only like that of this one? */
export function isAnothers(line: string, span: Span, hint: Hint, hints: readonly Hint[]): boolean {
  const key = KEY.exec(line.slice(0, span.start))?.[1] ?? wordKey(line, span, hints);
  if (key === undefined || likenessOf(key, hint) >= SURE) return false;
  return hints.some((other) => other !== hint && likenessOf(key, other) >= SURE);
}

/** "input port 'a'": two words or more that are the very name of a hint. */
function wordKey(line: string, span: Span, hints: readonly Hint[]): string | undefined {
  const words = /((?:[A-Za-z]+ ){2,3})["'`(]?$/.exec(line.slice(0, span.start))?.[1]?.trim().split(" ") ?? [];
  return [3, 2]
    .filter((count) => words.length >= count)
    .map((count) => words.slice(-count).join(" "))
    .find((one) => hints.some((hint) => likenessOf(one, hint) >= SURE));
}

function likenessOf(key: string, { name }: Hint): number {
  return name === "" ? 0 : similarity(key, name.replace(/_/g, " "));
}

/** "(1FA, Duo or U2F, from the message)": a text that the page shows stands elsewhere in the line. */
export function shownElsewhere(line: string, text: string, hint: Hint): boolean {
  return hint.literals.some(
    (one) =>
      /^[^\s].*[^:=\s]$/.test(one) &&
      !one.includes(text) &&
      !text.includes(one) &&
      standsAlone(line, one) &&
      !isLabel(one, hint),
  );
}

function standsAlone(line: string, text: string): boolean {
  for (let at = line.indexOf(text); at >= 0; at = line.indexOf(text, at + 1)) {
    const [before, after] = [line.slice(0, at), line.slice(at + text.length)];
    if (!/[\w.-]$/.test(before) && !/^(?:[\w-]|\s*[:=])/.test(after)) return true;
  }
  return false;
}

/** Is the shown text a word of the line beside the part? */
function isLabel(text: string, { name, description }: Hint): boolean {
  const own = escapeRegex(text);
  return (
    similarity(text, name) >= 0.6 ||
    new RegExp(
      `\\b(?:after|behind|before|beside|between|follow\\w*|up to|until|from|in front of|without|not|no|key|word|label|column|field|named|called)\\b[^,;()]{0,24}["'\`]?${own}`,
      "i",
    ).test(description)
  );
}

/** The name of a part and not its text is asked for: the key itself, where the page shows it. */
export function asksKey(text: string, hint: Hint): boolean {
  const name = wordsOf(hint.name).at(-1) ?? "";
  return (
    /^(?:name|key|parameter|variable|option|attribute|property|setting|macro|cookie|header)$/.test(name) &&
    hint.literals.includes(text) &&
    similarity(text, hint.name) < 0.5
  );
}

/** "from NEW to DONE", where the names are those of the two words. */
export function sideEvidence(line: string, span: Span, hint: Hint, say: Say): void {
  const side = /^(from|to)_/.exec(hint.name)?.[1];
  if (side === undefined) return;
  for (const match of line.matchAll(
    /\bfrom ["'`[(]?(\S+?)["'`\])]? to ["'`[(]?(\S+?)["'`\])]?(?=[\s,;.:)]|$)/g,
  )) {
    const from = match.index + match[0].indexOf(match[1] ?? "", 5);
    const to = match.index + match[0].lastIndexOf(match[2] ?? "");
    const [start, text] = side === "from" ? [from, match[1] ?? ""] : [to, match[2] ?? ""];
    if (span.start === start && span.end === start + text.length) say(5.5, `behind "${side}"`);
  }
}

/** `("nginx",pid=812`, `nginx/812`: whose number it is stands in front of it. */
export function programEvidence(line: string, span: Span, hint: Hint, say: Say): void {
  if (!/\b(?:process|program|command|daemon|executable)\b/.test(hint.name.replace(/_/g, " "))) return;
  if (/\b(?:pid|id|number)\b/.test(hint.name.replace(/_/g, " "))) return;
  if (/^["']?,\s?pid=\d/.test(line.slice(span.end)) && /["'(,]$/.test(line.slice(0, span.start)))
    say(6, "in front of its number");
}

/** Stands the same key further to the front as well (`pid=812,fd=6),("b",pid=811`)? Then the first one is meant. */
export function isRepeated(line: string, span: Span): boolean {
  const key = KEY.exec(line.slice(0, span.start))?.[0];
  return key !== undefined && /=/.test(key) && line.slice(0, span.start - key.length).includes(key);
}

/** Is the part little more than a text that the page shows for another part ("0.03s" with "0.03")? */
export function showsAnothers(line: string, span: Span, hint: Hint, hints: readonly Hint[]): boolean {
  const text = line.slice(span.start, span.end);
  if (/\s/.test(text) || hint.literals.length > 0 || hint.basename) return false;
  return hints.some(
    (other) =>
      other !== hint &&
      !other.basename &&
      similarity(other.name, hint.name) < 0.9 &&
      other.literals.some(
        (one) =>
          one.length >= 3 &&
          text !== one &&
          text.includes(one) &&
          text.length <= one.length + 4 &&
          !/[/@:]/.test(text),
      ),
  );
}
