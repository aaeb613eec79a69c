// Marks at the end of cells that the page leaves out: "without the asterisk that marks interfaces which are down", "percent
// without its sign", a colon behind every name where the page speaks of one.

import { escapeRegex } from "../../escape.ts";
import type { Hint } from "../../page/page.ts";
import type { TableRule } from "../../program/ir.ts";
import type { Header } from "./headers.ts";

const MARKS: [RegExp, string][] = [
  [/\b(?:asterisk|star)\b/i, "*"],
  [/\bcolon\b/i, ":"],
  [/\b(?:percent(?:age)? sign|sign|%)/i, "%"],
  [/\bcomma\b/i, ","],
  [/\bslash\b/i, "/"],
  [/\bplus(?: sign)?\b/i, "+"],
  [/\bat sign\b/i, "@"],
];

const WITHOUT = /\bwithout (?:its|the|an?|any|their)\b[^,;.)]*/i;

/** Leaves such marks out of the parts of the rows; `prose` is all that the page says. */
export function stripMarks(rule: TableRule, header: Header, groups: readonly string[], prose: string): void {
  const { row } = rule;
  if (row.by !== "pattern") return;
  header.hints.forEach((hint, index) => {
    const texts = (header.texts?.[index] ?? []).filter((text) => text !== "");
    const mark = hint === undefined ? undefined : markOf(hint, texts, prose);
    const name = groups[index];
    if (mark === undefined || name === undefined) return;
    const own = escapeRegex(mark);
    const set = /[\\\]^-]/.test(mark) ? `\\${mark}` : mark;
    row.pattern = row.pattern
      .replace(`(?<${name}>\\S+)`, `(?<${name}>\\S*[^\\s${set}])${own}?`)
      .replace(`(?<${name}>\\S+(?: \\S+)*)`, `(?<${name}>\\S+(?: \\S+)*?)${own}?`);
  });
}

/** The mark at the end of some of the texts that the page says is no part. */
function markOf(hint: Hint, texts: readonly string[], prose: string): string | undefined {
  const said = WITHOUT.exec(hint.description)?.[0];
  const told =
    said === undefined
      ? undefined
      : MARKS.find(([words, mark]) => words.test(said) && texts.some((text) => text.endsWith(mark)))?.[1];
  if (told !== undefined) return told;
  const ends = texts.length > 1 && texts.every((text) => /\w:$/.test(text));
  return ends && /\bcolon\b/i.test(prose) && !/\bwith (?:its|the|a) colon\b/i.test(prose) ? ":" : undefined;
}
