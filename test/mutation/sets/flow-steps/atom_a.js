function extract_context(text, source_file) {
  const clean = text.replace(/\r\n/g, "\n");
  const out = [];
  let line = 1;
  let seen = 0;
  for (const m of re.finditer("(?m)^\\[STEP (?P<no>\\d+)\\] (?P<name>[^\\n]*?) \\((?P<took>[\\d.]+) ?s\\)$", clean)) {
    const at = m.start();
    for (; seen < at; seen++) if (clean[seen] === "\n") line++;
    const end = clean.indexOf("\n", at);
    const whole = end < 0 ? clean.slice(at) : clean.slice(at, end);
    out.push({
      value: m.group("name"),
      source_file,
      line_number: line,
      matched_content: whole,
      parsed_fields: { step: Number(m.group("no")), seconds: m.group("took") },
    });
  }
  return out;
}
