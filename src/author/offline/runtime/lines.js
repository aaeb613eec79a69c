import { rows_of } from "./grid.js";

/** Texts of the parts of a rule in a line; null when the line is another one. */
export function read_line(rule, line) {
  const match = rule.line.exec(line);
  if (match === null) return null;
  return Object.fromEntries(
    Object.entries(rule.parts).map(([name, group]) => [name, (match[group] ?? "").trim()]),
  );
}

/** Lines that read as a rule says, in order; numbers of lines begin with 0. */
function lines_like(rule, lines) {
  const found = [];
  lines.forEach((text, line) => {
    const texts = read_line(rule, text.trimEnd());
    if (texts !== null) found.push({ line, texts });
  });
  return found;
}

/** For each line the number of blank lines up to it. */
function count_blanks(lines) {
  let blanks = 0;
  return lines.map((text) => {
    if (text.trim() === "") blanks += 1;
    return blanks;
  });
}

/** For each record the nearest of the lines found above or below it, not beyond the next record, nor beyond a blank line
 * where blocks have none; null where there is none. */
function nearest_beside(one, records, lines, blanks) {
  const found = lines_like(one, lines);
  const below = one.side === "below";
  let at = 0;
  return records.map(({ line }, index) => {
    while (at < found.length && found[at].line <= line) at += 1;
    const above = found[at - 1]?.line === line ? at - 2 : at - 1;
    const next = found[below ? at : above];
    if (next === undefined) return null;
    if (one.held) return next;
    const border = records[below ? index + 1 : index - 1]?.line;
    if (border !== undefined && (below ? next.line >= border : next.line <= border)) return null;
    return blanks !== null && blanks[next.line] !== blanks[line] ? null : next;
  });
}

/** Records with their parts on other lines; one that lacks such a part is left out, unless it may. */
function with_beside(rule, records, lines) {
  const blanks = rule.no_blanks ? count_blanks(lines) : null;
  const beside = (rule.beside ?? []).map((one) => ({
    one,
    found: nearest_beside(one, records, lines, blanks),
  }));
  return records.flatMap(({ line, texts }, index) => {
    if (beside.some(({ one, found }) => found[index] === null && !one.optional)) return [];
    return [{ line, texts: Object.assign({}, texts, ...beside.map(({ found }) => found[index]?.texts)) }];
  });
}

/** Records of a rule for lines. */
export function read_lines(rule, lines) {
  return with_beside(rule, lines_like(rule, lines), lines);
}

/** Records of a rule for the rows of a table; a blank cell is no part, nor is a text that stands for nothing. */
export function read_rows(rule, lines) {
  const rows = rows_of(rule.grid, lines).map(({ line, cells }) => {
    const texts = Object.entries(rule.parts).map(([name, index]) => {
      const cell = cells[index];
      const text = cell ? lines[line].slice(cell.start, cell.end) : "";
      return [name, rule.nothing?.[name]?.includes(text) ? "" : text];
    });
    return { line, texts: Object.fromEntries(texts.filter(([, text]) => text !== "")) };
  });
  return with_beside(
    rule,
    rows.filter(({ texts }) => texts.value !== undefined),
    lines,
  );
}
