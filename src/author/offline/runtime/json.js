/** Deepest nesting that is read. */
const MAX_DEPTH = 200;

/** Moves a place in a text `{ text, at, line }` over blanks. */
function skip_blanks(place) {
  for (; place.at < place.text.length && /\s/.test(place.text[place.at]); place.at += 1) {
    if (place.text[place.at] === "\n") place.line += 1;
  }
}

/** The string that begins at a place; null when none does. */
function read_string(place) {
  const { text, at } = place;
  if (text[at] !== '"') return null;
  let end = at + 1;
  while (end < text.length && text[end] !== '"' && text[end] !== "\n") end += text[end] === "\\" ? 2 : 1;
  if (text[end] !== '"') return null;
  place.at = end + 1;
  try {
    return JSON.parse(text.slice(at, end + 1));
  } catch {
    return text.slice(at + 1, end);
  }
}

/** The number or word that begins at a place, as it is written; null when none does. */
function read_bare(place) {
  const word = /[-+.\w]+/y;
  word.lastIndex = place.at;
  const match = word.exec(place.text);
  if (match === null) return null;
  place.at += match[0].length;
  return match[0];
}

/** The member or item that begins at a place; null when it is broken. */
function read_item(place, is_object, depth) {
  if (!is_object) return read_value(place, "*", depth);
  const key = read_string(place);
  skip_blanks(place);
  if (key === null || place.text[place.at] !== ":") return null;
  place.at += 1;
  return read_value(place, key, depth);
}

/** The value that begins at a place, as a node `{ name, line, text, items }`; null when it is broken. */
function read_value(place, name, depth) {
  skip_blanks(place);
  const node = { name, line: place.line, text: null, items: [] };
  const open = place.text[place.at];
  if (open !== "{" && open !== "[") {
    node.text = open === '"' ? read_string(place) : read_bare(place);
    return node.text === null ? null : node;
  }
  const close = open === "{" ? "}" : "]";
  place.at += 1;
  skip_blanks(place);
  while (place.text[place.at] !== close) {
    const item = depth < MAX_DEPTH ? read_item(place, open === "{", depth + 1) : null;
    if (item === null) return null;
    node.items.push(item);
    skip_blanks(place);
    if (place.text[place.at] !== ",") break;
    place.at += 1;
    skip_blanks(place);
  }
  if (place.text[place.at] !== close) return null;
  place.at += 1;
  return node;
}

/** JSON values among the lines of a text as trees; members carry their keys, items of lists the name `*`. A value begins
 * at the start of a line; lines that are no JSON are passed over. */
export function read_json(text) {
  const place = { text, at: 0, line: 0 };
  const roots = [];
  while (place.at < text.length) {
    skip_blanks(place);
    const start = { ...place };
    const root = text[place.at] === "{" || text[place.at] === "[" ? read_value(place, "", 0) : null;
    if (root !== null) roots.push(root);
    else {
      const end = text.indexOf("\n", start.at);
      place.at = end < 0 ? text.length : end + 1;
      place.line = start.line + 1;
    }
  }
  return roots;
}
