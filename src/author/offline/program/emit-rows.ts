// The code that reads one row of a table: its cells, and the parts inside them.

import { comment, literal, regex } from "./emit.ts";
import type { TableRule } from "./ir.ts";
import { PIECES } from "./under-headings.ts";

/** What stands in front of the function, and what reads a row inside it. */
export function emitRow(rule: TableRule, suffix: string): { head: string[]; read: string[] } {
  const head: string[] = [];
  const read: string[] = [];
  if (rule.row.by === "pattern") {
    head.push(comment(rule.example), `const ROW${suffix} = ${regex(rule.row.pattern)};`);
    if (rule.wraps === true) {
      read.push(
        `    const joined = joinedRow(line, lines[index + 1], ROW${suffix});`,
        "    if (joined !== undefined) rest = index + 1;",
      );
    }
    read.push(
      `    const groups = ROW${suffix}.exec(${rule.wraps === true ? "joined ?? line" : "line"})?.groups;`,
    );
    read.push(
      rule.ends === "mismatch" ? "    if (groups === undefined) inside = false;" : "",
      "    if (groups === undefined) return;",
    );
  } else if (rule.row.by === "headings") {
    const { names, groups, pieces } = rule.row;
    head.push(comment(rule.example), `const NAMES${suffix} = [${names.map(literal).join(", ")}];`);
    read.push(
      `    const cells = cellsUnder(line, heads, /${PIECES[pieces]}/g);`,
      "    const groups = {",
      ...groups.flatMap((group, index) => (group === null ? [] : [`      ${group}: cells[${index}],`])),
      "    };",
    );
  } else if (rule.row.by === "columns") {
    head.push(comment(rule.example));
    const cells = rule.row.columns.map(
      ({ group, start, end }) => `      ${group}: line.slice(${start}${end === null ? "" : `, ${end}`}),`,
    );
    read.push("    const groups = {", ...cells, "    };");
  } else {
    const { separator, quoted, framed, groups } = rule.row;
    head.push(comment(rule.example));
    const text = framed ? `line.trim().slice(${separator.length})` : "line";
    const split = quoted
      ? `splitQuoted(${text}, ${literal(separator)})`
      : `${text}.split(${literal(separator)})`;
    const count = groups.length + (framed ? 1 : 0);
    read.push(
      `    const cells = ${split};`,
      rule.ends === "mismatch" ? `    if (cells.length !== ${count}) inside = false;` : "",
      `    if (cells.length !== ${count}) return;`,
      "    const groups = {",
      ...groups.flatMap((group, index) => (group === null ? [] : [`      ${group}: cells[${index}],`])),
      "    };",
    );
  }
  return { head, read };
}

/** The parts inside the cells of a column. */
export function emitParts(rule: TableRule, suffix: string): { head: string[]; each: string[] } {
  if (rule.parts === undefined) return { head: [], each: [] };
  return {
    head: [
      "// Parts inside the cells of a column.",
      `const PARTS${suffix} = [`,
      ...rule.parts.map(
        ({ group, from, pattern }) => `  [${literal(group)}, ${literal(from)}, ${regex(pattern)}],`,
      ),
      "];",
    ],
    each: [
      `    for (const [name, from, form] of PARTS${suffix})`,
      '      groups[name] = form.exec((groups[from] ?? "").trim())?.groups.part;',
    ],
  };
}
