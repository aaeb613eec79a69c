// Which lines a page in prose may mean: sets of lines that share words of the page, or texts that the page quotes.
// Each set is one guess; how much of the page's words its lines have says how good a guess it is.

import { escapeRegex } from "../../escape.ts";
import { stem } from "../../page/names.ts";
import type { Group, Page } from "../../page/page.ts";
import { bare, NEGATIVE, quotedIn } from "../../page/text.ts";
import { familiesOf } from "../families.ts";
import { keysOf, shortForms, type Vocabulary, vocabularyOf } from "./vocabulary.ts";

export interface LineSet {
  indices: number[];
  /** A word or text that says what happened tells the lines, not only names of parts. */
  isTold: boolean;
  /** Expressions that every line of the set fulfils. */
  anchors: string[];
  /** Mean weight of the page's words in its lines. */
  score: number;
  why: string;
}

interface Form {
  indices: number[];
  line: string;
  keys: ReadonlySet<string>;
  score: number;
}

const MAX_FORMS = 4000;
const MAX_LINE = 3000;
const MAX_SETS = 6;
const TOP_FORMS = 16;

/** The likeliest sets, the best first. */
export function lineSetsOf(group: Group, page: Page, lines: readonly string[]): LineSet[] {
  const vocabulary = vocabularyOf(page);
  const forms = formsOf(lines);
  const texts = textsOf(group, page, lines);
  const idf = weigh(forms, vocabulary, page);
  const sets = new Map<string, LineSet>();
  const known = new Map<string, Set<Form>>();
  const withText = (source: string): Set<Form> => {
    const test = new RegExp(source);
    const found = known.get(source) ?? new Set(forms.filter(({ line }) => test.test(line)));
    known.set(source, found);
    return found;
  };
  const having = (anchors: readonly string[]): Form[] => {
    const [first, ...others] = anchors.map(withText);
    return [...(first ?? [])].filter((form) => others.every((one) => one.has(form)));
  };
  const add = (anchors: readonly string[], why: string, bonus: number, isTold = true): void => {
    const own = having(anchors);
    const indices = own.flatMap((form) => form.indices).sort((a, b) => a - b);
    if (indices.length === 0) return;
    const id = `${indices[0]}:${indices.at(-1)}:${indices.length}:${indices[indices.length >> 1]}`;
    const total = own.reduce((sum, form) => sum + form.score * form.indices.length, 0);
    const score = total / indices.length + bonus + 0.5 * Math.log2(1 + indices.length);
    const same = sets.get(id);
    if (same === undefined || same.score < score)
      sets.set(id, { indices, anchors: [...anchors], score, why, isTold });
  };
  const unions = unionsOf(texts);
  for (const union of unions) add([union.source], `lines with ${union.text}`, 5);
  if (unions.length > 1)
    add(
      unions.map((one) => one.source),
      "lines with all texts that the page names",
      6,
    );
  const ranked = [...forms].sort((a, b) => b.score - a.score).slice(0, TOP_FORMS);
  for (const form of ranked) {
    const telling = [...form.keys]
      .map((key) => ({ key, weight: idf.get(key) ?? 0 }))
      .filter(({ weight }) => weight > 0.25)
      .sort((a, b) => b.weight - a.weight)
      .slice(0, 6);
    const anchors: string[] = [];
    let isTold = false;
    for (const { key } of telling) {
      const word = wordOf(form.line, key);
      if (word === undefined) continue;
      anchors.push(wordSource(word));
      isTold ||= (vocabulary.get(key) ?? 0) >= 0.9;
      add(anchors, `lines with ${anchors.length} words of the page`, 0, isTold);
    }
  }
  // Findings of a compiler or checker: file and line in front tell them, whatever the words.
  const names = group.fields.map((hint) => hint.name).concat(group.value?.name ?? "");
  if (
    names.includes("line") &&
    names.some((name) => /^(?:file|path|source|script|filename|module)/.test(name))
  )
    add([LOCATION], "lines with file and line in front", 4);
  const named = unions.filter((one) => one.isQuoted).map((one) => new RegExp(one.source));
  const all = [...sets.values(), ...byForm([...sets.values()], forms, lines)];
  for (const set of all) set.score -= strayed(set, named, lines);
  const chosen = all.sort((a, b) => b.score - a.score).slice(0, MAX_SETS + MAX_FAMILIES);
  const best = chosen[0]?.score ?? 0;
  return chosen.filter((one) => one.score > best - FAR);
}

