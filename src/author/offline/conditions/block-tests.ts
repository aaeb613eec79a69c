// Tests of a claim on any line of a record of several lines: "segments of type L3 are left out" where a line of each says
// `Kind : L3 [7]`, "those whose settings say `action=drop`". The line becomes a group of its own that only the filter reads.

import { escapeRegex } from "../escape.ts";
import type { Test } from "../page/claim-tests.ts";
import type { Claim } from "../page/claims.ts";
import { stem, wordsOf } from "../page/names.ts";
import { interpretRule } from "../program/interpret.ts";
import type { BlockRule } from "../program/ir.ts";

/** What a record consists of. */
const INNER =
  /^(?:the |all |any |there |further |other |more |these )*(?:[a-z]+ )?(?:keys?|lines?|rows?|fields?|columns?|parts?|entries|settings|details|values?|attributes?|properties)\b/i;

/** The rules with the test as a further line; "met" when all records fulfil it, undefined when nothing can be said. */
export function narrowBlocks(
  claim: Claim,
  test: Test,
  rules: readonly BlockRule[],
  lines: readonly string[],
): readonly BlockRule[] | "met" | undefined {
  if (!/^(?:is|prefix|contains)$/.test(test.how) || test.texts.some((text) => text.length < 2))
    return undefined;
  const keep = claim.wanted !== test.negate;
  // Keys and lines that are not wanted do not make their record unwanted.
  const isLabel = test.texts.some((text) => {
    const label = new RegExp(`^\\s*${escapeRegex(text)}[\\s.]*[:=]`);
    return lines.some((line) => label.test(line));
  });
  if (!keep && (INNER.test(claim.phrase) || (test.of === "" && isLabel))) return undefined;
  const count = (all: readonly BlockRule[]): number =>
    all.flatMap((rule) => interpretRule(rule, lines)).length;
  const total = count(rules);
  for (const source of sourcesOf(test, lines)) {
    const own = new RegExp(source);
    const example = lines.find((line) => own.test(line));
    if (example === undefined) continue;
    const having = count(rules.map((rule) => withLine(rule, source, example, true)));
    if (having === 0) continue;
    if (having === total) return keep ? "met" : undefined;
    return keep || having < total ? rules.map((rule) => withLine(rule, source, example, keep)) : undefined;
  }
  return undefined;
}

/** Expressions of a line that has the text: behind a label that ends with the noun of the test, then anywhere. */
function sourcesOf(test: Test, lines: readonly string[]): string[] {
  const texts = test.texts.map((text) => escapeRegex(text).replace(/\s+/g, "\\s+"));
  const ends = test.how === "is" && test.texts.every((text) => /\w$/.test(text)) ? "(?![\\w-])" : "";
  const body = `(?<told>(?:${texts.join("|")})${ends})`;
  const noun = wordsOf(test.of || (test.maybe ?? "")).map(stem);
  const sources: string[] = [];
  if (noun.length > 0) {
    const labels = new Set(
      lines.flatMap((line) => /^\s*([A-Za-z][\w /()-]{0,40}?)[\s.]*[:=]\s*\S/.exec(line)?.[1] ?? []),
    );
    const named = [...labels].filter((label) => {
      const own = wordsOf(label).map(stem);
      return noun.every((word, at) => own[own.length - noun.length + at] === word);
    });
    if (named.length === 1)
      sources.push(
        `^\\s*${named.map((one) => escapeRegex(one).replace(/\s+/g, "\\s+")).join("")}[\\s.]*[:=]\\s*${body}`,
      );
    // A text that its own label does not have stands elsewhere by chance.
    if (named.length > 0) return sources;
  }
  const starts = test.texts.every((text) => /^\w/.test(text)) ? "(?<![\\w-])" : "";
  const isTelling = test.texts.every((text) => text.length > 3 || /\W/.test(text));
  if (isTelling) sources.push(`^.*?${starts}${body}`);
  return sources;
}

function withLine(rule: BlockRule, source: string, example: string, keep: boolean): BlockRule {
  let group = "told";
  const known = JSON.stringify(rule);
  for (let number = 2; known.includes(`<${group}>`); number += 1) group = `told_${number}`;
  const pattern = source.replace("(?<told>", `(?<${group}>`);
  return {
    ...rule,
    inner: [...(rule.inner ?? []), { pattern, example }],
    filters: [...rule.filters, { group, equals: [""], ...(keep ? { negate: true } : {}) }],
  };
}
