// "With 0 it is off and not wanted": an amount without the name of a part, where the lines have just one number that no
// part reads. It becomes a group that only the filter reads.

import type { Test } from "../page/claim-tests.ts";
import { type Claim, MATCHES } from "../page/claims.ts";
import { interpretRule } from "../program/interpret.ts";
import type { LineRule, Rule } from "../program/ir.ts";

/** The expression that stands for any number in the rules for lines. */
const NUMBER = "(?:[-+]?\\d[\\d.,]*|-)";
const NO_NAME = /^(?:it|they|these|those|this|that|setting|number|value|one)?$/i;

/** The rules with a filter on the number; undefined when there is none, or several. */
export function narrowNumber(
  claim: Claim,
  test: Test,
  rules: readonly Rule[],
  lines: readonly string[],
): Rule[] | undefined {
  const isLine = (rule: Rule): rule is LineRule => rule.kind === "line";
  if (test.how !== "amount" || !NO_NAME.test(test.of) || !rules.every(isLine)) return undefined;
  const match = MATCHES[test.relation ?? "="];
  const alone = rules.every((rule) =>
    rule.alternatives.every(
      (one) => one.pattern.split(NUMBER).length === 2 && !one.pattern.includes("<told>"),
    ),
  );
  if (!alone || match === undefined) return undefined;
  const negate = claim.wanted === test.negate;
  const filter = { group: "told", equals: test.texts, match, ...(negate ? { negate: true } : {}) };
  const narrowed = rules.map((rule) => ({
    ...rule,
    alternatives: rule.alternatives.map((one) => ({
      ...one,
      pattern: one.pattern.replace(NUMBER, () => `(?<told>${NUMBER})`),
    })),
    filters: [...rule.filters, filter],
  }));
  const count = (all: readonly Rule[]): number => all.flatMap((rule) => interpretRule(rule, lines)).length;
  const kept = count(narrowed);
  return kept > 0 && kept < count(rules) ? narrowed : undefined;
}
