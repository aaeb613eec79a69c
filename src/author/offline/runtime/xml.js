/** The text of an XML attribute or element without its entities. */
function plain_text(text) {
  const names = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };
  return text.replace(/&(?:#(\d+)|#x([0-9a-fA-F]+)|(\w+));/g, (whole, decimal, hex, name) => {
    if (name !== undefined) return names[name] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** Line breaks of a text. */
function count_breaks(text) {
  return text.split("\n").length - 1;
}

/** The attributes of a tag as items named `@name`. */
function read_attributes(attributes, line) {
  const items = [];
  let at = line;
  for (const [part, key, double, single] of attributes.matchAll(
    /\s+([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g,
  )) {
    const start = at + count_breaks(part.slice(0, part.indexOf("=")));
    items.push({ name: `@${key}`, line: start, text: plain_text(double ?? single), items: [] });
    at += count_breaks(part);
  }
  return items;
}

/** Adds a piece of text to an element; blanks alone are none. */
function add_text(element, content, line) {
  if (content.trim() === "") return;
  if (element.text === null) element.text_line = line + count_breaks(content.slice(0, content.search(/\S/)));
  element.text = (element.text ?? "") + content;
}

/** The elements of an XML text as trees of `{ name, line, text, items }`; an element has the text right inside of it.
 * Unclosed elements end with the one around them. */
export function read_xml(text) {
  const top = { name: "", line: 0, text: null, items: [] };
  const open = [top];
  const token =
    /<!--[\s\S]*?-->|<!\[CDATA\[([\s\S]*?)\]\]>|<[?!][^>]*>|<\/\s*([\w:.-]+)\s*>|<([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>|[^<]+|</g;
  let line = 0;
  for (const [whole, cdata, closed, name, attributes, empty] of text.matchAll(token)) {
    const inner = open[open.length - 1];
    if (name !== undefined) {
      const node = { name, line, text: null, items: read_attributes(attributes, line) };
      inner.items.push(node);
      if (empty !== "/") open.push(node);
    } else if (closed !== undefined) {
      const depth = open.findLastIndex((node) => node.name === closed);
      if (depth > 0) open.length = depth;
    } else if (inner !== top && (cdata !== undefined || !whole.startsWith("<"))) {
      add_text(inner, cdata ?? plain_text(whole), line);
    }
    line += count_breaks(whole);
  }
  return top.items;
}
