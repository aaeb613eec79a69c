// `graph [LOOP] [--mermaid]`: a loop as it really is, drawn from the graph that runs.
import { EXIT } from "../../core/errors.ts";
import type { Drawable } from "../../engine/index.ts";
import { defineCommand } from "../command.ts";

export const graphCommand = defineCommand({
  name: "graph",
  summary: "draw the pipeline",
  details:
    "Drawn from the graph that the engine runs, so it cannot differ from it. Without --mermaid each stage is a line " +
    "with the stages that may follow.",
  config: false,
  args: {
    loop: {
      type: "positional",
      valueHint: "LOOP",
      options: ["item", "factory", "agent"],
      description: "which loop (default: item)",
    },
    mermaid: { type: "boolean", description: "as a Mermaid flowchart" },
  },
  examples: [
    { command: "atomsmith graph", does: "stages and what may follow them" },
    { command: "atomsmith graph agent --mermaid", does: "both loops of an agent's job" },
    { command: "atomsmith graph --mermaid > pipeline.mmd", does: "for a page that renders Mermaid" },
  ],
  run: async ({ loop, mermaid }, { output }) => {
    const { toMermaid } = await import("../../engine/index.ts");
    const graph: Drawable =
      loop === "agent"
        ? (await import("../../loops/agent/index.ts")).agentGraph
        : loop === "factory"
          ? (await import("../../loops/factory/index.ts")).factoryGraph
          : (await import("../../loops/item/index.ts")).itemGraph;
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
