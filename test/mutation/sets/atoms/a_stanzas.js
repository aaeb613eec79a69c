function stanzasOf(text) {
  const stanzas = [];
  let open = null;
  text.split("\n").forEach((raw, i) => {
    const line = raw.endsWith("\r") ? raw.slice(0, -1) : raw;
    const at = line.indexOf(":");
    if (line.trim() === "") open = null;
    else if (at > 0) {
      if (open === null) {
        open = new Map();
        stanzas.push(open);
      }
      const key = line.slice(0, at);
      if (!open.has(key)) open.set(key, { text: line.slice(at + 1).trim(), line, number: i + 1 });
    }
  });
  return stanzas;
}

function extract_context(text, source_file) {
  return stanzasOf(text)
    .filter((stanza) => stanza.has("Port") && stanza.has("Device"))
    .map((stanza) => {
      const device = stanza.get("Device");
      const fields = { port: stanza.get("Port").text };
      if (stanza.has("Bay")) fields.bay = stanza.get("Bay").text;
      return {
        value: device.text,
        source_file,
        line_number: device.number,
        matched_content: device.line,
        parsed_fields: fields,
      };
    });
}
