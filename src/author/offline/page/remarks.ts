// What sentences of their own and lists say about values and fields that were read before: that a part may have blanks,
// that only some lines have it, what it looks like.

import { cutIn, plainCuts } from "./cuts.ts";
import { FIELDS_START, valueIn } from "./groups.ts";
import { makeHint } from "./make-hint.ts";
import { readMissing } from "./missing.ts";
import { matchNames, similarity, stemsOf } from "./names.ts";
import { mayBeMissing } from "./optional.ts";
import type { Group, Hint, Listed } from "./page.ts";
import { readLater } from "./said-later.ts";
import { bare, quotedIn, type Statement } from "./text.ts";

/** "It is blank for parameters that are not set": about the last field of the sentence before. */
function blankRemark(text: string, before: string, hints: readonly Hint[]): boolean {
  const said =
    /^(?:it|they) (?:is|are|may be|can be) (?:then )?(blank|empty|missing|absent|left out)\b/i.exec(
      text,
    )?.[1];
  if (said === undefined && !(SUBJECTLESS.test(text) && mayBeMissing(text))) return false;
  const stems = stemsOf(before);
  const hint = hints
    .filter(({ name }) => [...stemsOf(name.replace(/_/g, " "))].every((one) => stems.has(one)))
    .at(-1);
  if (hint === undefined || (said === undefined && hint === hints[0])) return false;
  if (said === undefined && hint.optional) return true;
  hint.optional = true;
  hint.description += said === undefined ? `, ${text}` : `, sometimes ${said}`;
  return true;
}

/** What is said of something that was named before: "may be absent", "not all lines have it", "leave it out where ...". */
const SUBJECTLESS =
  /^(?:(?:it|they) (?:(?:may|can|could|might|need) |(?:is|are) (?:only|not|sometimes|often) )|(?:may|can|could|might) (?:also )?be |optional(?:ly)?\b|(?:not (?:all|every|each)|some|many|most|older|newer) (?:of the )?\w+ (?:have|has|lack|lacks|print|prints|show|shows|carry|carries|give|gives|name|names|bring|brings|contain|contains|do not|does not)(?: (?:it|one|that|this|any|none))?\W*$|(?:leave|drop|omit|skip) (?:it|them|the field) (?:out )?(?:where|when|if|unless)\b|(?:omitted|missing|absent|empty|blank|left out|only (?:there|given|printed|present)) (?:where|when|if|unless|with|for)\b)/i;

/** "... the full stop of the sentence before the closing quote; it is no part of the address." */
function stopRemark(text: string, before: string, hints: readonly Hint[]): boolean {
  const owner =
    /\b(?:it|that|this|which) (?:is|are) (?:no|not (?:a )?) ?part of (?:the |its )?([a-z]+)/i.exec(text)?.[1];
  if (owner === undefined || !/\bfull stop\b/i.test(`${before} ${text}`)) return false;
  const named = stemsOf(owner);
  const hint =
    hints.find(({ name }) => [...stemsOf(name.replace(/_/g, " "))].some((one) => named.has(one))) ??
    hints.find(({ kind }) => kind === owner.toLowerCase());
  if (hint !== undefined) hint.description += ", without the full stop";
  return hint !== undefined;
}

/** "It is what the parentheses at the end contain", "It stands behind the dash": more about the value. */
function goesOn(text: string, before: string, group: Group): void {
  const isPlace =
    /^(?:it|this) (?:is (?:what|in|behind|after|before|between|inside|the (?:first|second|third|last))|stands|comes|follows|sits|(?:ends|stops) (?:at|with|before|in front of)|(?:begins|starts) (?:behind|after)|does not (?:include|contain|have))\b/i.test(
      text,
    );
  if (!isPlace || group.value === undefined || valueIn(before) === undefined) return;
  Object.assign(group.value, {
    description: `${group.value.description}, ${plainCuts(text.replace(/[.]$/, "").replace(/^(?:it|this) (?:is|stands) /i, ""))}`,
  });
}

