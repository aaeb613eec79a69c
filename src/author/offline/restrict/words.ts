// Plain words of a piece that tell records apart: a word that is the whole text of a part that tells kinds, words in a row
// that stand in some texts of a part, words that are pieces of an identifier (`__fill_`).

import { names, type Part, textOf } from "../conditions/parts.ts";
import { stem } from "../page/names.ts";
import type { Extracted } from "../program/ir.ts";
import type { Ask } from "./asks.ts";
import type { Fit } from "./fits.ts";

interface Word {
  text: string;
  /** In small letters: the word, and what it is the plural or adverb of. */
  forms: string[];
  start: number;
  end: number;
}

/** The ways to tell records by plain words; what is wanted may just be described by words that stand in it. */
export function worded(
  piece: string,
  taken: readonly Ask[],
  records: readonly Extracted[],
  parts: readonly Part[],
  keep: boolean,
  gloss: ReadonlyMap<string, string> = new Map(),
): Fit[] {
  // What stands in brackets explains; a text alone there is shown.
  if (keep && /^\W*(?:every|all|each)\b|\b(?:too|as well)\W*$/i.test(piece)) return [];
  const bare = piece.replace(/\([^)]*\)/g, (one) => " ".repeat(one.length));
  const words = wordsOf(bare, taken);
  // In a long sentence words stand by chance, and that of a section or table is a place.
  const isShort = words.length <= 8 && !/\b(?:sections?|tables?|panels?|chapters?|headings?)\b/i.test(piece);
  const shown = [...piece.matchAll(/\(([a-z][\w-]*)\)/g)].flatMap((one) => wordsOf(one[1] ?? "", []));
  const fits = parts.flatMap((part) => {
    const texts = records.map((record) => textOf(record, part));
    const own = [
      kindsOf(words, part, texts, gloss),
      ...shown.map((word) => shownKind(word, part, texts)),
      ...(keep || !isShort ? [] : [piecesOf(bare, words, part, texts, parts)]),
    ];
    return own.flatMap((one) => one ?? []);
  });
  return fits.sort((a, b) => b.score - a.score);
}

function wordsOf(text: string, taken: readonly Ask[]): Word[] {
  return [...text.matchAll(/(?<![\w-])[A-Za-z][\w-]*(?![\w-])/g)]
    .filter(
      (one) => !taken.some((ask) => ask.start <= one.index && one.index < ask.end && ask.how !== "blank"),
    )
    .map((one) => ({
      text: one[0],
      forms: [one[0], ...rootsOf(one[0])].map((form) => form.toLowerCase()),
      start: one.index,
      end: one.index + one[0].length,
    }));
}

/** Words that are just the texts of a part that tells kinds. */
function kindsOf(
  words: readonly Word[],
  part: Part,
  texts: readonly string[],
  gloss: ReadonlyMap<string, string>,
): Fit | undefined {
  const kinds = [...new Set(texts.filter((one) => one !== ""))];
  const used = new Set<Word>();
  const meant = kinds.filter((kind) => {
    const text = /^\W?([A-Za-z][\w-]*)\W?$/.exec(kind)?.[1] ?? "";
    // "Warnings", where the page says that W is one.
    const meaning = words.find((one) => one.forms.some((form) => gloss.get(stem(form)) === kind));
    if (meaning !== undefined && kinds.length <= 12) used.add(meaning);
    if (meaning !== undefined) return kinds.length <= 12;
    if (text.length < 2 || COMMON.test(text)) return false;
    const isSaid = ({ text: own, forms }: Word): boolean =>
      text.length === 2 ? own === text && !SHORT.test(own) : forms.includes(text.toLowerCase());
    const word =
      words.find(isSaid) ??
      (text.length > 3 && kinds.length <= 12
        ? words.find((one) => one.forms.some((form) => verbOf(form) === verbOf(text.toLowerCase())))
        : undefined);
    if (word === undefined || names(part, word.text, []) >= 0.7) return false;
    used.add(word);
    return true;
  });
  const isExact = meant.every((one) => words.some(({ text }) => text === one));
  if (meant.length === 0 || (kinds.length > 12 && !isExact)) return undefined;
  const hits = texts.map((text) => meant.includes(text));
  if (hits.every(Boolean)) return undefined;
  const isNamed = words.some(({ text }) => names(part, text, texts) >= 0.65);
  const score = (isNamed ? 2.5 : 0) + (kinds.length <= 12 ? 1.2 : 0.6) + (used.size - 1) / 2;
  return { part, filter: { group: part.group, equals: meant }, hits, score, isNamed };
}

const SHORT = /^(?:is|in|of|on|at|by|to|it|as|an|or|no|up|if|be|do|us|we|so|ok|id|ip|go|he|my|me)$/i;

