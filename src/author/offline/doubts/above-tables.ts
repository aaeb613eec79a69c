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

const RULER = /^[\s\-=+|*_~.:#]*$/;
/** "Only the drive table", "just this list": of a file, not of a column. */
const ONLY_TABLE =
  /^\W*(?:only|just|solely|nothing but) (?:the |this |that )?(?:[\w-]+ ){0,3}(?:table|list)(?: of [\w -]+)?(?=\W*$|[,;:] (?:not|no|nothing|neither|the others?|others?|skip|ignore)\b| (?:is|are|counts?|matters?)\b)/i;

/** Does a sentence ask for one table, and all tables that the rule reads are one: of one heading, below titles that differ
 * in nothing but numbers? The row that the page shows tells which one it is. */
export function isOnlyTable(said: string, rule: Rule, lines: readonly string[]): boolean {
  if (rule.kind !== "table" || !ONLY_TABLE.test(said)) return false;
  const header = new RegExp(rule.header);
  const titles = lines.flatMap((line, index) => (header.test(line) ? titleAbove(lines, index) : []));
  return new Set(titles.map((title) => title.replace(/\d+/g, "9"))).size <= 1;
}

/** The line right above a heading, or the only one of the paragraph above it; none where rows or nothing stand there. */
function titleAbove(lines: readonly string[], head: number): string[] {
  const above = lines
    .slice(Math.max(0, head - LINES), head)
    .filter((line) => line.trim() === "" || !RULER.test(line));
  const [third = "", second = "", first = ""] = ["", "", "", ...above].slice(-3).map((line) => line.trim());
  if (first !== "") return [first];
  return second !== "" && third === "" ? [second] : [];
}
