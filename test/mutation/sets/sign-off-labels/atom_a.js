const KINDS = [
  { label: "DRC", pattern: /^Total design rule violations is (\d+)$/ },
  { label: "LVS", pattern: /^Netlists (match|do not match)\.$/ },
  { label: "ANT", pattern: /^Antenna pins in violation: (\d+)$/ },
];
function extract_context(text, source_file) {
  const out = [];
  text.split(/\r?\n/).forEach((line, i) => {
    for (const { label, pattern } of KINDS) {
      const m = pattern.exec(line);
      if (m === null) continue;
      const clean = m[1] === "match" || m[1] === "0";
      out.push({
        value: `${label}: ${clean ? "CLEAN" : "DIRTY"}`,
        source_file,
        line_number: i + 1,
        matched_content: line,
        parsed_fields: { check: label, shown: m[1], clean },
      });
    }
  });
  return out;
}
