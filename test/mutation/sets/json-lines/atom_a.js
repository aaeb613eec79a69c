function parse(line) {
  if (!line.startsWith("{")) return null;
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
function extract_context(text, source_file) {
  const out = [];
  text.split(/\r?\n/).forEach((line, i) => {
    const event = parse(line);
    if (event === null || event.event !== "deploy" || typeof event.service !== "string") return;
    out.push({
      value: `${event.service}:${event.version}`,
      source_file,
      line_number: i + 1,
      matched_content: line,
      parsed_fields: { env: event.env ?? "default", ok: event.ok === true, meta: { who: event.who ?? null, tags: event.tags ?? [] } },
    });
  });
  return out;
}
