// Blank cells that have the text of the row above: the columns of which the page says so.

import { stem, stemsOf, wordsOf } from "../../page/names.ts";
import type { Hint, Page } from "../../page/page.ts";

const BLANK = /\b(?:blank|empty|left out|printed only|given only|shown only|not repeated)\b/i;
const APPLIES =
  /\b(?:appl(?:y|ies)|carried|same as (?:above|before|in the row)|(?:name|text|value|one|row|line) above|only (?:in|for|on) the first|not repeated)\b/i;

/** The hints whose blank cells repeat the row above. */
export function carriedHints(page: Page, hints: readonly Hint[]): Hint[] {
  const carried = new Set<Hint>();
  for (const { sentences } of [...page.statements, ...page.sourceStatements]) {
    for (const { text } of sentences) {
      if (!BLANK.test(text) || !APPLIES.test(text)) continue;
      const words = stemsOf(text);
      for (const hint of hints) {
        const own = wordsOf(hint.name)
          .filter((word) => !GENERIC.has(word))
          .map(stem);
        if (own.length > 0 && own.some((word) => words.has(word))) carried.add(hint);
      }
    }
  }
  return [...carried];
}

const GENERIC = new Set("name number id text value version type".split(" "));
