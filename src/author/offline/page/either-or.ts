// Words of which a page says that either of them will do: "the left or the right edge".

import { stem } from "./names.ts";
import { bare, NEGATIVE, type Statement } from "./text.ts";

/** Tells whether two words are given as alternatives in a sentence about what is wanted. */
export function eitherOr(statements: readonly Statement[]): (one: string, other: string) => boolean {
  const pairs = new Set<string>();
  const key = (one: string, other: string): string =>
    [one, other]
      .map((word) => stem(word.toLowerCase()))
      .sort()
      .join(" ");
  for (const { text } of statements.flatMap(({ sentences }) => sentences)) {
    const plain = bare(text);
    if (NEGATIVE.test(plain)) continue;
    for (const [, one = "", other = ""] of plain.matchAll(
      /(?<![\w-])(?=([A-Za-z]{3,})(?: or (?:of )?(?:the |an? )?| ?\/ ?)([A-Za-z]{3,})(?![\w-]))/g,
    ))
      pairs.add(key(one, other));
  }
  return (one, other) => pairs.has(key(one, other));
}
