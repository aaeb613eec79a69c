// Records that stand on one line where others take several: what a further line of a record has stands on the first line of
// these.

import { interpretRule } from "../../program/interpret.ts";
import type { BlockRule } from "../../program/ir.ts";

/** The rule with what its further lines have read on the first line as well, where the log has such lines. */
export function withOneLiners(rule: BlockRule, lines: readonly string[]): BlockRule {
  let current = rule;
  if (/\$$/.test(rule.start)) return rule;
  for (const { pattern, after } of rule.inner ?? []) {
    const [, body = ""] = /^\^(?:\\s\*|\\s\+|\[ \\t\]\{\d+(?:,\d*)?\})?(.+)$/.exec(pattern) ?? [];
    const words = body.replace(/\(\?<\w+>|\\[A-Za-z]|\[[^\]]*\]/g, " ").match(/[A-Za-z]{3,}/g) ?? [];
    if (after !== undefined || words.length === 0 || /\(\?</.test(words.join(""))) continue;
    const groups = [...body.matchAll(/\(\?<(\w+)>/g)].map((match) => match[1] ?? "");
    if (groups.length === 0 || groups.some((group) => current.start.includes(`(?<${group}>`))) continue;
    // Numbers beside the parts are others there.
    const open = body.replace(/(?<![\w\\{,])\d+(?:\\\.\d+)?(?![\w},])/g, "\\d+(?:\\.\\d+)?");
    const next: BlockRule = { ...current, start: `${current.start}(?:.*?(?<![\\w-])${open})?` };
    if (isFuller(next, current, lines)) current = next;
  }
  return current;
}

/** More records are complete, and all that were read stay as they were. */
function isFuller(next: BlockRule, rule: BlockRule, lines: readonly string[]): boolean {
  const [known, more] = [interpretRule(rule, lines), interpretRule(next, lines)];
  const own = new Map(more.map((record) => [record.line, record]));
  const isSame = known.every(({ line, value, fields }) => {
    const other = own.get(line);
    return (
      other?.value === value && Object.entries(fields).every(([name, text]) => other.fields[name] === text)
    );
  });
  const count = (all: typeof known): number =>
    all.reduce((sum, { fields }) => sum + 1 + Object.keys(fields).length, 0);
  return isSame && count(more) > count(known);
}
