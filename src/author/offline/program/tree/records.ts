// Runs a rule on structured documents directly. Says what the code that `emit.ts` of this folder writes would extract.
import { type Groups, kept, record } from "../interpret.ts";
import type { Extracted, TreePart, TreeRule } from "../ir.ts";
import { scan } from "./index.ts";
import { isAt, nodeFrom, pickPart, type TreeNode } from "./nodes.ts";

/** The text of one part, seen from the node of a record; empty when there is none. */
export function partOf(node: TreeNode, part: TreePart): string {
  const at = nodeFrom(node, part.up, part.down);
  const text = (part.take === "name" ? at?.name : at?.text) ?? "";
  if (part.patterns === undefined) return text;
  return pickPart(
    text,
    part.patterns.map((pattern) => new RegExp(pattern)),
  );
}

/** The records of a rule, by line. */
export function treeRecords(rule: TreeRule, lines: readonly string[]): Extracted[] {
  const items: Extracted[] = [];
  for (const node of scan(rule.syntax, lines)) {
    if (!isAt(node, rule.record)) continue;
    const groups: Groups = {};
    for (const part of rule.parts) groups[part.group] = partOf(node, part);
    const { line } = nodeFrom(node, rule.line.up, rule.line.down) ?? node;
    if (rule.required.some((group) => (groups[group] ?? "").trim() === "")) continue;
    if (kept(rule.filters, groups)) items.push(record(rule.projection, groups, lines[line - 1] ?? "", line));
  }
  return items.sort((a, b) => a.line - b.line);
}
