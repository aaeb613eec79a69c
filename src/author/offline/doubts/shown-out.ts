// The page's own example must be a record: a condition that leaves it out was bound to the wrong part.

import { shownRecords } from "../conditions/shown-records.ts";
import type { Group } from "../page/page.ts";
import { interpretRule } from "../program/interpret.ts";
import type { BlockRule, Rule } from "../program/ir.ts";

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
    if (others.length > 0) return blockOut(asking, one.lines);
    if (/<\w[\w -]*>|\.{3}|…|\b[A-Z]{2,}\b[^a-z]*$/.test(line)) return [];
    const alone = { ...group, examples: [one] };
    const isOut = shownRecords(free, alone).length > 0 && shownRecords(asking, alone).length === 0;
    return isOut ? [`a condition leaves out a line that the page shows: ${line.trim()}`] : [];
  });
}

/** The same for a record of several lines that the page shows; what stands above it, the page may not show. */
function blockOut(rules: readonly Rule[], lines: readonly string[]): string[] {
  const blocks = rules.filter((rule): rule is BlockRule => rule.kind === "block");
  const read = (rule: BlockRule): number => interpretRule({ ...rule, above: [] }, lines).length;
  const isOut = (rule: BlockRule): boolean => {
    const own = (rule.above ?? []).map(({ pattern }) => pattern).join("\n");
    const filters = rule.filters.filter(({ group }) => !own.includes(`(?<${group}>`));
    return read({ ...rule, filters: [] }) > 0 && read({ ...rule, filters }) === 0;
  };
  return blocks.some(isOut) && blocks.every((rule) => isOut(rule) || read({ ...rule, filters: [] }) === 0)
    ? [`a condition leaves out the record that the page shows: ${(lines[0] ?? "").trim()}`]
    : [];
}
