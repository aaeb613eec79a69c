// The page shows a code (`ABC-12`) as the value: a text of mere letters in that place is another thing.

import type { Group } from "../page/page.ts";
import { interpretRule } from "../program/interpret.ts";
import type { Rule } from "../program/ir.ts";
import { partsOf } from "./parts.ts";

const CODE = /^[A-Z]{2,}[A-Z_]*-?\d+$/;

/** The page shows a code (`ABC-12`) as the value, nearly all values are codes, and the others have no digit at all. */
export function codesOnly(
  rules: readonly Rule[],
  group: Group,
  lines: readonly string[],
): Rule[] | undefined {
  const [shown] = group.value?.literals ?? [];
  if (shown === undefined || !CODE.test(shown) || !rules.every((rule) => rule.kind === "line"))
    return undefined;
  const part = partsOf(rules, group).find((one) => one.isValue);
  const values = rules.flatMap((rule) => interpretRule(rule, lines)).map(({ value }) => value);
  const odd = values.filter((value) => !CODE.test(value));
  if (part === undefined || odd.length === 0 || odd.length > values.length * 0.35) return undefined;
  if (odd.some((value) => /\d/.test(value) || !/[a-z]/.test(value))) return undefined;
  const filter = { group: part.group, equals: [], match: "letters", negate: true } as const;
  return rules.map((rule) => ({ ...rule, filters: [...rule.filters, { ...filter, equals: [] }] }));
}
