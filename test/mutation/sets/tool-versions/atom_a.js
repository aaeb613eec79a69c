function extract_context(text, source_file) {
  const results = [];
  text.split(/\r?\n/).forEach((line, index) => {
    const m = line.match(/^\s*Tool:\s+(\w+)\s+version\s+([\w.-]+)$/);
    if (!m) return;
    results.push({
      value: `${m[1]} ${m[2]}`,
      source_file,
      line_number: index + 1,
      matched_content: line,
      parsed_fields: { tool: m[1], version: m[2], year: m[2].split(".")[0] },
    });
  });
  return results;
}
