// `agent configs`: what --config can name.
import { EXIT } from "../../../core/errors.ts";
import { listAgentConfigs } from "../../../loops/agent/index.ts";
import { defineCommand } from "../../command.ts";

export const configsCommand = defineCommand({
  name: "configs",
  summary: "the agent configurations there are",
  args: {},
  examples: [{ command: "atomsmith agent configs", does: "embedded ones, and those of loops.agent.configs" }],
  run: async (_, context) => {
    const configs = listAgentConfigs(context.config.loops.agent.configs);
    context.output.result({ configs }, () =>
      context.output.table(
        ["name", "source"],
        configs.map(({ name, source }) => [name, source]),
      ),
    );
    return EXIT.ok;
  },
});
