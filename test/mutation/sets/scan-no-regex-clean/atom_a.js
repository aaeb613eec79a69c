function extract_context(text, source_file) {
  const lines = text.split("\n");
  const items = [];
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i].endsWith("\r") ? lines[i].slice(0, -1) : lines[i];
    const words = line.split(" ").filter((w) => w !== "");
    if (words.length < 4 || words[0] !== "SHORT" || words[1] !== "between") continue;
    items.push({ value: words[2] + "/" + words[words.length - 1], source_file, line_number: i + 1, matched_content: line, parsed_fields: { nets: [words[2], words[words.length - 1]] } });
  }
  return items;
}
