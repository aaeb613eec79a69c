// Columns of a table that are neither value nor field, but that the page may ask something of ("only rows with `Dis` in the
// column STP", "points that failed" with a column of PASS and FAIL): parts like the others, for the conditions alone.

import { makeHint } from "../page/make-hint.ts";
import type { Group } from "../page/page.ts";
import { interpretRule } from "../program/interpret.ts";
import type { Extracted, LineRule, Rule, TableRule } from "../program/ir.ts";
import type { Part } from "./parts.ts";

/** In front of the names of cells of which the records have only a part. */
export const WHOLE = "whole cell: ";

/** The rules with all columns that they read as fields. */
export function withHidden(rules: readonly Rule[]): Rule[] {
  return rules.map((rule) => {
    if (rule.kind === "line" && rule.cells !== undefined) return withCells(rule);
    if (rule.kind !== "table") return rule;
    const whole = [...new Set((rule.parts ?? []).map((one) => one.from))];
    const fields = [
      ...hiddenOf(rule).map((group) => ({ name: group, source: { from: "group" as const, group } })),
      ...whole.map((group) => ({ name: `${WHOLE}${group}`, source: { from: "group" as const, group } })),
    ];
    return { ...rule, projection: { ...rule.projection, fields: [...rule.projection.fields, ...fields] } };
  });
}

/** Those columns as parts, where all rules have them. */
export function hiddenParts(rules: readonly Rule[]): Part[] {
  const each = rules.map((rule) =>
    rule.kind === "table"
      ? hiddenOf(rule)
      : rule.kind === "line" && rule.cells !== undefined
        ? hiddenCells(rule)
        : [],
  );
  const [first = [], ...others] = each;
  return first
    .filter((group) => others.every((one) => one.includes(group)))
    .map((group) => ({ hint: makeHint(group, ""), group, isValue: false }));
}

/** Rows of cells with all of them as fields. */
function withCells(rule: LineRule): LineRule {
  const fields = hiddenCells(rule).map((group) => ({
    name: group,
    source: { from: "group" as const, group },
  }));
  const alternatives = rule.alternatives.map((one) => ({
    ...one,
    projection: { ...one.projection, fields: [...one.projection.fields, ...fields] },
  }));
  return { ...rule, alternatives };
}

/** Cells that neither the value nor a field is read from. */
function hiddenCells({ alternatives }: LineRule): string[] {
  return alternatives.flatMap(({ pattern, projection }) => {
    const sources = [projection.value, ...projection.fields.map(({ source }) => source)];
    const used = sources.flatMap((source) => (source.from === "group" ? [source.group] : []));
    const names = [...pattern.matchAll(/\(\?<([A-Za-z]\w*)>/g)].map((match) => match[1] ?? "");
    return names.filter((name) => !used.includes(name));
  });
}

/** Groups of a row that its records do not have. */
function hiddenOf(rule: TableRule): string[] {
  const { row, projection } = rule;
  const read =
    row.by === "pattern"
      ? [...row.pattern.matchAll(/\(\?<([A-Za-z]\w*)>/g)].map((match) => match[1] ?? "")
      : row.by === "columns"
        ? row.columns.map((one) => one.group)
        : row.groups.filter((one) => one !== null);
  const used = new Set(
    [projection.value, ...projection.fields.map((one) => one.source)].flatMap((source) =>
      source.from === "group" ? [source.group] : [],
    ),
  );
  const names = new Set(projection.fields.map((one) => one.name));
  for (const { from } of rule.parts ?? []) used.add(from);
  return [...new Set(read)].filter((group) => !used.has(group) && !names.has(group));
}

/** The rows that the page shows, read like rows of the table; only where the places of the columns do not matter. */
export function shownRows(rule: TableRule, group: Group): Extracted[] {
  if (rule.row.by !== "pattern" && rule.row.by !== "separator") return [];
  const { sections: _sections, above: _above, only: _only, ...alone } = rule;
  return group.examples
    .filter((one) => one.lines.length === 1)
    .flatMap(({ lines }) => interpretRule({ ...alone, unless: [] }, [rule.headerExample, lines[0] ?? ""]));
}
