// `resume ITEM_ID`: continues from the last checkpoint, or from a chosen one.
import { existsSync } from "node:fs";
import { relative } from "node:path";
import { AtomsmithError, EXIT, type ExitCode } from "../../core/errors.ts";
import { shellFlags } from "../../core/shell.ts";
import { didYouMean } from "../../core/suggest.ts";
import { count } from "../../core/words.ts";
import { ItemReader } from "../../loops/item/item-store.ts";
import { attemptTemplate } from "../../loops/item/new-attempt.ts";
import { OutputStore } from "../../loops/item/output-store.ts";
import { RUNNABLE_STAGES } from "../../loops/item/stages.ts";
import { type ItemState, readState } from "../../loops/item/state.ts";
import { checkProblems } from "../../runtime/check-block.ts";
import { fencedBlock, readAnswers } from "../../spec/index.ts";
import type { ItemSpec } from "../../spec/types.ts";
import { COMMON_ARGS, defineCommand, MODEL_ARGS } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { readExamples, readHint } from "../example-answers.ts";
import { itemText, openRun, printError, throwIfUnusable } from "../item-run.ts";
import { itemIdFor, itemIds } from "../item-target.ts";
import { repeatedFlags } from "../repeated-flags.ts";

export const resumeCommand = defineCommand({
  name: "resume",
  summary: "continue an item from its last checkpoint",
  details:
    "Continues at the interrupted stage and reuses stored model replies. An item that is accepted or needs review is final unless a flag says how to continue.",
  args: {
    item: { type: "positional", valueHint: "ITEM_ID", description: "id of the item", required: true },
    checkpoint: {
      type: "string",
      valueHint: "ID",
      description: "continue from this checkpoint instead of the last one",
    },
    from: {
      type: "string",
      valueHint: "STAGE",
      offer: RUNNABLE_STAGES,
      description: "continue at this stage, e.g. agent_b",
    },
    hint: {
      type: "string",
      valueHint: "TEXT|-",
      description: "an answer for the author; - reads it from stdin",
    },
    example: {
      type: "string",
      valueHint: "FILE|-",
      multiple: true,
      description:
        "file with worked examples, a check or witnesses, as in a page, or with the content of one example; may be repeated",
    },
    choose: {
      type: "string",
      valueHint: "N",
      number: { integer: true, min: 1 },
      description: "answer with block N of the report, unchanged",
    },
    hints: { type: "boolean", description: "list the hints given so far without running" },
    "drop-hint": {
      type: "string",
      valueHint: "N",
      number: { integer: true, min: 1 },
      description: "remove hint N and continue",
    },
    "new-attempt": {
      type: "boolean",
      description: "create attempt/ with standard atoms B and C and a config, without running",
    },
    "accept-edits": {
      type: "boolean",
      description: "run the gates on the edited atoms in attempt/, and accept them if all pass",
    },
    ...MODEL_ARGS,
    ...COMMON_ARGS,
  },
  examples: [
    { command: "atomsmith resume IMP-10-0-0-00", does: "continue after an interruption" },
    {
      command: 'atomsmith resume IMP-10-0-0-00 --hint "the slack is in column 3"',
      does: "answer the author's question",
    },
    {
      command: "atomsmith resume IMP-10-0-0-00 --example answer.md",
      does: "answer with a worked example: log text, a line ---, then value: … and the fields",
    },
    {
      command: "atomsmith resume IMP-10-0-0-00 --choose 1",
      does: "accept the first block that the report proposes",
    },
    { command: "atomsmith resume IMP-10-0-0-00 --accept-edits", does: "validate and accept edited atoms" },
  ],
  exits: { 0: "accepted", 3: "needs review: see human_intervention_report.md" },
  run: async (args, context) => {
    const { exitOf } = await import("../../batch/index.ts");
    const { identifySpec, runItem } = await import("../../loops/item/index.ts");
    if (args["accept-edits"] && args.from !== undefined) {
      throw new AtomsmithError(
        "usage",
        "--accept-edits cannot be combined with --from: it always starts with the gates",
      );
    }
    const item = itemIdFor(args.item, context);
    const reader = new ItemReader(context.config.paths.cache_dir, item);
    const checkpoint = await reader.loadCheckpoint();
    if (checkpoint === undefined) {
      throw new AtomsmithError(
        "usage",
        `no checkpoint of ${item} in ${context.config.paths.cache_dir}${didYouMean(item, itemIds(context.config.paths.output_dir))}`,
        {
          where: reader.dir,
          hint: "start the item with atomsmith generate ITEM.md, or name its cache folder with --cache DIR",
        },
      );
    }
    const stored = readState(checkpoint.state, item);
    if (args.hints) return listHints(stored, context);
    const specPath = stored.item_spec_path;
    if (!existsSync(specPath)) {
      throw new AtomsmithError("usage", `the ItemSpec of ${item} does not exist: ${specPath}`, {
        where: specPath,
        hint: "restore the file, or run atomsmith generate with its new path",
      });
    }
    const { itemId, sha256, spec } = await identifySpec(specPath);
    if (itemId !== item) {
      throw new AtomsmithError("usage", `${specPath} now belongs to item ${itemId}, not to ${item}`, {
        where: specPath,
      });
    }
    if (args["new-attempt"]) return newAttempt(stored, spec, repeatedFlags(context, args), context);
    const hint = args.hint === undefined ? undefined : await readHint(args.hint, args.example, context);
    const answers = await readExamples(args.example, spec, context);
    if (args.choose !== undefined) answers.push(...chosenBlock(args.choose, stored, spec));
    const run = openRun(context, args);
    const result = await runItem(
      {
        itemId,
        specPath,
        specSha256: sha256,
        reason: "resume",
        mode: {
          user: {
            ...(args.checkpoint === undefined ? {} : { checkpoint: args.checkpoint }),
            ...(args.from === undefined ? {} : { from: args.from }),
            ...(hint === undefined ? {} : { hint }),
            ...(answers.length === 0 ? {} : { answers }),
            ...(args["drop-hint"] === undefined ? {} : { dropHint: args["drop-hint"] }),
            acceptEdits: args["accept-edits"],
          },
        },
      },
      run,
    );
    context.totals[result.status] = 1;
    const flags = repeatedFlags(context, args);
    throwIfUnusable(result, flags);
    printError(result, context);
    context.output.result(result, (style) => itemText(result, style, context.cwd, flags));
    return exitOf(result);
  },
});

