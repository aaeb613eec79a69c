// Conditions that were read out of sentences which explain something and ask for nothing: "a function is given with its
// parameters and contains blanks". Only a part that the page names may have one there.

import { similarity } from "./names.ts";
import type { FieldRule, Hint, Listed } from "./page.ts";
import { saysUnwanted } from "./polarity.ts";
import { bare, NEGATIVE } from "./text.ts";

/** Words by which a sentence says which records are meant. */
const ASKS =
  /\b(?:only|just|nothing but|extract|take|find|collect|pick|report|keep|want|wanted|needs?|needed|look for|of interest|counts?|counted|select|items?|records?|must|has to|have to|those (?:that|which|whose|who|with)|unless|except)\b/i;

/** No name of a part ends or begins with such a word, or is nothing but it. */
const NO_NAME = /^(?:there|it|they|this|that|then|here|and|or|so)\b|\b(?:and|or|there|it|they|them|but)$/i;

/** "Most lines are messages of severity LOG": that is how the log is. */
const MOSTLY =
  /^(?:most|many|some|a few|several|usually|often|sometimes|normally|typically|mostly)\b(?!.*\bwanted\b)/i;

/** What the sentence was read for. */
interface Said {
  /** The sentence that says what records are. */
  title: string | undefined;
  /** Sentences that restrict records for sure. */
  restricting: ReadonlySet<string>;
  hints: readonly Hint[];
  lists: readonly Listed[];
}

/** Is a condition nothing but a part of an explanation? */
export function isExplained(rule: FieldRule, { title, restricting, hints, lists }: Said): boolean {
  if (NO_NAME.test(rule.name)) return true;
  const { said } = rule;
  if (said === undefined || said === title || restricting.has(said)) return false;
  const plain = bare(said);
  if (MOSTLY.test(plain) && !/\bonly\b/i.test(plain)) return true;
  // "The value: the function whose result is dropped": plain words say what the part is.
  if (/^\W*(?:the )?value\W*:/i.test(plain) && !/\bonly\b/i.test(plain))
    return rule.equals.every((one) => /^[a-z][a-z -]*$/.test(one) && !said.includes(`\`${one}\``));
  if (ASKS.test(plain) || NEGATIVE.test(plain) || saysUnwanted(plain)) return false;
  const names = [...hints.map((hint) => hint.name), ...lists.flatMap((list) => list.names)];
  return !names.some((name) => similarity(name, rule.name) >= 0.75);
}
