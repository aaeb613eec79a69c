// The scanners by the name of their syntax.
import type { TreeNode } from "./nodes.ts";
import { scanJson, scanJsonLines, scanPairs, scanParens } from "./scan.ts";
import { scanBraces, scanXml, scanYaml } from "./scan-nested.ts";

export type Syntax = "json" | "json_lines" | "pairs" | "yaml" | "xml" | "parens" | "braces";

const SCANNERS: Record<Syntax, (lines: readonly string[]) => TreeNode[]> = {
  json: scanJson,
  json_lines: scanJsonLines,
  pairs: scanPairs,
  yaml: scanYaml,
  xml: scanXml,
  parens: scanParens,
  braces: scanBraces,
};

const scanned = new WeakMap<readonly string[], Map<Syntax, TreeNode[]>>();

/** All nodes of a text in their order; the same lines are scanned once. */
export function scan(syntax: Syntax, lines: readonly string[]): TreeNode[] {
  const known = scanned.get(lines) ?? new Map<Syntax, TreeNode[]>();
  scanned.set(lines, known);
  const nodes = known.get(syntax) ?? SCANNERS[syntax](lines);
  known.set(syntax, nodes);
  return nodes;
}
