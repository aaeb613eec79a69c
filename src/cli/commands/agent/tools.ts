// `agent tools`: all registered tools, or those of one agent.
import { EXIT } from "../../../core/errors.ts";
import { TOOLS, toolSet } from "../../../loops/agent/index.ts";
import { defineCommand } from "../../command.ts";
import { CONFIG_ARG, loadAgent } from "./shared.ts";

export const toolsCommand = defineCommand({
  name: "tools",
  summary: "list all tools, or the tools of one agent",
  args: { config: CONFIG_ARG },
  examples: [{ command: "atomsmith agent tools --config researcher", does: "the tools of this agent" }],
  run: async ({ config }, context) => {
    const tools = config === undefined ? TOOLS : toolSet(loadAgent(context, config).config).all;
    const shown = tools.map(({ name, category, core, phases, effects, spec }) => ({
      name,
      category,
      core,
      phases: [...phases],
      effects,
      description: spec.description,
      parameters: spec.parameters,
    }));
    context.output.result({ tools: shown }, () =>
      context.output.table(
        ["tool", "category", "loaded", "effects", "what it does"],
        shown.map((tool) => [
          tool.name,
          tool.category,
          tool.core ? "always" : "when found",
          tool.effects,
          tool.description.split(/(?<=\.)\s/)[0] ?? "",
        ]),
      ),
    );
    return EXIT.ok;
  },
});
