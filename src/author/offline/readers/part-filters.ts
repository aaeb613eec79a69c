// The page's conditions on parts of the lines as filters, for the two readings of prose.

import { filterOf, holds } from "../page/conditions.ts";
import { similarity } from "../page/names.ts";
import type { Group, Page } from "../page/page.ts";
import type { GroupFilter, Projection } from "../program/ir.ts";

/** Filters on the groups of an expression for the conditions that speak of its value or fields. `texts`: the lines that
 * it matches. */
export function filtersOnParts(
  projection: Projection,
  group: Group,
  page: Page,
  pattern: string,
  texts: readonly string[],
): GroupFilter[] {
  const sources = [
    ...projection.fields,
    ...(group.value === undefined ? [] : [{ name: group.value.name, source: projection.value }]),
  ];
  const regex = new RegExp(pattern);
  const filters: GroupFilter[] = [];
  for (const rule of page.rules) {
    const best = sources
      .map(({ name, source }) => ({ source, like: similarity(name, rule.name) }))
      .sort((a, b) => b.like - a.like)[0];
    if (best === undefined || best.like < 0.7 || best.source.from !== "group") continue;
    const { group: name } = best.source;
    // Plain words that no line has in this part were no condition on it.
    const plain = rule.equals.every((text) => /^[a-z]+$/.test(text)) && !rule.negate;
    if (plain && !texts.some((text) => holds(rule, regex.exec(text)?.groups?.[name] ?? ""))) continue;
    const filter = filterOf(rule, name);
    if (!filters.some((one) => JSON.stringify(one) === JSON.stringify(filter))) filters.push(filter);
  }
  return filters;
}
