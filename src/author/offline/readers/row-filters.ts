// Which rows of a table are wanted: the page's conditions on its columns, marks in front of rows, closing totals.

import { filterOf } from "../page/conditions.ts";
import { similarity } from "../page/names.ts";
import type { FieldRule, Hint, Page } from "../page/page.ts";
import { interpretRule } from "../program/interpret.ts";
import type { GroupFilter, TableRule } from "../program/ir.ts";
import type { Header } from "./headers.ts";

/** The page's conditions on a column. */
export function filtersFor(
  rules: readonly FieldRule[],
  header: Header,
  groups: readonly string[],
): GroupFilter[] {
  const filters: GroupFilter[] = [];
  for (const rule of rules) {
    let best = -1;
    let like = 0.5;
    header.cells.forEach((cell, index) => {
      const likeness = Math.max(
        similarity(rule.name, cell.name),
        similarity(rule.name, hintName(header.hints[index])),
      );
      if (likeness > like) {
        like = likeness;
        best = index;
      }
    });
    const group = groups[best];
    if (group === undefined) continue;
    if (filters.some((one) => one.group === group && (one.negate ?? false) === rule.negate)) continue;
    filters.push(filterOf(rule, group));
  }
  return filters;
}

function hintName(hint: Hint | undefined): string {
  return hint?.name ?? "";
}
/** Only rows with one of the marks that the page wants in front. */
export function keepMarked(rule: TableRule, page: Page): void {
  const marks = page.marks?.wanted;
  if (marks === undefined) return;
  if (rule.row.by === "pattern" && rule.row.pattern.startsWith("^\\s*")) {
    rule.row.pattern = `^(?<mark>.)${rule.row.pattern.slice(1)}`;
  } else if (rule.row.by === "columns") {
    rule.row.columns.unshift({ group: "mark", start: 0, end: 1 });
  } else return;
  rule.filters.push({ group: "mark", equals: marks });
}

/** Closing rows ("Total") that the page calls no item. */
export function dropTotals(rule: TableRule, page: Page, lines: readonly string[]): void {
  const value = rule.projection.value;
  if (value.from !== "group") return;
  const unwanted = new Set<string>();
  const negative =
    page.prose
      .match(
        /[^.\n]*\b(?:not (?:an?|wanted|counted|items?)|is no|are no|ignor\w+|exclud\w+|skip\w*)\b[^.\n]*/gi,
      )
      ?.join(" ")
      .toLowerCase() ?? "";
  for (const record of interpretRule(rule, lines)) {
    const word = record.value.toLowerCase().replace(/[:*]+$/, "");
    if (
      /^(?:grand )?(?:total|sum|average|mean|overall|all|subtotal|summary)s?$/.test(word) &&
      negative.includes(word.split(" ").at(-1) ?? word)
    ) {
      unwanted.add(record.value);
    }
  }
  if (unwanted.size > 0) rule.filters.push({ group: value.group, equals: [...unwanted], negate: true });
}
