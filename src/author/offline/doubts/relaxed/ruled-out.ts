// Which lines of a log the page rules out in any way: by claims, words, quoted texts, codes of sentences on what is not wanted.
// Such lines are rightly not read, whether a rule does it or not.

import { wordIn } from "../../conditions/exclusions.ts";
import type { Group, Page } from "../../page/page.ts";
import { saysUnwanted } from "../../page/polarity.ts";
import { bare, NEGATIVE, quotedIn } from "../../page/text.ts";
import { exclusions } from "../elastic.ts";

/** What begins like this is mostly a remark. */
const REMARK = /^\s*(?:#|;|\/\/)/;
const SKIP = /^\W*(?:skip|ignore|leave out|leave|drop|omit|pass over|disregard)\b/i;

/** Does the page rule a line out? `records` are lines that are taken. */
export function ruledOut(group: Group, page: Page, records: ReadonlySet<string>): (line: string) => boolean {
  const excluded = exclusions(group, page, records);
  const remarks = [...records].some((text) => REMARK.test(text));
  const codes = unwantedCodes(page, [...records]).map((code) => wordIn(code, true));
  return (line) => excluded(line) || (!remarks && REMARK.test(line)) || codes.some((one) => one.test(line));
}

/** "Nor are the ones with letters (NMI, LOC ...)", "Skip other blocks: `IKE:`": words in capitals of sentences on what is not
 * wanted, and what they quote, which no record has. */
function unwantedCodes(page: Page, records: readonly string[]): string[] {
  const negative = [...page.statements, ...page.sourceStatements]
    .flatMap((one) => one.sentences.flatMap(({ text }) => text.split(/;\s/)))
    .filter((text) => NEGATIVE.test(bare(text)) || saysUnwanted(bare(text)) || SKIP.test(text));
  const codes = new Set(
    negative.flatMap((text) => [
      ...(text.match(/\b[A-Z][A-Z\d_]+\b/g) ?? []),
      ...quotedIn(text)
        .map((span) => span.text.trim())
        .filter((one) => one.length > 2),
    ]),
  );
  return [...codes].filter((code) => !records.some((line) => line.includes(code)));
}
