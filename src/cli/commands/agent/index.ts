// `agent …`: one file per command.
import type { CommandGroup } from "../../command.ts";

export const agentGroup: CommandGroup = {
  kind: "group",
  name: "agent",
  summary: "long jobs in a workspace, kept on course by the graph",
  details:
    "A job has a folder of its own; plan, todos, memory and results are files in it. A job that was interrupted, " +
    "anywhere and in any way, goes on with `agent resume`; no reply of a model is paid for twice.",
  commands: [
    {
      name: "run",
      summary: "start a job and work on it to its end",
      load: async () => (await import("./run.ts")).runCommand,
    },
    {
      name: "submit",
      summary: "store a job for a worker and print its id",
      load: async () => (await import("./submit.ts")).submitCommand,
    },
    {
      name: "poll",
      summary: "work on the jobs of an agent until told to stop",
      load: async () => (await import("./poll.ts")).pollCommand,
    },
    {
      name: "resume",
      summary: "go on with a job",
      load: async () => (await import("./resume.ts")).resumeCommand,
    },
    {
      name: "approve",
      summary: "end a waiting job as it stands, or answer it",
      load: async () => (await import("./approve.ts")).approveCommand,
    },
    { name: "cancel", summary: "end a job", load: async () => (await import("./cancel.ts")).cancelCommand },
    {
      name: "list",
      summary: "all jobs and how they stand",
      load: async () => (await import("./list.ts")).listCommand,
    },
    {
      name: "show",
      summary: "one job: phase, todos, results, turns",
      load: async () => (await import("./show.ts")).showCommand,
    },
    {
      name: "configs",
      summary: "the agent configurations there are",
      load: async () => (await import("./configs.ts")).configsCommand,
    },
    {
      name: "specs",
      summary: "submitted ItemSpecs and how they stand",
      load: async () => (await import("./specs.ts")).specsCommand,
    },
    {
      name: "tools",
      summary: "the tools there are, or those of one agent",
      load: async () => (await import("./tools.ts")).toolsCommand,
    },
  ],
};
