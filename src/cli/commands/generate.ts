// `generate ITEM.md`: runs one item through the pipeline.
import { EXIT } from "../../core/errors.ts";
import { COMMON_ARGS, defineCommand, MODEL_ARGS } from "../command.ts";
import { itemText, openRun, printError, throwIfUnusable } from "../item-run.ts";
import { pageFor } from "../item-target.ts";
import { repeatedFlags } from "../repeated-flags.ts";

export const generateCommand = defineCommand({
  name: "generate",
  summary: "write and prove the atoms of one ItemSpec",
  details:
    "Continues an unfinished run of the same page with the same settings; --force starts over. A finished item always starts over.",
  args: {
    spec: {
      type: "positional",
      valueHint: "ITEM.md",
      description: "the ItemSpec, or the id of its item",
      required: true,
    },
    force: { type: "boolean", description: "start over instead of continuing an unfinished run" },
    ...MODEL_ARGS,
    ...COMMON_ARGS,
  },
  examples: [
    {
      command: "atomsmith generate items/IMP-10-0-0-00_ItemSpec.md --search-root project",
      does: "write output/IMP-10-0-0-00/",
    },
  ],
  exits: { 0: "accepted", 3: "needs review: see human_intervention_report.md" },
  run: async (args, context) => {
    const { exitOf } = await import("../../batch/index.ts");
    const { identifySpec, runItem } = await import("../../loops/item/index.ts");
    const specPath = pageFor(args.spec, context);
    const { itemId, sha256 } = await identifySpec(specPath);
    const run = openRun(context, args);
    context.emit({ type: "progress", what: "items", done: 0, total: 1 });
    const result = await runItem(
      {
        itemId,
        specPath,
        specSha256: sha256,
        reason: "generate",
        mode: args.force ? "restart" : "continue",
      },
      run,
    );
    context.emit({ type: "progress", what: "items", done: 1, total: 1 });
    context.totals[result.status] = 1;
    const flags = repeatedFlags(context, args);
    throwIfUnusable(result, flags);
    printError(result, context);
    context.output.result(result, (style) => itemText(result, style, context.cwd, flags));
    return exitOf(result) ?? EXIT.bug;
  },
});
