// Records whose line says the opposite of what the page asks for: "login successful" where the page wants logins that failed.

import { stem, stemsOf, wordsOf } from "../page/names.ts";
import type { Group, Page } from "../page/page.ts";
import { bare, NEGATIVE } from "../page/text.ts";
import { interpretRule } from "../program/interpret.ts";
import type { Extracted, LineRule } from "../program/ir.ts";

/** Words that say the opposite of one another. */
const OPPOSITES = (
  [
    ["fail failed failure denied refused rejected invalid", "success successful successfully succeeded"],
    ["accepted allowed permitted granted", "rejected denied blocked dropped refused"],
    ["error", "success successful"],
    ["connected", "disconnected"],
    ["enabled", "disabled"],
  ] as const
).map((sides) => sides.map((side) => new Set(side.split(" ").map(stem))));

/** A doubt when some records have such a word beside their parts, and the page's own example has none. */
export function opposed(rule: LineRule, group: Group, page: Page, lines: readonly string[]): string[] {
  const asked = stemsOf(
    page.statements
      .flatMap((one) => one.sentences.map(({ text }) => bare(text)))
      .filter((text) => !NEGATIVE.test(text) && !/^\W*(?:value|fields?)\b/i.test(text))
      .join(" "),
  );
  const shown = new Set(group.examples.flatMap((one) => one.lines).flatMap((line) => [...stemsOf(line)]));
  for (const [one, other] of OPPOSITES.flatMap(([a, b]) => [
    [a, b],
    [b, a],
  ])) {
    if (one === undefined || other === undefined) continue;
    const wants = [...one].some((word) => asked.has(word)) && ![...other].some((word) => asked.has(word));
    if (!wants || [...other].some((word) => shown.has(word))) continue;
    const odd = interpretRule(rule, lines).find((record) => {
      const own = besideParts(record);
      return own.some((word) => other.has(word)) && !own.some((word) => one.has(word));
    });
    if (odd !== undefined)
      return [`a record says the opposite of what the page asks for: ${odd.content.trim()}`];
  }
  return [];
}

function besideParts({ content, value, fields }: Extracted): string[] {
  let rest = content;
  const parts = [value, ...Object.values(fields)].sort((a, b) => b.length - a.length);
  for (const part of parts) if (part.length > 1) rest = rest.replace(part, " ");
  return wordsOf(rest).map(stem);
}
