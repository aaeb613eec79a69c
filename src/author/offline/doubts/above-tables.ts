// What stands right above the tables that a rule reads: a page that asks for "the active routes of the IPv4 table" is
// served by a rule whose tables all stand below such titles, though the rule itself does not name them.

import { stem, wordsOf } from "../page/names.ts";
import type { Rule } from "../program/ir.ts";

/** Lines above a heading row that may be titles. */
const LINES = 4;

/** Stems of the words that stand above every table of the rule; empty for other rules. */
export function aboveTables(rule: Rule, lines: readonly string[]): Set<string> {
  if (rule.kind !== "table") return new Set();
  const header = new RegExp(rule.header);
  let common: Set<string> | undefined;
  lines.forEach((line, index) => {
    if (!header.test(line)) return;
    const above = lines
      .slice(Math.max(0, index - 3 * LINES), index)
      .filter((one) => /[A-Za-z]/.test(one) && one.length < 100)
      .slice(-LINES);
    const stems = new Set(above.flatMap((one) => wordsOf(one).map(stem)));
    common = new Set([...(common ?? stems)].filter((one) => stems.has(one)));
  });
  return common ?? new Set();
}
