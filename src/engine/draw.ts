// Draws a graph.
import type { Drawable } from "./graph.ts";

/** The graph as a Mermaid flowchart; nested graphs are drawn as subgraphs. */
export function toMermaid(graph: Drawable): string {
  const lines = ["flowchart TD"];
  draw(graph, "", "  ", lines);
  return `${lines.join("\n")}\n`;
}

function draw(graph: Drawable, prefix: string, indent: string, lines: string[]): void {
  for (const [name, node] of Object.entries(graph.nodes)) {
    const id = prefix + name;
    const inner = node.nested?.graph;
    if (inner) {
      lines.push(`${indent}subgraph ${id}`);
      draw(inner, `${id}_`, `${indent}  `, lines);
      lines.push(`${indent}end`);
    } else if (node.next.length === 0) {
      lines.push(`${indent}${id}([${name}])`);
    } else if (name === graph.start) {
      lines.push(`${indent}${id}[/${name}/]`);
    } else {
      lines.push(`${indent}${id}[${name}]`);
    }
    for (const next of node.next) lines.push(`${indent}${id} --> ${prefix}${next}`);
  }
}
