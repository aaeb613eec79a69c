// "A star in front marks the selected one; it does not belong to the name": marks that only some values begin with and that
// the page says are no part of them are left away.

import type { Page } from "../page/page.ts";
import { bare } from "../page/text.ts";
import { interpretRule } from "../program/interpret.ts";
import type { Projection, Rule } from "../program/ir.ts";

const MARK =
  /\b(?:star|asterisk|plus|minus|dash|arrow|hash|bullet|dot|tilde|exclamation mark|question mark|sign|mark|character|symbol)s?\b[^.]*\b(?:in front|at the (?:beginning|start|front)|before (?:it|the|them)|leading)\b|\b(?:leading|preceding) (?:star|asterisk|plus|arrow|mark|sign|character|symbol)\b/i;
const NO_PART =
  /\b(?:(?:does|do) not belong|(?:is|are) (?:not|no) (?:a )?part|(?:is|are) (?:left (?:away|out|off)|dropped|stripped|removed)|without (?:it|them|the (?:star|asterisk|mark|sign|arrow|plus)))\b/i;

/** The rules for tables and lines with values that go without the marks in front. */
export function withoutMarks(
  rules: readonly Rule[],
  page: Page,
  lines: readonly string[],
): Rule[] | undefined {
  const said = page.statements.some(({ text }) => MARK.test(bare(text)) && NO_PART.test(bare(text)));
  if (!said || !rules.every(({ kind }) => kind === "table" || kind === "line")) return undefined;
  const values = rules.flatMap((rule) => interpretRule(rule, lines)).map(({ value }) => value);
  const marked = values.filter((value) => /^[*+>!#~•●→-]\s*\p{L}/u.test(value)).length;
  if (marked === 0 || marked === values.length) return undefined;
  return rules.map((rule) => {
    if (rule.kind === "line")
      return {
        ...rule,
        alternatives: rule.alternatives.map((one) => ({ ...one, projection: unmarked(one.projection) })),
      };
    return rule.kind === "table" ? { ...rule, projection: unmarked(rule.projection) } : rule;
  });
}

function unmarked(projection: Projection): Projection {
  const { value } = projection;
  if (value.from !== "group" || value.op !== undefined) return projection;
  return { ...projection, value: { ...value, op: "bare" } };
}
