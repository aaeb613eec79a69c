// `resume ITEM_ID`: go on from the last checkpoint, or from where a person says.
import { existsSync } from "node:fs";
import { AtomsmithError } from "../../core/errors.ts";
import { ItemReader } from "../../loops/item/item-store.ts";
import { COMMON_ARGS, defineCommand, MODEL_ARGS } from "../command.ts";
import { readExamples } from "../example-answers.ts";
import { itemText, openRun, tellError, throwIfUnusable } from "../item-run.ts";

export const resumeCommand = defineCommand({
  name: "resume",
  summary: "go on with an item from its last checkpoint",
  details:
    "Goes on at the stage that was interrupted; no model call whose reply was stored is repeated. An item that is accepted or needs a person is final unless you say how to go on.",
  args: {
    item: { type: "positional", valueHint: "ITEM_ID", description: "the item", required: true },
    checkpoint: { type: "string", valueHint: "ID", description: "go on from this checkpoint, not the last" },
    from: { type: "string", valueHint: "STAGE", description: "go on at this stage, e.g. agent_b" },
    hint: { type: "string", valueHint: "TEXT", description: "an answer for the author" },
    example: {
      type: "string",
      valueHint: "FILE|-",
      multiple: true,
      description:
        "worked examples, a check or witnesses, as in a page; or one example bare; may be repeated",
    },
    "accept-edits": {
      type: "boolean",
      description: "gate the atoms under attempt/ as you edited them, and accept them if all gates pass",
    },
    ...MODEL_ARGS,
    ...COMMON_ARGS,
  },
  examples: [
    { command: "atomsmith resume IMP-10-0-0-00", does: "go on after an interruption" },
    {
      command: 'atomsmith resume IMP-10-0-0-00 --hint "the slack stands in column 3"',
      does: "answer the author's question",
    },
    {
      command: "atomsmith resume IMP-10-0-0-00 --example answer.md",
      does: "answer with a worked example: log text, a line ---, then value: … and the fields",
    },
    { command: "atomsmith resume IMP-10-0-0-00 --accept-edits", does: "have your own edits proved" },
  ],
  exits: { 0: "accepted", 3: "a person is needed: see human_intervention_report.md" },
  run: async (args, context) => {
    const { exitOf } = await import("../../batch/index.ts");
    const { identifySpec, runItem } = await import("../../loops/item/index.ts");
    if (args["accept-edits"] && args.from !== undefined) {
      throw new AtomsmithError("usage", "--accept-edits always begins with the gates; leave out --from");
    }
    const reader = new ItemReader(context.config.paths.cache_dir, args.item);
    const held = await reader.loadCheckpoint();
    if (held === undefined) {
      throw new AtomsmithError(
        "usage",
        `there is no checkpoint of ${args.item} in ${context.config.paths.cache_dir}`,
        {
          where: reader.dir,
          hint: "start it with: atomsmith generate ITEM.md, or name its folder with --cache DIR",
        },
      );
    }
    const specPath = String(held.state["item_spec_path"]);
    if (!existsSync(specPath)) {
      throw new AtomsmithError("usage", `the ItemSpec of ${args.item} is gone: ${specPath}`, {
        where: specPath,
        hint: "bring it back, or run generate with the page where it is now",
      });
    }
    const { itemId, sha256, spec } = await identifySpec(specPath);
    if (itemId !== args.item) {
      throw new AtomsmithError("usage", `${specPath} is now the page of ${itemId}, not of ${args.item}`, {
        where: specPath,
      });
    }
    const answers = await readExamples(args.example, spec, context);
    const run = openRun(context, args);
    const result = await runItem(
      {
        itemId,
        specPath,
        specSha256: sha256,
        reason: "resume",
        mode: {
          person: {
            ...(args.checkpoint === undefined ? {} : { checkpoint: args.checkpoint }),
            ...(args.from === undefined ? {} : { from: args.from }),
            ...(args.hint === undefined ? {} : { hint: args.hint }),
            ...(answers.length === 0 ? {} : { answers }),
            acceptEdits: args["accept-edits"],
          },
        },
      },
      run,
    );
    context.totals[result.status] = 1;
    throwIfUnusable(result);
    tellError(result, context);
    context.output.result(result, (style) => itemText(result, style, context.cwd));
    return exitOf(result);
  },
});
