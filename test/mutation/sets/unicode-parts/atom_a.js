const PART = /^(?<name>[\p{L}\p{M}\d _-]+?)\s*→\s*(?<size>\d+(?:,\d+)?)\s?(?<unit>µm|nm|Ω)(?:\s+#(?<note>.*))?$/u;
const extract_context_line = (line, number, source_file) => {
  const m = PART.exec(line);
  if (m === null) return null;
  const { name, size, unit, note } = m.groups;
  return {
    value: `${name} ${size} ${unit}`,
    source_file,
    line_number: number,
    matched_content: line,
    parsed_fields: { name, size, unit, note: note === undefined ? "" : note.trim() },
  };
};
function extract_context(text, source_file) {
  const records = [];
  let number = 0;
  for (const line of text.split(/\r?\n/)) {
    number += 1;
    const record = extract_context_line(line, number, source_file);
    if (record !== null) records.push(record);
  }
  return records;
}
