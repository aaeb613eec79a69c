// `spec …`: one file per command.
import type { CommandGroup } from "../../command.ts";
import { lintCommand } from "./lint.ts";
import { newCommand } from "./new.ts";
import { showCommand } from "./show.ts";

export const specGroup: CommandGroup = {
  kind: "group",
  name: "spec",
  summary: "check, show and create ItemSpecs",
  details: "A page with an error is never run.",
  commands: [
    { name: "lint", summary: lintCommand.summary, load: async () => lintCommand },
    { name: "show", summary: showCommand.summary, load: async () => showCommand },
    { name: "new", summary: newCommand.summary, load: async () => newCommand },
  ],
};
