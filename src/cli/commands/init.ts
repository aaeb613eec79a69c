// `init [DIR]`: a commented atomsmith.yaml and the folders it names. Never overwrites without --force.
import { mkdirSync } from "node:fs";
import { join, relative } from "node:path";
import { CONFIG_FILE } from "../../config/load.ts";
import { configTemplate } from "../../config/template.ts";
import { AtomsmithError, EXIT } from "../../core/errors.ts";
import { exists, storeError, writeFileAtomic } from "../../store/index.ts";
import { defineCommand } from "../command.ts";

const FOLDERS = ["item_specs", "output", "cache"] as const;

export const initCommand = defineCommand({
  name: "init",
  summary: "write a commented atomsmith.yaml and the folders it names",
  config: false,
  args: {
    dir: { type: "positional", valueHint: "DIR", description: "where (default: the current folder)" },
    force: { type: "boolean", description: "replace an atomsmith.yaml that is there" },
  },
  examples: [
    { command: "atomsmith init", does: "start in the current folder" },
    { command: "atomsmith init signoff && cd signoff && atomsmith doctor", does: "start in a new folder" },
  ],
  run: async ({ dir, force }, context) => {
    const root = context.resolve(dir ?? ".");
    const file = join(root, CONFIG_FILE);
    if (!force && (await exists(file))) {
      throw new AtomsmithError("usage", `${file} is already there`, {
        where: file,
        hint: "--force replaces it; atomsmith config show --origin says what it sets",
      });
    }
    const created: string[] = [];
    for (const name of FOLDERS) {
      const path = join(root, name);
      try {
        if (mkdirSync(path, { recursive: true }) !== undefined) created.push(path);
      } catch (error) {
        throw storeError(error, path);
      }
    }
    await writeFileAtomic(file, configTemplate());
    created.push(file);
    const short = (path: string) => relative(context.cwd, path) || ".";
    context.output.result({ created }, () =>
      [
        ...created.map((path) => `created ${short(path)}`),
        "",
        "Next:",
        "  1. put ItemSpecs (<ID>_ItemSpec.md) into item_specs/ and set paths.search_root to your logs",
        "  2. atomsmith doctor     is this machine ready?",
        "  3. atomsmith batch item_specs",
      ].join("\n"),
    );
    return EXIT.ok;
  },
});
