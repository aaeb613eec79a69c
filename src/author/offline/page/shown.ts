// Texts of an example line that the page says a value or field has: in brackets behind its name ("the 215 generated",
// "hexadecimal, 0002"), behind a comma or "e.g.", or in a sentence that reads the example out. What a page says of a part
// is words; what stands in the example letter by letter is the text of the part, or a border of it.

import { escapeRegex } from "../escape.ts";
import type { Group, Hint } from "./page.ts";
import { quotedIn } from "./text.ts";

const QUOTE = '(?:`[^`]+`|"[^"]+")';

/** Adds what the descriptions show of the group's own examples to the texts of the hints. */
export function addShown(group: Group): void {
  const lines = group.examples.flatMap((one) => one.lines);
  if (lines.length === 0) return;
  const hints = [...(group.value === undefined ? [] : [group.value]), ...group.fields];
  for (const hint of hints) {
    if (hint.wholeLine) continue;
    // "(base : copy motd)" is one text, and no name with its text.
    hint.literals = hint.literals.filter(
      (one) =>
        !hint.literals.some(
          (other) => other.endsWith(`: ${one}`) && lines.some((line) => line.includes(other)),
        ),
    );
    dropBorders(hint, lines);
    joinEnds(hint, lines);
    if (hint.literals.some((one) => lines.some((line) => line.includes(one)))) continue;
    // "(input or output)" names both, also where a line happens to have these words.
    const isList = (text: string): boolean => hint.choices.length > 1 && /\bor\b|\//.test(text);
    for (const text of shownIn(hint, lines).slice(0, 2))
      if (!hint.literals.includes(text) && !isList(text)) hint.literals.push(text);
  }
}

/** `the address that it "failed for"`: quoted words that cannot be the part stand beside it. */
function dropBorders(hint: Hint, lines: readonly string[]): void {
  const odd = hint.literals.filter(
    (one) => contradicts(one, hint) && /^[A-Za-z][a-z]+(?: [A-Za-z][a-z]+)+$/.test(one.trim()),
  );
  for (const text of odd) {
    if (!lines.some((line) => new RegExp(`${escaped(text.trim())}\\s*["'([<]?\\S*\\d`).test(line))) continue;
    hint.literals = hint.literals.filter((one) => one !== text);
    hint.description += `, behind "${text.trim()}"`;
  }
}

const ENDS = new RegExp(`\\bfrom (?:the )?(${QUOTE}) (?:up )?(?:to|until|through) (?:the )?(${QUOTE})`, "i");

/** `from "Bar#quux" to "class?)"`: the text between, with both. */
function joinEnds(hint: Hint, lines: readonly string[]): void {
  const found = ENDS.exec(hint.description);
  const [first, last] = [found?.[1], found?.[2]].map((one) => one?.slice(1, -1) ?? "");
  if (found === null || !first || !last) return;
  for (const line of lines) {
    const from = line.indexOf(first);
    const to = from < 0 ? -1 : line.indexOf(last, from + first.length);
    if (to < 0) continue;
    hint.literals = [
      line.slice(from, to + last.length),
      ...hint.literals.filter((one) => one !== first && one !== last),
    ];
    // The words are those of the example alone.
    hint.description = hint.description.replace(found[0], "");
    return;
  }
}

/** Can the text not be of the hint's kind? */
export function contradicts(text: string, hint: Hint): boolean {
  // The code of a warning is a name as often as a number.
  if (/(?:^|_)code$/.test(hint.name) && /^[A-Z][A-Z\d_-]+$/.test(text)) return false;
  if (hint.kind === "number" || hint.kind === "time") return !/\d|^[-–—*?]+$|^(?:none|n\/a)$/i.test(text);
  if (hint.kind === "address") return /^[a-z]+(?: [a-z]+)*$/i.test(text) && /\s/.test(text);
  return false;
}

