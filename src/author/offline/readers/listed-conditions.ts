// Conditions on parts of a line that the page lists behind its example and that are neither value nor field: "source line,
// branch, number of times taken ... only branches with the count 0". Such a part is read for the condition alone.

import { unrealised } from "../doubts/rules.ts";
import { makeHint } from "../page/make-hint.ts";
import { fieldName, similarity, wordsOf } from "../page/names.ts";
import type { Group, Hint, Page } from "../page/page.ts";
import type { LineRule } from "../program/ir.ts";
import { lineGroup, type RuleCandidate } from "./groups.ts";

/** The rule for lines, with the parts that only the page's conditions need. */
export function lineGroupListed(
  group: Group,
  page: Page,
  lines: readonly string[],
): RuleCandidate | undefined {
  const plain = lineGroup(group, page, lines);
  const needed = neededParts(group, page);
  if (needed.length === 0 || plain === undefined || unrealised(plain.rule, page, lines).length === 0)
    return plain;
  const wider = { ...group, fields: [...group.fields, ...needed] };
  const found = lineGroup(wider, withoutAsked(page), lines);
  const names = new Set(needed.map((hint) => hint.name));
  const isFiltered = (rule: LineRule): boolean => needed.every(({ name }) => filtersOn(rule, name));
  if (found === undefined || !isFiltered(found.rule)) return plain;
  for (const { projection } of found.rule.alternatives)
    projection.fields = projection.fields.filter((field) => !names.has(field.name));
  return found;
}

/** The page without the sentences that ask for a number: it is compared, and no other number of the line is meant. */
function withoutAsked(page: Page): Page {
  const statements = page.statements.map((one) => ({
    ...one,
    sentences: one.sentences.filter(({ text }) => !/\bonly\b[^.;]*\s\d{1,2}\b/i.test(text)),
  }));
  return { ...page, statements };
}

function filtersOn(rule: LineRule, name: string): boolean {
  return rule.alternatives.every(({ projection }) => {
    const source = projection.fields.find((field) => field.name === name)?.source;
    return source?.from === "group" && rule.filters.some((filter) => filter.group === source.group);
  });
}

/** Listed parts of the example that a condition speaks of and no value or field is. */
function neededParts(group: Group, page: Page): Hint[] {
  const hints = [...(group.value === undefined ? [] : [group.value]), ...group.fields];
  return page.rules.flatMap(({ name }) => {
    if (name === "" || hints.some((hint) => similarity(hint.name, name) >= 0.7 || speaksOf(hint, name)))
      return [];
    const shown = page.lists.filter((list) => list.shown === true).flatMap((list) => list.names);
    const ordered = page.lists.flatMap(({ order }) => (order?.line === undefined ? [] : order.items));
    const listed = shown.length > 0 ? shown : ordered.map((item) => item.name);
    const meant = listed.filter((one) => isMeant(name, one));
    const [only] = meant;
    return only === undefined || meant.length > 1 ? [] : [makeHint(fieldName(name), `(${only})`)];
  });
}

/** "the complete command, with ..." is the command. */
function speaksOf({ description }: Hint, name: string): boolean {
  const [said = ""] = description.replace(/^\W+/, "").split(/[,;()]/);
  const own = wordsOf(said);
  return wordsOf(name).every((word) => own.includes(word));
}

/** "the count" is the number of something. */
function isMeant(name: string, listed: string): boolean {
  return similarity(name, listed) >= 0.75 || (/\bcount$/i.test(name) && /^number of\b/i.test(listed));
}
