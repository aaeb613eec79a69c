// Lines that are much like the wanted ones and that the page sets apart from them by the way: it names a word of theirs in a
// sentence about what is not wanted, shows how they look, or quotes a word that every wanted line has. Nothing is left out of
// the records by this; it only says that such lines are rightly not read.

import { wordIn } from "../conditions/exclusions.ts";
import { type Token, tokenize } from "../logs/tokens.ts";
import { rulesOut } from "../page/facts.ts";
import type { Group, Page } from "../page/page.ts";
import { saysUnwanted } from "../page/polarity.ts";
import { bare, NEGATIVE, quotedIn } from "../page/text.ts";

/** "There are the same messages for tasks (`TaskX`)": behind "only ...", such a sentence is about other lines. */
const ALIKE =
  /\b(?:there (?:are|is) (?:the same|similar|such)|looks? (?:much |very |quite )?(?:like|the same|alike|similar)|(?:has|have|with|in) the same (?:form|format|layout|wording)|too|as well|also)\b/i;

/** Does the page set a line apart from the wanted ones? */
export function toldApart(page: Page, group: Group): (line: string) => boolean {
  const examples = group.examples.flatMap((one) => (one.lines.length === 1 ? one.lines : []));
  if (examples.length === 0) return () => false;
  const others = otherTexts(page, examples);
  const words = others.words.map((word) => wordIn(word));
  const shapes = others.lines.map((text) => shapeOf(text));
  // "TEST 7: Cursor": a short text says how lines look that begin with its own word.
  const openings = others.openings.map((text) => ({ word: firstWord(text), shape: shapeOf(text) }));
  const wanted = examples.map((line) => shapeOf(line));
  const fronts = sharedFronts(page.unwanted).filter(
    (front) => !examples.some((line) => line.trimStart().startsWith(front)),
  );
  const needed = neededWords(page, examples).map((word) => wordIn(word));
  return (line) => {
    if (words.some((word) => word.test(line))) return true;
    if (needed.some((word) => !word.test(line))) return true;
    if (fronts.some((front) => line.trimStart().startsWith(front))) return true;
    const own = shapeOf(line);
    const isOpening = openings.some(
      ({ word, shape }) =>
        firstWord(line) === word && begins(own, shape) && !wanted.some((one) => begins(one, shape)),
    );
    if (isOpening) return true;
    return shapes.some(
      (shape) => begins(own, shape) && !wanted.some((one) => begins(own, one.slice(0, shape.length))),
    );
  };
}

/** Words and lines that the page says others have: no example has them, and no sentence about what is wanted. */
function otherTexts(
  page: Page,
  examples: readonly string[],
): { words: string[]; lines: string[]; openings: string[] } {
  const openings: string[] = [];
  const words = new Set<string>();
  const lines: string[] = [];
  const positive = new Set<string>();
  for (const { sentences } of [...page.statements, ...page.sourceStatements]) {
    for (const [index, { text }] of sentences.entries()) {
      const plain = bare(text);
      const only = /\bonly\b/i.test(bare(sentences[index - 1]?.text ?? ""));
      const next = bare(sentences[index + 1]?.text ?? "");
      const negative =
        rulesOut(plain) || saysUnwanted(plain) || (only && ALIKE.test(plain)) || THOSE.test(next);
      const quoted = quotedIn(text).map((span) => span.text);
      const own = [...quoted, plain].flatMap((one) => one.match(/[A-Za-z][\w-]{2,}/g) ?? []);
      if (!negative) for (const word of own) positive.add(word);
      else {
        for (const word of own) if (isTelling(word)) words.add(word);
        for (const [, word = ""] of text.matchAll(/\(`?([A-Za-z][\w-]{2,})`?\)/g)) words.add(word);
        lines.push(
          ...quoted.filter((one) => tokenize(one).filter((token) => token.kind === "word").length > 2),
        );
        openings.push(
          ...quoted.filter(
            (one) => /^[A-Za-z]{3,}/.test(one) && shapeOf(one).length > 3 && !lines.includes(one),
          ),
        );
      }
    }
  }
  const stands = (word: string, line: string): boolean => new RegExp(wordIn(word).source, "i").test(line);
  const free = [...words].filter(
    (word) => !positive.has(word) && !examples.some((line) => stands(word, line)),
  );
  return { words: free, lines, openings };
}

/** "...; these are not wanted" is about the sentence before it. */
const THOSE =
  /^(?:these|those|they|such lines|all of these|both)\b[^.;]*\b(?:not|ignored?|skipped?|left out)\b/i;

/** A name or a code; a plain word says too little. */
function isTelling(word: string): boolean {
  return /[A-Z_\d]/.test(word) && !COMMON.test(word);
}

const COMMON =
  /^(?:The|This|That|These|Those|They|Its?|All|Any|Some|Other|Others|Each|Every|Only|Not|None|Lines?|Rows?|Records?|Entr(?:y|ies)|Items?|Messages?|Files?|Values?|Fields?|Skip|Ignore|Leave|Drop|Do|Don't|And|But|For|From|With|Without|What|Which|When|Where|Whatever|There|Then|Here|Also|Such|Both)$/;

/** "with STP = `Dis`": a quoted word of a sentence about what is wanted that every example has beside its other text. */
function neededWords(page: Page, examples: readonly string[]): string[] {
  const first = page.statements.find((one) => one.depth === 0)?.sentences[0]?.text ?? "";
  if (NEGATIVE.test(bare(first))) return [];
  return quotedIn(first)
    .map((span) => span.text.trim())
    .filter((text) => /^[A-Za-z][\w-]+$/.test(text) && examples.every((line) => wordIn(text).test(line)));
}

/** "`Number of wires`, `Number of cells` and so on": the words that several of them begin with. */
function sharedFronts(texts: readonly string[]): string[] {
  const fronts = texts.flatMap((text) => /^(?:[A-Za-z]+ ){2,}/.exec(text)?.[0] ?? []);
  return [...new Set(fronts.filter((front, index) => fronts.indexOf(front) !== index))];
}

function firstWord(text: string): string {
  return /^\s*([A-Za-z]+)/.exec(text)?.[1] ?? "";
}

/** The kinds of tokens of a line, words as such; dots at the end stand for anything. */
function shapeOf(text: string): string[] {
  const own = text.replace(/\s*(?:\.{3}|…)\s*$/, "");
  return tokenize(own).flatMap((token) => (token.kind === "space" ? [] : [kindOf(token)]));
}

function kindOf(token: Token): string {
  if (token.kind === "punct") return token.text;
  return token.kind === "word" ? "word" : "data";
}

function begins(shape: readonly string[], front: readonly string[]): boolean {
  return front.length > 3 && front.every((one, index) => shape[index] === one);
}
