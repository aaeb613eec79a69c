// Which words of an example tell the lines that are wanted: those that the page speaks of, with the words that it gives as
// alternatives of them, and those that the log's lines share.

import { escapeRegex } from "../escape.ts";
import { type Token, tokenize } from "../logs/tokens.ts";
import { stem, wordsOf } from "../page/names.ts";
import { messageTokens } from "../parts/shared.ts";
import type { Anatomy } from "./anatomy.ts";
import type { Attempt } from "./attempt.ts";
import type { Region } from "./regions.ts";
import type { LineTask } from "./task.ts";

/** Does the page's prose have the word? */
export function isSaid(task: LineTask, token: Token): boolean {
  const pieces = [...(task.said ?? [])].some((piece) => piece.replace(/^`+|`+$/g, "") === token.text);
  if (pieces && /[A-Z]{2}|[\d_-]/.test(token.text)) return true;
  // "DUP" where the page speaks of duplicates.
  const stems = [...(task.wantedStems ?? task.stems)];
  if (/^[A-Z]{3,}$/.test(token.text) && stems.some((one) => one.startsWith(token.text.toLowerCase())))
    return true;
  return (
    token.text.length > 2 &&
    wordsOf(token.text).every((word) => (task.wantedStems ?? task.stems).has(stem(word)))
  );
}

/** Have all lines read so far the word? */
function isHeld(task: LineTask, token: Token, best: Attempt | undefined): boolean {
  const word = new RegExp(`(?<![A-Za-z])${escapeRegex(token.text)}(?![A-Za-z])`);
  return best?.hits.every((hit) => word.test(task.lines[hit] ?? "")) === true;
}

/** What a line has to have beside its parts. */
export interface Condition {
  ahead: string;
  /** The same for keys that are written otherwise. */
  within: (regions: readonly Region[]) => string;
}

