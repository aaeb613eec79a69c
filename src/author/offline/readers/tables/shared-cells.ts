// Columns whose cells have several of the wanted parts.

import { wordsOf } from "../../page/names.ts";
import type { Hint } from "../../page/page.ts";
import { partByHeading, partOfCell, saysPart } from "./cell-parts.ts";
import type { Column } from "./gaps.ts";

/** A part inside the cells of a column: the group `part` of the expression. */
export interface Inside {
  hint: Hint;
  at: number;
  pattern: string;
}

/** Parts whose column has another part as well: the heading names both, or the page says where in the cell each stands. */
export function sharedCells(
  scores: number[][],
  columns: readonly Column[],
  hints: readonly Hint[],
): Inside[] {
  const found: (Inside & { row: number })[] = [];
  columns.forEach((column, at) => {
    const own = hints.flatMap((hint, row) => {
      const byName = partByHeading(hint, column.name, column.texts);
      const named = saysColumn(hint, column) && saysPart(hint);
      // What the page says about the place is surer than the names of the heading.
      const place = named || byName !== undefined ? partOfCell(hint, column.texts) : undefined;
      const told = place ?? byName;
      return told === undefined && !named ? [] : [{ hint, at, row, pattern: told, byName }];
    });
    const alone = own.length < 2 && own[0]?.byName === undefined;
    if (alone || own.every((one) => one.pattern === undefined)) return;
    for (const one of own) {
      const other = own.find((two) => two !== one && two.pattern !== undefined);
      const pattern = one.pattern ?? restOfCell(other?.pattern ?? "");
      if (pattern !== undefined && !found.some(({ row }) => row === one.row))
        found.push({ hint: one.hint, at, row: one.row, pattern });
    }
  });
  for (const { row } of found) scores[row] = columns.map(() => 0);
  return found.map(({ hint, at, pattern }) => ({ hint, at, pattern }));
}

/** What a pattern for one side of a mark leaves: the other side. */
function restOfCell(pattern: string): string | undefined {
  const sides: [RegExp, string][] = [
    [/^\^\.\*\?(.+)\(\?<part>\.\*\)\$$/, "^(?<part>.*?)$1"],
    [/^\^\.\*(?!\?)(.+)\(\?<part>\.\*\)\$$/, "^(?<part>.*)$1"],
    [/^\^\(\?<part>\.\*\?\)(.+)$/, "^.*?$1(?<part>.*)$"],
    [/^\^\(\?<part>\.\*\)(.+)$/, "^.*$1(?<part>.*)$"],
  ];
  const side = sides.find(([form]) => form.test(pattern));
  return side === undefined ? undefined : pattern.replace(side[0], side[1].replace(/\$$/, "$$$$"));
}

/** Does what the page says of a part have the whole name of a column? */
function saysColumn(hint: Hint, column: Column): boolean {
  const own = wordsOf(column.name);
  const said = wordsOf(`${hint.name.replace(/_/g, " ")} ${hint.description}`);
  return own.length > 0 && own.every((word) => word.length > 1 && said.includes(word));
}
