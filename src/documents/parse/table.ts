// Tables in Markdown: a row of the document is always one line.

/** One row in Markdown. Line ends inside a cell become spaces. */
export function tableRow(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replace(/\s+/g, " ").trim().replaceAll("|", "\\|")).join(" | ")} |`;
}

/** A table in Markdown, with the first row as its head. */
export function table(rows: readonly (readonly string[])[]): string {
  const [head, ...rest] = rows;
  if (head === undefined) return "";
  return [tableRow(head), `|${" --- |".repeat(head.length)}`, ...rest.map(tableRow)].join("\n");
}
