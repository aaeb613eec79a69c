function extract_context(text, source_file) {
  const items = [];
  let block = null;
  const lines = text.split("\n");
  lines.forEach((raw, i) => {
    const line = raw.replace(/\r$/, "");
    const heading = /^=+ Block (\S+) =+$/.exec(line);
    if (heading) block = heading[1];
    const verdict = /^\s*Verdict\s*:\s*(.*?)\s*$/.exec(line);
    if (block !== null && verdict && verdict[1] !== "") {
      items.push({ value: block + " is " + verdict[1].toLowerCase(), source_file, line_number: i + 1, matched_content: line, parsed_fields: { block, verdict: verdict[1] } });
    }
  });
  return items;
}
