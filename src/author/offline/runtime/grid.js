import { is_rule } from "./headings.js";

/** Words of a line with their offsets. */
export function words_of(line) {
  return Array.from(line.matchAll(/\S+/g), (match) => ({
    text: match[0],
    start: match.index,
    end: match.index + match[0].length,
  }));
}

/** Cells of a row below the words of a heading: a word belongs to the first heading word above it; one that stands
 * below none goes with the word before it, or behind a wide blank to the last column that has begun. */
export function columns_of(heading, row) {
  const cells = heading.map(() => null);
  let last = 0;
  let end = -1;
  for (const word of words_of(row)) {
    const above = heading.findIndex((head) => word.start < head.end && head.start < word.end);
    const begun = heading.findLastIndex((head) => head.start <= word.start);
    const column = above >= 0 ? above : word.start - end === 1 ? last : Math.max(begun, 0);
    const cell = cells[column];
    cells[column] = { start: cell === null ? word.start : cell.start, end: word.end };
    last = column;
    end = word.end;
  }
  return cells;
}

/** Cells between delimiters, without the blanks around them. */
export function cells_of(row, delimiter) {
  const cells = [];
  let start = 0;
  for (const text of row.split(delimiter)) {
    const trimmed = text.trim();
    const lead = trimmed === "" ? text.length : text.length - text.trimStart().length;
    cells.push({ start: start + lead, end: start + lead + trimmed.length });
    start += text.length + delimiter.length;
  }
  return cells;
}

/** Every row of a table: its line from 0 and its cells; a cell that is not there is null. */
export function rows_of(grid, lines) {
  const rows = [];
  if (grid.delimiter !== undefined) {
    lines.forEach((text, line) => {
      if (is_rule(text)) return;
      const cells = cells_of(text.trimEnd(), grid.delimiter);
      if (cells.length === grid.cells) rows.push({ line, cells });
    });
    return rows;
  }
  let heading = null;
  lines.forEach((text, line) => {
    const words = words_of(text);
    if (words.length === grid.heading.length && words.every((word, k) => word.text === grid.heading[k])) {
      heading = words;
    } else if (heading !== null && !is_rule(text)) {
      // A sentence of several words without any wide blank is a title, not a row.
      if (words.length > 2 && !/\S(?:\s\s|\t)/.test(text)) heading = null;
      else if (words.length > 0) rows.push({ line, cells: columns_of(heading, text) });
      else if (!is_rule(lines[line - 1] ?? "") && !is_rule(lines[line + 1] ?? "")) heading = null;
    }
  });
  return rows;
}
