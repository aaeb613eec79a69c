// What a row is read for beside the cells of the value and the fields: columns that conditions may be about, and parts of
// which only some of the text in a cell is meant.

import { wordIn } from "../../conditions/exclusions.ts";
import { similarity } from "../../page/names.ts";
import type { Group, Hint, Page } from "../../page/page.ts";
import { interpretRule } from "../../program/interpret.ts";
import type { GroupFilter, RowReader, TableRule } from "../../program/ir.ts";
import { partOfCell } from "./cell-parts.ts";
import type { Header } from "./headers.ts";

/** Texts of a column that tells kinds of rows. */
const MOST_KINDS = 12;

/** Words, also in brackets or with a remark behind them, and marks. */
const KIND = /^[A-Za-z][\w -]*$|^[-*+!?]{0,3}$|^[([<*"]*[A-Za-z*!?+-][^\d]{0,50}$/;

/** The reader with the columns that conditions may be about, where it stays of the same form. */
export function withKinds(
  row: RowReader,
  page: Page,
  header: Header,
  groups: readonly string[],
  wanted: ReadonlySet<string>,
  read: (all: ReadonlySet<string>) => RowReader | undefined,
): RowReader {
  const claims = [...page.claims, ...page.definitions];
  if (claims.length === 0) return row;
  const nouns = claims.flatMap((claim) => claim.tests.map((test) => test.of)).filter((one) => one !== "");
  const all = new Set(wanted);
  header.cells.forEach(({ name }, at) => {
    const texts = new Set(header.texts?.[at] ?? []);
    const words = [...texts].every((text) => KIND.test(text));
    const kinds =
      (texts.size >= 2 && texts.size <= MOST_KINDS && words) || (texts.has("all") && texts.size > 1);
    // "A row with a TID": the heading as it is written.
    const spoken =
      /^[A-Z][A-Z_%]+$/.test(name.trim()) && claims.some(({ phrase }) => wordIn(name.trim()).test(phrase));
    const named =
      spoken ||
      nouns.some(
        (noun) => similarity(noun, name) >= 0.7 || similarity(noun.split(" ").at(-1) ?? "", name) === 1,
      );
    if ((kinds || named) && /^[A-Za-z]\w*$/.test(groups[at] ?? "")) all.add(groups[at] ?? "");
  });
  if (all.size === wanted.size) return row;
  const more = read(all);
  return more?.by === row.by ? more : row;
}

/** Rows that have a name and nothing else are headings inside the table. */
export function filledRows(rule: TableRule, group: Group, lines: readonly string[]): GroupFilter[] {
  const needed = group.fields.filter((hint) => !hint.optional);
  const sources = needed.flatMap((hint) => {
    const source = rule.projection.fields.find((one) => one.name === hint.name)?.source;
    return source?.from === "group" ? [source.group] : [];
  });
  const [first, ...also] = [...new Set(sources)];
  const records = interpretRule(rule, lines);
  const bare = records.filter((one) => needed.every((hint) => one.fields[hint.name] === undefined)).length;
  if (first === undefined || sources.length < needed.length || bare === 0 || bare > records.length / 2)
    return [];
  return [{ group: first, ...(also.length === 0 ? {} : { also }), equals: [""], negate: true }];
}

const NUMBER = /^[-+]?\d[\d,]*(?:\.\d+)?[A-Za-z%]{0,4}$/;

/** The reader with numbers in the columns of numbers, where other lines would be read as rows: remarks below a table, the
 * lines of the next one. */
export function withNumbers(
  rule: TableRule,
  header: Header,
  groups: readonly string[],
  lines: readonly string[],
): RowReader {
  const { row } = rule;
  if (row.by !== "pattern") return row;
  const numeric = groups.filter((group, at) => {
    const texts = (header.texts?.[at] ?? []).filter((text) => text !== "");
    return (
      texts.length >= 4 &&
      texts.filter((text) => NUMBER.test(text)).length >= 0.8 * texts.length &&
      row.pattern.includes(`(?<${group}>\\S+)`)
    );
  });
  if (numeric.length < 2) return row;
  const fields = numeric.map((group) => ({ name: group, source: { from: "group" as const, group } }));
  const read = interpretRule({ ...rule, filters: [], projection: { ...rule.projection, fields } }, lines);
  const odd = read.filter((one) => numeric.every((group) => !NUMBER.test(one.fields[group] ?? ""))).length;
  if (odd === 0 || odd > 0.3 * read.length) return row;
  const pattern = numeric.reduce(
    (all, group) => all.replace(`(?<${group}>\\S+)`, `(?<${group}>[-+]?\\d[\\d,.]*[A-Za-z%]{0,4})`),
    row.pattern,
  );
  return { by: "pattern", pattern };
}

/** Is the part inside a cell that has another part as well? */
export function isInside(header: Header, hint: Hint): boolean {
  return header.inside?.some((one) => one.hint === hint) === true;
}

/** Adds the parts of which only some of the text in a cell is meant. */
export function addParts(
  rule: TableRule,
  header: Header,
  groups: readonly string[],
  group: Group,
  lines: readonly string[],
): void {
  const parts: NonNullable<TableRule["parts"]> = [];
  const used = new Set([...groups, ...group.fields.map((one) => one.name)]);
  const add = (hint: Hint, from: string, pattern: string): void => {
    let name = /^[A-Za-z]\w*$/.test(hint.name) ? `${hint.name}_part` : "cell_part";
    while (used.has(name)) name += "_2";
    used.add(name);
    parts.push({ group: name, from, pattern });
    const source = { from: "group" as const, group: name };
    const field = rule.projection.fields.find((one) => one.name === hint.name);
    if (hint === group.value) {
      rule.projection.value = source;
      rule.required = [name];
    } else if (field !== undefined) field.source = source;
    else rule.projection.fields.push({ name: hint.name, source });
  };
  for (const { hint, at, pattern } of header.inside ?? []) add(hint, groups[at] ?? "", pattern);
  const rows = interpretRule({ ...rule, filters: [], required: [] }, lines);
  for (const hint of [...(group.value === undefined ? [] : [group.value]), ...group.fields]) {
    const own =
      hint === group.value
        ? rule.projection.value
        : rule.projection.fields.find((one) => one.name === hint.name)?.source;
    if (own?.from !== "group" || own.op !== undefined || isInside(header, hint)) continue;
    const texts = rows.map((row) => (hint === group.value ? row.value : row.fields[hint.name]) ?? "");
    const pattern = partOfCell(hint, texts);
    if (pattern !== undefined) add(hint, own.group, pattern);
  }
  if (parts.length > 0) rule.parts = parts;
  const order = new Map(group.fields.map((one, at) => [one.name, at]));
  rule.projection.fields.sort((a, b) => (order.get(a.name) ?? 99) - (order.get(b.name) ?? 99));
}
