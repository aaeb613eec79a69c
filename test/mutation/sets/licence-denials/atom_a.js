function scan(line) {
  // HH:MM:SS (daemon) DENIED: "feature" user@host
  const mark = ') DENIED: "';
  const at = line.indexOf(mark);
  if (at < 0 || line.indexOf("(") !== 9) return undefined;
  const from = at + mark.length;
  const to = line.indexOf('"', from);
  if (to < 0) return undefined;
  const who = line.slice(to + 1).trim().split(" ")[0];
  const sign = who.indexOf("@");
  if (sign < 1) return undefined;
  return { time: line.slice(0, 8), feature: line.slice(from, to), user: who.slice(0, sign), host: who.slice(sign + 1) };
}

function extract_context(text, source_file) {
  const out = [];
  let start = 0;
  for (let number = 1; start <= text.length; number++) {
    let end = text.indexOf("\n", start);
    if (end < 0) end = text.length;
    let line = text.slice(start, end);
    if (line.endsWith("\r")) line = line.slice(0, -1);
    start = end + 1;
    const hit = scan(line);
    if (hit === undefined) continue;
    const { feature, ...rest } = hit;
    out.push({ value: feature, source_file, line_number: number, matched_content: line, parsed_fields: rest });
  }
  return out;
}
