/** Is a line nothing but a rule of marks? */
export function is_rule(line) {
  const text = line.trim();
  return (
    text.length >= 3 && /^[-=~*_#+|:. \u2500-\u257f]+$/.test(text) && /([-=~*_#\u2500-\u257f])\1\1/.test(text)
  );
}

/** `=== title ===`, `*** title ***` or `[title]`, else null. */
function framed_title(line) {
  const text = line.trimEnd();
  const framed = /^([-=*#+~])\1+/.exec(text);
  if (framed !== null) {
    let end = text.length;
    while (end > 0 && text[end - 1] === framed[1]) end -= 1;
    const title = text.slice(framed[0].length, end);
    if (text.length - end >= 2 && /\w/.test(title)) return title;
  }
  const bracket = /^\[([^[\]]+)\]$/.exec(text);
  return bracket === null ? null : bracket[1];
}

/** Is the text set in columns? */
function is_row(line) {
  return /\S(?:\s{2,}|\t)\S/.test(line.trim()) || /[|;]/.test(line);
}

/** How many columns or cells a row has. */
function count_cells(row) {
  return row.trim().split(/[|;]/.test(row) ? /[|;]/ : /\s{2,}|\t/).length;
}

/** For each line the headings that hold there: an underlined or framed title, and the heading row of a table. Between
 * two rules below that row stands one more row, not another heading, when it has as many cells and other text. */
export function read_headings(lines) {
  const under = [];
  const own = [];
  let title = "";
  let row = "";
  let cells = 0;
  lines.forEach((line, index) => {
    const next = lines[index + 1] ?? "";
    const before = lines[index - 1] ?? "";
    const rule = is_rule(line);
    const text = line.trim().replace(/\s+/g, " ");
    let heading = rule;
    if (!rule && text !== "") {
      const framed = framed_title(line);
      const continued = row !== "" && is_rule(before) && text !== row && count_cells(line) === cells;
      const underlined =
        is_rule(next) && !continued && (is_row(line) || before.trim() === "" || is_rule(before));
      if (framed !== null) {
        title = framed.trim().replace(/\s+/g, " ");
        row = "";
        heading = true;
      } else if (underlined && is_row(line) && (is_rule(before) || !is_row(before))) {
        row = text;
        cells = count_cells(line);
        heading = true;
      } else if (underlined && !is_row(line)) {
        title = text;
        row = "";
        heading = true;
      }
    }
    if (text === "" && row !== "" && next.trim() !== "" && !is_rule(before)) row = "";
    under.push(title === "" && row === "" ? "" : `${title}\n${row}`);
    own.push(heading);
  });
  return { under, own };
}
