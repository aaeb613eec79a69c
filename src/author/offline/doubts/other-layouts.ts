// Tables of the same columns in another layout: a heading row with most of the words of the one that is read, in another
// order or with further columns, below which nothing is read.

import { likeness } from "../page/names.ts";
import type { Group } from "../page/page.ts";
import type { Rule } from "../program/ir.ts";

/** Share of the words of the heading that another heading row has. */
const MOST = 0.5;
const LEAST = 6;

/** A doubt when the log has such a heading row. */
export function otherLayouts(rules: readonly Rule[], group: Group, lines: readonly string[]): string[] {
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
  const needed = neededCells(main.headerExample, group);
  const other = lines.find((line) => {
    if (line.length > 500 || known.some((regex) => regex.test(line))) return false;
    const words = new Set(wordsOf(line));
    const shared = [...words].filter((word) => own.has(word)).length;
    return (
      words.size >= LEAST &&
      shared >= own.size * MOST &&
      shared >= words.size * 0.4 &&
      shared >= LEAST &&
      wordsOf(line)[0] === [...own][0] &&
      hasCells(line, needed)
    );
  });
  return other === undefined
    ? []
    : [`a heading row of another layout is not read: ${other.trim().slice(0, 120)}`];
}

function cellsOf(heading: string): string[] {
  return heading
    .split(/[|;\t]|\s{2,}/)
    .map((cell) => cell.trim())
    .filter((cell) => cell !== "");
}

/** The headings of the columns that the value and the required fields are named like. */
function neededCells(heading: string, group: Group): string[] {
  const cells = cellsOf(heading);
  const hints = [...(group.value === undefined ? [] : [group.value]), ...group.fields];
  return hints.flatMap((hint) => {
    const [best] = cells
      .map((cell) => ({ cell, like: likeness(hint, cell) }))
      .sort((a, b) => b.like - a.like);
    return hint.optional || best === undefined || best.like < 0.7 ? [] : [best.cell];
  });
}

/** Without the column of a part it is another table; the column may be divided there ("r_await", "w_await"). */
function hasCells(heading: string, needed: readonly string[]): boolean {
  const cells = cellsOf(heading).map((cell) => cell.toLowerCase());
  return needed.every((one) =>
    cells.some((cell) => cell === one.toLowerCase() || cell.split(/[\s_/-]/).includes(one.toLowerCase())),
  );
}
