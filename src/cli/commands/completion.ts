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
        description: "the shell; items lists the ids of all items, one per line",
      },
    },
    examples: [
      {
        command: "source <(atomsmith completion bash)",
        does: "bash: in this session, or in ~/.bashrc for all",
      },
      { command: "atomsmith completion zsh > ~/.zfunc/_atomsmith", does: "zsh: a folder in fpath" },
      {
        command: "atomsmith completion fish > ~/.config/fish/completions/atomsmith.fish",
        does: "fish: loaded automatically",
      },
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
