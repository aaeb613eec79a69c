const ROW = /^(\S+)\s+(\d\.\d+e[-+]\d+)\s+(\d\.\d+e[-+]\d+)\s+(\d+\.\d)%$/;

function extract_context(text, source_file) {
  const items = [];
  // A rule opens a table, and the next one after rows ends it: below it the sums stand.
  let open = false;
  let rows = 0;
  text.split(/\r?\n/).forEach((line, i) => {
    if (/^-+$/.test(line)) {
      open = !(open && rows > 0);
      rows = 0;
      return;
    }
    const match = ROW.exec(line);
    if (!open || !match) return;
    rows += 1;
    const [, group, internal, leakage, share] = match;
    items.push({
      value: group,
      source_file,
      line_number: i + 1,
      matched_content: line,
      parsed_fields: { internal, leakage, share },
    });
  });
  return items;
}
