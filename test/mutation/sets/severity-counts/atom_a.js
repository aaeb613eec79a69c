// Counts per severity: one summary record for each level that occurs in the file.
function extract_context(text, source_file) {
  const counts = new Map();
  for (const line of text.split(/\r?\n/)) {
    const m = /^\[(WARN|ERROR)\] /.exec(line);
    if (m) counts.set(m[1], (counts.get(m[1]) ?? 0) + 1);
  }
  return [...counts].map(([level, count]) => ({
    value: `${level}=${count}`,
    source_file,
    line_number: null,
    matched_content: "",
    parsed_fields: { level, count },
  }));
}
