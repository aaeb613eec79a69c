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
