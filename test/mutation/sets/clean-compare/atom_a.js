const FINDING = /^ERROR (EQV-\d+): compare point (\S+) not equivalent$/;
function extract_context(text, source_file) {
  return text.split(/\r?\n/).flatMap((line, i) => {
    const m = FINDING.exec(line);
    if (!m) return [];
    return [{ value: m[2], source_file, line_number: i + 1, matched_content: line, parsed_fields: { code: m[1] } }];
  });
}
