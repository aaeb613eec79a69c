// Records of several lines whose first line is not read: the log has lines of the record, deeper than a line that is like
// the first lines that are read, but is none for the rule. Words of the page's example may be data ("Wired port").

import { stem, wordsOf } from "../page/names.ts";
import type { Page } from "../page/page.ts";
import { interpretRule } from "../program/interpret.ts";
import type { BlockRule, Rule } from "../program/ir.ts";

/** How far the lines of a record may be from its first one. */
const FAR = 40;
/** Share of such lines among all first lines that is let go. */
const MOST = 0.2;

/** A doubt when many lines like the first ones of the records are left out. */
export function headless(rule: Rule, page: Page, lines: readonly string[]): string[] {
  if (rule.kind !== "block") return [];
  const start = new RegExp(rule.start);
  const fixed = rule.start.replace(/\(\?<\w+>|\\[A-Za-z]/g, " ").match(/[A-Za-z]{4,}/g) ?? [];
  const words = fixed.map((word) => word.toLowerCase());
  // A word that the page says tells the wanted ones ("only paths marked VIOLATED").
  const said = words.filter((_, at) => new RegExp(`\\b${fixed[at] ?? ""}\\b`).test(page.prose));
  if (words.length === 0 || interpretRule(rule, lines).length === 0) return [];
  const heads = headsOf(rule, lines);
  const read = [...heads].filter(([head]) => start.test(lines[head] ?? ""));
  const unread = [...heads].filter(([head, count]) => {
    const text = (lines[head] ?? "").toLowerCase();
    const like = words.some((word) => text.includes(word)) && said.every((word) => text.includes(word));
    // "Paths that are met are not wanted".
    const isOut = wordsOf(text).some((word) => page.unwantedStems.has(stem(word)));
    return !start.test(lines[head] ?? "") && count > 1 && like && !isOut;
  });
  // What the page quotes beside its block, it knows to be something else.
  const quoted = page.statements.flatMap((one) => one.quoted.map(({ text }) => text.trim()));
  const blocks = page.statements.flatMap((one) => one.blocks.flat()).map((line) => line.trim());
  const named = quoted.filter((text) => text.length > 5 && !blocks.some((line) => line.startsWith(text)));
  const isNamed = (line: string): boolean =>
    named.some((text) => line.trim().replace(/\d+/g, "9").startsWith(text.replace(/\d+/g, "9")));
  // "Those that are administratively down are fine": a word that only lines have that the page does not want.
  const isOut = (line: string): boolean => wordsOf(line).some((word) => page.unwantedStems.has(stem(word)));
  if (unread.length > 0 && unread.every(([head]) => isNamed(lines[head] ?? "") || isOut(lines[head] ?? "")))
    return [];
  const [first] = unread;
  if (first === undefined || read.length === 0 || unread.length <= (read.length + unread.length) * MOST)
    return [];
  return [
    `a line like the first one of the records, with such lines below it, is not read: ${(lines[first[0]] ?? "").trim()}`,
  ];
}

/** The nearest less deep line above each line of a record, with the number of kinds of lines below it. */
function headsOf(rule: BlockRule, lines: readonly string[]): Map<number, number> {
  const depthOf = (at: number): number => (lines[at] ?? "").search(/\S/);
  const heads = new Map<number, Set<number>>();
  const kinds = [
    ...(rule.inner ?? []).map(({ pattern }) => new RegExp(pattern)),
    ...rule.keys.map(({ label }) => ({
      test: (line: string) => new RegExp(rule.keyLine).exec(line)?.groups?.["key"]?.trim() === label,
    })),
  ];
  lines.forEach((line, at) => {
    if (line.length > 500) return;
    const kind = kinds.findIndex((one) => one.test(line));
    if (kind < 0) return;
    const depth = depthOf(at);
    for (let head = at - 1; head >= Math.max(0, at - FAR); head -= 1) {
      if (depthOf(head) < 0 || depthOf(head) >= depth) continue;
      heads.set(head, (heads.get(head) ?? new Set()).add(kind));
      break;
    }
  });
  return new Map([...heads].map(([head, found]) => [head, found.size]));
}
