// What stands right beside a part and is no part itself: the rest of a word that was cut at a mark, a word that all texts begin
// with, words of which some lines have more than others.

import { type Part, placesOf, type Seen, type Text } from "./parts.ts";

/** Words by which a page asks for a piece of a longer text. */
const PIECE =
  /\b(?:between|piece|part of|digits?|letters?|characters?|half|at sign|only|alone|without|bare|local part|after|behind|from|second|third|fourth|last|suffix|ends?|before|in front of|up to|until|first|prefix|name of|base ?name|leading|trailing|component|sides?)\b|@/i;

/** Doubts about what a part leaves beside it. */
export function beside(part: Part, seen: Seen): string[] {
  if (!seen.hosted || part.hint.wholeLine) return [];
  const shown = part.shown.some(({ text }) => part.hint.literals.some((one) => one.trim() === text));
  return [
    ...(shown || PIECE.test(part.hint.description) ? [] : glued(part, seen)),
    ...(shown ? [] : [...sameWord(part), ...leftInFront(part, seen)]),
  ];
}

/** The rest of the word goes on behind a mark, other in each line, and no part is there. */
function glued(part: Part, { parts }: Seen): string[] {
  const rests = part.texts.flatMap((one) => {
    const [at, more] = placesOf(one.text, one.host);
    if (at === undefined || more !== undefined || one.elsewhere === true) return [];
    if (isCell(one.host, at, at + one.text.length)) return [];
    const others = parts.flatMap((other) =>
      other === part ? [] : other.texts.filter(({ record }) => record === one.record).map(({ text }) => text),
    );
    const behind = /^[./:@=+-]+([\p{L}\p{N}][^\s,;()[\]<>"'|]*)/u.exec(
      one.host.slice(at + one.text.length),
    )?.[1];
    // In front of an equals sign stands the key.
    const before = /([^\s,;()[\]<>"'|]*[\p{L}\p{N}])[./:@+-]+$/u.exec(one.host.slice(0, at))?.[1];
    const isPart = (rest: string): boolean =>
      others.some((text) => rest.includes(text) || text.includes(rest));
    // `529:14` is a line with its column, and two numbers by themselves.
    // `a/b.py:14` is a file with its line.
    const isOwn = (rest: string): boolean =>
      /^\d+$/.test(one.text) && (/^\d+\b/.test(rest) || rest === before) && isPlace(rest);
    return [behind, before].flatMap((rest) =>
      rest === undefined || isPart(rest) || isOwn(rest) ? [] : [{ rest, one }],
    );
  });
  const kinds = new Set(rests.map(({ rest }) => rest));
  const [first] = rests;
  return first === undefined || rests.length < part.texts.length * 0.5 || kinds.size < 2
    ? []
    : [`the ${part.name} is cut at a mark: ${first.one.text}, in ${first.one.host.trim().slice(0, 120)}`];
}

/** Between two of the marks that part the cells of the whole line, as in a list of users. */
function isCell(host: string, start: number, end: number): boolean {
  const marks = host.match(/:/g)?.length ?? 0;
  return (
    marks >= 4 &&
    marks > (host.match(/\s/g)?.length ?? 0) &&
    (start === 0 || host.charAt(start - 1) === ":") &&
    (end === host.length || host.charAt(end) === ":")
  );
}

/** Words by which a page asks for the end of a text. */
const LATER =
  /\b(?:after|behind|from|without|second|third|last|rest|part of|piece|between|starting|beginning|following)\b/i;
/** So many texts with words in front, and so many different ones, are no chance. */
const LEAST_LEADS = 3;

/** A text that begins in the middle of a run of words: the words in front of it, back to a mark or another part, are other ones in
 * other lines. */
function leftInFront({ hint, name, texts }: Part, { parts }: Seen): string[] {
  if (hint.kind !== "text" || LATER.test(hint.description) || texts.length <= LEAST_LEADS) return [];
  const leads = texts.flatMap(({ text, host, record }) => {
    const [at, more] = placesOf(text, host);
    if (at === undefined || more !== undefined) return [];
    const ends = parts.flatMap((other) =>
      other.texts
        .filter((one) => one.record === record && one.text !== text && one.text !== "")
        .map((one) => host.lastIndexOf(one.text, at - 1) + one.text.length)
        .filter((end) => end <= at),
    );
    const from = Math.max(0, ...ends, host.slice(0, at).search(/[^:;|\])>}"'=,]*$/));
    const lead = host.slice(from, at);
    return /[A-Za-z]{2}.* $/.test(lead) ? [lead.trim()] : [];
  });
  const kinds = new Set(leads);
  const [first = ""] = leads;
  return leads.length < texts.length * 0.5 || kinds.size < Math.max(LEAST_LEADS, texts.length * 0.2)
    ? []
    : [`words in front of the ${name} are left out, others in each line: ${first}`];
}

/** Another number, or the file that a number is the line of. */
function isPlace(rest: string): boolean {
  return /^\d+\b/.test(rest) || /^[\w./\\+~-]*\.[A-Za-z]\w{0,4}$/.test(rest);
}

/** Names of parts that have several words. */
const SENTENCE = /command|cmd|title|message|query|request|reason|description/i;

/** All texts begin with the same word, or end with it, and go on otherwise. */
function sameWord({ name, texts, hint }: Part): string[] {
  if (
    texts.length < 3 ||
    texts.some((one) => one.elsewhere) ||
    hint.kind === "text" ||
    hint.kind === "time" ||
    SENTENCE.test(hint.name)
  )
    return [];
  if (texts.some(({ text }) => /\d:\d\d/.test(text))) return [];
  const firsts = new Set(texts.map(({ text }) => /^(\S+)\s+\S/.exec(text)?.[1]));
  const lasts = new Set(texts.map(({ text }) => /\S\s+(\S+)$/.exec(text)?.[1]));
  const rests = new Set(texts.map(({ text }: Text) => text));
  const [first] = firsts;
  const [last] = lasts;
  if (rests.size < 3) return [];
  // Behind a key or a mark a text begins where it begins.
  if (texts.some(({ text, host }) => /[^\s\p{L}\p{N}]\s*$/u.test(host.slice(0, host.indexOf(text)))))
    return [];
  const isShown = (word: string): boolean => hint.literals.some((one) => one.split(/\s+/).includes(word));
  // The directories of a path may have blanks ("C:\\Program Files").
  const isWord = first !== undefined && /[A-Za-z]{2}/.test(first) && !/[\\/].*[A-Za-z]/.test(first);
  if (firsts.size === 1 && isWord && !isShown(first))
    return [`the ${name} begins with ${first} in all records`];
  // "12 KB" is a number with its unit.
  if (lasts.size === 1 && last !== undefined && /[A-Za-z]{4}/.test(last) && !isShown(last))
    return [`the ${name} ends with ${last} in all records`];
  return [];
}
