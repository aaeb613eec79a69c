function extract_context(text, source_file) {
  return text
    .split("\n")
    .map((line, i) => ({ line: line.replace(/\r$/, ""), number: i + 1 }))
    .filter(({ line }) => line.trim() !== "" && !line.startsWith("#"))
    .map(({ line, number }) => ({
      value: line.trim(),
      source_file,
      line_number: number,
      matched_content: line,
      parsed_fields: { name: line.trim().split("/").at(-1), depth: line.split("/").length - 1 },
    }));
}
