// The page shows a code (`ABC-12`) as the value: a text of mere letters in that place is another thing, and where the title
// speaks of codes with these letters ("messages with an ABC number"), so is a code with others.

import type { Group, Page } from "../page/page.ts";
import { bare } from "../page/text.ts";
import { interpretRule } from "../program/interpret.ts";
import type { Rule } from "../program/ir.ts";
import { partsOf } from "./parts.ts";

const CODE = /^[A-Z]{2,}[A-Z_]*-?\d+$/;

/** The page shows a code (`ABC-12`) as the value, nearly all values are codes, and the others have no digit at all. */
export function codesOnly(
  rules: readonly Rule[],
  group: Group,
  page: Page,
  lines: readonly string[],
): Rule[] | undefined {
  return lettersTold(rules, group, page, lines) ?? withoutWords(rules, group, lines);
}

/** "Messages that carry an abc number", with `abc-12` as the value: other letters are other messages. */
function lettersTold(
  rules: readonly Rule[],
  group: Group,
  page: Page,
  lines: readonly string[],
): Rule[] | undefined {
  const title = bare(page.statements.find((one) => one.depth === 0)?.sentences[0]?.text ?? "");
  const shown = group.value?.literals ?? [];
  const fronts = new Set(shown.map((text) => /^([A-Za-z]{2,})[-_]?\d+$/.exec(text)?.[1] ?? ""));
  const [front = "", ...more] = fronts;
  const isTold = new RegExp(
    `(?<![\\w-])${front}(?![\\w])[- ](?:[a-z]+ )?(?:number|code|id|message|warning|error|note|finding)s?\\b`,
  );
  if (front === "" || more.length > 0 || !isTold.test(title)) return undefined;
  const part = partsOf(rules, group).find((one) => one.isValue);
  const values = rules.flatMap((rule) => interpretRule(rule, lines)).map(({ value }) => value);
  const left = values.filter((value) => !value.startsWith(front)).length;
  if (part === undefined || left === 0 || left === values.length) return undefined;
  return rules.map((rule) => ({
    ...rule,
    filters: [...rule.filters, { group: part.group, equals: [front], match: "prefix" as const }],
  }));
}

function withoutWords(rules: readonly Rule[], group: Group, lines: readonly string[]): Rule[] | undefined {
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
