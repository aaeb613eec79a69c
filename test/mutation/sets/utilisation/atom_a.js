const WANTED = new Set(["1", "3"]);

function cells(line) {
  return line.slice(1, -1).split("|").map((cell) => cell.trim());
}

function extract_context(text, source_file) {
  const rows = text.replace(/\r/g, "").split("\n");
  const state = { section: "", header: false };
  return rows.reduce((items, row, i) => {
    const title = /^(\d+(?:\.\d+)*)\. \S/.exec(row);
    if (title) state.section = title[1];
    else if (WANTED.has(state.section) && /^\|.*\|$/.test(row)) {
      const [name, used, available, percent] = cells(row);
      if (name !== "Site Type") {
        items.push({
          value: name,
          source_file,
          line_number: i + 1,
          matched_content: row,
          parsed_fields: { used, available: available || null, util: percent ? percent + "%" : null },
        });
      }
    }
    return items;
  }, []);
}
