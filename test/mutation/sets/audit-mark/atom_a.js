function extract_context(text, source_file) {
  const pattern = re.compile(String.raw`^AUDIT (?P<who>\S+) approved (?P<what>\S+) on (?P<day>\d{4}-\d{2}-\d{2})\s*$`);
  return text.split(/\r?\n/).reduce((all, line, i) => {
    const m = pattern.search(line);
    if (m === null) return all;
    const { who, what, day } = m.groupdict();
    return all.concat({ value: what, source_file, line_number: i + 1, matched_content: line, parsed_fields: { who, day } });
  }, []);
}
