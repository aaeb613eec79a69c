// Lines inside a table that its rule does not take for rows, although only one of their cells is of another kind than in the
// rows that are taken, or cells are missing at their end.

import { interpretRule, splitCells } from "../../program/interpret.ts";
import type { Extracted, TableRule } from "../../program/ir.ts";
import { type Unit, unitsOf } from "../units.ts";

/** Rows with fewer cells are told by nothing but their kinds. */
const CELLS = 3;

/** The lines of the tables that the rule reads, whether they are rows or not. */
function insideOf(rule: TableRule, lines: readonly string[]): Extracted[] {
  const any: TableRule = {
    ...rule,
    row: { by: "pattern", pattern: "^(?<all__>.*\\S.*)$" },
    required: [],
    filters: [],
    unless: [],
    parts: [],
    carry: [],
    wraps: false,
    ends: rule.ends === "mismatch" ? "blank" : rule.ends,
    projection: { value: { from: "group", group: "all__" }, fields: [] },
  };
  return interpretRule(any, lines);
}

/** Rows with a value that are dropped for a blank cell of a field. */
export function blankCells(
  rule: TableRule,
  taken: ReadonlySet<number>,
  lines: readonly string[],
): Extracted[] {
  const fields = new Set(
    rule.projection.fields.flatMap(({ source }) => (source.from === "group" ? [source.group] : [])),
  );
  const { value } = rule.projection;
  // Rows below a title without the part are another matter.
  for (const { pattern } of rule.above ?? [])
    for (const [, group = ""] of pattern.matchAll(/\(\?<(\w+)>/g)) fields.delete(group);
  const required = rule.required.filter(
    (one) => !fields.has(one) || (value.from === "group" && value.group === one),
  );
  if (required.length === rule.required.length) return [];
  return interpretRule({ ...rule, required }, lines).filter(
    (one) => !taken.has(one.line) && one.value !== "",
  );
}

/** Lines inside the tables that are rows but for one cell; `taken` are the numbers of the lines that are read. */
export function leftInside(
  rule: TableRule,
  taken: ReadonlySet<number>,
  lines: readonly string[],
): Extracted[] {
  const open = insideOf(rule, lines).filter(
    ({ line }) => !taken.has(line) && !(rule.wraps === true && taken.has(line - 1)),
  );
  if (open.length === 0) return [];
  const { row } = rule;
  if (row.by === "pattern") {
    const forms = oneCellFreed(row.pattern);
    return open.filter(
      ({ content }) =>
        forms.some((one) => one.test(content)) && !rule.unless.some((text) => content.includes(text)),
    );
  }
  if (row.by !== "separator" || row.groups.length < CELLS) return [];
  const hasDigits = lines.filter((_, at) => taken.has(at + 1)).every((line) => /\d/.test(line));
  let other = Number.NEGATIVE_INFINITY;
  return open.filter(({ content, line }) => {
    // The heading of another table, and its rows.
    if (hasDigits && !/\d/.test(content)) other = line;
    if (line === other || line === other + 1) {
      other = line;
      return false;
    }
    const text = row.framed ? content.trim().slice(row.separator.length) : content;
    const cells = splitCells(text, row.separator, row.quoted);
    if (row.framed) cells.pop();
    const filled = cells.filter((one) => one.trim() !== "").length;
    return (
      cells.length !== row.groups.length &&
      cells.length > row.groups.length / 2 &&
      filled > cells.length / 2 &&
      !rule.unless.some((text) => content.includes(text))
    );
  });
}

/** The expression of a row with any text in one of its cells, or with several words in the last one. */
function oneCellFreed(pattern: string): RegExp[] {
  const units = unitsOf(pattern);
  if (units === undefined || units.length > 80) return [];
  const cells = units.flatMap((unit, at) =>
    (unit.kind === "group" || unit.kind === "other") && !/^[$^]$|^\\s|^\(\?[=!]/.test(unit.raw) ? [at] : [],
  );
  const last = cells.at(-1);
  // Numbers and marks tell a row; words alone may be any line.
  const typed = cells.filter((at) => /\\d|\|/.test(units[at]?.raw ?? "")).length;
  if (cells.length < CELLS || typed < 3) return [];
  return cells.flatMap((at) => {
    const unit = units[at];
    if (unit === undefined || (at !== last && !/\\d|\[A-Za-z|\|/.test(unit.raw))) return [];
    const name = /^\(\?<\w+>/.exec(unit.raw)?.[0] ?? "(?:";
    const by: Unit = { ...unit, raw: at === last ? `${name}\\S.*?)` : `${name}\\S+)` };
    const text = units
      .with(at, by)
      .map(({ raw }) => raw)
      .join("");
    try {
      return [new RegExp(text)];
    } catch {
      return [];
    }
  });
}
