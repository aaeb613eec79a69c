// Rows whose columns stand at no fixed places, since a long text pushes the rest of its row along: one expression, made of
// what the texts of each column have in common (one text, a number with a unit, as many words, any words).

import type { RowReader } from "../../program/ir.ts";
import type { Header } from "./headers.ts";

interface Cell {
  body: string;
  /** Any words: the columns beside it have to be strict. */
  free: boolean;
  optional: boolean;
  /** A few texts are of another kind. */
  mixed?: boolean;
}

const NUMBER = "[-+]?\\d[\\d,]*(?:\\.\\d+)?";
const KINDS: readonly { form: RegExp; body: string }[] = [`${NUMBER}%?`, `${NUMBER}[A-Za-z%]{0,4}`].map(
  (body) => ({
    form: new RegExp(`^${body}$`),
    body,
  }),
);
const AMOUNT = /^[-+]?\d[\d.,]*(?: ?[A-Za-z%]{1,4})?$/;
const ANY = "\\S+";

/** Rows of another form: headings inside the table, remarks. */
const OUTLIERS = 0.2;

/** One expression that reads the rows as their columns have them, or undefined. */
export function kindRow(
  header: Header,
  groups: readonly string[],
  wanted: ReadonlySet<string>,
): RowReader | undefined {
  const texts = header.texts ?? [];
  const rows = header.rows ?? [];
  if (header.separator.by !== "blanks" || rows.length === 0 || texts.length !== groups.length)
    return undefined;
  const all = rows.map((row, at) => ({ row, cells: texts.map((column) => column[at] ?? "") }));
  // A row of a name alone is a heading inside the table; one without its first text goes on with the row above.
  const least = Math.max(2, Math.floor(groups.length / 3));
  const full = all.filter(
    ({ cells }) => cells[0] !== "" && cells.filter((text) => text !== "").length >= least,
  );
  if (full.length < 2) return undefined;
  const cells = groups.map((_, index): Cell => {
    // What stands behind the last heading is a remark: any words.
    if (index > 0 && index === groups.length - 1 && header.cells[index]?.name === "")
      return { body: "\\S.*?", free: true, optional: true };
    return cellOf(full.map((one) => one.cells[index] ?? ""));
  });
  cells.forEach((cell, index) => {
    const wider = withStates(cell, index, cells, full);
    if (wider !== undefined) cells[index] = wider;
  });
  const free = cells.filter((one) => one.free).length;
  if (free > 1 && !(free === 2 && cells.at(-1)?.free === true)) return undefined;
  if (cells[0]?.optional === true) return undefined;
  const isBlank = (index: number): boolean => full.every((one) => one.cells[index] === "");
  const shown = cells.flatMap((_, index) => (isBlank(index) ? [] : [index]));
  const last = shown.at(-1);
  // Where some rows are of other kinds, remarks for instance, the kinds tell which are rows.
  const mixed = cells.some((one) => one.mixed === true);
  const parts = shown.map((index) => {
    const { body, free: any, optional } = cells[index] ?? { body: ANY, free: false, optional: false };
    const group = groups[index] ?? "";
    // Beside a column of any words, or one that may be blank, the kind says which text is whose.
    const near = [index - 1, index + 1].some(
      (at) => cells[at]?.free === true || cells[at]?.optional === true,
    );
    const strict = any || near || optional || mixed || /\\s| \?/.test(body);
    const own = any && index === last ? "\\S.*?" : strict ? body : ANY;
    const part = wanted.has(group) ? `(?<${group}>${own})` : own === ANY ? own : `(?:${own})`;
    if (index === 0) return part;
    return optional ? `(?:\\s+${part})?` : `\\s+${part}`;
  });
  const pattern = `^\\s*${parts.join("")}\\s*$`;
  const regex = new RegExp(pattern);
  let missed = 0;
  for (const { row, cells: own } of full) {
    const found = regex.exec(row);
    if (found === null) missed += 1;
    else if (
      groups.some((group, at) => wanted.has(group) && (found.groups?.[group] ?? "").trim() !== own[at])
    )
      return undefined;
  }
  return missed <= OUTLIERS * full.length ? { by: "pattern", pattern } : undefined;
}

/** "1011", "never", "Idle (Admin)": a column of numbers has words in rows that are as the others in all other columns. */
function withStates(
  cell: Cell,
  index: number,
  cells: readonly Cell[],
  full: readonly { cells: readonly string[] }[],
): Cell | undefined {
  if (cell.mixed !== true) return undefined;
  const own = new RegExp(`^${cell.body}$`);
  const odd = full.filter((one) => one.cells[index] !== "" && !own.test(one.cells[index] ?? ""));
  const others = cells.flatMap((one, at) =>
    at !== index && !one.free && one.body !== ANY ? [{ at, form: new RegExp(`^${one.body}$`) }] : [],
  );
  const isRow = odd.every((row) => others.every(({ at, form }) => form.test(row.cells[at] ?? "")));
  if (odd.length === 0 || others.length < 2 || !isRow) return undefined;
  if (odd.every((one) => !/\s/.test(one.cells[index] ?? ""))) return { ...cell, body: ANY, mixed: false };
  return index === cells.length - 1 ? { ...cell, body: "\\S.*?", free: true, mixed: false } : undefined;
}

function cellOf(texts: readonly string[]): Cell {
  const filled = texts.filter((text) => text !== "");
  const optional =
    filled.length < texts.length * (1 - OUTLIERS) || (filled.length < texts.length && texts.length < 6);
  const share = (form: RegExp): number =>
    filled.filter((text) => form.test(text)).length / Math.max(1, filled.length);
  const [kind] = KINDS.map((one) => ({ ...one, of: share(one.form) })).sort((a, b) => b.of - a.of);
  if (kind !== undefined && filled.length >= 3 && kind.of >= 1 - OUTLIERS) {
    // A count of thousands may be written short elsewhere.
    const body = kind.of < 1 ? (KINDS[1]?.body ?? kind.body) : kind.body;
    return { body, free: false, optional, mixed: kind.of < 1 };
  }
  const words = new Set(filled.map((text) => text.split(/\s+/).length));
  const [count = 1] = words;
  if (words.size === 1 && count === 1) return { body: ANY, free: false, optional };
  if (share(AMOUNT) === 1) return { body: "[-+]?\\d[\\d.,]*(?: ?[A-Za-z%]{1,4})?", free: false, optional };
  if (words.size === 1 && count <= 3)
    return { body: `\\S+(?:\\s+\\S+){${count - 1}}`, free: false, optional };
  return { body: "\\S.*?", free: true, optional };
}
