// Lines that have a text which the page asks for, stand like the wanted ones up to it, and are read by no rule.

import type { Test } from "../page/claim-tests.ts";
import type { Claim } from "../page/claims.ts";
import type { Group, Page } from "../page/page.ts";
import { interpretRule } from "../program/interpret.ts";
import type { Rule } from "../program/ir.ts";
import { ruledOutLines, wordIn } from "./exclusions.ts";
import { PLACE } from "./place-words.ts";

/** "Log prefix `DROP-IN` only": lines with the text that wanted lines have, which no rule reads. */
export function leftOut(
  rules: readonly Rule[],
  group: Group,
  page: Page,
  lines: readonly string[],
): string[] {
  const isPlain = (rule: Rule): boolean =>
    rule.kind === "line" && rule.scope === undefined && rule.above === undefined;
  if (!rules.every(isPlain)) return [];
  const asked = page.claims
    .filter((claim) => claim.wanted && claim.whole && !PLACE.test(claim.phrase))
    .flatMap((claim) => claim.tests.map((test) => ({ ...test, meets: matesOf(claim, test, page) })))
    .filter((test) => !test.plain && !test.negate && (test.how === "is" || test.how === "prefix"))
    .filter((test) => test.texts.every((text) => /\W|_/.test(text) || text.length > 3));
  if (asked.length === 0) return [];
  const taken = new Set(
    rules.flatMap((rule) => interpretRule({ ...rule, filters: [] }, lines)).map((record) => record.content),
  );
  const excluded = ruledOutLines(page, group);
  const examples = group.examples.flatMap((one) => (one.lines.length === 1 ? one.lines : []));
  return asked.flatMap(({ texts, how, meets }) => {
    const words = texts.map((text) => wordIn(text, how === "prefix"));
    // In front of it stands what stands in front of it in the example: elsewhere it is part of a message.
    const known = [...examples, ...taken];
    const fronts = new Set(words.flatMap((one) => known.flatMap((line) => frontOf(line, one))));
    const having = lines.filter((line) =>
      words.some((one) => frontOf(line, one).some((front) => fronts.has(front))),
    );
    const left = having.filter(
      (line) =>
        meets(line) &&
        !taken.has(line) &&
        !excluded(line) &&
        !page.unwanted.some((text) => line.includes(text)),
    );
    return left.length === 0 || left.length * 2 > having.length
      ? []
      : [`${left.length} lines with "${texts.join('", "')}" are not read, e.g. ${left[0]?.trim() ?? ""}`];
  });
}

/** "Only records of type LOGIN with res=failed": what else the same sentence asks of a line. */
function matesOf(claim: Claim, own: Test, page: Page): (line: string) => boolean {
  const texts = [
    ...claim.tests
      .filter((test) => test !== own && !test.plain && !test.negate && test.how === "is")
      .map((test) => test.texts),
    ...(claim.phrase.match(/(?<![\w.-])[A-Za-z_][\w.-]*=["']?[\w./-]*\w/g) ?? []).map((pair) => [pair]),
    ...page.rules.filter((rule) => rule.said === claim.said && !rule.negate).map((rule) => rule.equals),
  ].filter((list) => list.length > 0 && !list.some((text) => own.texts.includes(text)));
  return (line) => texts.every((list) => list.some((text) => wordIn(text).test(line)));
}

/** The form of what stands in front of a text in a line: any word, any number, and the marks as they are. */
function frontOf(line: string, text: RegExp): string[] {
  const at = text.exec(line)?.index;
  if (at === undefined) return [];
  const front = line.slice(0, at).replace(/[\p{L}\p{N}_.-]+/gu, "w");
  return [front.replace(/\s+/g, " ").trim()];
}
