// The exact blocks of a page: fenced code with the info string `example`, `check` or `witness`. docs/contract.md,
// section 6.
import type { Code, Node, Parent } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { readExample, type WorkedExample } from "./example.ts";

export const BLOCK_KINDS = ["example", "check", "witness"] as const;
export type BlockKind = (typeof BLOCK_KINDS)[number];

/** A fenced block of a text. */
export interface ExactBlock {
  kind: BlockKind;
  content: string;
  /** 1-based line of the opening fence in the text. */
  line: number;
}

/** The content of exact blocks. An invalid block is only a problem. */
export interface ExactParts {
  examples: (WorkedExample & { line: number })[];
  /** YAML of the `check` blocks, in order. A page has at most one. */
  checks: { yaml: string; line: number }[];
  /** One per line of the `witness` blocks: plain text, or `regex:` and an expression. */
  witnesses: { pattern: string; line: number }[];
  problems: { kind: BlockKind; message: string; line: number }[];
}

/** The exact blocks of Markdown or of its tree, in order, at any nesting. */
export function findBlocks(markdown: string | Node): ExactBlock[] {
  return exactCode(markdown).map(({ kind, code }) => ({
    kind,
    content: code.value,
    line: code.position?.start.line ?? 1,
  }));
}

/** Reads exact blocks, or those of Markdown. Never throws. */
export function readExactParts(source: string | readonly ExactBlock[]): ExactParts {
  const parts: ExactParts = { examples: [], checks: [], witnesses: [], problems: [] };
  for (const { kind, content, line } of typeof source === "string" ? findBlocks(source) : source) {
    if (kind === "check") parts.checks.push({ yaml: content, line });
    else if (kind === "witness") {
      const witnesses = witnessLines(content, line);
      parts.witnesses.push(...witnesses);
      if (witnesses.length === 0) parts.problems.push({ kind, message: "The witness block is empty.", line });
    } else {
      const reading = readExample(content);
      if (reading.ok) parts.examples.push({ ...reading.example, line });
      else parts.problems.push({ kind, message: reading.message, line });
    }
  }
  return parts;
}

/** Texts of the inline code of Markdown: in section 4.1, the globs of files. */
export function codeSpans(markdown: string): string[] {
  const spans = (node: Node): string[] =>
    node.type === "inlineCode" && "value" in node
      ? [String(node.value)]
      : "children" in node
        ? (node as Parent).children.flatMap(spans)
        : [];
  return spans(fromMarkdown(markdown));
}

/** Markdown without its exact blocks. */
export function withoutBlocks(markdown: string): string {
  let text = "";
  let from = 0;
  for (const { code } of exactCode(markdown)) {
    text += markdown.slice(from, code.position?.start.offset);
    from = code.position?.end.offset ?? from;
  }
  return text + markdown.slice(from);
}

function witnessLines(content: string, line: number): ExactParts["witnesses"] {
  return content
    .split("\n")
    .map((pattern, index) => ({ pattern: pattern.trim(), line: line + 1 + index }))
    .filter(({ pattern }) => pattern !== "");
}

function exactCode(markdown: string | Node): { kind: BlockKind; code: Code }[] {
  const tree = typeof markdown === "string" ? fromMarkdown(markdown) : markdown;
  return codeBlocks(tree).flatMap((code) => {
    const kind = BLOCK_KINDS.find((name) => name === code.lang);
    return kind === undefined ? [] : [{ kind, code }];
  });
}

function codeBlocks(node: Node): Code[] {
  if (node.type === "code") return [node as Code];
  return "children" in node ? (node as Parent).children.flatMap(codeBlocks) : [];
}
