// Tables whose rows go on behind the last column: a remark or match text that no heading names.

import type { Group, Hint } from "../../page/page.ts";
import type { RowReader } from "../../program/ir.ts";
import type { Header } from "./headers.ts";

/** "the rest of the line", "the remark behind the counters": a text behind the last column, which has no heading. */
export function restOf(group: Group, header: Header): Hint | undefined {
  return group.fields.find(
    (hint) =>
      !header.hints.includes(hint) &&
      /^[A-Za-z]\w*$/.test(hint.name) &&
      /\brest of (?:the|its) (?:line|row)\b|\b(?:behind|after) the (?:last|counters|columns|numbers)\b|\bremark\b/i.test(
        hint.description,
      ),
  );
}

/** Rows of plain cells, as many as the headings, with a text behind them in some. */
export function restRow(
  header: Header,
  groups: readonly string[],
  wanted: ReadonlySet<string>,
  rows: readonly string[],
  rest: string,
): RowReader | undefined {
  if (header.separator.by !== "blanks" || rows.length === 0) return undefined;
  const counts = rows.map((row) => row.trim().split(/\s+/).length);
  if (!counts.every((count) => count >= groups.length) || !counts.includes(groups.length)) return undefined;
  const cells = groups.map((group) => (wanted.has(group) ? `(?<${group}>\\S+)` : "\\S+"));
  return { by: "pattern", pattern: `^\\s*${cells.join("\\s+")}(?:\\s+(?<${rest}>\\S.*))?\\s*$` };
}
