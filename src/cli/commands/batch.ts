// `batch DIR|GLOB…`: every ItemSpec found; only what changed since the last result, unless --force.

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
  summary: "write and prove the atoms of every ItemSpec found, as far as something changed",
  details:
    "An item is up to date when its page, the logs its author read, the prompts, the author's settings, the contract and the gates are those of its last result. Unfinished items go on where they were; errors of the infrastructure are tried again; a second run over the same inputs finds nothing to do.",
  args: {
    specs: {
      type: "positional",
      valueHint: "DIR|GLOB",
      description: "folders, globs or files (default: paths.item_specs_dir)",
      multiple: true,
    },
    list: { type: "boolean", description: "only list what would run, and why; no author is asked" },
    "dry-run": {
      type: "boolean",
      description: "write and prove, show what would change, and accept nothing; the next batch accepts it",
    },
    force: { type: "boolean", description: "run every item anew" },
    only: {
      type: "string",
      valueHint: "PATTERN",
      multiple: true,
      description: "only items whose id matches this glob; may be repeated",
    },
    shard: {
      type: "string",
      valueHint: "I/N",
      description: "only the I-th of N parts, the same on every machine",
    },
    concurrency: {
      type: "string",
      valueHint: "N",
      number: { integer: true, min: 1, max: 256 },
      description: "items under way at once",
      sets: ["execution.concurrency"],
      defaultHint: "execution.concurrency, else 4",
    },
    junit: { type: "string", valueHint: "FILE", description: "write JUnit XML" },
    sarif: { type: "string", valueHint: "FILE", description: "write SARIF 2.1.0" },
    html: { type: "string", valueHint: "FILE", description: "write one self-contained HTML page" },
    ...QUEUE_ARG,
    "fail-fast": { type: "boolean", description: "start no further item after one that is not accepted" },
    ...MODEL_ARGS,
    ...COMMON_ARGS,
  },
  examples: [
    {
      command: "atomsmith batch items --search-root project",
      does: "everything in items/ that is not up to date",
    },
    { command: "atomsmith batch items --list", does: "what would run, and why" },
    { command: "atomsmith batch items --dry-run", does: "what each new set would change" },
    {
      command: "atomsmith batch items --queue postgres://ci@db.example/atomsmith",
      does: "the same by the workers of a fleet, wherever they run",
    },
    { command: "atomsmith batch items --shard 2/8 --json", does: "the second of eight parts, for a script" },
  ],
  exits: {
    0: "every item is accepted",
    2: "a page cannot be used, or another process holds an item",
    3: "at least one item needs a person",
    4: "provider or infrastructure",
    5: "the budget is used up",
  },
  run: async (args, context) => {
    const createdAt = new Date().toISOString();
    const dryRun = args["dry-run"];
    if (dryRun && args.queue !== undefined) {
      throw new AtomsmithError("usage", "--dry-run runs here and --queue elsewhere: give one of them", {
        hint: "--list says what would run",
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

/** Has the items run by the workers of a queue: all of them are under way at once. */
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

/** The page of an id or of a set's folder; globs, files and other folders as they are. */
function pageOrPlace(word: string, context: CommandContext): string {
  if (holdsSet(context.resolve(word))) return pageFor(word, context);
  if (!/^[\w./-]+$/.test(word) || existsSync(context.resolve(word))) return word;
  if (itemIsKnown(word, context)) return pageFor(word, context);
  // The folder of the configuration has a message of its own.
  if (word === context.config.paths.item_specs_dir) return word;
  throw nothingNamed(word, context);
}

/** The command that accepts what a dry run made. A forced one would begin anew; `resume` does not. */
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
