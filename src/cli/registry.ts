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
      // generate, batch, resume, status, validate, check
    ],
  },
  {
    title: "See what the program sees",
    commands: [
      // spec, tools, show
    ],
  },
  {
    title: "Set up",
    commands: [
      {
        name: "config",
        summary: "show the configuration and where each value came from",
        load: async () => (await import("./commands/config.ts")).configGroup,
      },
      {
        name: "schema",
        summary: "print the JSON Schema of a document that the program reads or writes",
        load: async () => (await import("./commands/schema.ts")).schemaCommand,
      },
    ],
  },
];

export const COMMANDS: readonly CommandEntry[] = SECTIONS.flatMap((section) => section.commands);
