// Two expressions of one rule that read the same lines, each with another text for the value: one of them is wrong.

import { interpretRule } from "../../program/interpret.ts";
import type { LineRule } from "../../program/ir.ts";

/** A doubt where a further expression reads another value in all lines that the rule reads by the ones before it. */
export function opposedAlternatives(rule: LineRule, lines: readonly string[]): string[] {
  if (rule.alternatives.length < 2) return [];
  const own = interpretRule(rule, lines);
  return rule.alternatives.slice(1).flatMap((one) => {
    const alone = new Map(
      interpretRule({ ...rule, alternatives: [one] }, lines).map((record) => [record.line, record]),
    );
    const both = own.filter(({ line }) => alone.has(line));
    const [first] = both;
    if (first === undefined || both.some(({ line, value }) => alone.get(line)?.value === value)) return [];
    return [
      `two expressions read the same lines, and the value is ${first.value} or ${alone.get(first.line)?.value ?? ""}: ${first.content.trim()}`,
    ];
  });
}
