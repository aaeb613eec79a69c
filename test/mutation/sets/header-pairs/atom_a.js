function extract_context(text, source_file) {
  const lines = text.split(/\r?\n/);
  const items = [];
  for (let n = 0; n + 1 < lines.length; n++) {
    const program = /^\*PROGRAM "([^"]*)"$/.exec(lines[n]);
    const version = /^\*VERSION "([^"]*)"$/.exec(lines[n + 1]);
    if (program === null || version === null) continue;
    items.push({
      value: program[1] + "@" + version[1],
      source_file,
      line_number: n + 1,
      matched_content: lines[n],
      parsed_fields: { program: program[1], version: version[1] },
    });
  }
  return items;
}