const LEAD =
  /^(?:(?:e\.?g\.?|for example|for instance|such as|like|here|i\.?e\.?|that is|namely|so|in (?:the|this|our) (?:example|sample|case)(?: above)?|above|it is|(?:which|that) (?:is|are|says?)|is|are|as|all of|the whole of|the)(?:,|:|\s|$)\s*)+/i;
const SAID =
  /^(?:e\.?g\.?|for example|for instance|such as|like|here|i\.?e\.?|in (?:the|this) (?:example|sample|case))\b/i;
const TAIL =
  /[\s,]+(?:here|above|below|in (?:the|this|our) (?:example|sample|case|line)(?: above| below)?|for example|for instance|generated|printed|shown)\.?$/i;
/** Words behind which a text stands beside the part. */
const BESIDE =
  /(?:\b(?:behind|after|before|following|follows?|in front of|between|up to|until|from|marked|without|not|excluding|except|named|called|headed|key|column|heading|label|prefix|under|below|above|than|with|(?:numbers|parts|words|pieces|texts|values|halves|ones|two|both|three) of|begins|starts|ends|in|and|or|unless|if|when|but)(?: the| its| an?| word| key| column)*|[=<>])\s*$/i;
/** Words that say what the text in front of them is. */
const CALLED =
  /^\s+(?:columns?|keys?|lines?|rows?|headings?|headers?|sections?|records?|fields?|entry|entries|bullets?|blocks?|format|layout|notation|sign|messages?|parts?)\b/i;

/** The texts of the lines that a description shows, the surest first. */
export function shownIn(hint: Hint, lines: readonly string[]): string[] {
  const found: string[] = [];
  const offer = (raw: string, plain: boolean): boolean => {
    const text = raw.trim();
    if (found.includes(text)) return true;
    if (!stands(text, lines) || isName(text, hint)) return false;
    if (contradicts(text, hint)) {
      // The name alone made it a number: "thread (the name before the bracket, WorkerSender)".
      if (hint.kind !== "number" || !/^[A-Z][a-z]+[A-Z]\w*$|^[A-Z][a-z]{3,}$|^[A-Z][A-Z_]{5,}$/.test(text))
        return false;
      hint.kind = "word";
    }
    if (!plain && !isData(text)) return false;
    found.push(text);
    return true;
  };
  const text = hint.description.replace(/\b(?:without|unlike|not|excluding)\b[^,;)]*/gi, " ");
  const masked = hidden(text);
  for (const { piece, inner } of piecesOf(masked, text)) {
    const own = piece.replace(TAIL, "");
    const rest = own.replace(LEAD, "");
    const said = SAID.test(own);
    // "the git sha1" says what the part is; one word behind an article may show it ("the UTF8Tag").
    const isPhrase = /^\W*(?:the|its|an?)\s/i.test(own) && (/\s/.test(rest) || !isStrange(rest));
    if (!isPhrase && offer(rest, inner || said)) continue;
    wordsIn(rest, isPhrase, offer);
  }
  return found;
}

