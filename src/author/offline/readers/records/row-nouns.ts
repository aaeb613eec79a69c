// What the page calls the rows below a heading: "its findings follow, one per line", "a line per error", "the results of a rule
// stand below its heading". The line of a record that the page numbers by such a word is the row, and not the heading.

import { stem, wordsOf } from "../../page/names.ts";
import type { Page } from "../../page/page.ts";
import { bare } from "../../page/text.ts";

const FORMS: readonly RegExp[] = [
  /\b(?:an?|one) (?:\w+ )?(?:line|row) (?:per|for each|for every|to each|each for(?: the)?) ([a-z]+)/gi,
  /\b(?:its|the|their|all|then|with|some|several|more) (?:[a-z]+ )?([a-z]+s)(?:,? (?:each |all )?(?:on|in) (?:a line|lines) of (?:its|their) own|,? one (?:per|a|to a) line|,? (?:in it |of it |there )?(?:follow|come next|are listed below|stand below))\b/gi,
  /\b([a-z]+s) (?:of|in|for|on) [^,.;:]{1,40}? (?:stand|come|are (?:listed|printed|given)|follow) (?:\w+ )?(?:below|under|behind|after)\b/gi,
  /\b(?:below|under|beneath) (?:it|this|that|them|each|the (?:heading|title))[^,.;:]{0,30}? (?:its|the|are|stand|come|follow) (?:the )?([a-z]+s)\b/gi,
  /\b([a-z]+s) (?:stand|come|are listed|are printed|follow) (?:\w+ )?(?:below|under|behind|after)\b/gi,
];

/** Words that name no thing. */
const PLAIN = /^(?:its|this|lines?|rows?|was|has|is|as|details|texts?)$/i;

/** The stems of these words. */
export function rowNouns(page: Page): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { text } of page.statements) {
    const plain = bare(text);
    for (const form of FORMS)
      for (const [, noun = ""] of plain.matchAll(form))
        if (!PLAIN.test(noun)) found.add(stem(noun.toLowerCase()));
  }
  return found;
}

/** Do the words for the line of a record name one of the rows? */
export function isRowNoun(told: string, nouns: ReadonlySet<string>): boolean {
  const words = wordsOf(told)
    .filter((word) => !/^(?:the|line|number|row|of|that|its|an?)$/i.test(word))
    .map(stem);
  return words.length > 0 && words.every((word) => nouns.has(word));
}