/** What a set loses when the page quotes a text of its lines: all without it, or only some of those with it. */
function strayed(set: LineSet, named: readonly RegExp[], lines: readonly string[]): number {
  if (named.length === 0) return 0;
  const own = set.indices.map((index) => lines[index] ?? "");
  const share = Math.max(...named.map((text) => own.filter((line) => text.test(line)).length / own.length));
  if (share < 0.5) return 7;
  const whole = named.some((text) => set.anchors.includes(text.source));
  return whole ? 0 : 4;
}

/** "src/a.c:12", "lib/b.py(3)": a file and a line number at the start of the line. */
const LOCATION = "^\\s*(?:[A-Za-z]:)?[\\w.+~@/\\\\-]*[\\w-]\\.?\\w*[:(]\\d+";

interface Union {
  text: string;
  source: string;
  isQuoted: boolean;
}

/** Texts that one sentence gives as alternatives are one: "client logged in" as well as "client login failed". */
function unionsOf(texts: readonly Text[]): Union[] {
  const bySentence = new Map<string, Text[]>();
  for (const text of texts) bySentence.set(text.sentence, [...(bySentence.get(text.sentence) ?? []), text]);
  return [...bySentence.values()].map((own) => {
    const source =
      own.length === 1 ? (own[0]?.source ?? "") : `(?:${own.map((one) => one.source).join("|")})`;
    return {
      text: own.map((one) => `"${one.text}"`).join(" or "),
      source,
      isQuoted: own.every((one) => one.isQuoted),
    };
  });
}

const MAX_FAMILIES = 4;
/** Sets with so much less of the page's words are not tried. */
const FAR = 9;

/** Lines of one form, whatever their words: pages that describe nothing but the parts of a line. */
function byForm(known: readonly LineSet[], forms: readonly Form[], lines: readonly string[]): LineSet[] {
  const scores = new Map(forms.flatMap((form) => form.indices.map((index) => [index, form.score] as const)));
  return familiesOf(lines)
    .filter(({ indices }) => indices.length >= 2)
    .map(({ indices }) => {
      const total = indices.reduce((sum, index) => sum + (scores.get(index) ?? 0), 0);
      const score = total / indices.length + 0.5 * Math.log2(1 + indices.length);
      return { indices, anchors: [], score, why: "lines of one form", isTold: false };
    })
    .filter(
      (one) =>
        !known.some(
          (other) => other.indices.length === one.indices.length && other.indices[0] === one.indices[0],
        ),
    )
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_FAMILIES);
}

/** Lines that differ in their numbers only are one form. */
function formsOf(lines: readonly string[]): Form[] {
  const forms = new Map<string, Form>();
  lines.forEach((line, index) => {
    if (line.length > MAX_LINE || !/\p{L}/u.test(line)) return;
    const id = line.replace(/\b0x[0-9a-f]+\b|\b[0-9a-f]{12,}\b|\d+/gi, "9");
    const known = forms.get(id);
    if (known !== undefined) known.indices.push(index);
    else if (forms.size < MAX_FORMS) forms.set(id, { indices: [index], line, keys: keysOf(line), score: 0 });
  });
  return [...forms.values()];
}

/** Gives every form its score; the weights of the words by how few forms have them. */
function weigh(forms: readonly Form[], vocabulary: Vocabulary, page: Page): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { keys } of forms) for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  const short = shortForms(vocabulary, counts.keys());
  const idf = new Map<string, number>();
  for (const [key, count] of counts) {
    const own = vocabulary.get(key) ?? 0.7 * (vocabulary.get(short.get(key) ?? "") ?? 0);
    if (own === 0) continue;
    idf.set(key, own * Math.min(3.5, Math.log2((forms.length + 1) / (count + 0.2)) * 0.6));
  }
  for (const form of forms as Form[]) {
    for (const key of form.keys) {
      form.score += Math.max(0, idf.get(key) ?? 0);
      if (page.unwantedStems.has(stem(key))) form.score -= 2.5;
    }
    for (const text of page.unwanted) if (form.line.includes(text)) form.score -= 4;
  }
  return idf;
}

/** The word of a line with a key. */
function wordOf(line: string, key: string): string | undefined {
  for (const match of line.matchAll(/[A-Za-z][A-Za-z]+/g)) if (keysOf(match[0]).has(key)) return match[0];
  return undefined;
}

function wordSource(word: string): string {
  return `(?<![A-Za-z])${escapeRegex(word)}(?![A-Za-z])`;
}

interface Text {
  text: string;
  source: string;
  /** The sentence that names it. */
  sentence: string;
  /** Quoted, not only written as a log would write it. */
  isQuoted: boolean;
}

