// `batch DIR|GLOB…`: runs every ItemSpec found that changed since its last result; with --force, all of them.
import { existsSync } from "node:fs";
import type { BatchOptions, Discovery } from "../../batch/index.ts";
import { AtomsmithError, EXIT } from "../../core/errors.ts";
import { quote, shellFlags } from "../../core/shell.ts";
import type { RunServices } from "../../loops/item/index.ts";
import { batchText, shownPath } from "../batch-result.ts";
import { reportTargets, writeBatchReports } from "../check-reports.ts";
import { COMMON_ARGS, defineCommand, MODEL_ARGS } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { costText, openRun } from "../item-run.ts";
import { holdsSet, itemIsKnown, nothingNamed, pageFor } from "../item-target.ts";
import { openQueue, QUEUE_ARG } from "../queue.ts";
import { type CommonValues, repeatedFlags } from "../repeated-flags.ts";

export const batchCommand = defineCommand({
  name: "batch",
  summary: "write and prove the atoms of every ItemSpec that is not up to date",
  details:
    "An item is up to date when its page, the logs its author read, the prompts, the author's settings, the contract and the gates are the same as for its last result. Unfinished items continue where they stopped, and infrastructure errors are retried; a second run with unchanged inputs has nothing to do.",
  args: {
    specs: {
      type: "positional",
      valueHint: "DIR|GLOB",
      description: "folders, globs or files of ItemSpecs (default: paths.item_specs_dir)",
      multiple: true,
    },
    list: { type: "boolean", description: "list which items would run and why, without running them" },
    "dry-run": {
      type: "boolean",
      description:
        "write and prove atoms and show the changes, but accept nothing; the next batch accepts them",
    },
    force: { type: "boolean", description: "run every item from the start" },
    only: {
      type: "string",
      valueHint: "PATTERN",
      multiple: true,
      description: "run only items whose id matches this glob; may be repeated",
    },
    shard: {
      type: "string",
      valueHint: "I/N",
      description: "run only the I-th of N parts; the split is the same on every machine",
    },
    concurrency: {
      type: "string",
      valueHint: "N",
      number: { integer: true, min: 1, max: 256 },
      description: "items that run at the same time",
      sets: ["execution.concurrency"],
      defaultHint: "execution.concurrency, or 4",
    },
    junit: { type: "string", valueHint: "FILE", description: "write a JUnit XML report" },
    sarif: { type: "string", valueHint: "FILE", description: "write a SARIF 2.1.0 report" },
    html: { type: "string", valueHint: "FILE", description: "write one self-contained HTML page" },
    ...QUEUE_ARG,
    "fail-fast": { type: "boolean", description: "start no further items after one that is not accepted" },
    ...MODEL_ARGS,
    ...COMMON_ARGS,
  },
  examples: [
    {
      command: "atomsmith batch items --search-root project",
      does: "run everything in items/ that is not up to date",
    },
    { command: "atomsmith batch items --list", does: "list what would run, and why" },
    { command: "atomsmith batch items --dry-run", does: "show what each new set would change" },
    {
      command: "atomsmith batch items --queue postgres://ci@db.example/atomsmith",
      does: "run the items on the workers of a fleet",
    },
    {
      command: "atomsmith batch items --shard 2/8 --json",
      does: "run the second of eight parts, with JSON output",
    },
  ],
  exits: {
    0: "every item is accepted",
    2: "a page is unusable, or another process holds an item",
    3: "at least one item needs review",
    4: "provider or infrastructure error",
    5: "budget exhausted",
  },
  run: async (args, context) => {
    const createdAt = new Date().toISOString();
    const dryRun = args["dry-run"];
    if (dryRun && args.queue !== undefined) {
      throw new AtomsmithError("usage", "--dry-run cannot be combined with --queue", {
        hint: "use --list to see what would run",
      });
    }
    const { batchReport, discoverSpecs, planBatch, runBatch, selectSpecs } = await import(
      "../../batch/index.ts"
    );
    const where = args.specs.length > 0 ? args.specs : [context.config.paths.item_specs_dir];
    const pages = where.map((word) => pageOrPlace(word, context));
    const discovery = selectSpecs(discoverSpecs(pages, context.cwd), {
      only: args.only,
      ...(args.shard === undefined ? {} : { shard: args.shard }),
    });
    const targets = await reportTargets({ ...args, "report-dir": undefined }, context);
    const run = openRun(context, args);
    const problems = discovery.problems.map((problem) => ({
      item_id: problem.itemId,
      spec_path: problem.path,
      error: problem.error.toJSON(),
    }));
    if (args.list) {
      const items = await planBatch(discovery, run, args.force);
      context.output.result({ items, problems }, () =>
        context.output.table(
          ["ITEM", "WOULD RUN", "WHY"],
          [
            ...items.map((item) => [item.item_id, item.would_run ? "yes" : "no", item.reason]),
            ...problems.map(({ item_id, error }) => [shownPath(context, item_id), "cannot", error.message]),
          ],
        ),
      );
      return problems.length > 0 ? EXIT.usage : EXIT.ok;
    }
    const options = { force: args.force, failFast: args["fail-fast"], dryRun };
    const result = await runBatch(
      discovery,
      run,
      args.queue === undefined
        ? { ...options, concurrency: context.config.execution.concurrency }
        : { ...options, ...(await fleetOf(args.queue, discovery, run, args.force, context)) },
    );
    const { usage: _, ...numbers } = result.totals;
    Object.assign(context.totals, numbers);
    const { items, not_started, totals } = result;
    if (targets.junit ?? targets.sarif ?? targets.html) {
      const report = await batchReport({
        result,
        dryRun,
        cacheDir: context.config.paths.cache_dir,
        searchRoot: run.searchRoot,
        createdAt,
        costText,
      });
      await writeBatchReports(targets, report);
    }
    const planned = items.map((item) => ({ ...item, would_run: !item.up_to_date }));
    const document = dryRun
      ? { items: planned, problems, not_started, totals, dry_run: true }
      : { items, not_started, totals };
    const accept = dryRun ? acceptCommand(args, context) : undefined;
    context.output.result(document, (style) => batchText(result, context, style, accept));
    return result.exit;
  },
});

