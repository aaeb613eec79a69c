// Brackets in a part that stands in brackets itself (`<bus<3>>`, `(max (old))`): where the texts of the log have some, the
// part goes on to the bracket that closes its own.

import { escapeRegex } from "../escape.ts";
import type { Rule } from "../program/ir.ts";

/** A group between two brackets that reads up to the first closing one. */
const ENCLOSED = /(\\?[<([{])\(\?<(\w+)>\[\^(\\?[>)\]}])\][+*]\??\)(\\?[>)\]}])/g;
const CLOSES: Record<string, string> = { "<": ">", "(": ")", "[": "]", "{": "}" };

/** Lets the enclosed parts of a rule have brackets of their own, where they have some in the log. */
export function nestBrackets(rule: Rule, lines: readonly string[]): void {
  if (rule.kind === "line") for (const one of rule.alternatives) one.pattern = nested(one.pattern, lines);
  if (rule.kind === "block") {
    rule.start = nested(rule.start, lines);
    for (const one of rule.inner ?? []) one.pattern = nested(one.pattern, lines);
  }
}

function nested(pattern: string, lines: readonly string[]): string {
  if (!/[<([{]\(\?<\w+>\[\^/.test(pattern)) return pattern;
  const regex = new RegExp(pattern);
  const texts = lines.flatMap((line) => {
    const groups = regex.exec(line)?.groups;
    return groups === undefined ? [] : [groups];
  });
  const found = pattern.replace(ENCLOSED, (all, left: string, group: string, _not: string, right: string) => {
    const [open, close] = [left.replace("\\", ""), right.replace("\\", "")];
    if (CLOSES[open] !== close || !texts.some((one) => count(one[group], open) > count(one[group], close)))
      return all;
    const other = `[^${escapeRegex(open)}${escapeRegex(close)}]*`;
    const inner = `${escapeRegex(open)}${other}${escapeRegex(close)}`;
    return `${left}(?<${group}>${other}(?:${inner}${other})+|[^${escapeRegex(close)}]+)${right}`;
  });
  const wide = new RegExp(found);
  return found !== pattern && lines.every((line) => !regex.test(line) || wide.test(line)) ? found : pattern;
}

function count(text: string | undefined, char: string): number {
  return (text ?? "").split(char).length - 1;
}
