// `agent configs`: the values of --config.
import { EXIT } from "../../../core/errors.ts";
import { listAgentConfigs } from "../../../loops/agent/index.ts";
import { defineCommand } from "../../command.ts";

export const configsCommand = defineCommand({
  name: "configs",
  summary: "list agent configurations",
  args: {},
  examples: [{ command: "atomsmith agent configs", does: "built-in ones and those in loops.agent.configs" }],
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
