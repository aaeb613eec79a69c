// Tests of a claim that no part of the records answers, on the whole line: a text that it has or lacks, alone or behind
// its key. They become look-aheads in front of the expressions of a rule for lines.

import { escapeRegex } from "../escape.ts";
import type { Test } from "../page/claim-tests.ts";
import type { Claim } from "../page/claims.ts";
import { isMark } from "../page/mark-words.ts";
import { wordsOf } from "../page/names.ts";
import type { Group } from "../page/page.ts";
import { interpretRule } from "../program/interpret.ts";
import type { BlockRule, Extracted, LineRule, Rule } from "../program/ir.ts";
import { lookingAhead, withAhead } from "./ahead.ts";
import { shownRecords } from "./shown-records.ts";

/** The rules with the test in front; "met" when all records fulfil it, undefined when nothing can be said. */
export function narrowLines(
  claim: Claim,
  test: Test,
  rules: readonly Rule[],
  group: Group,
  lines: readonly string[],
): readonly Rule[] | "met" | undefined {
  const marks = marksOf(claim, test, group);
  if (!isToldByLine(test, marks !== undefined)) return undefined;
  const keep = claim.wanted !== test.negate;
  const records = rules.flatMap((rule) => interpretRule(rule, lines));
  const shown = group.examples.flatMap((one) => (one.lines.length === 1 ? one.lines : []));
  for (const regex of marks ?? [...enclosed(test, shown, records), ...regexesOf(test, records)]) {
    const hits = records.filter(({ content }) => regex.test(content)).length;
    if (hits === (keep ? records.length : 0)) {
      if (keep || rules.every((rule) => rule.kind === "line" || rule.kind === "table")) return "met";
      return undefined;
    }
    if (hits === 0 || hits === records.length) continue;
    if (rules.every((rule): rule is BlockRule => rule.kind === "block")) {
      const narrowed = rules.map((rule) => withStartTest(rule, regex.source, keep, lines));
      const kept = narrowed.flatMap((rule) => interpretRule(rule, lines)).length;
      if (kept > 0 && kept < records.length) return narrowed;
      continue;
    }
    if (!rules.every((rule): rule is LineRule => rule.kind === "line")) return undefined;
    const ahead = `(?${keep ? "=" : "!"}.*${regex.source})`;
    const narrowed = rules.map((rule) => lookingAhead(rule, ahead, lines));
    if (shownRecords(rules, group).length > shownRecords(narrowed, group).length) continue;
    return narrowed;
  }
  return undefined;
}

/** Can a line tell it: a text that it has or lacks, a number that it has, a mark in its place? */
function isToldByLine(test: Test, isPlaced: boolean): boolean {
  if (test.texts.some(isMark) && !isPlaced) return false;
  if (/^(?:prefix|suffix)$/.test(test.how)) return isPlaced;
  return /^(?:is|contains)$/.test(test.how) || (test.how === "amount" && test.relation === "=");
}

/** A mark in its place: at the edge that the page names, where the page's example has it, or by itself. */
function marksOf(claim: Claim, test: Test, group: Group): RegExp[] | undefined {
  if (test.texts.length === 0 || !test.texts.every(isMark)) return undefined;
  const keep = claim.wanted !== test.negate;
  const shown = group.examples.flatMap((one) => (one.lines.length === 1 ? one.lines : []));
  const body = `(?:${test.texts.map(escapeRegex).join("|")})`;
  const isFront =
    test.how === "prefix" ||
    /\b(?:in front|at the (?:very )?(?:beginning|start|front)|leading|first character)\b/i.test(claim.phrase);
  const isEnd =
    test.how === "suffix" || /\b(?:at the (?:very )?end|trailing|last character)\b/i.test(claim.phrase);
  const edges = isFront ? [new RegExp(`^\\s*${body}`)] : isEnd ? [new RegExp(`${body}\\s*$`)] : [];
  const having = shown.filter((line) => test.texts.some((text) => line.includes(text)));
  // Where it is asked for, the example has it; else no place is known.
  const placed = keep ? having.flatMap((line) => markPlaces(line, test.texts, body)) : [];
  const alone = [new RegExp(`(?<!\\S)${body}(?!\\S)`), new RegExp(`(?<=\\w)${body}(?!\\S)`)];
  const all = [...edges, ...placed, ...(keep && having.length > 0 ? [] : alone)];
  return keep && shown.length > 0 && having.length === 0 ? undefined : all;
}