/** "Please cut off the port": about the value or the last field of the sentence before. */
function cutRemark(text: string, before: string, group: Group): boolean {
  const cut = cutIn(text);
  if (cut === undefined || group.value === undefined) return false;
  const isValue = valueIn(before) !== undefined;
  const last = isValue ? group.value : FIELDS_START.test(before) ? group.fields.at(-1) : undefined;
  if (last === undefined) return false;
  Object.assign(last, { description: `${last.description}, ${cut}` });
  return true;
}

/** "the source address; an IPv6 address without its square brackets": about all addresses. */
function addressRemark(text: string, hints: readonly Hint[]): boolean {
  if (!/^\W*(?:an )?IPv6\b[^.;]*\bwithout\b[^.;]*\bbrackets\b/i.test(text)) return false;
  for (const hint of hints) if (hint.kind === "address") hint.description += `, ${text}`;
  return true;
}

/** "Cells may be blank", "some fields are empty": any of them. */
const EMPTY_CELLS =
  /^(?:some |the |single |any |many )?(?:cells?|columns?|fields?|parts?|entries) (?:(?:may|can|could|might) be|are|is) (?:sometimes |often |partly |mostly )?(?:empty|blank)\b/i;

function emptyCells(text: string, fields: readonly Hint[]): boolean {
  if (!EMPTY_CELLS.test(text)) return false;
  for (const hint of fields) hint.optional = true;
  return true;
}

/** Sentences of their own belong to the descriptions of the parts that they are about. */
export function readRemarks(group: Group, statements: readonly Statement[]): void {
  if (group.value === undefined) return;
  const hints = [group.value, ...group.fields];
  for (const { sentences } of statements)
    readLater(
      group,
      sentences.map(({ text }) => text),
    );
  alike(hints);
  manyMissing(group, statements);
  // "(user and uid are missing when root did it)".
  for (const { description } of hints) if (/ and /.test(description)) readMissing(description, "", hints);
  for (const { sentences } of statements) {
    for (const [index, { text }] of sentences.entries()) {
      const before = sentences[index - 1]?.text ?? "";
      if (stopRemark(text, before, hints)) continue;
      if (cutRemark(text, before, group)) continue;
      goesOn(text, before, group);
      defined(text, hints);
      if (addressRemark(text, hints) || blankRemark(text, before, hints)) continue;
      if (valueIn(text) !== undefined || FIELDS_START.test(text)) continue;
      if (emptyCells(text, group.fields) || mayHold(text, before, hints)) continue;
      readMissing(text, before, hints);
    }
  }
}

/** "The level is everything up to the first colon": what a field without a description of its own is. */
function defined(text: string, hints: readonly Hint[]): void {
  const [, name = "", told = ""] =
    /^(?:the|its) ([\w -]+?) (?:is|are) ((?:everything|all|anything|what(?:ever)?|the (?:whole )?text)\b[^;]*)$/i.exec(
      text.replace(/[.\s]+$/, ""),
    ) ?? [];
  const meant = hints.find((hint) => hint.description === "" && similarity(hint.name, name) >= 0.9);
  if (meant === undefined) return;
  const hint = makeHint(meant.name, told);
  Object.assign(meant, hint, { optional: meant.optional || hint.optional });
}

const MAY_HOLD =
  /\b(?:may|can|could|might)\b[^.;]*?\b(?:contain|have|include|consist of|hold|be)\b[^.;]*\b(?:blanks?|spaces?|(?:several|many|more than one|two|three) words?|empty|blank)\b/i;

/** "Names may contain blanks": about the first part whose name stands in front of it. */
function mayHold(text: string, before: string, hints: readonly Hint[]): boolean {
  const said = MAY_HOLD.exec(text);
  if (said === null) return false;
  const subject = text.slice(0, said.index);
  // "it may contain blanks" is about what the statement was about so far.
  const stems = stemsOf(/^\s*(?:it|they|this|these)\b/i.test(subject) ? before : subject);
  const meant = hints.find((hint) => {
    const head = hint.name.split("_").at(-1) ?? "";
    return head !== "" && [...stemsOf(head)].every((one) => stems.has(one));
  });
  if (meant === undefined) return true;
  meant.description = `${meant.description}, ${said[0]}`;
  if (/\b(?:empty|blank)$/i.test(said[0])) meant.optional = true;
  return true;
}