/** "Passed", "passes" and "passing" are of "pass". */
function verbOf(word: string): string {
  return word
    .replace(/(?:ing|e?d|e?s)$/, "")
    .replace(/ie$|y$/, "i")
    .replace(/([b-df-hj-np-tv-z])\1$/, "$1");
}

/** "Disk file systems (xfs)": a word alone in brackets, and a kind of a part. */
function shownKind({ text }: Word, part: Part, texts: readonly string[]): Fit | undefined {
  const hits = texts.map((one) => one === text);
  if (!hits.some(Boolean) || hits.every(Boolean) || new Set(texts).size > 12) return undefined;
  return { part, filter: { group: part.group, equals: [text] }, hits, score: 1.5, isNamed: true };
}

/** Words that stand in the texts of a part: in a row, or each by itself. */
function piecesOf(
  piece: string,
  words: readonly Word[],
  part: Part,
  texts: readonly string[],
  parts: readonly Part[],
): Fit | undefined {
  const low = texts.map((one) => one.toLowerCase());
  const telling = words.filter(
    ({ text }) =>
      text.length > 2 &&
      !COMMON.test(text) &&
      !FUNCTION.test(text) &&
      !parts.some((one) => isName(one, text)),
  );
  const splits = (source: string): boolean => {
    const regex = new RegExp(source, "u");
    const count = low.filter((one) => regex.test(one)).length;
    return count > 0 && count < low.length;
  };
  // A single word of a message stands there by chance.
  const count = texts.reduce((sum, one) => sum + one.split(/\s+/).length, 0);
  const isFree = count > texts.length * 2.5;
  for (const length of [5, 4, 3, 2]) {
    const runs = words.flatMap((_, at) => {
      const run = words.slice(at, at + length);
      const [first, last] = [run[0], run.at(-1)];
      if (run.length < length || first === undefined || last === undefined) return [];
      const isRow = /^[\w-]+(?: [\w-]+)*$/.test(piece.slice(first.start, last.end));
      const isTelling = telling.includes(first) && telling.includes(last);
      const source = `(?<![a-z0-9])${run.map(({ forms }) => `(?:${forms.join("|")})`).join("[\\s_-]+")}(?![a-z0-9])`;
      return isRow && isTelling && splits(source) ? [source] : [];
    });
    if (runs.length > 0) return fitOf(part, runs, low, 0.5 + length / 2);
  }
  if (isFree && telling.length > 2) return undefined;
  const single = telling.map(({ forms }) => `(?<![a-z0-9])(?:${forms.join("|")})(?![a-z0-9])`).filter(splits);
  return single.length === 0 ? undefined : fitOf(part, single, low, 0.3 + single.length * 0.6);
}

function isName(part: Part, word: string): boolean {
  return names(part, word, []) >= 0.7;
}

function fitOf(part: Part, equals: string[], low: readonly string[], score: number): Fit | undefined {
  const hits = low.map((one) => equals.some((source) => new RegExp(source, "u").test(one)));
  if (hits.every(Boolean)) return undefined;
  return {
    part,
    filter: { group: part.group, equals, match: "like", fold: true },
    hits,
    score,
    isNamed: false,
  };
}

/** "Warnings", "horizontally": the text may be the word for one of them, or that they are so. */
function rootsOf(word: string): string[] {
  return [
    ...(/ies$/.test(word) ? [word.replace(/ies$/, "y")] : []),
    ...(/(?:s|x|z|ch|sh)es$/.test(word) ? [word.replace(/es$/, "")] : []),
    ...(/[^s]s$/.test(word) ? [word.replace(/s$/, "")] : []),
    ...(/\w{4}ly$/.test(word) ? [word.replace(/ly$/, "")] : []),
  ];
}

const COMMON =
  /^(?:the|and|are|not|for|any|all|one|two|with|that|which|whose|from|this|than|only|name|names|line|lines|file|files|other|list|listed|value|item|items|row|rows|test|user|time|line)$/i;

/** Words that say nothing about a record by themselves. */
const FUNCTION =
  /^(?:an?|its?|they|them|their|these|those|such|some|every|each|both|either|neither|none|what|who|where|when|while|because|although|though|since|until|unless|have|has|had|having|does|did|can|could|may|might|must|shall|should|will|would|been|being|was|were|there|here|also|too|just|even|still|yet|again|always|never|often|ones?|others|another|own|same|kind|kinds|sort|sorts|type|types|well|very|much|many|more|most|less|least|few|into|onto|over|under|about|above|below|between|after|before|during|through|without|within|out|off|per|via|but|nor|how|why|then|thus|hence|therefore|mean|means|meant|say|says|said|give|given|gives|take|taken|come|comes|stand|stands|need|needs|column|columns|table|tables|record|records|entry|entries|field|fields|page|log|logs|report|reports|section|block|blocks|part|parts|text|texts|word|words|number|numbers|message|messages|our|ours|your|you|job|jobs|normal|new|old|first|second|last|next|group|groups|set|sets|use|used|uses)$/i;
