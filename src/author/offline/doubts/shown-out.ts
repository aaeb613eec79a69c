// The page's own example must be a record: a condition that leaves it out was bound to the wrong part.

import { shownRecords } from "../conditions/shown-records.ts";
import type { Group } from "../page/page.ts";
import type { Rule } from "../program/ir.ts";

/** Example lines that the rules read, and that their conditions then drop. Lines with stand-ins show no text to compare. */
export function shownButOut(rules: readonly Rule[], group: Group): string[] {
  // "Other than `x`" may well be said beside an example that has it.
  const asking = rules.map((rule) => ({
    ...rule,
    filters: rule.filters.filter((one) => one.negate !== true),
  }));
  if (asking.every(({ filters }) => filters.length === 0)) return [];
  const free = rules.map((rule) => ({ ...rule, filters: [] }));
  return group.examples.flatMap((one) => {
    const [line = "", ...others] = one.lines;
    if (others.length > 0 || /<\w[\w -]*>|\.{3}|…|\b[A-Z]{2,}\b[^a-z]*$/.test(line)) return [];
    const alone = { ...group, examples: [one] };
    const isOut = shownRecords(free, alone).length > 0 && shownRecords(asking, alone).length === 0;
    return isOut ? [`a condition leaves out a line that the page shows: ${line.trim()}`] : [];
  });
}
