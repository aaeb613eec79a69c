// What an atom needs to read structured documents: the functions of `nodes.ts`, `scan.ts` and `scan-nested.ts` without
// their types, as text. `texts.test.ts` says how they were made and that they are the same.

export const TEXTS: Record<string, string> = {
  addNode: `// A new node behind the others of its parent.
function addNode(nodes, parent, name, text, line) {
  const node = { name, text, line, parent, first: new Map, size: 0 };
  nodes.push(node);
  if (parent !== undefined) {
    parent.size += 1;
    if (!parent.first.has(name))
      parent.first.set(name, node);
  }
  return node;
}`,

  isAt: `// Does the path of names lead to the node? \`*\` is any name, a leading \`**\` any names; a root has no name.
function isAt(node, path) {
  let at = node;
  for (let index = path.length - 1;index >= 0; index -= 1) {
    if (path[index] === "**")
      return true;
    if (at?.parent === undefined || path[index] !== "*" && path[index] !== at.name)
      return false;
    at = at.parent;
  }
  return at !== undefined && at.parent === undefined;
}`,

  nodeFrom: `// The node some levels up and then down the names; undefined where there is none.
function nodeFrom(node, up, down) {
  let at = node;
  for (let level = 0;level < up; level += 1)
    at = at?.parent;
  for (const name of down)
    at = at?.first.get(name);
  return at;
}`,

  unquoted: `// A text without its quotes; what stands behind a backslash in double quotes is that itself.
function unquoted(text) {
  if (text.length < 2 || text.at(-1) !== text.charAt(0))
    return text;
  if (text.startsWith("'"))
    return text.slice(1, -1);
  if (!text.startsWith('"'))
    return text;
  try {
    return String(JSON.parse(text));
  } catch {
    return text.slice(1, -1);
  }
}`,

  pickPart: `// What the group \`part\` of the first expression that matches the text has; empty when there is none.
function pickPart(text, patterns) {
  for (const pattern of patterns) {
    const match = pattern.exec(text ?? "");
    if (match !== null)
      return match.groups?.["part"] ?? "";
  }
  return "";
}`,

  scanJson: `// JSON, also several values one after the other, or between lines of other kinds. Numbers stay as they are printed.
function scanJson(lines) {
  const nodes = [];
  const state = { at: undefined, key: undefined, lists: [], indents: [], indent: 0 };
  lines.forEach((line, index) => {
    if (!/^\\s*(?:[{}\\],"]|\\[\\s*(?:[[\\]{"\\d-]|true|false|null|$)|(?:-?\\d[\\d.eE+-]*|true|false|null)[\\s,}\\]]*$)/.test(line))
      return;
    state.indent = line.search(/\\S/);
    if (/^\\s*"/.test(line)) {
      while (state.at !== undefined && (state.indents.at(-1) ?? 0) > 0 && state.indent <= (state.indents.at(-1) ?? 0))
        closeJson(state);
    }
    for (const [token] of line.matchAll(/"(?:[^"\\\\]|\\\\.)*"(?:\\s*:)?|[{}[\\]]|[^\\s{}[\\],:"]+/g))
      readJson(nodes, state, token, index + 1);
  });
  return nodes;
}`,

  closeJson: `function closeJson(state) {
  state.at = state.at?.parent;
  state.lists.pop();
  state.indents.pop();
}`,

  readJson: `// One token of a JSON text; what has no key inside an object is passed over.
function readJson(nodes, state, token, line) {
  const inList = state.lists.at(-1) === true;
  const name = inList ? "[]" : state.key;
  if (token.endsWith(":")) {
    if (!inList)
      state.key = unquoted(token.slice(0, -1).trim());
    return;
  }
  state.key = undefined;
  if (state.at === undefined && name !== undefined)
    state.at = addNode(nodes, undefined, "", "", line);
  if (token === "{" || token === "[") {
    if (name === undefined) {
      state.at = undefined;
      state.lists = [];
      state.indents = [];
    }
    state.at = addNode(nodes, state.at, name ?? "", "", line);
    state.lists.push(token === "[");
    state.indents.push(state.indent);
  } else if (token === "}" || token === "]") {
    closeJson(state);
  } else if (state.at !== undefined && name !== undefined) {
    addNode(nodes, state.at, name, token === "null" ? "" : unquoted(token), line);
  }
}`,

  scanJsonLines: `// JSON objects at the end of a line each, perhaps cut there; the text in front of it is that of its root.
function scanJsonLines(lines) {
  const starts = lines.map((line) => line.search(/\\{\\s*(?:"|\\}\\s*$)/));
  const nodes = scanJson(lines.map((line, index) => (starts[index] ?? -1) < 0 ? "" : line.slice(starts[index])));
  for (const node of nodes) {
    if (node.parent === undefined)
      node.text = (lines[node.line - 1] ?? "").slice(0, starts[node.line - 1]).trim();
  }
  return nodes;
}`,

  scanPairs: `// \`key=value\` and \`key="a value"\`, separated by blanks; a line is a root.
function scanPairs(lines) {
  const nodes = [];
  lines.forEach((line, index) => {
    if (/^\\s*\\{/.test(line))
      return;
    const pairs = [...line.matchAll(/(?:^|[\\s,;])([A-Za-z][\\w.-]*)=("(?:[^"\\\\]|\\\\.)*"|[^\\s,;]*)/g)];
    if (pairs.length < 2)
      return;
    const root = addNode(nodes, undefined, "", "", index + 1);
    for (const [, name = "", text = ""] of pairs)
      addNode(nodes, root, name, unquoted(text), index + 1);
  });
  return nodes;
}`,

  scanParens: `// Lists in round brackets: the first word is the name, the others are the text and the places \`$1\`, \`$2\`.
function scanParens(lines) {
  const nodes = [];
  let at = addNode(nodes, undefined, "", "", 1);
  let opened = false;
  lines.forEach((line, index) => {
    if (/^\\s*(?:\\/\\/|;|\\/?\\*)/.test(line))
      return;
    for (const [token] of line.matchAll(/"(?:[^"\\\\]|\\\\.)*"|[()]|(?:\\\\.|[^\\s()"\\\\])+/g)) {
      if (token === "(")
        at = addNode(nodes, at, \`$\${at.size + 1}\`, "", index + 1);
      else if (token === ")")
        at = at.parent ?? at;
      else
        readAtom(nodes, at, unquoted(token), {
          opened: opened && /^[A-Za-z_\\\\"]/.test(token),
          line: index + 1
        });
      opened = token === "(";
    }
  });
  return nodes;
}`,

  readAtom: `// A word in a list: its name when it is the head, but a number is none; else a place, and more text.
function readAtom(nodes, at, text, seen) {
  if (at.parent === undefined)
    return;
  if (seen.opened) {
    at.name = text;
    if (!at.parent.first.has(text))
      at.parent.first.set(text, at);
    return;
  }
  addNode(nodes, at, \`$\${at.size + 1}\`, text, seen.line);
  at.text = at.text === "" ? text : \`\${at.text} \${text}\`;
}`,

  scanYaml: `// YAML in blocks: mappings, lists, scalars, texts of several lines, short lists in brackets.
function scanYaml(lines) {
  const nodes = [];
  let root = addNode(nodes, undefined, "", "", 1);
  let open = [];
  let block;
  const below = (indent) => {
    while (open.length > 0 && (open.at(-1)?.indent ?? 0) >= indent)
      open.pop();
    return open.at(-1)?.node ?? root;
  };
  lines.forEach((line, index) => {
    let indent = line.search(/\\S/);
    if (indent < 0)
      return;
    if (block !== undefined && indent > block.indent) {
      block.node.text = \`\${block.node.text} \${line.trim()}\`.trim();
      return;
    }
    block = undefined;
    if (/^---/.test(line)) {
      root = addNode(nodes, undefined, "", "", index + 1);
      open = [];
      return;
    }
    let rest = line.trim();
    while (/^-(?:\\s|$)/.test(rest)) {
      const node = addNode(nodes, below(indent + 0.5), "[]", "", index + 1);
      open.push({ indent: indent + 0.5, node });
      const inner = rest.slice(1).trimStart();
      indent += rest.length - inner.length;
      rest = inner;
    }
    if (rest === "" || rest.startsWith("#"))
      return;
    const pair = /^("(?:[^"\\\\]|\\\\.)*"|'[^']*'|[^\\s'"[{#&*!|>][^:]*?(?::\\S[^:]*?)*)\\s*:(?:\\s+(.*))?$/.exec(rest);
    let node = open.at(-1)?.node ?? root;
    if (pair !== null) {
      node = addNode(nodes, below(indent), unquoted(pair[1] ?? ""), "", index + 1);
      open.push({ indent, node });
    }
    const text = (pair === null ? rest : pair[2] ?? "").replace(/(?:^|\\s)#.*$/, "").trim();
    if (/^[|>][-+]?$/.test(text))
      block = { indent, node };
    else
      readScalar(nodes, node, text, index + 1);
  });
  return nodes;
}`,

  readScalar: `// The text of a YAML node, or the items of a short list in brackets.
function readScalar(nodes, node, text, line) {
  if (!/^\\[.*\\]$/.test(text)) {
    node.text = node.text === "" ? unquoted(text) : \`\${node.text} \${text}\`;
    return;
  }
  for (const item of text.slice(1, -1).split(","))
    if (item.trim() !== "")
      addNode(nodes, node, "[]", unquoted(item.trim()), line);
}`,

  scanXml: `// XML and property lists: attributes are children \`@name\`; a value behind a \`<key>\` has its name.
function scanXml(lines) {
  const nodes = [];
  let at = addNode(nodes, undefined, "", "", 1);
  let row = 1;
  const tokens = /<!--[\\s\\S]*?-->|<!\\[CDATA\\[([\\s\\S]*?)\\]\\]>|<[?!][^>]*>|<\\/([A-Za-z_][\\w:.-]*)\\s*>|<([A-Za-z_][\\w:.-]*)((?:\\s+[\\w:.-]+\\s*=\\s*(?:"[^"]*"|'[^']*'))*)\\s*(\\/?)>|[^<]+|</g;
  for (const [token, raw, close, tag, attributes = "", empty] of lines.join(\`
\`).matchAll(tokens)) {
    if (tag !== undefined) {
      const node = readElement(nodes, at, { tag, attributes, row });
      if (empty === "")
        at = node;
      else if (node.name !== tag)
        node.text = node.first.get("@value")?.text ?? tag;
    } else if (close !== undefined) {
      at.text = at.text.trim();
      at = at.parent ?? at;
    } else if (at.parent !== undefined && (raw !== undefined || !token.startsWith("<"))) {
      const text = raw ?? decoded(token).replace(/\\s+/g, " ");
      if (text.trim() !== "" || at.text !== "")
        at.text += text;
    }
    row += token.split(\`
\`).length - 1;
  }
  return nodes;
}`,

  readElement: `// The node of an element, with its attributes.
function readElement(nodes, at, seen) {
  const last = nodes.at(-1);
  const key = last?.name === "key" && last.parent === at ? last.text : undefined;
  const pairs = [...seen.attributes.matchAll(/(\\s+)([\\w:.-]+)\\s*=\\s*("[^"]*"|'[^']*')/g)];
  const isNamed = /^(?:data|property|param|parameter|field|attr|attribute|setting|entry|var)$/i.test(seen.tag);
  const own = isNamed ? pairs.find(([, , name = ""]) => /^(?:name|key)$/i.test(name)) : undefined;
  const named = own === undefined ? undefined : decoded((own[3] ?? "").slice(1, -1));
  const node = addNode(nodes, at, key ?? named ?? seen.tag, "", seen.row);
  let row = seen.row;
  for (const pair of pairs) {
    const [, space = "", name = "", text = ""] = pair;
    row += space.split(\`
\`).length - 1;
    if (pair !== own)
      addNode(nodes, node, \`@\${name}\`, decoded(text.slice(1, -1)), row);
  }
  return node;
}`,

  decoded: `function decoded(text) {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&apos;", "'").replaceAll("&amp;", "&");
}`,

  scanBraces: `// \`name word word { ... }\` and \`name word;\`: the words behind the name are the text and the places \`$1\`, \`$2\`.
function scanBraces(lines) {
  const nodes = [];
  let at = addNode(nodes, undefined, "", "", 1);
  let words = [];
  let row = 1;
  const closed = lines.filter((line) => /;\\s*$/.test(line)).length;
  const opened = lines.filter((line) => /\\{\\s*$/.test(line)).length;
  const statement = () => {
    const [name, ...rest] = words;
    words = [];
    if (name === undefined)
      return;
    const node = addNode(nodes, at, unquoted(name), rest.map(unquoted).join(" "), row);
    rest.forEach((word, index) => {
      addNode(nodes, node, \`$\${index + 1}\`, unquoted(word), row);
    });
    return node;
  };
  const indents = [];
  const close = () => {
    statement();
    at = at.parent ?? at;
    indents.pop();
  };
  lines.forEach((line, index) => {
    if (/^\\s*(?:#|\\/\\/|\\/?\\*|$)/.test(line))
      return;
    const indent = line.search(/\\S/);
    while (/^\\s*[^\\s{}]/.test(line) && (indents.at(-1) ?? 0) > 0 && indent <= (indents.at(-1) ?? 0))
      close();
    for (const [token] of line.matchAll(/"(?:[^"\\\\]|\\\\.)*"|'[^']*'|[{};]|\\s[=:](?=\\s)|(?:[^\\s{};"(),=:]|[:=](?=\\S))+/g)) {
      if (token === "{") {
        at = statement() ?? addNode(nodes, at, "", "", index + 1);
        indents.push(indent);
      } else if (token === "}")
        close();
      else if (token === ";")
        statement();
      else if (!/^\\s*[=:]$/.test(token)) {
        if (words.length === 0)
          row = index + 1;
        words.push(token.replace(/[:=]$/, ""));
      }
    }
    if (closed <= opened && !/^\\s*\\{/.test(lines[index + 1] ?? ""))
      statement();
  });
  return nodes;
}`,
};
