// Parses XML to a tree, with a parser that resolves no internal or external entities.
import { Parser } from "saxen";
import { MAX_DEPTH } from "../limits.ts";
import { Unreadable } from "../types.ts";

export interface XmlNode {
  /** Without its prefix. */
  name: string;
  attributes: Record<string, string>;
  children: XmlNode[];
  /** Text directly inside. */
  text: string;
}

/** Parses UTF-8 or UTF-16 XML. Throws `Unreadable`. */
export function parseXml(bytes: Uint8Array, file: string): XmlNode {
  const wide = bytes[0] === 0xff && bytes[1] === 0xfe;
  const source = new TextDecoder(wide ? "utf-16le" : "utf-8").decode(bytes);
  const root: XmlNode = { name: "", attributes: {}, children: [], text: "" };
  const stack = [root];
  const parser = new Parser();
  parser.on("openTag", (name, attributes, decode) => {
    const own = Object.entries(attributes()).map(([key, value]) => [key, decode(String(value))] as const);
    const node = { name: localName(name), attributes: Object.fromEntries(own), children: [], text: "" };
    stack.at(-1)?.children.push(node);
    stack.push(node);
    if (stack.length > MAX_DEPTH) {
      throw new Unreadable(`${file} is nested deeper than ${MAX_DEPTH} elements`);
    }
  });
  parser.on("closeTag", () => {
    stack.pop();
  });
  const add = (text: string): void => {
    const top = stack.at(-1);
    if (top !== undefined) top.text += text;
  };
  parser.on("text", (text, decode) => add(decode(text)));
  parser.on("cdata", add);
  parser.on("warn", () => {});
  parser.on("error", (error) => {
    throw error instanceof Unreadable ? error : new Unreadable(`it is damaged: ${file}: ${error.message}`);
  });
  parser.parse(source);
  return root;
}

export function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

/** All elements with one of the names below a node, in the order of the file; not searched inside a match. */
export function* below(node: XmlNode, ...names: string[]): Generator<XmlNode> {
  for (const child of node.children) {
    if (names.includes(child.name)) yield child;
    else yield* below(child, ...names);
  }
}
