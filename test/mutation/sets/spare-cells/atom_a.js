function extract_context(text, source_file) {
  const out = [];
  const lines = text.split(/\r?\n/);
  for (const i in lines) {
    if (!lines[i].startsWith("Spare cell group ")) continue;
    const words = lines[i].split(/\s+/);
    const group = words[3];
    const count = words[words.indexOf("cells:") + 1];
    if (count === undefined || !/^\d+$/.test(count)) continue;
    out.push({ value: lines[i].trim(), source_file, line_number: +i + 1, matched_content: lines[i], parsed_fields: { group, count: +count } });
  }
  return out;
}
