// Blocks that show a title or a heading row as the log has it, and below it one row: the row is the example of a record, and
// records stand below such titles.

import type { Example, Group } from "../page/page.ts";
import { fixedLines } from "./records/fixed-lines.ts";
import { scopeOf, type ToldScope } from "./told-scope.ts";

export interface TitledRows {
  /** The group with the rows as examples of their own. */
  group: Group;
  told: ToldScope;
}

/** The rows below the title of the only block, or undefined where the page shows none of this kind. */
export function titledRows(group: Group, lines: readonly string[]): TitledRows | undefined {
  const blocks = group.examples.filter((one) => one.mark === "block" && one.lines.length > 1);
  const [block] = blocks;
  if (block === undefined || blocks.length > 1) return undefined;
  const shown = block.lines.filter((line) => /[\p{L}\p{N}]/u.test(line));
  const hints = [...(group.value === undefined ? [] : [group.value]), ...group.fields];
  const fixed = fixedLines(shown, hints, lines);
  const rows = shown.filter((_, at) => !fixed.has(at));
  const isAbove = [...fixed].every((at) => at < fixed.size);
  if (fixed.size === 0 || !isAbove || rows.length === 0 || !areAlike(rows)) return undefined;
  const title = shown[fixed.size - 1] ?? "";
  const told = scopeOf({ text: title.trim(), end: undefined }, lines);
  if (told === undefined) return undefined;
  const examples: Example[] = rows.map((line) => ({ lines: [line], label: "", mark: "code" }));
  const others = group.examples.filter((one) => one !== block && one.lines.length === 1);
  return { group: { ...group, examples: [...examples, ...others] }, told };
}

function areAlike(rows: readonly string[]): boolean {
  const form = (line: string): string =>
    line
      .trim()
      .replace(/\S+/g, (word) => (/^[-+]?\d[\d.,%]*$/.test(word) ? "9" : "w"))
      .replace(/\s+/g, " ");
  return new Set(rows.map(form)).size === 1;
}
