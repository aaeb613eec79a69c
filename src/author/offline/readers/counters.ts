// "Only lines where at least one of the three counters is not 0": a condition on several parts of a record, one of
// which has to fulfil it.

import { numberWord } from "../page/names.ts";
import type { Group, Page } from "../page/page.ts";
import { bare } from "../page/text.ts";
import { interpretRule } from "../program/interpret.ts";
import type { Extracted, GroupFilter, LineRule, TableRule } from "../program/ir.ts";

const ANY =
  /\b(?:at least one|one|any)(?: of)?(?: the| its| these| those)?(?: (\w+))?(?: (?:error |event )?(?:counters?|counts?|numbers?|columns?|values?|fields?))\b[^.;]*?\b(?:is|are|has|have|stands?) (?:not (?:at )?(?:0|zero|null)|non-?zero|(?:above|over|greater than|more than|larger than) (?:0|zero)|other than (?:0|zero))/i;

/** The filter for such a sentence, on the numeric fields of the records. */
export function counterFilters(
  rule: LineRule | TableRule,
  group: Group,
  page: Page,
  lines: readonly string[],
): GroupFilter[] {
  const said = page.statements
    .flatMap((one) => one.sentences)
    .map((one) => ANY.exec(bare(one.text)))
    .find((match) => match !== null);
  if (said === undefined || said === null) return [];
  const records = interpretRule(rule, lines);
  const projections =
    rule.kind === "line" ? rule.alternatives.map((one) => one.projection) : [rule.projection];
  // Where the page calls some of the fields counters, the other numbers are none.
  const called = /\bcount/i.test(said[0])
    ? group.fields.filter((hint) =>
        /\bcount(?:er)?s?\b/i.test(`${hint.name.replace(/_/g, " ")} ${hint.description}`),
      )
    : [];
  const groupOf = new Map<string, string>();
  for (const hint of called.length > 0 ? called : group.fields) {
    const texts = records.map((record) => record.fields[hint.name] ?? "");
    const numeric = texts.length > 0 && texts.every((text) => /^\d+(?:\.\d+)?[KMGkm]?$/.test(text));
    const sources = projections.map(
      (projection) => projection.fields.find((field) => field.name === hint.name)?.source,
    );
    const own = new Set(sources.map((source) => (source?.from === "group" ? source.group : undefined)));
    const [name] = own;
    if (numeric && own.size === 1 && name !== undefined) groupOf.set(hint.name, name);
  }
  const names = [...groupOf.keys()];
  // A number that is another one in each record counts the records and nothing else, where it keeps the test from being one.
  const zero =
    (hint: string) =>
    (record: Extracted): boolean =>
      /^0+$/.test(record.fields[hint] ?? "");
  const idle = records.every((record) => !names.every((name) => zero(name)(record)));
  const left = idle
    ? names.filter((name) => !isNumbering(records.map((record) => record.fields[name] ?? "")))
    : names;
  const groups = left.flatMap((name) => groupOf.get(name) ?? []);
  const stated = said[1] === undefined ? undefined : numberWord(said[1]);
  const [first, ...also] = groups;
  if (first === undefined || (stated !== undefined && stated !== groups.length)) return [];
  return [{ group: first, also, equals: ["0"], negate: true }];
}

/** Another number in each of several records. */
function isNumbering(texts: readonly string[]): boolean {
  return texts.length > 3 && new Set(texts).size === texts.length;
}
