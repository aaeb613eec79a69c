// `status [ITEM_ID]`: the state of items, read from the store only. Acquires no lock and changes nothing.
import { AtomsmithError, EXIT } from "../../core/errors.ts";
import { didYouMean } from "../../core/suggest.ts";
import { COMMON_ARGS, defineCommand } from "../command.ts";
import { itemIdFor, itemIds } from "../item-target.ts";
import { repeatedFlags } from "../repeated-flags.ts";

export const statusCommand = defineCommand({
  name: "status",
  summary: "show the state of items",
  args: {
    item: { type: "positional", valueHint: "ITEM_ID", description: "id of an item (default: all)" },
    out: COMMON_ARGS.out,
    cache: COMMON_ARGS.cache,
  },
  examples: [
    { command: "atomsmith status", does: "list all items" },
    { command: "atomsmith status IMP-10-0-0-00", does: "show one item with its checkpoints and errors" },
  ],
  run: async (args, context) => {
    // Not from the folder's index, which would load the whole pipeline.
    const { itemStatus, statusOfAll } = await import("../../batch/status.ts");
    const { cache_dir, output_dir, search_root } = context.config.paths;
    const options = { flags: repeatedFlags(context, args), searchRoot: search_root, cwd: context.cwd };
    if (args.item === undefined) {
      const items = await statusOfAll(cache_dir, output_dir, options);
      context.output.result({ items }, (style) => {
        if (items.length === 0) return `no items in ${cache_dir} or ${output_dir}`;
        const rows = items.map((item) => [
          item.item_id,
          item.pending === null ? item.state : `${item.state}, pending`,
          item.stage ?? "",
          item.iterations === null ? "" : String(item.iterations),
          item.updated_at ?? "",
          style.dim(item.next),
        ]);
        return context.output.table(["ITEM", "STATE", "STAGE", "ATTEMPTS", "UPDATED", "NEXT"], rows);
      });
      return EXIT.ok;
    }
    const item = await itemStatus(cache_dir, output_dir, itemIdFor(args.item, context), options);
    if (item === undefined) {
      throw new AtomsmithError(
        "usage",
        `no stored data of ${args.item}${didYouMean(args.item, itemIds(output_dir))}`,
        {
          hint: "atomsmith status lists all items; --cache and --out select other folders",
        },
      );
    }
    context.output.result(item, (style) =>
      [
        `${style.bold(item.item_id)}  ${item.state}`,
        ...(item.pending === null ? [] : [`  pending:     ${item.pending}`]),
        ...(item.stage === null ? [] : [`  stage:       ${item.stage}`]),
        ...(item.iterations === null ? [] : [`  attempts:    ${item.iterations}`]),
        ...(item.updated_at === null ? [] : [`  updated:     ${item.updated_at}`]),
        `  checkpoints: ${item.checkpoints.length === 0 ? "none" : item.checkpoints.slice(-5).join(", ")}`,
        ...item.errors.slice(0, 5).map((message) => `  error:       ${message}`),
        ...item.hints.map((hint) => `  hint:        ${hint}`),
        ...item.answers.flatMap((answer) => [
          "  answer:",
          ...answer.split("\n").map((line) => `    ${line}`),
        ]),
        `  next:        ${item.next}`,
      ].join("\n"),
    );
    return EXIT.ok;
  },
});