/** What a list says about a part ("the WWID in parentheses") holds for the value or field of that name. */
export function describe(groups: readonly Group[], lists: readonly Listed[]): void {
  for (const group of groups) {
    const hints = [...(group.value === undefined ? [] : [group.value]), ...group.fields];
    for (const { names, texts, context } of lists) {
      // A list of what is not wanted says nothing about the parts.
      if (/\b(?:is|are) (?:not|no)\b[^,;:]*$/i.test(bare(context))) continue;
      matchNames(names, hints).forEach((hint, index) => {
        const text = (texts[index] ?? "").trim();
        const name = names[index] ?? "";
        const rest = text.replace(/[`"]/g, "").replace(name, "").trim();
        if (hint === undefined || rest.length < 5 || hint.description.includes(rest)) return;
        if (quotedIn(text).some((span) => span.mark === "code" && span.text === hint.name)) return;
        if (hint.description.length > name.length + 12 && hint !== group.value) return;
        Object.assign(hint, makeHint(hint.name, `${hint.description} (${text})`.trim()), {
          choices: hint.choices,
          ...(hint.kind === undefined ? {} : { kind: hint.kind }),
          optional: hint.optional,
          wholeLine: hint.wholeLine,
        });
      });
    }
  }
}

const MAY_LACK =
  "(?:(?:may|might|can|could)(?: also| well)? be|(?:is|are)(?: sometimes| often)?) (?:missing|absent|left out|omitted|empty|blank|optional|not there)";
const ALL_LACK = new RegExp(
  `\\b(?:each|any|all|every one|any one|some|several|most)(?: one)?(?: of (?:them|these|which|those))? (?:fields? )?${MAY_LACK}\\b|\\b(?:they|these|which) may (?:all|each) be (?:missing|absent)\\b|\\(all optional\\)|\\ball (?:of them )?optional\\b`,
  "i",
);
const TWO_LACK = new RegExp(`\\b(?:either|both)(?: one)?(?: of (?:them|these|which))? ${MAY_LACK}\\b`, "i");

/** "`a`, `b`, `c`; each may be missing", "`a`, `b` (either can be missing), `c`". */
function manyMissing({ fields }: Group, statements: readonly Statement[]): void {
  fields.forEach((hint, index) => {
    const before = fields[index - 1];
    if (before === undefined || !TWO_LACK.test(hint.description)) return;
    hint.optional = true;
    before.optional = true;
  });
  for (const { text, sentences } of statements) {
    const said = sentences.some((one) => FIELDS_START.test(one.text)) || FIELDS_START.test(text);
    // What stands in brackets is about the part in front of it.
    if (said && ALL_LACK.test(bare(text).replace(/\([^()]*\)/g, " ")))
      for (const hint of fields) hint.optional = true;
  }
}

/** "the end, without what stands in brackets" and "the start (likewise)": what is said of the one holds for the other. */
function alike(hints: readonly Hint[]): void {
  hints.forEach((hint, index) => {
    const before = hints[index - 1];
    const mark =
      /\b(?:before|in front of|after|behind|up to) (?:the |its |an? )((?!it\b)[a-z]+(?: [a-z]+)?)/i.exec(
        before?.description ?? "",
      )?.[1];
    if (mark !== undefined && /\b(?:after|behind|before|in front of) it\b/i.test(hint.description))
      Object.assign(
        hint,
        makeHint(
          hint.name,
          hint.description.replace(/\b(after|behind|before|in front of) it\b/gi, `$1 the ${mark}`),
        ),
      );
    if (before === undefined || !/\b(?:likewise|in the same way|ditto|as well)\b/i.test(hint.description))
      return;
    const said = /\b(?:with|without|up to|as (?:printed|shown|written))\b[^.;]*/i.exec(
      before.description,
    )?.[0];
    if (said !== undefined) hint.description = `${hint.description} (${said.replace(/[()]/g, "")})`;
  });
}
