// `factory`: work orders that become verified changes in a git repository, or nothing changes.
import type { CommandGroup } from "../../command.ts";

export const factoryGroup: CommandGroup = {
  kind: "group",
  name: "factory",
  summary: "work orders that become verified changes in a git repository, or nothing changes",
  commands: [
    {
      name: "run",
      summary: "carry out one work order: a verified change, or the repository as it was",
      load: async () => (await import("./run.ts")).factoryRunCommand,
    },
    {
      name: "run-all",
      summary: "carry out every work order of a folder, in the order of their ids, each as a commit",
      load: async () => (await import("./run-all.ts")).factoryRunAllCommand,
    },
    {
      name: "plan",
      summary: "have a model split a specification into work orders, checked before any is written",
      load: async () => (await import("./plan.ts")).factoryPlanCommand,
    },
    {
      name: "show",
      summary: "read a run: attempts, what was written, commands and their output",
      load: async () => (await import("./show.ts")).factoryShowCommand,
    },
  ],
};
