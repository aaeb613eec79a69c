// One scanner per syntax of structured documents, from lines to nodes. They are lenient: a log may be cut at its start
// or end, so what does not fit is passed over. What an atom needs of this file is repeated as text in `texts.ts`.
import { addNode, type TreeNode, unquoted } from "./nodes.ts";

/** JSON, also several values one after the other, or between lines of other kinds. Numbers stay as they are printed. */
export function scanJson(lines: readonly string[]): TreeNode[] {
  const nodes: TreeNode[] = [];
  const state: JsonState = { at: undefined, key: undefined, lists: [], indents: [], indent: 0 };
  lines.forEach((line, index) => {
    if (
      !/^\s*(?:[{}\],"]|\[\s*(?:[[\]{"\d-]|true|false|null|$)|(?:-?\d[\d.eE+-]*|true|false|null)[\s,}\]]*$)/.test(
        line,
      )
    )
      return;
    state.indent = line.search(/\S/);
    // A key that does not stand further in than an open object is not in it: the text was cut before its end.
    if (/^\s*"/.test(line)) {
      while (
        state.at !== undefined &&
        (state.indents.at(-1) ?? 0) > 0 &&
        state.indent <= (state.indents.at(-1) ?? 0)
      )
        closeJson(state);
    }
    for (const [token] of line.matchAll(/"(?:[^"\\]|\\.)*"(?:\s*:)?|[{}[\]]|[^\s{}[\],:"]+/g))
      readJson(nodes, state, token, index + 1);
  });
  return nodes;
}

interface JsonState {
  at: TreeNode | undefined;
  key: string | undefined;
  /** For each open bracket, is it a list, and how far in does its line stand? */
  lists: boolean[];
  indents: number[];
  indent: number;
}

function closeJson(state: JsonState): void {
  state.at = state.at?.parent;
  state.lists.pop();
  state.indents.pop();
}

/** One token of a JSON text; what has no key inside an object is passed over. */
function readJson(nodes: TreeNode[], state: JsonState, token: string, line: number): void {
  const inList = state.lists.at(-1) === true;
  const name = inList ? "[]" : state.key;
  if (token.endsWith(":")) {
    if (!inList) state.key = unquoted(token.slice(0, -1).trim());
    return;
  }
  state.key = undefined;
  // The text was cut inside an object.
  if (state.at === undefined && name !== undefined) state.at = addNode(nodes, undefined, "", "", line);
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
}

/** JSON objects at the end of a line each, perhaps cut there; the text in front of it is that of its root. */
export function scanJsonLines(lines: readonly string[]): TreeNode[] {
  const starts = lines.map((line) => line.search(/\{\s*(?:"|\}\s*$)/));
  const nodes = scanJson(
    lines.map((line, index) => ((starts[index] ?? -1) < 0 ? "" : line.slice(starts[index]))),
  );
  for (const node of nodes) {
    if (node.parent === undefined)
      node.text = (lines[node.line - 1] ?? "").slice(0, starts[node.line - 1]).trim();
  }
  return nodes;
}

/** `key=value` and `key="a value"`, separated by blanks; a line is a root. */
export function scanPairs(lines: readonly string[]): TreeNode[] {
  const nodes: TreeNode[] = [];
  lines.forEach((line, index) => {
    if (/^\s*\{/.test(line)) return;
    const pairs = [...line.matchAll(/(?:^|[\s,;])([A-Za-z][\w.-]*)=("(?:[^"\\]|\\.)*"|[^\s,;]*)/g)];
    if (pairs.length < 2) return;
    const root = addNode(nodes, undefined, "", "", index + 1);
    for (const [, name = "", text = ""] of pairs) addNode(nodes, root, name, unquoted(text), index + 1);
  });
  return nodes;
}

/** Lists in round brackets: the first word is the name, the others are the text and the places `$1`, `$2`. */
export function scanParens(lines: readonly string[]): TreeNode[] {
  const nodes: TreeNode[] = [];
  let at = addNode(nodes, undefined, "", "", 1);
  let opened = false;
  lines.forEach((line, index) => {
    if (/^\s*(?:\/\/|;|\/?\*)/.test(line)) return;
    for (const [token] of line.matchAll(/"(?:[^"\\]|\\.)*"|[()]|(?:\\.|[^\s()"\\])+/g)) {
      if (token === "(") at = addNode(nodes, at, `$${at.size + 1}`, "", index + 1);
      else if (token === ")") at = at.parent ?? at;
      else
        readAtom(nodes, at, unquoted(token), {
          opened: opened && /^[A-Za-z_\\"]/.test(token),
          line: index + 1,
        });
      opened = token === "(";
    }
  });
  return nodes;
}

/** A word in a list: its name when it is the head, but a number is none; else a place, and more text. */
function readAtom(
  nodes: TreeNode[],
  at: TreeNode,
  text: string,
  seen: { opened: boolean; line: number },
): void {
  if (at.parent === undefined) return;
  if (seen.opened) {
    at.name = text;
    if (!at.parent.first.has(text)) at.parent.first.set(text, at);
    return;
  }
  addNode(nodes, at, `$${at.size + 1}`, text, seen.line);
  at.text = at.text === "" ? text : `${at.text} ${text}`;
}
