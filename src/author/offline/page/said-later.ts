// What a sentence behind the list of the fields says of them: "the former is ..., the latter ...", "the columns are a, b and c, in this
// order", "the serial is the number behind the dash". Only fields of which the list itself says nothing get a description from it.

import { FIELDS_START, valueIn } from "./groups.ts";
import { makeHint } from "./make-hint.ts";
import { similarity } from "./names.ts";
import type { Group, Hint } from "./page.ts";
import { splitList } from "./text.ts";

const IS = "(?:is|are|means?|gives?|names?|tells?|says?|has|stands?|comes?|follows?|sits?)";
const FORMER = new RegExp(
  `^the (?:former|first(?: of (?:them|these|the two|both))?) (?:${IS} )?(.+?)[;,.] (?:and |while |but )?the (?:latter|second(?: of (?:them|these|the two|both))?) (?:${IS} )?(.+)$`,
  "is",
);
const ORDERED =
  /^(?:(?:the|their|its) )?(columns?|keys|headings|headers|names in the (?:log|heading)|texts|examples|words) (?:(?:for|of) (?:them|these) )?(?:are|are called|are named|read)[: ]+(.+?)(?:,? (?:in (?:this|that|the same) order|respectively|one (?:by|after) (?:one|the other)))\W*$/i;
/** "The serial is the number behind the dash": what is told of a field, and not of its lines. */
const TOLD =
  /^(?:the|its) ([a-z][\w -]{1,30}?) (?:is|are) ((?:the|a|an|in|between|behind|after|in front of|inside|taken|what|that|those|from|always the)\b[^.;]*)/i;
const NO_PART =
  /\b(?:not (?:wanted|needed|meant|an? (?:item|field|record))|no (?:item|field|record)|optional|missing|item|record|violation|wanted|ignored|same as)\b/i;

/** What the sentences of one statement say of the value and fields that it names before. */
export function readLater(group: Group, sentences: readonly string[]): void {
  const start = sentences.findIndex((text) => FIELDS_START.test(text));
  sentences.forEach((text, at) => {
    // "The address of the client; the port has its own field".
    const apart = OWN_FIELD.exec(text)?.[1];
    const named = valueIn(text) ?? (at > 0 ? valueIn(sentences[at - 1] ?? "") : undefined);
    if (apart !== undefined && group.value !== undefined && named !== undefined)
      group.value.description += `, without ${apart}`;
    if (start >= 0 && at > start) saidLater(text, sentences[at + 1] ?? "", group);
  });
}

/** "the port has its own field" */
const OWN_FIELD =
  /(?:^|[;,.] )(?:and |but )?(the [a-z]+) (?:has|is|gets|stands in|goes into|makes) (?:its|an|a) (?:own field|field of its own|extra field|separate field)\b/i;

/** Gives the fields what a later sentence says of them; was it such a sentence? */
function saidLater(text: string, next: string, { fields }: Group): boolean {
  const plain = text.replace(/[.\s]+$/, "");
  const both = FORMER.exec(plain) ?? FORMER.exec(`${plain}. ${next.replace(/[.\s]+$/, "")}`);
  const lastTwo = fields.slice(-2);
  if (both !== null && lastTwo.length === 2 && lastTwo.every(isOpen)) {
    lastTwo.forEach((hint, at) => {
      give(hint, both[at + 1] ?? "");
    });
    return true;
  }
  const [, what = "", list = ""] = ORDERED.exec(plain) ?? [];
  const names =
    list === "" ? [] : splitList(list).map((one) => one.replace(/^and /, "").replace(/[`"]/g, "").trim());
  if (names.length >= 2 && names.length === fields.length && fields.every(isOpen)) {
    const isText = /^(?:texts|examples|words)/i.test(what);
    fields.forEach((hint, at) => {
      give(hint, isText ? `(\`${names[at] ?? ""}\`)` : `(column ${names[at] ?? ""})`);
    });
    return true;
  }
  const [, name = "", told = ""] = TOLD.exec(plain) ?? [];
  const meant = fields.find((hint) => isOpen(hint) && similarity(hint.name, name) >= 0.9);
  if (meant === undefined || NO_PART.test(told)) return false;
  give(meant, told.replace(/^taken /i, ""));
  return true;
}

function isOpen({ description }: Hint): boolean {
  return description.replace(/\W/g, "") === "";
}

function give(hint: Hint, told: string): void {
  const made = makeHint(hint.name, told.trim());
  Object.assign(hint, made, { optional: hint.optional || made.optional });
}
