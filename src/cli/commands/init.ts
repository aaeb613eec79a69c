// `init [DIR]`: writes a commented atomsmith.yaml and creates the folders it names. Never overwrites without --force.
import { mkdirSync } from "node:fs";
import { join, relative } from "node:path";
import { CONFIG_FILE } from "../../config/load.ts";
import { configTemplate } from "../../config/template.ts";
import { AtomsmithError, EXIT, type ExitCode } from "../../core/errors.ts";
import { quote } from "../../core/shell.ts";
import { exists, storeError, writeFileAtomic, writeFilesAtomic } from "../../store/index.ts";
import { defineCommand } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { EXAMPLE_FILES } from "../example/files.ts";

const FOLDERS = ["item_specs", "output", "cache"] as const;

export const initCommand = defineCommand({
  name: "init",
  summary: "write a commented atomsmith.yaml and create its folders",
  config: false,
  args: {
    dir: { type: "positional", valueHint: "DIR", description: "target folder (default: the current folder)" },
    example: { type: "boolean", description: "write a small example project: two pages and their logs" },
    force: { type: "boolean", description: "overwrite an existing atomsmith.yaml" },
  },
  examples: [
    { command: "atomsmith init", does: "set up the current folder" },
    { command: "atomsmith init --example try", does: "create an example project" },
    { command: "atomsmith init signoff && cd signoff && atomsmith doctor", does: "set up a new folder" },
  ],
  run: async ({ dir, force, example }, context) => {
    const root = context.resolve(dir ?? ".");
    if (example) return writeExample(root, force, context);
    const file = join(root, CONFIG_FILE);
    if (!force && (await exists(file))) {
      throw new AtomsmithError("usage", `${file} already exists`, {
        where: file,
        hint: "use --force to replace it; atomsmith config show --origin shows what it sets",
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
        "  2. atomsmith doctor     check this machine",
        "  3. atomsmith batch item_specs",
      ].join("\n"),
    );
    return EXIT.ok;
  },
});

async function writeExample(root: string, force: boolean, context: CommandContext): Promise<ExitCode> {
  const files = Object.entries(EXAMPLE_FILES).map(([name, data]) => ({ path: join(root, name), data }));
  for (const { path } of files) {
    if (force || !(await exists(path))) continue;
    throw new AtomsmithError("usage", `${path} already exists`, {
      where: path,
      hint: "use --force to replace it, or name an empty folder: atomsmith init --example DIR",
    });
  }
  await writeFilesAtomic(files);
  const created = files.map(({ path }) => path);
  const folder = relative(context.cwd, root);
  context.output.result({ created }, () =>
    [
      ...created.map((path) => `created ${relative(context.cwd, path)}`),
      "",
      "Next:",
      ...(folder === "" ? [] : [`  cd ${quote(folder)}`]),
      "  atomsmith batch",
      "  atomsmith check",
    ].join("\n"),
  );
  return EXIT.ok;
}
