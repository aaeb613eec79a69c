// Structured documents as one kind of thing: nodes with a name, a text and a line, whatever the syntax. A rule names
// the nodes that stand for records by their path, and their parts by steps from there. What an atom needs of this
// file is repeated as text in `texts.ts`; a test holds both together.

export interface TreeNode {
  /** Key, tag or head; `[]` for an item of a list, `@name` for an attribute, `$2` for what has only a place. */
  name: string;
  text: string;
  /** 1-based. */
  line: number;
  parent: TreeNode | undefined;
  /** The first child of each name. */
  first: Map<string, TreeNode>;
  /** Number of children. */
  size: number;
}

/** A new node behind the others of its parent. */
export function addNode(
  nodes: TreeNode[],
  parent: TreeNode | undefined,
  name: string,
  text: string,
  line: number,
): TreeNode {
  const node: TreeNode = { name, text, line, parent, first: new Map(), size: 0 };
  nodes.push(node);
  if (parent !== undefined) {
    parent.size += 1;
    if (!parent.first.has(name)) parent.first.set(name, node);
  }
  return node;
}

/** Does the path of names lead to the node? `*` is any name, a leading `**` any names; a root has no name. */
export function isAt(node: TreeNode, path: readonly string[]): boolean {
  let at: TreeNode | undefined = node;
  for (let index = path.length - 1; index >= 0; index -= 1) {
    if (path[index] === "**") return true;
    if (at?.parent === undefined || (path[index] !== "*" && path[index] !== at.name)) return false;
    at = at.parent;
  }
  return at !== undefined && at.parent === undefined;
}

/** The node some levels up and then down the names; undefined where there is none. */
export function nodeFrom(node: TreeNode, up: number, down: readonly string[]): TreeNode | undefined {
  let at: TreeNode | undefined = node;
  for (let level = 0; level < up; level += 1) at = at?.parent;
  for (const name of down) at = at?.first.get(name);
  return at;
}

/** A text without its quotes; what stands behind a backslash in double quotes is that itself. */
export function unquoted(text: string): string {
  if (text.length < 2 || text.at(-1) !== text.charAt(0)) return text;
  if (text.startsWith("'")) return text.slice(1, -1);
  if (!text.startsWith('"')) return text;
  try {
    return String(JSON.parse(text));
  } catch {
    return text.slice(1, -1);
  }
}

/** What the group `part` of the first expression that matches the text has; empty when there is none. */
export function pickPart(text: string | undefined, patterns: readonly RegExp[]): string {
  for (const pattern of patterns) {
    const match = pattern.exec(text ?? "");
    if (match !== null) return match.groups?.["part"] ?? "";
  }
  return "";
}
