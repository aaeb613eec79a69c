// Columns stand where the heading puts them; a name may be blank or hold blanks, so only positions tell.
function extract_context(text, source_file) {
  const found = [];
  let inside = false;
  text.split(/\r?\n/).forEach((line, index) => {
    if (/^Port\s+Name\s+Status\s+Vlan/.test(line)) {
      inside = true;
      return;
    }
    if (!inside || /^[-\s]*$/.test(line)) return;
    const cell = (from, to) => line.slice(from, to).trim();
    if (cell(29, 42) !== "connected") return;
    found.push({
      value: cell(0, 10),
      source_file,
      line_number: index + 1,
      matched_content: line,
      parsed_fields: { name: cell(10, 29), status: cell(29, 42), vlan: cell(42, 53) },
    });
  });
  return found;
}
