// Lines with as many cells between bars, semicolons or tabs as all records have, and with numbers in them, that no rule
// reads: a cell of two words was too much for it.

import { ruledOutLines } from "../conditions/exclusions.ts";
import type { Group, Page } from "../page/page.ts";
import { interpretRule } from "../program/interpret.ts";
import type { LineRule } from "../program/ir.ts";

/** The fixed text of an expression. */
function plainText(pattern: string): string {
  return pattern.replace(/\(\?[=!].*?\)\)/g, " ").replace(/\?<\w+>|\[[^\]]*\]|\\\w/g, " ");
}

function kindOf(cell: string): "none" | "number" | "text" {
  const text = cell.trim();
  if (/^(?:|[-–—]+|n\/?a|none)$/i.test(text)) return "none";
  return /^[-+]?\d[\d.,]*%?$/.test(text) ? "number" : "text";
}

const MARKS = ["|", ";", "\t"];

/** Doubts about rows that a rule for single lines leaves out. */
export function leftCells(rule: LineRule, group: Group, page: Page, lines: readonly string[]): string[] {
  if (rule.scope !== undefined || rule.above !== undefined) return [];
  // A word of its own tells lines from others with as many cells.
  const fixed = rule.alternatives.some(({ pattern }) => /[A-Za-z]{3}/.test(plainText(pattern)));
  if (fixed) return [];
  const taken = interpretRule({ ...rule, filters: [] }, lines);
  for (const mark of MARKS) {
    const counts = new Set(taken.map(({ content }) => content.split(mark).length));
    const [count = 0] = counts;
    if (counts.size !== 1 || count < 4) continue;
    const known = new Set(taken.map((one) => one.line));
    const excluded = ruledOutLines(page, group);
    const kinds = Array.from(
      { length: count },
      (_, index) => new Set(taken.map(({ content }) => kindOf(content.split(mark)[index] ?? ""))),
    );
    const isLike = (cells: readonly string[]): boolean =>
      cells.length === count &&
      cells.some((cell) => kindOf(cell) === "number") &&
      cells.every((cell, index) => kindOf(cell) === "none" || kinds[index]?.has(kindOf(cell)) === true);
    const left = lines.filter(
      (line, index) =>
        !known.has(index + 1) &&
        isLike(line.split(mark)) &&
        !excluded(line) &&
        ![...rule.unless, ...page.unwanted].some((text) => text.length > 3 && line.includes(text)),
    );
    if (left.length > Math.max(1, taken.length * 0.1))
      return [
        `${left.length} lines with as many cells as the records are not taken, e.g. ${left[0]?.trim() ?? ""}`,
      ];
  }
  return [];
}
