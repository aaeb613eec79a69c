// The words of a page that are about what is wanted. A word that only the exclusions have says nothing of the lines
// that are wanted.

import { stemsOf } from "./names.ts";
import type { Page } from "./page.ts";
import { bare, NEGATIVE } from "./text.ts";

/** Stems of the sentences that do not speak of what is not wanted. */
export function wantedStems(page: Page): ReadonlySet<string> {
  const texts = [...page.statements, ...page.sourceStatements].flatMap((one) =>
    one.sentences.map(({ text }) => bare(text)),
  );
  return stemsOf(texts.filter((text) => !NEGATIVE.test(text)).join(" "));
}

/** "Only su, and only when ...": the word right behind "only", in the sentences of section 1 without their quotes. */
export function onlyWords(page: Page): Set<string> {
  const words = new Set<string>();
  for (const { sentences } of page.statements)
    for (const { text } of sentences)
      for (const match of bare(text).matchAll(
        /\bonly (?!(?:the|an?|when|if|those|these|lines?|for|with|in|of|on|at|to|by|after|once|one|where|records?|from|as|is|are|and|or)\b)([A-Za-z][\w.-]*\w)(?=[\s,.;]|$)/gi,
      ))
        words.add(match[1] ?? "");
  return words;
}
