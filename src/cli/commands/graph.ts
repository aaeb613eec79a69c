// `graph [LOOP] [--mermaid]`: draws a loop from the graph that the engine runs.
import { EXIT } from "../../core/errors.ts";
import type { Drawable } from "../../engine/index.ts";
import { defineCommand } from "../command.ts";

const GRAPHS = {
  item: async (): Promise<Drawable> => (await import("../../loops/item/index.ts")).itemGraph,
  factory: async (): Promise<Drawable> => (await import("../../loops/factory/index.ts")).factoryGraph,
  agent: async (): Promise<Drawable> => (await import("../../loops/agent/index.ts")).agentGraph,
  design: async (): Promise<Drawable> => (await import("../../loops/design/index.ts")).turnGraph,
};
type Loop = keyof typeof GRAPHS;

export const graphCommand = defineCommand({
  name: "graph",
  summary: "draw the graph of a loop",
  details:
    "Draws the graph that the engine runs. Without --mermaid, prints each stage with its possible successors. The " +
    "graph of design is that of one turn of the conversation.",
  config: false,
  args: {
    loop: {
      type: "positional",
      valueHint: "LOOP",
      options: Object.keys(GRAPHS),
      description: "name of the loop (default: item)",
    },
    mermaid: { type: "boolean", description: "print a Mermaid flowchart" },
  },
  examples: [
    { command: "atomsmith graph", does: "list stages and their successors" },
    { command: "atomsmith graph agent --mermaid", does: "draw both loops of an agent's job" },
    { command: "atomsmith graph --mermaid > pipeline.mmd", does: "draw for a page that renders Mermaid" },
  ],
  run: async ({ loop, mermaid }, { output }) => {
    const { toMermaid } = await import("../../engine/index.ts");
    const graph = await GRAPHS[(loop ?? "item") as Loop]();
    const stages = Object.entries(graph.nodes).map(([name, node]) => ({ name, next: [...node.next] }));
    const drawn = toMermaid(graph);
    const document = { name: graph.name, start: graph.start, stages, mermaid: drawn };
    output.result(document, (style) => {
      if (mermaid) return drawn;
      const rows = stages.map(({ name, next }) => [
        name === graph.start ? style.bold(name) : name,
        next.length === 0 ? style.dim("end") : `-> ${next.join(", ")}`,
      ]);
      return output.table([], rows);
    });
    return EXIT.ok;
  },
});
