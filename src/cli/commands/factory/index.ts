// `factory`: turns work orders into verified changes of a git repository, or leaves it unchanged.
import type { CommandGroup } from "../../command.ts";

export const factoryGroup: CommandGroup = {
  kind: "group",
  name: "factory",
  summary: "turn work orders into verified changes of a git repository",
  commands: [
    {
      name: "run",
      summary: "run one work order: apply a verified change, or restore the repository",
      load: async () => (await import("./run.ts")).factoryRunCommand,
    },
    {
      name: "run-all",
      summary: "run all work orders of a folder in order of their ids, one commit each",
      load: async () => (await import("./run-all.ts")).factoryRunAllCommand,
    },
    {
      name: "plan",
      summary:
        "let a model split a specification into work orders, which are checked before they are written",
      load: async () => (await import("./plan.ts")).factoryPlanCommand,
    },
    {
      name: "show",
      summary: "show a run: attempts, written files, commands and their output",
      load: async () => (await import("./show.ts")).factoryShowCommand,
    },
  ],
};
