// The exact blocks of a page: fenced code whose info string is `example`, `check` or `witness`. Contract, section 6.
import type { Code, Node, Parent } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { readExample, type WorkedExample } from "./example.ts";

export const BLOCK_KINDS = ["example", "check", "witness"] as const;
export type BlockKind = (typeof BLOCK_KINDS)[number];

/** A fenced block as it stands in a text. */
export interface ExactBlock {
  kind: BlockKind;
  content: string;
  /** 1-based line of the opening fence in the text. */
  line: number;
}

/** What a text says exactly. A block that cannot be read is a problem, and nothing else is made of it. */
export interface ExactParts {
  examples: (WorkedExample & { line: number })[];
  /** YAML of the `check` blocks, in order. A page has one at most. */
  checks: { yaml: string; line: number }[];
  /** One per line of the `witness` blocks: plain text, or `regex:` and an expression. */
  witnesses: { pattern: string; line: number }[];
  problems: { kind: BlockKind; message: string; line: number }[];
}

/** The exact blocks of markdown, in order, wherever they are nested. */
export function findBlocks(markdown: string): ExactBlock[] {
  return codeBlocks(fromMarkdown(markdown)).flatMap((code) => {
    const kind = BLOCK_KINDS.find((one) => one === code.lang);
    return kind === undefined ? [] : [{ kind, content: code.value, line: code.position?.start.line ?? 1 }];
  });
}

/** Reads the exact blocks of markdown. Never throws. */
export function readExactParts(markdown: string): ExactParts {
  const parts: ExactParts = { examples: [], checks: [], witnesses: [], problems: [] };
  for (const { kind, content, line } of findBlocks(markdown)) {
    if (kind === "check") parts.checks.push({ yaml: content, line });
    else if (kind === "witness") parts.witnesses.push(...witnessLines(content, line));
    else {
      const reading = readExample(content);
      if (reading.ok) parts.examples.push({ ...reading.example, line });
      else parts.problems.push({ kind, message: reading.message, line });
    }
  }
  return parts;
}

function witnessLines(content: string, line: number): ExactParts["witnesses"] {
  return content
    .split("\n")
    .map((pattern, index) => ({ pattern: pattern.trim(), line: line + 1 + index }))
    .filter(({ pattern }) => pattern !== "");
}

function codeBlocks(node: Node): Code[] {
  if (node.type === "code") return [node as Code];
  return "children" in node ? (node as Parent).children.flatMap(codeBlocks) : [];
}
