// One record per file that sums up its errors; a file without errors gives none.
function extract_context(text, source_file) {
  const lines = text.split(/\r\n|\n/);
  const codes = [];
  let first = "";
  for (const line of lines) {
    const m = /^ERROR \(([A-Z]+-\d+)\):/.exec(line);
    if (m === null) continue;
    if (codes.length === 0) first = line;
    codes.push(m[1]);
  }
  if (codes.length === 0) return [];
  return [
    {
      value: "errors: " + codes.length,
      source_file: source_file,
      line_number: null,
      matched_content: first,
      parsed_fields: { count: codes.length, codes: codes },
    },
  ];
}
