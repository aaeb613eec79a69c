// Scanners of YAML, XML and configurations in curly braces, from lines to nodes. As lenient as those of `scan.ts`. What
// an atom needs of this file is repeated as text in `texts.ts`.
import { addNode, type TreeNode, unquoted } from "./nodes.ts";

/** YAML in blocks: mappings, lists, scalars, texts of several lines, short lists in brackets. */
export function scanYaml(lines: readonly string[]): TreeNode[] {
  const nodes: TreeNode[] = [];
  let root = addNode(nodes, undefined, "", "", 1);
  let open: { indent: number; node: TreeNode }[] = [];
  let block: { indent: number; node: TreeNode } | undefined;
  const below = (indent: number): TreeNode => {
    while (open.length > 0 && (open.at(-1)?.indent ?? 0) >= indent) open.pop();
    return open.at(-1)?.node ?? root;
  };
  lines.forEach((line, index) => {
    let indent = line.search(/\S/);
    if (indent < 0) return;
    if (block !== undefined && indent > block.indent) {
      block.node.text = `${block.node.text} ${line.trim()}`.trim();
      return;
    }
    block = undefined;
    if (/^---/.test(line)) {
      root = addNode(nodes, undefined, "", "", index + 1);
      open = [];
      return;
    }
    let rest = line.trim();
    while (/^-(?:\s|$)/.test(rest)) {
      // An item stands below its key, though often at the same column.
      const node = addNode(nodes, below(indent + 0.5), "[]", "", index + 1);
      open.push({ indent: indent + 0.5, node });
      const inner = rest.slice(1).trimStart();
      indent += rest.length - inner.length;
      rest = inner;
    }
    if (rest === "" || rest.startsWith("#")) return;
    const pair = /^("(?:[^"\\]|\\.)*"|'[^']*'|[^\s'"[{#&*!|>][^:]*?(?::\S[^:]*?)*)\s*:(?:\s+(.*))?$/.exec(
      rest,
    );
    let node = open.at(-1)?.node ?? root;
    if (pair !== null) {
      node = addNode(nodes, below(indent), unquoted(pair[1] ?? ""), "", index + 1);
      open.push({ indent, node });
    }
    const text = (pair === null ? rest : (pair[2] ?? "")).replace(/(?:^|\s)#.*$/, "").trim();
    if (/^[|>][-+]?$/.test(text)) block = { indent, node };
    else readScalar(nodes, node, text, index + 1);
  });
  return nodes;
}

/** The text of a YAML node, or the items of a short list in brackets. */
function readScalar(nodes: TreeNode[], node: TreeNode, text: string, line: number): void {
  if (!/^\[.*\]$/.test(text)) {
    node.text = node.text === "" ? unquoted(text) : `${node.text} ${text}`;
    return;
  }
  for (const item of text.slice(1, -1).split(","))
    if (item.trim() !== "") addNode(nodes, node, "[]", unquoted(item.trim()), line);
}

/** XML and property lists: attributes are children `@name`; a value behind a `<key>` has its name. */
export function scanXml(lines: readonly string[]): TreeNode[] {
  const nodes: TreeNode[] = [];
  let at = addNode(nodes, undefined, "", "", 1);
  let row = 1;
  const tokens =
    /<!--[\s\S]*?-->|<!\[CDATA\[([\s\S]*?)\]\]>|<[?!][^>]*>|<\/([A-Za-z_][\w:.-]*)\s*>|<([A-Za-z_][\w:.-]*)((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>|[^<]+|</g;
  for (const [token, raw, close, tag, attributes = "", empty] of lines.join("\n").matchAll(tokens)) {
    if (tag !== undefined) {
      const node = readElement(nodes, at, { tag, attributes, row });
      if (empty === "") at = node;
      else if (node.name !== tag) node.text = node.first.get("@value")?.text ?? tag;
    } else if (close !== undefined) {
      at.text = at.text.trim();
      at = at.parent ?? at;
    } else if (at.parent !== undefined && (raw !== undefined || !token.startsWith("<"))) {
      const text = raw ?? decoded(token).replace(/\s+/g, " ");
      if (text.trim() !== "" || at.text !== "") at.text += text;
    }
    row += token.split("\n").length - 1;
  }
  return nodes;
}

/** The node of an element, with its attributes. */
function readElement(
  nodes: TreeNode[],
  at: TreeNode,
  seen: { tag: string; attributes: string; row: number },
): TreeNode {
  const last = nodes.at(-1);
  const key = last?.name === "key" && last.parent === at ? last.text : undefined;
  const pairs = [...seen.attributes.matchAll(/(\s+)([\w:.-]+)\s*=\s*("[^"]*"|'[^']*')/g)];
  // `<Data Name="User">joe</Data>`: the attribute is the name.
  const isNamed = /^(?:data|property|param|parameter|field|attr|attribute|setting|entry|var)$/i.test(
    seen.tag,
  );
  const own = isNamed ? pairs.find(([, , name = ""]) => /^(?:name|key)$/i.test(name)) : undefined;
  const named = own === undefined ? undefined : decoded((own[3] ?? "").slice(1, -1));
  const node = addNode(nodes, at, key ?? named ?? seen.tag, "", seen.row);
  let row = seen.row;
  for (const pair of pairs) {
    const [, space = "", name = "", text = ""] = pair;
    row += space.split("\n").length - 1;
    if (pair !== own) addNode(nodes, node, `@${name}`, decoded(text.slice(1, -1)), row);
  }
  return node;
}

function decoded(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&apos;", "'")
    .replaceAll("&amp;", "&");
}

/** `name word word { ... }` and `name word;`: the words behind the name are the text and the places `$1`, `$2`. */
export function scanBraces(lines: readonly string[]): TreeNode[] {
  const nodes: TreeNode[] = [];
  let at = addNode(nodes, undefined, "", "", 1);
  let words: string[] = [];
  let row = 1;
  const closed = lines.filter((line) => /;\s*$/.test(line)).length;
  const opened = lines.filter((line) => /\{\s*$/.test(line)).length;
  const statement = (): TreeNode | undefined => {
    const [name, ...rest] = words;
    words = [];
    if (name === undefined) return undefined;
    const node = addNode(nodes, at, unquoted(name), rest.map(unquoted).join(" "), row);
    rest.forEach((word, index) => {
      addNode(nodes, node, `$${index + 1}`, unquoted(word), row);
    });
    return node;
  };
  const indents: number[] = [];
  const close = (): void => {
    statement();
    at = at.parent ?? at;
    indents.pop();
  };
  lines.forEach((line, index) => {
    if (/^\s*(?:#|\/\/|\/?\*|$)/.test(line)) return;
    const indent = line.search(/\S/);
    // What does not stand further in than an open block is not in it: the text was cut before its end.
    while (/^\s*[^\s{}]/.test(line) && (indents.at(-1) ?? 0) > 0 && indent <= (indents.at(-1) ?? 0)) close();
    for (const [token] of line.matchAll(
      /"(?:[^"\\]|\\.)*"|'[^']*'|[{};]|\s[=:](?=\s)|(?:[^\s{};"(),=:]|[:=](?=\S))+/g,
    )) {
      if (token === "{") {
        at = statement() ?? addNode(nodes, at, "", "", index + 1);
        indents.push(indent);
      } else if (token === "}") close();
      else if (token === ";") statement();
      else if (!/^\s*[=:]$/.test(token)) {
        if (words.length === 0) row = index + 1;
        words.push(token.replace(/[:=]$/, ""));
      }
    }
    // Without semicolons a statement ends with its line, unless the next line opens it.
    if (closed <= opened && !/^\s*\{/.test(lines[index + 1] ?? "")) statement();
  });
  return nodes;
}