/** Submits the items to the workers of a queue, all at once. */
async function fleetOf(
  url: string,
  discovery: Discovery,
  run: RunServices,
  force: boolean,
  context: CommandContext,
): Promise<Pick<BatchOptions, "concurrency" | "perform" | "onStop">> {
  const { ItemSubmitter } = await import("../../worker/submit-items.ts");
  const queue = await openQueue(context, url);
  const pages = discovery.specs.map((spec) => spec.path);
  const fleet = await ItemSubmitter.open(queue, run, { force, pages });
  context.onCleanup(() => fleet.close());
  await fleet.collectEarlier();
  return {
    concurrency: discovery.specs.length,
    perform: (decision) => fleet.perform(decision),
    onStop: (reason) => void fleet.stop(reason),
  };
}

/** The page of an id or of a set's folder; globs, files and other folders are returned unchanged. */
function pageOrPlace(word: string, context: CommandContext): string {
  if (holdsSet(context.resolve(word))) return pageFor(word, context);
  if (!/^[\w./-]+$/.test(word) || existsSync(context.resolve(word))) return word;
  if (itemIsKnown(word, context)) return pageFor(word, context);
  // The folder of the configuration has its own message.
  if (word === context.config.paths.item_specs_dir) return word;
  throw nothingNamed(word, context);
}

/** The command that accepts the results of a dry run. With --force it would start over; `resume` does not. */
function acceptCommand(
  args: { specs: string[]; only: string[]; shard?: string | undefined; force: boolean } & CommonValues,
  context: CommandContext,
): string {
  const flags = repeatedFlags(context, args);
  if (args.force) return `atomsmith resume ITEM${shellFlags(flags)}`;
  const chosen = [
    ...args.only.flatMap((pattern) => ["--only", pattern]),
    ...(args.shard === undefined ? [] : ["--shard", args.shard]),
  ];
  const words = args.specs.map((word) => ` ${quote(word)}`).join("");
  return `atomsmith batch${words}${shellFlags([...chosen, ...flags])}`;
}
