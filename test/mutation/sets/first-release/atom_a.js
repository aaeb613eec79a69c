// Only the first occurrence counts: child processes print the same line again, further down.
function extract_context(text, source_file) {
  const lines = text.split(/\r?\n/);
  for (let i = 0; i < lines.length; i++) {
    const m = /^Release (\S+) \(build (\d+)\)/.exec(lines[i]);
    if (m) {
      return [
        {
          value: m[1],
          source_file,
          line_number: i + 1,
          matched_content: lines[i],
          parsed_fields: { release: m[1], build: m[2] },
        },
      ];
    }
  }
  return [];
}
