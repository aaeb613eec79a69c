// All commands by name, loaded when they are called. The order within a section is the order in the help.
import type { CommandEntry } from "./command.ts";

export interface CommandSection {
  title: string;
  commands: readonly CommandEntry[];
}

export const SECTIONS: readonly CommandSection[] = [
  {
    title: "Create and run atoms",
    commands: [
      {
        name: "generate",
        summary: "write and prove the atoms of one ItemSpec",
        load: async () => (await import("./commands/generate.ts")).generateCommand,
      },
      {
        name: "batch",
        summary: "write and prove the atoms of every ItemSpec that is not up to date",
        load: async () => (await import("./commands/batch.ts")).batchCommand,
      },
      {
        name: "resume",
        summary: "continue an item from its last checkpoint",
        load: async () => (await import("./commands/resume.ts")).resumeCommand,
      },
      {
        name: "label",
        summary: "create worked examples of a page by marking lines of its logs",
        load: async () => (await import("./commands/label.ts")).labelCommand,
      },
      {
        name: "status",
        summary: "show the state of items",
        load: async () => (await import("./commands/status.ts")).statusCommand,
      },
      {
        name: "validate",
        summary: "run all gates on atom sets, without an author",
        load: async () => (await import("./commands/validate.ts")).validateCommand,
      },
      {
        name: "check",
        summary: "run accepted atom sets on logs and report pass or fail",
        load: async () => (await import("./commands/check.ts")).checkCommand,
      },
      {
        name: "waive",
        summary: "add, list and remove waivers of an accepted item",
        load: async () => (await import("./commands/waive.ts")).waiveGroup,
      },
    ],
  },
  {
    title: "Edit a spec in conversation",
    commands: [
      {
        name: "design",
        summary: "edit a spec in conversation and run its pipeline; every change needs approval",
        load: async () => (await import("./commands/design.ts")).designCommand,
      },
    ],
  },
  {
    title: "Change a repository",
    commands: [
      {
        name: "factory",
        summary: "turn work orders into verified changes of a git repository",
        load: async () => (await import("./commands/factory/index.ts")).factoryGroup,
      },
    ],
  },
  {
    title: "Long jobs",
    commands: [
      {
        name: "agent",
        summary: "run long jobs in a workspace, steered by a graph",
        load: async () => (await import("./commands/agent/index.ts")).agentGroup,
      },
    ],
  },
  {
    title: "Inspect",
    commands: [
      {
        name: "spec",
        summary: "check, show and create ItemSpecs",
        load: async () => (await import("./commands/spec/index.ts")).specGroup,
      },
      {
        name: "tools",
        summary: "run the author's four file tools",
        load: async () => (await import("./commands/tools.ts")).toolsGroup,
      },

      {
        name: "show",
        summary: "show an item's conversation with the model: prompts, tool calls, replies, gates, cost",
        load: async () => (await import("./commands/show.ts")).showCommand,
      },
      {
        name: "graph",
        summary: "draw the graph of a loop",
        load: async () => (await import("./commands/graph.ts")).graphCommand,
      },
      {
        name: "cache",
        summary: "list and clean the stored data of items",
        load: async () => (await import("./commands/cache.ts")).cacheGroup,
      },
    ],
  },
  {
    title: "For teams and programs",
    commands: [
      {
        name: "serve",
        summary: "serve a web page and an HTTP interface",
        load: async () => (await import("./commands/serve.ts")).serveCommand,
      },
      {
        name: "worker",
        summary: "run the jobs of a queue: items, checks, agent jobs",
        load: async () => (await import("./commands/worker.ts")).workerCommand,
      },
      {
        name: "queue",
        summary: "inspect and control the jobs of a fleet of workers",
        load: async () => (await import("./commands/queue.ts")).queueGroup,
      },
      {
        name: "mcp",
        summary: "serve tools for coding agents over the Model Context Protocol",
        load: async () => (await import("./commands/mcp.ts")).mcpCommand,
      },
    ],
  },
  {
    title: "Set up",
    commands: [
      {
        name: "init",
        summary: "write a commented atomsmith.yaml and create its folders",
        load: async () => (await import("./commands/init.ts")).initCommand,
      },
      {
        name: "config",
        summary: "show the configuration and the origin of each value",
        load: async () => (await import("./commands/config.ts")).configGroup,
      },
      {
        name: "doctor",
        summary: "check sandbox, folders, configuration and keys of this machine",
        load: async () => (await import("./commands/doctor.ts")).doctorCommand,
      },
      {
        name: "schema",
        summary: "print the JSON Schema of a document format",
        load: async () => (await import("./commands/schema.ts")).schemaCommand,
      },
      {
        name: "completion",
        summary: "print the completion script of a shell",
        load: async () => (await import("./commands/completion.ts")).createCompletionCommand(COMMANDS),
      },
    ],
  },
];

export const COMMANDS: readonly CommandEntry[] = SECTIONS.flatMap((section) => section.commands);
