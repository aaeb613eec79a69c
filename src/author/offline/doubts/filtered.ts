// Do the conditions of a rule do what the sentence says that they were read from? "Only severity 4 and 5", and those with 5 are
// left out; or a condition on a text that no part ever has.

import type { Page } from "../page/page.ts";
import { bare, NEGATIVE, quotedIn } from "../page/text.ts";
import { interpretRule } from "../program/interpret.ts";
import type { Extracted, GroupFilter, Projection, Rule } from "../program/ir.ts";

/** Doubts about conditions that were read in part, or change nothing. */
export function filtered(rule: Rule, page: Page, lines: readonly string[]): string[] {
  const sentences = [...page.statements, ...page.sourceStatements].flatMap((one) =>
    one.sentences.map(({ text }) => text),
  );
  const ahead = bounds(aheadOf(rule), sentences);
  const filters = rule.filters.flatMap((filter) => {
    if (filter.also !== undefined || filter.match === "letters" || filter.equals.length === 0) return [];
    const open = { ...rule, filters: rule.filters.filter((one) => one !== filter) };
    const texts = textsOf(open, filter.group, lines);
    return [
      ...halfRead(filter, texts, sentences),
      ...idle(filter, texts),
      ...bounds(filter, sentences),
      ...elsewhere(filter, texts, open, lines),
    ];
  });
  return [...ahead, ...filters];
}

/** The number that an expression looks ahead for, as a condition. */
function aheadOf(rule: Rule): GroupFilter {
  const pattern = rule.kind === "line" ? rule.alternatives.map((one) => one.pattern).join(" ") : "";
  const number = /\(\?=[^()]*(?:\([^()]*\)[^()]*)*?\(\?:(\d+)\)/.exec(pattern)?.[1];
  return { group: "", equals: number === undefined ? [] : [number] };
}

/** All texts of a group in the records of a rule. */
function textsOf(rule: Rule, group: string, lines: readonly string[]): string[] {
  const projection: Projection = { value: { from: "group", group }, fields: [] };
  const changed: Rule =
    rule.kind === "line"
      ? { ...rule, alternatives: rule.alternatives.map((one) => ({ ...one, projection })) }
      : { ...rule, projection };
  return interpretRule(changed, lines).map((one: Extracted) => one.value);
}

const COMPARED = new Set<GroupFilter["match"]>(["number", "above", "least", "below", "most"]);

/** "Less than 100.00" of a part of whole numbers, and another part of the rule has just this text in some records. */
function elsewhere(
  filter: GroupFilter,
  texts: readonly string[],
  open: Rule,
  lines: readonly string[],
): string[] {
  const [bound] = filter.equals;
  if (!COMPARED.has(filter.match) || filter.or !== undefined || bound === undefined) return [];
  if (!/^-?\d+\.\d+$/.test(bound) || texts.some((text) => /\d\.\d/.test(text))) return [];
  const projections =
    open.kind === "line" ? open.alternatives.map(({ projection }) => projection) : [open.projection];
  const groups = projections.flatMap(({ fields }) => fields);
  const other = groups.find(
    ({ source }) =>
      source.from === "group" &&
      source.group !== filter.group &&
      textsOf(open, source.group, lines).some((text) => text.trim() === bound),
  );
  return other === undefined
    ? []
    : [`a condition compares whole numbers with ${bound}, and the ${other.name} has just that text`];
}

/** What says which records are meant. */
const TELLING =
  /\b(?:only|just|extract|find|collect|report|wanted|unwanted|take|count|skip|ignore|leave|except|of (?:no )?interest|whose|(?:that|which) (?:is|are|has|have)|needed|items?|records?)\b/i;
const EQUAL = new Set<GroupFilter["match"]>([undefined, "number", "prefix", "contains"]);

/** A sentence that names the texts of a filter and others beside them in a list, and the filter treats those the other way. */
function halfRead(filter: GroupFilter, texts: readonly string[], sentences: readonly string[]): string[] {
  if (!EQUAL.has(filter.match)) return [];
  const seen = new Set(texts);
  for (const text of sentences) {
    if (!TELLING.test(bare(text))) continue;
    if (
      filter.negate !== true &&
      (NEGATIVE.test(bare(text)) || /\bexcept\b|\bnot\b|\bno\b/i.test(bare(text)))
    )
      continue;
    for (const list of listsIn(text)) {
      if (!filter.equals.every((one) => list.includes(one))) continue;
      const other = list.find((one) => !filter.equals.includes(one) && seen.has(one));
      if (other !== undefined)
        return [`the page names ${list.join(", ")} together, and the condition knows no ${other}: ${text}`];
    }
  }
  return [];
}

/** "4 and 5", "`a`, `b` or `c`", "ERROR and FATAL". */
function listsIn(text: string): string[][] {
  const quoted = quotedIn(text);
  let masked = text;
  for (const span of [...quoted].reverse())
    masked = `${masked.slice(0, span.start)}‹${quoted.indexOf(span)}›${masked.slice(span.end)}`;
  const item = "(?:‹\\d+›|\\d+(?!\\w|\\.\\d)|[A-Za-z][\\w-]*)";
  const lists = masked.match(new RegExp(`${item}(?:(?:, (?:and |or )?| and | or |\\/)${item})+`, "g")) ?? [];
  return lists.map((list) =>
    list.split(/, (?:and |or )?| and | or |\//).map((one) => {
      const number = /^‹(\d+)›$/.exec(one)?.[1];
      return number === undefined ? one : (quoted[Number(number)]?.text ?? "");
    }),
  );
}

const BOUND =
  /^[^.;]{0,25}?\b(?:or|and) (?:more|less|above|below|higher|lower|longer|over|greater|fewer|under)\b/i;
const BOUND_BEFORE =
  /\b(?:at (?:least|most)|(?:more|less|greater|fewer|longer|higher|lower) than|above|below|over|under|exceeds?) $/i;

/** "A length of 100 um or more", and the condition asks for just 100. */
function bounds({ equals, match, negate }: GroupFilter, sentences: readonly string[]): string[] {
  const [number = "", ...more] = equals;
  if (negate === true || more.length > 0 || !/^\d+(?:\.\d+)?$/.test(number)) return [];
  if (match !== undefined && match !== "number") return [];
  const said = sentences.find((text) => {
    const found = new RegExp(`(?<![\\w.])${number.replace(".", "\\.")}(?!\\w|\\.\\d)`).exec(text);
    if (found === null) return false;
    const behind = text.slice(found.index + number.length);
    return BOUND.test(behind) || BOUND_BEFORE.test(text.slice(0, found.index));
  });
  return said === undefined
    ? []
    : [`the page sets a bound, and the condition asks for just ${number}: ${said}`];
}

/** Words that are no text of any part. */
const PLAIN = /^(?:the|an?|its?|their|that|this|those|these)$/;

/** A word of the sentence that was taken for a text, and no record has it. */
function idle(filter: GroupFilter, texts: readonly string[]): string[] {
  if (filter.negate !== true || filter.match !== undefined) return [];
  const isPlain = filter.equals.every((one) => PLAIN.test(one));
  return !isPlain || texts.some((text) => filter.equals.includes(text))
    ? []
    : [`a condition of the page was read as "not ${filter.equals.join(" or ")}", which no record is`];
}
