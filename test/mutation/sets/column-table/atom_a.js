const split = (line) => line.trim().split(/\s{2,}|\t/);
function extract_context(text, source_file) {
  const records = [];
  let columns = null;
  for (const [i, raw] of text.split("\n").entries()) {
    const line = raw.endsWith("\r") ? raw.slice(0, -1) : raw;
    const cells = split(line);
    if (cells.includes("Clock") && cells.includes("Slack")) {
      columns = cells.map((cell) => cell.toLowerCase());
      continue;
    }
    if (/^-+$/.test(line.replace(/\s/g, ""))) continue;
    if (columns === null || cells.length !== columns.length) {
      if (line.trim() === "") columns = null;
      continue;
    }
    const row = Object.fromEntries(columns.map((name, k) => [name, cells[k]]));
    if (!/^-?\d+\.\d+$/.test(row.slack)) continue;
    records.push({ value: row.clock, source_file, line_number: i + 1, matched_content: line, parsed_fields: { ...row, violated: parseFloat(row.slack) < 0 } });
  }
  return records;
}
