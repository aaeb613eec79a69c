class Block {
  constructor(line, number) {
    this.line = line;
    this.number = number;
    this.handle = /^Handle (0x[0-9A-F]+)/.exec(line)[1];
    this.title = null;
    this.keys = {};
  }

  take(line) {
    if (this.title === null) {
      this.title = line;
      return;
    }
    const at = line.indexOf(":");
    if (at > 0 && line[0] === "\t") this.keys[line.slice(1, at)] = line.slice(at + 1).trim();
  }
}

function blocksOf(text) {
  const blocks = [];
  let current = null;
  text.split("\n").forEach((raw, i) => {
    const line = raw.endsWith("\r") ? raw.slice(0, -1) : raw;
    if (/^Handle 0x[0-9A-F]+, DMI type/.test(line)) {
      current = new Block(line, i + 1);
      blocks.push(current);
    } else if (line === "") current = null;
    else if (current) current.take(line);
  });
  return blocks;
}

function extract_context(text, source_file) {
  return blocksOf(text)
    .filter((block) => block.title === "Memory Device" && block.keys["Locator"])
    .map((block) => ({
      value: block.keys["Locator"],
      source_file,
      line_number: block.number,
      matched_content: block.line,
      parsed_fields: { handle: block.handle, size: block.keys["Size"] ?? null, form: block.keys["Form Factor"] ?? null },
    }));
}
