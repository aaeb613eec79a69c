// Rows that a rule for tables should not have taken: lines cut inside a word, and lines whose cells are of another kind than
// those of all other rows, as remarks and closing lines below a table are.

import { interpretRule } from "../program/interpret.ts";
import type { Extracted, TableRule } from "../program/ir.ts";

/** Doubts about the rows that a rule takes. */
export function oddRows(rule: TableRule, lines: readonly string[]): string[] {
  const records = interpretRule(rule, lines);
  return [...cutWords(rule, records), ...otherKinds(records), ...framed(rule, records, lines)];
}

/** A column that begins inside a word of a row. */
function cutWords(rule: TableRule, records: readonly Extracted[]): string[] {
  if (rule.row.by !== "columns") return [];
  const starts = rule.row.columns.map((one) => one.start).filter((start) => start > 0);
  const cut = records.find(({ content }) =>
    starts.some((start) => /\S/.test(content.charAt(start - 1)) && /\S/.test(content.charAt(start))),
  );
  return cut === undefined ? [] : [`a column begins inside a word of: ${cut.content.trim()}`];
}

/** A row between two rulers, as the heading itself stands: that is the heading of another table. */
function framed(rule: TableRule, records: readonly Extracted[], lines: readonly string[]): string[] {
  const ruler = new RegExp(rule.ruler);
  const isFramed = (at: number): boolean =>
    ruler.test(lines[at - 1] ?? "") && ruler.test(lines[at + 1] ?? "");
  const header = new RegExp(rule.header);
  const heads = lines.flatMap((line, at) => (header.test(line) ? [at] : []));
  if (records.length < 3 || heads.length === 0 || !heads.every(isFramed)) return [];
  const odd = records.filter(({ line, content }) => isFramed(line - 1) && !/\d/.test(content));
  const [first] = odd;
  return first === undefined || odd.length > records.length * 0.3
    ? []
    : [`a heading row of another table is taken for a record: ${first.content.trim()}`];
}

/** Rows that differ in kind from nearly all others in half of their parts. */
function otherKinds(records: readonly Extracted[]): string[] {
  if (records.length < 5) return [];
  const names = [...new Set(records.flatMap((one) => Object.keys(one.fields)))];
  const partsOf = (one: Extracted): (string | undefined)[] => [
    one.value,
    ...names.map((name) => one.fields[name]),
  ];
  const usual = partsOf(records[0] ?? { value: "", line: 0, content: "", fields: {} }).map((_, column) => {
    const kinds = new Map<string, number>();
    for (const one of records) {
      const kind = kindOf(partsOf(one)[column]);
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    }
    const [most] = [...kinds].sort((a, b) => b[1] - a[1]);
    return most !== undefined && most[1] >= records.length * 0.8 ? most[0] : undefined;
  });
  const odd = records.find((one) => {
    const off = partsOf(one).filter((text, column) => {
      const expected = usual[column];
      // A blank cell or a dash may stand in any column.
      const own = kindOf(text);
      return expected !== undefined && expected !== "" && own !== "" && own !== expected;
    }).length;
    return off >= 2 && off * 2 >= names.length + 1;
  });
  return odd === undefined ? [] : [`a row unlike the others is taken: ${odd.content.trim()}`];
}

/** Rough kinds: a number, a path, an address, nothing, any word. */
function kindOf(text: string | undefined): string {
  const own = text?.trim() ?? "";
  if (own === "" || /^(?:[-?*.]+|n\/?a|none|unknown)$/i.test(own)) return "";
  if (/^[-+]?[\d.,]+(?:e[-+]?\d+)?\s?[%a-zA-Z]{0,3}$/.test(own)) return "number";
  if (/^\//.test(own)) return "path";
  return "word";
}
