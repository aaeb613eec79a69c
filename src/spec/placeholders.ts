// Finds placeholders of a template. A page that still has placeholders is never run.
import type { Node, Parent, Root } from "mdast";

export interface Placeholder {
  /** As written, at most 80 characters. */
  text: string;
  line: number;
}

/** Finds placeholders: in braces and brackets anywhere, including code; a bare `TODO:` only in running text, because logs
 * and code samples may contain one.
 * @param text the source of the tree, with LF line ends */
export function findPlaceholders(tree: Root, text: string): Placeholder[] {
  const found = new Map<number, Placeholder & { end: number }>();
  for (const match of text.matchAll(/\{+\s*TODO\b[^{}]{0,500}\}+|[<[]\s*TODO\b[^<>[\]\n]{0,200}[>\]]/gi)) {
    const end = match.index + match[0].length;
    found.set(match.index, { text: shorten(match[0]), line: lineOf(text, match.index), end });
  }
  for (const { value, offset } of runningTexts(tree)) {
    for (const match of value.matchAll(/\bTODO\s*[:：][^\n]*/g)) {
      const at = offset + match.index;
      if (insideAny(found, at)) continue;
      found.set(at, { text: shorten(match[0]), line: lineOf(text, at), end: at });
    }
  }
  return [...found.entries()].sort(([a], [b]) => a - b).map(([, { text, line }]) => ({ text, line }));
}

function* runningTexts(node: Node): Generator<{ value: string; offset: number }> {
  if (node.type === "text" && "value" in node && typeof node.value === "string") {
    yield { value: node.value, offset: node.position?.start.offset ?? 0 };
  }
  if ("children" in node) for (const child of (node as Parent).children) yield* runningTexts(child);
}

function insideAny(found: Map<number, { end: number }>, at: number): boolean {
  for (const [start, { end }] of found) if (at >= start && at < end) return true;
  return false;
}

function shorten(text: string): string {
  const flat = text.replace(/\s+/g, " ");
  return flat.length > 80 ? `${flat.slice(0, 79)}…` : flat;
}

function lineOf(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < offset; at = text.indexOf("\n", at + 1)) line += 1;
  return line;
}
