function extract_context(text, source_file) {
  const rx = /^[ \t]*(\d+)[ \t]+(sky\w+)[ \t]*$/gm;
  const items = [];
  const body = text.split("\r\n").join("\n");
  const starts = [0];
  for (let k = 0; k < body.length; k++) if (body.charCodeAt(k) === 10) starts.push(k + 1);
  let row = 0;
  for (const m of body.matchAll(rx)) {
    while (row + 1 < starts.length && starts[row + 1] <= m.index) row++;
    const stop = row + 1 < starts.length ? starts[row + 1] - 1 : body.length;
    items.push({
      value: m[2],
      source_file,
      line_number: row + 1,
      matched_content: body.slice(starts[row], stop),
      parsed_fields: { instances: Number(m[1]) },
    });
  }
  return items;
}
