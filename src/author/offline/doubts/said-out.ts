// What the page says of records that are not wanted, looked for in the records themselves: a sign in the line ("⚠"), a text that is
// the whole of a part ("printed as Unknown"), a dash in place of the value.

import type { Group, Page } from "../page/page.ts";
import { clausesOf, saysUnwanted } from "../page/polarity.ts";
import { bare, quotedIn } from "../page/text.ts";
import { interpretRule } from "../program/interpret.ts";
import type { Extracted, Rule } from "../program/ir.ts";

/** Doubts about records that have what the page says of unwanted ones. */
export function saidOut(
  rules: readonly Rule[],
  group: Group,
  page: Page,
  lines: readonly string[],
): string[] {
  const records = rules.flatMap((rule) => interpretRule(rule, lines));
  if (records.length === 0) return [];
  const sentences = [...page.statements, ...page.sourceStatements].flatMap((one) =>
    one.sentences.map(({ text }) => text),
  );
  return [
    ...signs(records, sentences),
    ...namedTexts(records, group, sentences),
    ...withoutValue(records, group, sentences),
  ];
}

/** Marks that are no letters, no punctuation of sentences and no drawing of trees and tables. */
const SIGN = /[^\p{L}\p{N}\p{P}\p{Z}\p{C}\u2500-\u259f$+<=>^`|~°±×µ²³]/gu;

/** "Only findings marked ✖; those marked ⚠ are not wanted": the records have several of the signs. */
function signs(records: readonly Extracted[], sentences: readonly string[]): string[] {
  const telling = sentences.filter((text) => saysUnwanted(text) || /\bonly\b/i.test(text));
  for (const sign of new Set(telling.flatMap((text) => text.match(SIGN) ?? []))) {
    const having = records.filter(({ content }) => content.includes(sign)).length;
    if (having > 0 && having < records.length)
      return [`the page tells records apart by ${sign}, and ${having} of ${records.length} records have it`];
  }
  return [];
}

/** Behind these words stands what is wanted all the same. */
const ELSE = /\b(?:other than|except(?: for)?|but|unless|apart from|only|as in|like|instead of|than)\b.*$/i;

/** "Attributes printed as Unknown or Invalid are not wanted": just such a text is the value of some records. */
function namedTexts(records: readonly Extracted[], group: Group, sentences: readonly string[]): string[] {
  const clauses = sentences.flatMap((text) => clausesOf(text)).filter((one) => saysUnwanted(bare(one)));
  const texts = new Set(clauses.flatMap(textsOf));
  if (texts.size === 0) return [];
  const known = new Set(group.value?.literals);
  const values = new Set(records.map(({ value }) => value));
  const hit = [...values].find((value) => texts.has(value) && !known.has(value));
  return hit === undefined || values.size === 1
    ? []
    : [`the page rules out ${hit}, and it is the value of a record`];
}

/** Quoted texts, and words that begin with a capital inside of the clause. */
function textsOf(clause: string): string[] {
  const own = clause.replace(ELSE, "");
  const words = [...bare(own).matchAll(/(?<=[a-z,] )(?:[A-Z][\w-]+)(?![\w-])/g)].map(([word]) => word);
  return [...quotedIn(own).map((span) => span.text.trim()), ...words].filter((text) => text.length > 1);
}

const NONE = /^(?:[-–—]+|n\/a|none|null|nil|\(none\)|<none>|unset|unknown|\?+)$/i;
const LACKING = /\b(?:without|lacks?|lacking|missing|blank|empty|not set|unset|dash(?:es)?|hyphens?|no)\b/i;

/** "Requests without a method are left out", and the value of some records is a dash. */
function withoutValue(records: readonly Extracted[], group: Group, sentences: readonly string[]): string[] {
  const hint = group.value;
  if (hint === undefined || hint.literals.some((text) => NONE.test(text))) return [];
  if (/\b(?:dash|hyphen|as printed|n\/a|none)\b/i.test(hint.description)) return [];
  const none = records.filter(({ value }) => NONE.test(value)).length;
  if (none === 0 || none === records.length) return [];
  const said = sentences
    .flatMap((text) => clausesOf(text))
    .find((text) => saysUnwanted(bare(text)) && LACKING.test(bare(text)));
  return said === undefined
    ? []
    : [`the page leaves records without something out, and ${none} records have no value: ${said}`];
}
