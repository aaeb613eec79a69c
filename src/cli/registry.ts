// Every command by name, loaded only when it is called. Order within a group is the order of the help.
import type { CommandEntry } from "./command.ts";

export interface CommandSection {
  title: string;
  commands: readonly CommandEntry[];
}

export const SECTIONS: readonly CommandSection[] = [
  {
    title: "Make and run atoms",
    commands: [
      {
        name: "generate",
        summary: "write and prove the atoms of one ItemSpec",
        load: async () => (await import("./commands/generate.ts")).generateCommand,
      },
      {
        name: "batch",
        summary: "write and prove the atoms of every ItemSpec found, as far as something changed",
        load: async () => (await import("./commands/batch.ts")).batchCommand,
      },
      {
        name: "resume",
        summary: "go on with an item from its last checkpoint",
        load: async () => (await import("./commands/resume.ts")).resumeCommand,
      },
      {
        name: "label",
        summary: "make worked examples of a page by marking lines of its logs",
        load: async () => (await import("./commands/label.ts")).labelCommand,
      },
      {
        name: "status",
        summary: "what stands where, from the store",
        load: async () => (await import("./commands/status.ts")).statusCommand,
      },
      {
        name: "validate",
        summary: "run all gates over atom sets, without an author",
        load: async () => (await import("./commands/validate.ts")).validateCommand,
      },
      {
        name: "check",
        summary: "run accepted atom sets over logs and judge them",
        load: async () => (await import("./commands/check.ts")).checkCommand,
      },
      {
        name: "waive",
        summary: "give, list and take away waivers of an accepted item",
        load: async () => (await import("./commands/waive.ts")).waiveGroup,
      },
    ],
  },
  {
    title: "Keep a spec in conversation",
    commands: [
      {
        name: "design",
        summary: "keep a spec current in conversation and run its pipeline, nothing without approval",
        load: async () => (await import("./commands/design.ts")).designCommand,
      },
    ],
  },
  {
    title: "Change a repository",
    commands: [
      {
        name: "factory",
        summary: "work orders that become verified changes in a git repository, or nothing changes",
        load: async () => (await import("./commands/factory/index.ts")).factoryGroup,
      },
    ],
  },
  {
    title: "Long jobs",
    commands: [
      {
        name: "agent",
        summary: "long jobs in a workspace, kept on course by the graph",
        load: async () => (await import("./commands/agent/index.ts")).agentGroup,
      },
    ],
  },
  {
    title: "See what the program sees",
    commands: [
      {
        name: "spec",
        summary: "lint and show ItemSpecs",
        load: async () => (await import("./commands/spec.ts")).specGroup,
      },
      {
        name: "tools",
        summary: "the author's four file tools by hand",
        load: async () => (await import("./commands/tools.ts")).toolsGroup,
      },
      // show
      {
        name: "show",
        summary: "read an item's conversation with the model: prompts, tool calls, replies, gates, cost",
        load: async () => (await import("./commands/show.ts")).showCommand,
      },
      {
        name: "graph",
        summary: "draw the pipeline",
        load: async () => (await import("./commands/graph.ts")).graphCommand,
      },
      {
        name: "cache",
        summary: "list and clean what is stored per item",
        load: async () => (await import("./commands/cache.ts")).cacheGroup,
      },
    ],
  },
  {
    title: "For a team and for programs",
    commands: [
      {
        name: "serve",
        summary: "one page and an HTTP interface for everything",
        load: async () => (await import("./commands/serve.ts")).serveCommand,
      },
      {
        name: "worker",
        summary: "work off the jobs of a queue: items, checks, agent jobs",
        load: async () => (await import("./commands/worker.ts")).workerCommand,
      },
      {
        name: "queue",
        summary: "see and steer what a fleet of workers does",
        load: async () => (await import("./commands/queue.ts")).queueGroup,
      },
      {
        name: "mcp",
        summary: "tools for coding agents, by the Model Context Protocol",
        load: async () => (await import("./commands/mcp.ts")).mcpCommand,
      },
    ],
  },
  {
    title: "Set up",
    commands: [
      {
        name: "init",
        summary: "write a commented atomsmith.yaml and the folders it names",
        load: async () => (await import("./commands/init.ts")).initCommand,
      },
      {
        name: "config",
        summary: "show the configuration and where each value came from",
        load: async () => (await import("./commands/config.ts")).configGroup,
      },
      {
        name: "doctor",
        summary: "check sandbox, folders, configuration and keys of this machine",
        load: async () => (await import("./commands/doctor.ts")).doctorCommand,
      },
      {
        name: "schema",
        summary: "print the JSON Schema of a document that the program reads or writes",
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
