import { read_json } from "./json.js";
import { read_xml } from "./xml.js";

/** Nodes below a list of nodes that are reached by a path of names. */
function nodes_at(nodes, path) {
  let found = [{ node: { items: nodes }, above: null }];
  for (const name of path) {
    found = found.flatMap((one) =>
      one.node.items.filter((item) => item.name === name).map((node) => ({ node, above: one })),
    );
  }
  return found;
}

/** The node of a part, seen from a record: some steps up, then down by names; null when it is not there. */
export function part_of(found, part) {
  let from = found;
  for (let k = 0; k < part.up && from !== null; k += 1) from = from.above;
  let node = from?.node ?? null;
  for (const name of part.path) node = node?.items.find((item) => item.name === name) ?? null;
  return node === null || node.text === null || node.text === "null" ? null : node;
}

/** Records of a document: the nodes at a path, with the texts of their parts. */
export function read_tree(rule, lines) {
  const text = lines.join("\n");
  const roots = rule.tree === "json" ? read_json(text) : read_xml(text);
  return nodes_at(roots, rule.path).flatMap((found) => {
    const parts = Object.entries(rule.parts).map(([name, part]) => [name, part_of(found, part)]);
    if (parts.some(([name, node]) => node === null && (name === "value" || !rule.optional.includes(name))))
      return [];
    const kept = Object.entries(rule.only ?? {}).every(([key, texts]) => {
      const node = part_of(found, { up: 0, path: key.split("/") });
      return node !== null && texts.includes(node.text.trim());
    });
    if (!kept) return [];
    const texts = parts.flatMap(([name, node]) => (node === null ? [] : [[name, node.text.trim()]]));
    const counted = rule.line === null ? found.node : part_of(found, rule.line);
    const line = counted?.text_line ?? counted?.line ?? found.node.line;
    return [{ line, texts: Object.fromEntries(texts) }];
  });
}