/** Words of a piece that look like data: "the 215 generated", "all of ab3-h5:7001". */
function wordsIn(piece: string, phrase: boolean, offer: (text: string, plain: boolean) => boolean): void {
  for (const { index, 0: chunk } of piece.matchAll(/\S+/g)) {
    const word = chunk.replace(/^["'(]+|[.,;:!?"')]+$/g, "");
    if (word === "" || BESIDE.test(piece.slice(0, index)) || CALLED.test(piece.slice(index + chunk.length)))
      continue;
    // "the git sha1": a kind of text that has a digit in its name.
    if (phrase && /^[a-z]{2,6}-?\d{1,3}$/i.test(word)) continue;
    if (isStrange(word)) offer(word, false);
  }
}

/** Nobody writes this in a sentence of his own. */
function isStrange(word: string): boolean {
  return (
    /^[-+]?\d[\d.,]*%?$/.test(word) ||
    (word.length >= 4 &&
      /\d/.test(word) &&
      /[A-Za-z]/.test(word) &&
      !/^\d+(?:st|nd|rd|th|[a-z]{1,2})$/.test(word)) ||
    (word.length >= 4 && /[A-Za-z\d][_:@/\\=][A-Za-z\d]/.test(word)) ||
    /^[a-z]+[A-Z]\w*$|^[A-Z][a-z]+[A-Z]\w*$|^(?:[\w-]+\.){2,}\w+$/.test(word)
  );
}

/** Data rather than words of a sentence: a name, a number, something with marks. */
function isData(text: string): boolean {
  return /\d/.test(text) || /^[A-Z]/.test(text) || /[A-Za-z][_:@/\\.=#~+-]\S|[a-z][A-Z]/.test(text);
}

/** Quoted spans are read elsewhere. */
function hidden(text: string): string {
  let result = text;
  for (const span of quotedIn(text))
    result = result.slice(0, span.start) + "\u0001".repeat(span.end - span.start) + result.slice(span.end);
  return result;
}

/** The pieces of a description between brackets, commas and the like. */
function piecesOf(masked: string, text: string): { piece: string; inner: boolean }[] {
  const pieces: { piece: string; inner: boolean }[] = [];
  const add = (start: number, end: number, inner: boolean): void => {
    const part = masked.slice(start, end);
    let from = 0;
    for (const cut of part.matchAll(/[,;](?=\s)|:\s|\s[-–—]\s|\sor\s/g)) {
      put(start + from, start + cut.index, inner);
      from = cut.index + cut[0].length;
    }
    put(start + from, end, inner);
  };
  const put = (start: number, end: number, inner: boolean): void => {
    const piece = masked.slice(start, end).trim();
    if (piece !== "" && !piece.includes("\u0001"))
      pieces.push({ piece: text.slice(start, end).trim(), inner });
  };
  let at = 0;
  for (const { index, 0: all } of masked.matchAll(/\((?:[^()]|\([^()]*\))*\)/g)) {
    // "f(x)" is no remark.
    if (index > 0 && /\S/.test(masked.charAt(index - 1))) continue;
    add(at, index, false);
    put(index + 1, index + all.length - 1, true);
    if (/[,;:]|\sor\s/.test(all)) add(index + 1, index + all.length - 1, true);
    at = index + all.length;
  }
  add(at, masked.length, false);
  return pieces;
}

/** Does the text stand in a line as something of its own, other than as a key? */
export function stands(text: string, lines: readonly string[]): boolean {
  if (text.length === 0 || text.length > 120) return false;
  if (/^(?:in|on|at|of|by|to|for|from|with|as|is|an?|the)(?: [a-z]+)*$/.test(text)) return false;
  return lines.some((line) => {
    for (let at = line.indexOf(text); at >= 0; at = line.indexOf(text, at + 1)) {
      const before = line.charAt(at - 1);
      const after = line.charAt(at + text.length);
      const inWord =
        (/\w/.test(before) && /^\w/.test(text) && !(/\D/.test(before) && /^\d{2,}$/.test(text))) ||
        (/\w/.test(after) && /\w$/.test(text));
      const cut = /^\d/.test(text) && /\d[.:]$/.test(line.slice(0, at));
      const behind = line.slice(at + text.length);
      const isKey =
        /^["']?\s*=|^["']\s*:/.test(behind) || (/^[a-z ]+$/.test(text) && /^\s*:(?:\s|$)/.test(behind));
      if (inWord || cut || isKey) continue;
      return true;
    }
    return false;
  });
}

/** The name itself, which may be a key of the line. */
function isName(text: string, hint: Hint): boolean {
  const plain = (one: string): string => one.toLowerCase().replace(/[^a-z\d]/g, "");
  return plain(text) === plain(hint.name);
}

function escaped(text: string): string {
  return escapeRegex(text).replace(/\s+/g, "\\s+");
}
