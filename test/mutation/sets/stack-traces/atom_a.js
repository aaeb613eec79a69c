function extract_context(text, source_file) {
  const lines = text.split(/\r?\n/);
  const items = [];
  for (let i = 0; i < lines.length; i++) {
    const head = lines[i].match(/^(?<time>\d\d:\d\d:\d\d) (?<level>ERROR|FATAL) (?<unit>[\w.]+) - (?<text>.*)$/);
    if (!head) continue;
    const more = [];
    while (i + 1 + more.length < lines.length && /^\s+\S/.test(lines[i + 1 + more.length])) {
      more.push(lines[i + 1 + more.length].trim());
    }
    items.push({
      value: [head.groups.unit, head.groups.text].join(": "),
      source_file,
      line_number: i + 1,
      matched_content: lines[i],
      parsed_fields: { time: head.groups.time, level: head.groups.level.toLowerCase(), trace: more, frames: more.length },
    });
  }
  return items;
}