function listHints({ item_id, hints }: ItemState, context: CommandContext): ExitCode {
  context.output.result({ item_id, hints }, () =>
    hints.length === 0 ? `${item_id} has no hints` : hints.map((hint, i) => `${i + 1}. ${hint}`).join("\n"),
  );
  return EXIT.ok;
}

/** Block N of the report, parsed like an --example file. Throws kind `usage` when it does not exist. */
function chosenBlock(n: number, { item_id, given_up }: ItemState, spec: ItemSpec): string[] {
  const blocks = given_up?.blocks ?? [];
  const block = blocks[n - 1];
  if (block === undefined) {
    throw new AtomsmithError("usage", `the report of ${item_id} has no block ${n}`, {
      hint:
        blocks.length === 0 ? "the report has no blocks" : `the report has ${count(blocks.length, "block")}`,
    });
  }
  return readAnswers(fencedBlock(block.kind, block.content), `block ${n}`, spec, checkProblems);
}

async function newAttempt(
  state: ItemState,
  spec: ItemSpec,
  flags: readonly string[],
  context: CommandContext,
): Promise<ExitCode> {
  const output = await OutputStore.open(context.config.paths.output_dir, state.item_id);
  try {
    await output.writeNewAttempt(attemptTemplate(spec, state.answers));
    const created = output.attemptDir;
    context.output.result({ item_id: state.item_id, created }, () =>
      [
        `created ${relative(context.cwd, created)}`,
        `next: write atom_a.js there, then atomsmith resume ${state.item_id} --accept-edits${shellFlags(flags)}`,
      ].join("\n"),
    );
    return EXIT.ok;
  } finally {
    await output.close();
  }
}
