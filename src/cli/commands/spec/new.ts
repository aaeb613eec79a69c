// `spec new`: writes a new page with blocks to fill in.
import { join, relative } from "node:path";
import { AtomsmithError, EXIT } from "../../../core/errors.ts";
import { quote } from "../../../core/shell.ts";
import { checkId, exists, writeFileAtomic } from "../../../store/index.ts";
import { defineCommand } from "../../command.ts";
import { newPage } from "../../new-page.ts";

export const newCommand = defineCommand({
  name: "new",
  summary: "write a new page with blocks to fill in",
  args: {
    id: { type: "positional", valueHint: "ID", required: true, description: "id of the item" },
    dir: { type: "string", valueHint: "DIR", description: "where", defaultHint: "paths.item_specs_dir" },
  },
  examples: [{ command: "atomsmith spec new DRC-04", does: "write item_specs/DRC-04_ItemSpec.md" }],
  run: async ({ id, dir }, context) => {
    checkId(id);
    const folder = dir === undefined ? context.config.paths.item_specs_dir : context.resolve(dir);
    const path = join(folder, `${id}_ItemSpec.md`);
    if (await exists(path)) {
      throw new AtomsmithError("usage", `${path} already exists`, { where: path });
    }
    await writeFileAtomic(path, newPage(id));
    const short = relative(context.cwd, path);
    context.output.result({ created: [path] }, () =>
      [`created ${short}`, `next: replace every TODO, then run atomsmith spec lint ${quote(short)}`].join(
        "\n",
      ),
    );
    return EXIT.ok;
  },
});