/** Texts that the page quotes, or writes as only a log would, and that stand in some lines of the log. */
export function textsOf(group: Group, page: Page, lines: readonly string[]): Text[] {
  const found: Text[] = [];
  const hints = [...(group.value === undefined ? [] : [group.value]), ...group.fields];
  // Texts of a part tell no lines.
  const shown = new Set(hints.flatMap((hint) => hint.literals));
  const sentences = page.statements.flatMap((one) => one.sentences.map(({ text }) => text));
  const add = (text: string, isQuoted: boolean): void => {
    const trimmed = text.trim();
    if (trimmed.length < 3 || page.unwanted.includes(trimmed) || shown.has(trimmed)) return;
    const source = textSource(trimmed);
    if (found.some((one) => one.source === source)) return;
    const regex = new RegExp(source);
    const share = lines.filter((line) => line.length <= MAX_LINE && regex.test(line)).length;
    const sentence = sentences.find((one) => one.includes(trimmed)) ?? trimmed;
    if (share > 0 && share < lines.length) found.push({ text: trimmed, source, sentence, isQuoted });
  };
  for (const rule of page.rules) {
    if (rule.name === "" && !rule.negate && rule.match === undefined)
      for (const text of rule.equals) add(text, true);
  }
  // "Attributes, e.g. `x`": one of many.
  const isSample = (text: string): boolean =>
    page.statements.some(({ text: said }) =>
      new RegExp(
        `\\b(?:e\\.g\\.|for example|for instance|such as|like),? [^.;]{0,20}?[\`"]?${escapeRegex(text)}`,
      ).test(said),
    );
  for (const text of group.wanted) if (!isSample(text)) add(text, true);
  for (const example of group.examples) if (example.lines.length === 1) add(example.lines[0] ?? "", true);
  // "the name after `End of`": the border of the value.
  for (const span of quotedIn(group.value?.description ?? ""))
    if (/[A-Za-z]{3}/.test(span.text) && !found.some((one) => one.text.includes(span.text.trim())))
      add(span.text, false);
  for (const text of sentences) {
    if (NEGATIVE.test(bare(text)) || /\bfields?\b/i.test(text)) continue;
    for (const [word] of bare(text).matchAll(LOG_WORD))
      if (!/^(?:and\/or|I\/O|[a-z]+\/[a-z]+)$/i.test(word) && !isFieldName(word, group)) add(word, false);
  }
  return found.slice(0, 8);
}

/** Words that only a log writes like that: paths, names with marks, several words in capitals. */
const LOG_WORD = /(?<![\w/.-])[\w.]*[/_=][\w./=-]*\w[/=]?|(?<![\w-])[A-Z]{2,}(?:[ _-][A-Z]{2,})+(?![\w-])/g;

/** Codes in the sentences of the page that say what is not wanted: "1FA", "ERR_42". */
export function unwantedCodes(page: Page, lines: readonly string[]): string[] {
  const sentences = page.statements.flatMap((one) => one.sentences.map(({ text }) => text));
  const codes = sentences
    .filter((text) => NEGATIVE.test(bare(text)) && !/\b(?:only|value|fields?)\b/i.test(text))
    .flatMap(
      (text) =>
        bare(text).match(
          /(?<![\w/.-])(?:[A-Z]+\d[A-Z\d]*|\d+[A-Z]+[A-Z\d]*|[A-Z]{2,}(?:_[A-Z\d]+)+)(?![\w-])/g,
        ) ?? [],
    );
  return [...new Set(codes)].filter((code) => lines.some((line) => line.includes(code)));
}

function isFieldName(text: string, group: Group): boolean {
  return group.fields.some((hint) => hint.name === text.toLowerCase());
}

/** "Unsuccessful ... by user '...'": dots stand for any text. */
function textSource(text: string): string {
  const pieces = text
    .split(/\s*(?:\.\.\.|…)\s*/)
    .map((piece) => escapeRegex(piece.trim()).replace(/\\? +/g, "\\s+"));
  const border = /^\w/.test(text) ? "(?<!\\w)" : "";
  return border + pieces.filter((piece) => piece !== "").join(".*?") + (/\w$/.test(text) ? "(?!\\w)" : "");
}

/** Is this quoted text a piece of longer lines of the log, so that the page shows no whole line? */
export function isFragment(text: string, lines: readonly string[]): boolean {
  const regex = new RegExp(textSource(text.trim()));
  const having = lines.filter((line) => line.length <= MAX_LINE && regex.test(line)).slice(0, 40);
  if (having.length === 0) return false;
  const fixed = text.replace(/\.\.\.|…/g, "").trim().length;
  return having.every((line) => line.trim().length > fixed * 1.6 + 8);
}
