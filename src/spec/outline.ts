// The headings of a page, from the tree of a Markdown parser: `#` lines inside code, quotes, lists or comments are not
// headings. Lines that only look like headings (bold lines, `##1.` without a space, underlined text) are candidates, which
// count only if no real heading names the same section.
import type { Heading, List, Node, Paragraph, Parent, Root, RootContent } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { numberOf } from "./titles.ts";

export interface OutlineEntry {
  /** Text as written, without the marks. */
  text: string;
  /** 1 to 6; for candidates derived from the number or the marks. */
  depth: number;
  /** 1-based line of the heading. */
  line: number;
  /** First line of its content. */
  bodyLine: number;
  /** False for a line that only looks like a heading. */
  real: boolean;
}

export interface Outline {
  entries: OutlineEntry[];
  /** Line where a code fence opens that is never closed; everything after it is code. */
  openFence: number | undefined;
  tree: Root;
}

/** Reads the headings.
 * @param text with LF line ends */
export function readOutline(text: string): Outline {
  const lines = text.split("\n");
  const tree = fromMarkdown(withoutFrontMatter(text));
  const entries = tree.children.flatMap((node) => entriesOf(node, lines));
  return { entries, openFence: findOpenFence(tree, lines), tree };
}

/** All text below a node, code included. */
export function plainText(node: Node): string {
  if ("value" in node && typeof node.value === "string") return node.value;
  if (node.type === "break") return "\n";
  return "children" in node ? (node as Parent).children.map(plainText).join("") : "";
}

function entriesOf(node: RootContent, lines: string[]): OutlineEntry[] {
  if (node.type === "heading") return [fromHeading(node, lines)];
  if (node.type === "paragraph") return [...fromBold(node, undefined), ...fromTightMarks(node, lines)];
  if (node.type === "list" && node.ordered) return fromList(node);
  return [];
}

function fromHeading(node: Heading, lines: string[]): OutlineEntry {
  const { line, last } = linesOf(node);
  // An underlined heading (setext) is often just a paragraph above a rule.
  const real = /^ {0,3}#/.test(lines[line - 1] ?? "");
  return { text: plainText(node).trim(), depth: node.depth, line, bodyLine: last + 1, real };
}

/** `**1. Parsing Logic**`, alone on its line. `itemNumber`: the number if it is part of an ordered list. */
function fromBold(node: Paragraph, itemNumber: number | undefined): OutlineEntry[] {
  const [first, next] = node.children;
  if (first?.type !== "strong") return [];
  const after = next === undefined ? "" : next.type === "break" ? "\n" : plainText(next);
  if (
    !/^[ \t]*[:：.]?[ \t]*(\n|$)/.test(after) ||
    (next !== undefined && !after.includes("\n") && node.children.length > 2)
  ) {
    return [];
  }
  const text = plainText(first).trim();
  const written = itemNumber === undefined ? text : `${itemNumber}. ${text}`;
  const { line } = linesOf(first);
  const depth = 1 + (numberOf(written)?.parts.length ?? 2);
  return [
    { text: written.replace(/[:：]$/, ""), depth: Math.min(6, depth), line, bodyLine: line + 1, real: false },
  ];
}

/** `##1. Parsing Logic`: not a heading in Markdown, but meant as one. */
function fromTightMarks(node: Paragraph, lines: string[]): OutlineEntry[] {
  const { line, last } = linesOf(node);
  const entries: OutlineEntry[] = [];
  for (let number = line; number <= last; number += 1) {
    const match = /^ {0,3}(#{1,6})([^# \t].*)$/.exec(lines[number - 1] ?? "");
    if (!match) continue;
    const text = (match[2] ?? "").replace(/[\s*#]+$/, "").replace(/^[\s*]+/, "");
    entries.push({ text, depth: match[1]?.length ?? 1, line: number, bodyLine: number + 1, real: false });
  }
  return entries;
}

/** `1. **Parsing Logic**` as an item of an ordered list. */
function fromList(list: List): OutlineEntry[] {
  return list.children.flatMap((item, i) => {
    const first = item.children[0];
    return first?.type === "paragraph" ? fromBold(first, (list.start ?? 1) + i) : [];
  });
}

function linesOf(node: Node): { line: number; last: number } {
  const line = node.position?.start.line ?? 1;
  return { line, last: node.position?.end.line ?? line };
}

/** Blanks the lines of a YAML block at the top, which would parse as a rule and an underlined heading. */
function withoutFrontMatter(text: string): string {
  const match = /^---[ \t]*\n(?:.*\n)*?(?:---|\.\.\.)[ \t]*(?:\n|$)/.exec(text);
  if (!match || !/^---[ \t]*\n\s*[\w-]+\s*:/.test(text)) return text;
  return match[0].replace(/[^\n]/g, "") + text.slice(match[0].length);
}

function findOpenFence(tree: Root, lines: string[]): number | undefined {
  const last = tree.children.at(-1);
  if (last?.type !== "code") return undefined;
  const { line, last: end } = linesOf(last);
  const fence = /^ {0,3}(`{3,}|~{3,})/.exec(lines[line - 1] ?? "")?.[1];
  if (fence === undefined) return undefined;
  const closing = (lines[end - 1] ?? "").trim();
  const closed = end > line && closing.length >= fence.length && closing === fence[0]?.repeat(closing.length);
  return closed ? undefined : line;
}
