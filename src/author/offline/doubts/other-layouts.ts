// Tables of the same columns in another layout: a heading row with most of the words of the one that is read, in another
// order or with further columns, below which nothing is read.

import type { Rule } from "../program/ir.ts";

/** Share of the words of the heading that another heading row has. */
const MOST = 0.5;
const LEAST = 6;

/** A doubt when the log has such a heading row. */
export function otherLayouts(rules: readonly Rule[], lines: readonly string[]): string[] {
  const tables = rules.filter((rule) => rule.kind === "table");
  const [main] = tables;
  if (main === undefined) return [];
  const wordsOf = (line: string): string[] =>
    line
      .trim()
      .split(/[\s|,;]+/)
      .map((word) => word.replace(/:$/, ""));
  const own = new Set(wordsOf(main.headerExample));
  if (own.size < LEAST || /\d{2}/.test(main.headerExample)) return [];
  const known = tables.map((rule) => new RegExp(rule.header));
  const other = lines.find((line) => {
    if (line.length > 500 || known.some((regex) => regex.test(line))) return false;
    const words = new Set(wordsOf(line));
    const shared = [...words].filter((word) => own.has(word)).length;
    return (
      words.size >= LEAST &&
      shared >= own.size * MOST &&
      shared >= words.size * 0.4 &&
      shared >= LEAST &&
      wordsOf(line)[0] === [...own][0]
    );
  });
  return other === undefined
    ? []
    : [`a heading row of another layout is not read: ${other.trim().slice(0, 120)}`];
}
