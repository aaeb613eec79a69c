// Each module once, with the first instance of it as an example.
function extract_context(text, source_file) {
  const seen = new Set();
  const items = [];
  text.split(/\r?\n/).forEach((line, i) => {
    const m = /^\s+instance\s+(\w+)\s+of\s+(\w+)$/.exec(line);
    if (!m || seen.has(m[2])) return;
    seen.add(m[2]);
    items.push({ value: m[2], source_file, line_number: i + 1, matched_content: line, parsed_fields: { module: m[2], example: m[1] } });
  });
  return items;
}
