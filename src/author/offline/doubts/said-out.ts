// What the page says of records that are not wanted, looked for in the records themselves: a sign in the line ("⚠"), a text that is
// the whole of a part ("printed as Unknown"), a dash in place of the value.

import { stemsOf } from "../page/names.ts";
import type { Group, Page } from "../page/page.ts";
import { clausesOf, saysUnwanted } from "../page/polarity.ts";
import { bare, quotedIn } from "../page/text.ts";
import type { Extracted } from "../program/ir.ts";

/** Doubts about records that have what the page says of unwanted ones. */
export function saidOut(records: readonly Extracted[], group: Group, page: Page): string[] {
  if (records.length === 0) return [];
  const sentences = [...page.statements, ...page.sourceStatements].flatMap((one) =>
    one.sentences.map(({ text }) => text),
  );
  return [
    ...signs(records, sentences),
    ...namedTexts(records, group, sentences),
    ...withoutValue(records, group, sentences),
    ...zeros(records, group, sentences),
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
  const clauses = sentences
    .flatMap((text) => clausesOf(text))
    .filter((one) => saysUnwanted(bare(one)) && !/\belse\b/i.test(one));
  const texts = new Set(clauses.flatMap(textsOf));
  if (texts.size === 0) return [];
  const hints = [...(group.value === undefined ? [] : [group.value]), ...group.fields];
  for (const hint of hints) {
    const own = records.map((one) => (hint === group.value ? one.value : (one.fields[hint.name] ?? "")));
    const kinds = new Set(own.filter((text) => text !== ""));
    const hit = [...kinds].find((text) => texts.has(text) && !hint.literals.includes(text));
    if (hit === undefined || kinds.size === 1 || hint.kind === "text") continue;
    const where = hint === group.value ? "the value" : `the ${hint.name}`;
    return [`the page rules out ${hit}, and it is ${where} of a record`];
  }
  return [];
}

/** Quoted texts, and words that begin with a capital inside of the clause. */
function textsOf(clause: string): string[] {
  const own = clause.replace(ELSE, "");
  const words = [...bare(own).matchAll(/(?<=[a-z,] )(?:[A-Z][\w-]+)(?![\w=:-])/g)].map(([word]) => word);
  // "Other types (minor, trivial) are not wanted".
  const listed = [...bare(clause).matchAll(/\(([a-z][\w-]*(?:, (?:and |or )?[a-z][\w-]*)+)\)/g)].flatMap(
    (match) => (match[1] ?? "").split(/, (?:and |or )?/),
  );
  const quoted = quotedIn(own).map((span) => span.text.trim());
  return [...quoted, ...words, ...listed].filter((text) => text.length > 1);
}

const ZERO = /^[-+]?0+(?:[.,]0+)?\s?%?$/;

/** "Layers with 0 hits are not wanted": the part that is named is 0 in some records. */
function zeros(records: readonly Extracted[], group: Group, sentences: readonly string[]): string[] {
  const said = sentences
    .flatMap((text) => clausesOf(text))
    .filter((text) => saysUnwanted(bare(text)) && !ELSE.test(bare(text)))
    .find((text) => /(?<![\w.])(?:0|zero)(?![\w.]*\d)/i.test(bare(text)));
  if (said === undefined) return [];
  const stems = stemsOf(bare(said));
  const named = group.fields.filter((hint) =>
    [...stemsOf(hint.name.replace(/_/g, " "))].every((word) => stems.has(word)),
  );
  const [hint, ...more] = named;
  if (hint === undefined || more.length > 0) return [];
  const having = records.filter(({ fields }) => ZERO.test(fields[hint.name] ?? "")).length;
  return having === 0 || having === records.length
    ? []
    : [`the page rules out what has 0, and the ${hint.name} of ${having} records is: ${said}`];
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
