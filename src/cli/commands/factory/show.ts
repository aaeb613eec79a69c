// `factory show OUT/RUN_ID`: shows a run as text or HTML.
import { EXIT } from "../../../core/errors.ts";
import { readRun, renderFactoryPage } from "../../../loops/factory/index.ts";
import { writeFileAtomic } from "../../../store/index.ts";
import { defineCommand } from "../../command.ts";
import { runText } from "./text.ts";

export const factoryShowCommand = defineCommand({
  name: "show",
  summary: "show a run: attempts, written files, commands and their output",
  config: false,
  args: {
    run: { type: "positional", valueHint: "OUT/RUN_ID", required: true, description: "folder of the run" },
    html: { type: "string", valueHint: "FILE", description: "write the run as an HTML page" },
  },
  examples: [{ command: "atomsmith factory show runs/3f2a9c01b7de", does: "show the run as text" }],
  run: async (args, context) => {
    const view = await readRun(context.resolve(args.run));
    if (args.html !== undefined) await writeFileAtomic(context.resolve(args.html), renderFactoryPage(view));
    context.output.result(view.summary, (style) => runText(view, style));
    return EXIT.ok;
  },
});
