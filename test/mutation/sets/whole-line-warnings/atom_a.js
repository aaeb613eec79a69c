function extract_context(text, source_file) {
  return text.split(/\r?\n/).reduce((items, line, index) => {
    if (/\bwarning:/i.test(line) && !/^\d+ warnings? /.test(line)) {
      items.push({ value: line.trim(), source_file: source_file, line_number: index + 1, matched_content: line, parsed_fields: { position: (/^(\S+?):(\d+):/.exec(line) || []).slice(1).map(String) } });
    }
    return items;
  }, []);
}
