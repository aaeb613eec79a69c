// Rows of a table that a rule for single lines leaves out, while it takes others of the same table: then the rule follows
// what varies from row to row, and not the table.

import { interpretRule } from "../program/interpret.ts";
import type { Rule } from "../program/ir.ts";

/** Doubts about rules for lines, held against a reading of the same lines as rows of a table. */
export function leftRows(rules: readonly Rule[], table: readonly Rule[], lines: readonly string[]): string[] {
  if (!rules.every((rule) => rule.kind === "line") || !table.every((rule) => rule.kind === "table"))
    return [];
  const taken = new Set(rules.flatMap((rule) => interpretRule(rule, lines)).map((one) => one.line));
  const rows = table.flatMap((rule) => interpretRule(rule, lines));
  const left = rows.filter((one) => !taken.has(one.line));
  const [first] = left;
  if (first === undefined || left.length === rows.length || left.length <= rows.length * 0.05) return [];
  return [`${left.length} of ${rows.length} rows of the table are left out, e.g. ${first.content.trim()}`];
}
