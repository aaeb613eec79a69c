// Examples that a page takes apart itself: "`a.c:7: unused x` has the value `x`, the file a.c and the line 7". The texts are
// shown for the value and the fields; the sentence opens no second kind of record.

import { isExampleLike } from "./examples.ts";
import { wordsOf } from "./names.ts";
import type { Group } from "./page.ts";
import { quotedIn, type Sentence } from "./text.ts";

/** What stands between the example and its parts. */
const SHOWS =
  /^[\s,]*(?:(?:has|gives?|yields?|makes?|becomes|means|stands for|contributes|produces|results in|leads to|with)\b|[-–—:=→]+>?\s|\()/i;

/** Does the sentence show an example line and then say what its parts are? */
export function isWorked({ text }: Sentence): boolean {
  const span = quotedIn(text).find(isExampleLike);
  return (
    span !== undefined &&
    SHOWS.test(text.slice(span.end)) &&
    /\b(?:value|fields?)\b/i.test(text.slice(span.end)) &&
    !/\b(?:value|fields?)\b/i.test(text.slice(0, span.start))
  );
}

/** The texts that such a sentence shows, given to the value and the fields of the group. */
export function readWorked({ text }: Sentence, group: Group): void {
  const span = quotedIn(text).find(isExampleLike);
  if (span === undefined) return;
  const said = text.slice(span.end);
  const parts = [
    ...(group.value === undefined ? [] : [{ hint: group.value, names: ["value"] }]),
    ...group.fields.map((hint) => ({ hint, names: [hint.name, wordsOf(hint.name).join(" ")] })),
  ];
  for (const { hint, names } of parts) {
    for (const name of names) {
      const shown = new RegExp(
        `(?<![\\w])\`?${name}\`?\\s*(?:is|of|being|:|=)?\\s+(?:\`([^\`]+)\`|"([^"]+)"|([^\\s,;()][^,;()]*?)(?=,|;|\\.?$|\\)|\\s+and\\s))`,
        "i",
      ).exec(said);
      const found = shown?.slice(1).find((one) => one !== undefined);
      if (found === undefined || found.length >= span.text.length || !span.text.includes(found)) continue;
      if (!hint.literals.includes(found)) hint.literals.unshift(found);
      break;
    }
  }
}
