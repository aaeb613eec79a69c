const ROW = /^(\S+)\s+(\d+)\s+(\d+)\s+(-?\d+) \(VIOLATED\)$/;

function extract_context(text, source_file) {
  const out = [];
  let inTable = false;
  const lines = text.split("\n");
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i].replace(/\r$/, "");
    if (/^max /.test(line)) {
      inTable = line === "max fanout";
      continue;
    }
    if (!inTable) continue;
    const row = ROW.exec(line);
    if (row === null) continue;
    const [, pin, limit, fanout, slack] = row;
    out.push({ value: pin, source_file, line_number: i + 1, matched_content: line, parsed_fields: { limit, fanout, slack } });
  }
  return out;
}
