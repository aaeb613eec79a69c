// Words of which a page says that either of them will do: "the left or the right edge".

import { stem } from "./names.ts";
import { bare, NEGATIVE, quotedIn, type Statement } from "./text.ts";

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

/** Texts of a line that the page quotes side by side in a sentence about what is wanted: "only `Pattern match` and `Matched
 * phrase`". */
export function eitherTexts(statements: readonly Statement[]): string[][] {
  return statements
    .flatMap(({ sentences }) => sentences)
    .filter(({ text }) => !NEGATIVE.test(bare(text)) && !/\b(?:values?|fields?)\b/i.test(bare(text)))
    .flatMap(({ text }) => {
      const quoted = quotedIn(text);
      const runs: string[][] = [];
      for (const [index, span] of quoted.entries()) {
        const before = quoted[index - 1];
        const joint = before === undefined ? undefined : text.slice(before.end, span.start);
        const run = runs.at(-1);
        if (
          run !== undefined &&
          joint !== undefined &&
          /^[`"']?\s*(?:,|or|and|,? (?:or|and))\s*[`"']?$/.test(joint)
        )
          run.push(span.text);
        else runs.push([span.text]);
      }
      return runs.filter((run) => run.length > 1 && run.every((one) => one.trim().length > 2));
    });
}

/** "Queries and zone transfers that were denied": the kinds of records that the first sentence names, as stems. */
export function titleKinds(statements: readonly Statement[]): string[][] {
  const title = bare(statements.find((one) => one.depth === 0)?.sentences[0]?.text ?? "");
  const subject =
    /^(?:all |the )?([A-Za-z][\w -]*(?:, [\w -]+)*,? (?:and|or) [\w -]+?) (?:that|which|whose|with|of|by|from|in|on|to)\b/i.exec(
      title,
    )?.[1];
  const kinds = (subject ?? "")
    .split(/,? (?:and|or) |, /)
    .map((one) => one.trim().split(/\s+/).filter(Boolean));
  if (kinds.length < 2 || kinds.some((words) => words.length === 0 || words.length > 2)) return [];
  return kinds.map((words) => words.map((word) => stem(word.toLowerCase())));
}
