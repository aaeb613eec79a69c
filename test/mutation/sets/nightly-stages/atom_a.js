function pairsOf(words) {
  const map = new Map();
  for (const word of words) {
    const at = word.indexOf("=");
    if (at > 0) map.set(word.slice(0, at), word.slice(at + 1));
  }
  return map;
}

function extract_context(text, source_file) {
  const items = [];
  const lines = text.split("\n");
  for (const [index, raw] of lines.entries()) {
    const line = raw.endsWith("\r") ? raw.slice(0, raw.length - 1) : raw;
    const pairs = pairsOf(line.split(" "));
    if (pairs.get("event") !== "end" || !pairs.has("stage")) continue;
    items.push({
      value: pairs.get("stage"),
      source_file: source_file,
      line_number: index + 1,
      matched_content: line,
      parsed_fields: { status: pairs.get("status") || "unknown", elapsed: Number(pairs.get("elapsed") || 0) },
    });
  }
  return items;
}
