function extract_context(text, source_file) {
  const clean = text.split("\r\n").join("\n");
  const all = [...clean.matchAll(/^Job state: (\w+) at (\d\d:\d\d)$/gm)];
  const last = all.at(-1); // the last one counts
  if (!last) return [];
  const line_number = clean.slice(0, last.index).split("\n").length;
  return [{ value: last[1], source_file, line_number, matched_content: last[0], parsed_fields: { state: last[1], at: last[2] } }];
}