/** Conditions on the line as look-aheads, from the strictest: all words of the message, those that the page speaks of. */
export function conditionsOf(task: LineTask, anatomy: Anatomy, best: Attempt | undefined): Condition[] {
  const { line, regions, keyed } = anatomy;
  const phrases = (task.eitherTexts ?? []).flatMap((texts) => {
    const shown = texts.filter((text) => line.includes(text));
    const seen = texts.every((text) => task.lines.some((one) => one.includes(text)));
    return shown.length === 1 && seen ? [{ texts, shown: shown[0] ?? "" }] : [];
  });
  const inPhrase = (token: Token): boolean =>
    phrases.some(({ shown }) => {
      const at = line.indexOf(shown);
      return token.start >= at && token.end <= at + shown.length;
    });
  const either = phrases
    .map(
      ({ texts }) => `(?=.*?(?:${texts.map((one) => escapeRegex(one).replace(/\s+/g, "\\s+")).join("|")}))`,
    )
    .join("");
  const tokens = tokenize(line).filter(
    (token) =>
      (token.kind === "word" || (token.kind === "mixed" && isSaid(task, token))) &&
      !inPhrase(token) &&
      !keyed.some(
        ({ region, slots }) =>
          (token.start >= region.start && token.end <= region.open) ||
          slots.some(({ span }) => token.start < span.end && token.end > span.start),
      ) &&
      !anatomy.head.some(({ span }) => token.start < span.end && token.end > span.start),
  );
  const isKey = (token: Token): boolean =>
    regions.some((region) => token.start >= region.start && token.end <= region.open) ||
    /^\s?(?:=|:\S)/.test(line.slice(token.end));
  const own = new Set(
    keyed.flatMap(({ slots }) => slots.flatMap(({ hint }) => wordsOf(hint.name).map(stem))),
  );
  // A text in quotes (`failed: "bad password"`) is data, unless the page speaks of its words.
  const quoted = [...line.matchAll(/"(?:[^"\\]|\\.)*"/g)].map((one) => ({
    start: one.index,
    end: one.index + one[0].length,
  }));
  const isData = (token: Token): boolean =>
    quoted.some(({ start, end }) => token.start > start && token.end < end) && !isSaid(task, token);
  const plain = tokens.filter((token) => !isKey(token) && !isData(token));
  const said = plain.filter(
    (token) => token.kind === "mixed" || (isSaid(task, token) && !own.has(stem(token.text.toLowerCase()))),
  );
  const common = new Set(messageTokens(line, task.lines));
  const message = plain.filter((token) => common.has(token.start) && token.text.length > 1);
  // A remark behind the last key ("(DUP!)") says what kind of line it is.
  const last = Math.max(...regions.map(({ end }) => end));
  const remark = plain.filter(
    (token) =>
      token.start >= last && /[([{<"'*]$/.test(line.slice(0, token.start)) && isHeld(task, token, best),
  );
  const sets = [plain, [...said, ...message, ...remark], [...said, ...remark]].map((set) => [
    ...new Set(set),
  ]);
  const sources = new Map<string, Condition>();
  for (const set of sets) {
    const source = either + ahead(task, line, regions, set);
    if (source === "" && said.length + remark.length > 0) continue;
    const within = (own: readonly Region[]): string => either + ahead(task, line, own, set);
    if (!sources.has(source)) sources.set(source, { ahead: source, within });
  }
  return [...sources.values()];
}

/** One look-ahead for each stretch of the line between its keys, and for each pair. */
function ahead(task: LineTask, line: string, regions: readonly Region[], set: readonly Token[]): string {
  const sorted = [...set].sort((a, b) => a.start - b.start);
  const placeOf = (token: Token): number =>
    regions.findIndex((region) => token.start >= region.start && token.end <= region.end);
  const zoneOf = (token: Token): string => {
    const pair = placeOf(token);
    return pair >= 0 ? `pair ${pair}` : `zone ${regions.filter((one) => one.end <= token.start).length}`;
  };
  const zones = Map.groupBy(sorted, zoneOf);
  return [...zones.values()]
    .map((tokens) => {
      const [first] = tokens;
      const pair = first === undefined ? undefined : regions[placeOf(first)];
      let source = pair === undefined ? "" : pair.lead;
      let at = pair?.open;
      for (const token of tokens) {
        const blank = at !== undefined && /^\s+$/.test(line.slice(at, token.start));
        source += at === token.start ? "" : blank ? "\\s+" : ".*?";
        source += wordSource(task, line, token, /\.\*\?$/.test(source) || source === "");
        at = token.end;
      }
      return `(?=.*?${source.replace(/^\.\*\?/, "")})`;
    })
    .join("");
}

const UNDONE = /\b(?:to|not|cannot|can't|couldn't|didn't|unable|never|without|no)\s+$/i;

/** A word, or one of those that the page gives as alternatives, as the log spells them. */
function wordSource(task: LineTask, line: string, token: Token, border: boolean): string {
  const known = task.either?.get(token.text) ?? [];
  const forms = new Set([token.text, ...known]);
  // "Rules that matched": other forms of a word that the page speaks of say the same. "Failed to pull" does not: "Pulled" is
  // what did not happen.
  const [own, verb] = [stem(token.text.toLowerCase()), verbOf(token.text)];
  const isUndone = UNDONE.test(line.slice(0, token.start));
  if (!isUndone && token.kind === "word" && verb.length > 3 && (task.wantedStems ?? task.stems).has(own))
    for (const word of wordsBeside(task)) if (/[a-z]/.test(word) && verbOf(word) === verb) forms.add(word);
  if (task.areEither !== undefined)
    for (const word of wordsBeside(task)) {
      if (!forms.has(word) && task.areEither(token.text, word)) forms.add(word);
    }
  const source = forms.size === 1 ? escapeRegex(token.text) : `(?:${[...forms].map(escapeRegex).join("|")})`;
  return `${border ? "(?<![A-Za-z])" : ""}${source}(?![A-Za-z])`;
}

/** A word without the ending of a verb: "Matched" and "match", but not "failed" and "failure". */
function verbOf(word: string): string {
  return word.toLowerCase().replace(/(?:e?s|ed|ing)$/, "");
}

const known = new WeakMap<readonly string[], ReadonlySet<string>>();

function wordsBeside(task: LineTask): ReadonlySet<string> {
  const same = known.get(task.lines);
  if (same !== undefined) return same;
  const words = new Set(task.lines.flatMap((text) => text.match(/[A-Za-z]{3,}/g) ?? []));
  known.set(task.lines, words);
  return words;
}
