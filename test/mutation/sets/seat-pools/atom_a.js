// Pools and their seats. A pool holds for the seats below it; a dash says that the state is as above.
const LABELS = { open: "free", held: "taken" };

function extract_context(text, source_file) {
  const items = [];
  let pool = null;
  let state = null;
  text.split(/\r?\n/).forEach((line, i) => {
    const heading = /^Pool (\S+) on level (\d+)$/.exec(line);
    const seat = /^ {2}(\S+) {2,}(\S+) {2,}(\S+)$/.exec(line);
    const add = (value, parsed_fields) =>
      items.push({ value, source_file, line_number: i + 1, matched_content: line, parsed_fields });
    if (heading) {
      pool = heading[1];
      state = null;
      add(pool, { pool, level: heading[2] });
    } else if (seat && pool !== null) {
      if (seat[2] !== "-") state = Object.hasOwn(LABELS, seat[2]) ? LABELS[seat[2]] : seat[2];
      add(seat[1], { pool, state, owner: seat[3] });
    }
  });
  return items;
}
