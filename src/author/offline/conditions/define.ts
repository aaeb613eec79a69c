// Rows of a table that are what the page says its records are ("a foreign one has the part number NON-OWN"), where the row that
// it shows is so, too, and others are not.

import type { Test } from "../page/claim-tests.ts";
import type { Group, Page } from "../page/page.ts";
import { interpretRule } from "../program/interpret.ts";
import type { Extracted, GroupFilter, Rule } from "../program/ir.ts";
import { wordIn } from "./exclusions.ts";
import { hiddenParts, withHidden } from "./hidden-columns.ts";
import { names, type Part, partsOf, textOf } from "./parts.ts";

/** The rules with what the page's definitions ask for, and the sentences that they do. */
export function define(
  rules: readonly Rule[],
  group: Group,
  page: Page,
  lines: readonly string[],
): { rules: readonly Rule[]; said: string[] } {
  const examples = group.examples.flatMap((one) => (one.lines.length === 1 ? one.lines : []));
  if (examples.length === 0 || !rules.every((rule) => rule.kind === "table")) return { rules, said: [] };
  let current = rules;
  const said: string[] = [];
  for (const definition of page.definitions)
    for (const test of definition.tests) {
      const own = test.texts.some((text) => examples.every((line) => wordIn(text).test(line)));
      const filter =
        own && !test.negate && /^(?:is|prefix)$/.test(test.how)
          ? filterOn(test, current, group, lines)
          : undefined;
      if (filter === undefined) continue;
      current = current.map((rule) => ({ ...rule, filters: [...rule.filters, filter] }));
      said.push(definition.said);
    }
  return { rules: current, said };
}

/** The only part that has the texts in some records, as they are or with more behind them. */
function filterOn(
  test: Test,
  rules: readonly Rule[],
  group: Group,
  lines: readonly string[],
): GroupFilter | undefined {
  const records = withHidden(rules).flatMap((rule) => interpretRule(rule, lines));
  const parts = [...partsOf(rules, group), ...hiddenParts(rules)];
  const found = parts.flatMap((part) => {
    const named = /^(?:names?|title|label|)$/i.test(test.of) || names(part, test.of, []) >= 0.6;
    const isPrefix = test.how === "prefix";
    const exact = isPrefix ? 0 : hits(records, part, (text) => test.texts.includes(text));
    const begins = isPrefix ? test.texts : test.texts.map((text) => `${text} `);
    const more = hits(records, part, (text) => begins.some((one) => text.startsWith(one)));
    if (!named || (exact > 0 && more > 0)) return [];
    const count = exact + more;
    if (count === 0 || count === records.length) return [];
    return [
      exact > 0
        ? { group: part.group, equals: test.texts }
        : { group: part.group, equals: begins, match: "prefix" as const },
    ];
  });
  return found.length === 1 ? found[0] : undefined;
}

function hits(records: readonly Extracted[], part: Part, is: (text: string) => boolean): number {
  return records.filter((record) => is(textOf(record, part))).length;
}
