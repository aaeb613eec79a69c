function seconds(clock) {
  const [h, m, s] = clock.split(":").map(Number);
  return h * 3600 + m * 60 + s;
}
function extract_context(text, source_file) {
  const open = {};
  const items = [];
  text.split(/\r?\n/).forEach((line, i) => {
    const m = /^(\d\d:\d\d:\d\d) task (\w+) (begins|ends)$/.exec(line);
    if (!m) return;
    const [, clock, task, what] = m;
    if (what === "begins") open[task] = { clock, number: i + 1, line };
    else if (Object.hasOwn(open, task)) {
      const begin = open[task];
      delete open[task];
      items.push({ value: task, source_file, line_number: begin.number, matched_content: begin.line, parsed_fields: { from: begin.clock, to: clock, seconds: seconds(clock) - seconds(begin.clock), end_line: i + 1 } });
    }
  });
  return items;
}
