// `graph [--mermaid]`: the pipeline as it really is, drawn from the graph that runs.
import { EXIT } from "../../core/errors.ts";
import { defineCommand } from "../command.ts";

export const graphCommand = defineCommand({
  name: "graph",
  summary: "draw the pipeline",
  details:
    "Drawn from the graph that the engine runs, so it cannot differ from it. Without --mermaid each stage is a line " +
    "with the stages that may follow.",
  config: false,
  args: { mermaid: { type: "boolean", description: "as a Mermaid flowchart" } },
  examples: [
    { command: "atomsmith graph", does: "stages and what may follow them" },
    { command: "atomsmith graph --mermaid > pipeline.mmd", does: "for a page that renders Mermaid" },
  ],
  run: async ({ mermaid }, { output }) => {
    const { itemGraph, toMermaid } = await import("../../loops/item/index.ts");
    const stages = Object.entries(itemGraph.nodes).map(([name, node]) => ({ name, next: [...node.next] }));
    const drawn = toMermaid(itemGraph);
    const document = { name: itemGraph.name, start: itemGraph.start, stages, mermaid: drawn };
    output.result(document, (style) => {
      if (mermaid) return drawn;
      const rows = stages.map(({ name, next }) => [
        name === itemGraph.start ? style.bold(name) : name,
        next.length === 0 ? style.dim("end") : `-> ${next.join(", ")}`,
      ]);
      return output.table([], rows);
    });
    return EXIT.ok;
  },
});
