// Conditions on whole lines, as look-aheads in front of the expression of a rule.

import type { LineRule } from "../program/ir.ts";

/** An expression that looks ahead from the start of the line first. */
export function withAhead(pattern: string, ahead: string): string {
  if (pattern.startsWith("^")) return `^${ahead}${pattern.slice(1)}`;
  return `^${ahead}.*?${pattern.replace(/^\\b\.\*\?/, "")}`;
}

/** The rule for the lines that also fulfil the look-ahead, each expression with an example that does. */
export function lookingAhead(rule: LineRule, ahead: string, lines: readonly string[]): LineRule {
  return {
    ...rule,
    alternatives: rule.alternatives.map((one) => {
      const pattern = withAhead(one.pattern, ahead);
      const own = new RegExp(pattern);
      return { ...one, pattern, example: lines.find((line) => own.test(line)) ?? one.example };
    }),
  };
}
