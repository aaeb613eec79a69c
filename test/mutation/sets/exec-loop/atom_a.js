const RX = /^(Info|Caution|Halt)\[(\d{4})\]\s+(.+?)\s*$/gm;
function extract_context(text, source_file) {
  const body = text.replace(/\r\n/g, "\n");
  const lines = body.split("\n");
  const items = [];
  RX.lastIndex = 0;
  let m;
  while ((m = RX.exec(body)) !== null) {
    const line_number = body.slice(0, m.index).split("\n").length;
    items.push({ value: m[3], source_file, line_number, matched_content: lines[line_number - 1], parsed_fields: { kind: m[1], id: Number(m[2]) } });
  }
  return items;
}