/** The place of the only such mark of a line, by the kinds of characters beside it. */
function markPlaces(line: string, texts: readonly string[], body: string): RegExp[] {
  const at = [...line].flatMap((char, index) => (texts.includes(char) ? [index] : []));
  const [only] = at;
  if (only === undefined || at.length > 1) return [];
  const chars = [...line];
  const kind = (char: string | undefined, ahead: boolean): string => {
    if (char === undefined || /\s/.test(char)) return ahead ? "(?!\\S)" : "(?<!\\S)";
    const own = /\w/.test(char) ? "\\w" : escapeRegex(char);
    return ahead ? `(?=${own})` : `(?<=${own})`;
  };
  return [new RegExp(`${kind(chars[only - 1], false)}${body}${kind(chars[only + 1], true)}`, "u")];
}

/** A record of several lines whose first line has the text, or lacks it: a group of its own that only the filter reads,
 * so that the other records end those before them all the same. */
function withStartTest(rule: BlockRule, source: string, keep: boolean, lines: readonly string[]): BlockRule {
  let group = "told";
  while (rule.start.includes(`<${group}>`)) group += "_2";
  const start = withAhead(rule.start, `(?:(?=.*(?<${group}>${source}))|)`);
  const own = new RegExp(start);
  const filter = { group, equals: [""], ...(keep ? { negate: true } : {}) };
  const startExample =
    lines.find((line) => own.exec(line)?.groups?.[group] !== undefined) ?? rule.startExample;
  return { ...rule, start, startExample, filters: [...rule.filters, filter] };
}

/** "The action in brackets; only `x`": a text that the page's example has in brackets or quotes fills them. */
function enclosed(test: Test, shown: readonly string[], records: readonly Extracted[]): RegExp[] {
  if (test.how !== "is" || test.of !== "" || test.texts.length === 0) return [];
  const around = shown.flatMap((line) =>
    test.texts.flatMap((text) => {
      const match = new RegExp(`([(\\[<{"'])${escapeRegex(text)}([)\\]>}"'])`).exec(line);
      return match === null ? [] : [{ open: match[1] ?? "", close: match[2] ?? "" }];
    }),
  );
  const [marks] = around;
  if (marks === undefined) return [];
  const texts = test.texts.map((text) => escapeRegex(text).replace(/\s+/g, "\\s+"));
  const regex = new RegExp(`${escapeRegex(marks.open)}(?:${texts.join("|")})${escapeRegex(marks.close)}`);
  return records.some(({ content }) => regex.test(content)) ? [regex] : [];
}

/** The expressions for a text of the line: behind the name that the page gives, then anywhere as a word of its own. */
function regexesOf(test: Test, records: readonly Extracted[]): RegExp[] {
  const texts = test.texts.map(flexible);
  const isWord = (edge: RegExp): boolean => test.texts.every((text) => edge.test(text));
  const body = `${isWord(/^\w/) ? "(?<![\\w-])" : ""}(?:${texts.join("|")})${isWord(/\w$/) ? "(?![\\w-])" : ""}`;
  const regexes: RegExp[] = [];
  const key = wordsOf(test.of).at(-1) ?? "";
  if (key !== "") {
    const keyed = new RegExp(`(?<![\\w-])(?:${escapeRegex(test.of)}|${escapeRegex(key)})\\W{1,3}${body}`);
    if (records.some(({ content }) => keyed.test(content))) regexes.push(keyed);
  }
  // A short text may stand anywhere in a line by chance.
  if (test.texts.every((text) => text.length > 2 && !/^\d{1,2}$/.test(text))) regexes.push(new RegExp(body));
  return regexes;
}

/** The text as an expression; what stands behind a key may be in quotes as well. */
function flexible(text: string): string {
  const [, key, mark = "", rest = ""] = /^([A-Za-z][\w.-]*)([=:])([\w.-]+)$/.exec(text) ?? [];
  if (key === undefined) return escapeRegex(text).replace(/\s+/g, "\\s+");
  return `${escapeRegex(key)}["']?${mark}["']?${escapeRegex(rest)}`;
}
