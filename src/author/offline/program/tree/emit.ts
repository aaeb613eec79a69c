// The code of a rule on structured documents: the scanner of its syntax, the path to the records, their parts.
import { comment, type EmittedRule, literal, regex } from "../emit.ts";
import { push } from "../emit-records.ts";
import type { TreePart, TreeRule } from "../ir.ts";
import type { Syntax } from "./index.ts";

/** Names of the scanners in the code. */
export const SCANNER_NAMES: Record<Syntax, string> = {
  json: "scanJson",
  json_lines: "scanJsonLines",
  pairs: "scanPairs",
  yaml: "scanYaml",
  xml: "scanXml",
  parens: "scanParens",
  braces: "scanBraces",
};

function list(names: readonly string[]): string {
  return `[${names.map(literal).join(", ")}]`;
}

function place({ up, down }: { up: number; down: readonly string[] }): string {
  return up === 0 && down.length === 0 ? "node" : `nodeFrom(node, ${up}, ${list(down)})`;
}

/** The expression for one part; a node that is not there has no text. */
function emitPart(part: TreePart): string {
  const from = place(part);
  const text = `${from}${from === "node" ? "" : "?"}.${part.take}`;
  if (part.patterns === undefined) return text;
  return `pickPart(${text}, [${part.patterns.map(regex).join(", ")}])`;
}

export function emitTree(rule: TreeRule, suffix: string): EmittedRule {
  const fn = `extract_nodes${suffix}`;
  const line = place(rule.line);
  const code = [
    comment(rule.example),
    `const RECORD${suffix} = ${list(rule.record)};`,
    "",
    `function ${fn}(lines, source_file) {`,
    "  const items = [];",
    `  ${SCANNER_NAMES[rule.syntax]}(lines).forEach((node) => {`,
    `    if (!isAt(node, RECORD${suffix})) return;`,
    "    const groups = {",
    ...rule.parts.map((part) => `      ${part.group}: ${emitPart(part)},`),
    "    };",
    line === "node" ? "    const { line } = node;" : `    const { line } = ${line} ?? node;`,
    ...push(rule, { line: "lines[line - 1]", number: "line" }, "    "),
    "  });",
    "  return items.sort((a, b) => a.line_number - b.line_number);",
    "}",
  ].join("\n");
  return { fn, code };
}
