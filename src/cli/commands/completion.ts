// `completion SHELL`: the script that completes commands, flags and values.
import { EXIT } from "../../core/errors.ts";
import { defineCommand } from "../command.ts";
import { completionScript, completionTree, SHELLS, type Shell } from "../completion.ts";
import { COMMANDS } from "../registry.ts";

export const completionCommand = defineCommand({
  name: "completion",
  summary: "print the completion script of a shell",
  config: false,
  args: {
    shell: {
      type: "positional",
      valueHint: "SHELL",
      required: true,
      options: SHELLS,
      description: "which shell",
    },
  },
  examples: [
    { command: "source <(atomsmith completion bash)", does: "in this bash, and in ~/.bashrc for every one" },
    { command: "atomsmith completion zsh > ~/.zfunc/_atomsmith", does: "zsh, with ~/.zfunc in fpath" },
    { command: "atomsmith completion fish > ~/.config/fish/completions/atomsmith.fish", does: "fish" },
  ],
  run: async ({ shell }, { output }) => {
    output.rawText("script", completionScript(shell as Shell, await completionTree(COMMANDS)));
    return EXIT.ok;
  },
});
