// `agent …`: one file per command.
import type { CommandGroup } from "../../command.ts";

export const agentGroup: CommandGroup = {
  kind: "group",
  name: "agent",
  summary: "run long jobs in a workspace, steered by a graph",
  details:
    "Each job has its own folder with plan, todos, memory and results as files. An interrupted job continues with " +
    "`agent resume`; stored model replies are reused and not paid for twice.",
  commands: [
    {
      name: "run",
      summary: "start a job and run it to the end",
      load: async () => (await import("./run.ts")).runCommand,
    },
    {
      name: "submit",
      summary: "queue a job for a worker and print its id",
      load: async () => (await import("./submit.ts")).submitCommand,
    },
    {
      name: "poll",
      summary: "run the queued jobs of an agent until stopped",
      load: async () => (await import("./poll.ts")).pollCommand,
    },
    {
      name: "resume",
      summary: "continue a job",
      load: async () => (await import("./resume.ts")).resumeCommand,
    },
    {
      name: "approve",
      summary: "accept the results of a waiting job, or answer its question",
      load: async () => (await import("./approve.ts")).approveCommand,
    },
    {
      name: "cancel",
      summary: "cancel a job",
      load: async () => (await import("./cancel.ts")).cancelCommand,
    },
    {
      name: "list",
      summary: "list jobs with their status",
      load: async () => (await import("./list.ts")).listCommand,
    },
    {
      name: "show",
      summary: "show a job: phase, todos, results, turns",
      load: async () => (await import("./show.ts")).showCommand,
    },
    {
      name: "configs",
      summary: "list agent configurations",
      load: async () => (await import("./configs.ts")).configsCommand,
    },
    {
      name: "specs",
      summary: "list submitted ItemSpecs with their status",
      load: async () => (await import("./specs.ts")).specsCommand,
    },
    {
      name: "tools",
      summary: "list all tools, or the tools of one agent",
      load: async () => (await import("./tools.ts")).toolsCommand,
    },
  ],
};
