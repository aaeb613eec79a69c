// `completion SHELL`: the script that completes commands, flags and values. The script calls `completion items` for the
// ids of items.
import { EXIT } from "../../core/errors.ts";
import { type Command, type CommandEntry, defineCommand } from "../command.ts";
import { completionScript, completionTree, SHELLS, type Shell } from "../completion.ts";

/** The registry passes its commands: importing them here would form a cycle. */
export const createCompletionCommand = (commands: readonly CommandEntry[]): Command =>
  defineCommand({
    name: "completion",
    summary: "print the completion script of a shell",
    config: false,
    args: {
      shell: {
        type: "positional",
        valueHint: "SHELL",
        required: true,
        options: [...SHELLS, "items"],
        description: "which shell; items lists the ids of the items, one a line",
      },
    },
    examples: [
      {
        command: "source <(atomsmith completion bash)",
        does: "in this bash, and in ~/.bashrc for every one",
      },
      { command: "atomsmith completion zsh > ~/.zfunc/_atomsmith", does: "zsh, with ~/.zfunc in fpath" },
      { command: "atomsmith completion fish > ~/.config/fish/completions/atomsmith.fish", does: "fish" },
    ],
    run: async ({ shell }, context) => {
      const { output } = context;
      if (shell === "items") {
        const { config } = await context.loadConfig();
        const { knownItems } = await import("../item-target.ts");
        output.rawText(
          "items",
          knownItems(config.paths)
            .map((id) => `${id}\n`)
            .join(""),
        );
        return EXIT.ok;
      }
      output.rawText("script", completionScript(shell as Shell, await completionTree(commands)));
      return EXIT.ok;
    },
  });
