// `batch DIR|GLOB…`: every ItemSpec found; only what changed since the last result, unless --force.

import { existsSync } from "node:fs";
import { relative } from "node:path";
import type { BatchOptions, BatchResult, Discovery } from "../../batch/index.ts";
import { EXIT } from "../../core/errors.ts";
import { count } from "../../core/words.ts";
import type { RunServices } from "../../loops/item/index.ts";
import { reportTargets, writeBatchReports } from "../check-reports.ts";
import { COMMON_ARGS, defineCommand, MODEL_ARGS } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { costText, openRun } from "../item-run.ts";
import { itemIsKnown, pageFor } from "../item-target.ts";
import { openQueue, QUEUE_ARG } from "../queue.ts";
import type { Style } from "../style.ts";

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
    "dry-run": { type: "boolean", description: "only list what would run, and why" },
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
    { command: "atomsmith batch items --dry-run", does: "what would run, and why" },
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
    const { batchReport, discoverSpecs, planBatch, runBatch, selectSpecs } = await import(
      "../../batch/index.ts"
    );
    const where = args.specs.length > 0 ? args.specs : [context.config.paths.item_specs_dir];
    const pages = where.map((word) => (namesItem(word, context) ? pageFor(word, context) : word));
    const discovery = selectSpecs(discoverSpecs(pages, context.cwd), {
      only: args.only,
      ...(args.shard === undefined ? {} : { shard: args.shard }),
    });
    const targets = await reportTargets({ ...args, "report-dir": undefined }, context);
    const run = openRun(context, args);
    if (args["dry-run"]) {
      const items = await planBatch(discovery, run, args.force);
      const problems = discovery.problems.map((problem) => ({
        item_id: problem.itemId,
        spec_path: problem.path,
        error: problem.error.toJSON(),
      }));
      context.output.result({ items, problems }, () =>
        context.output.table(
          ["ITEM", "WOULD RUN", "WHY"],
          [
            ...items.map((item) => [item.item_id, item.would_run ? "yes" : "no", item.reason]),
            ...problems.map((problem) => [shown(context, problem.item_id), "cannot", problem.error.message]),
          ],
        ),
      );
      return problems.length > 0 ? EXIT.usage : EXIT.ok;
    }
    const options = { force: args.force, failFast: args["fail-fast"] };
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
        cacheDir: context.config.paths.cache_dir,
        searchRoot: run.searchRoot,
        createdAt,
        costText,
      });
      await writeBatchReports(targets, report);
    }
    context.output.result({ items, not_started, totals }, (style) => summary(result, context, style));
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

/** An id of an item, where no file or folder has this name and it is no glob. */
function namesItem(word: string, context: CommandContext): boolean {
  return /^[\w.-]+$/.test(word) && !existsSync(context.resolve(word)) && itemIsKnown(word, context);
}

function shown(context: CommandContext, path: string): string {
  return path.startsWith("/") ? relative(context.cwd, path) : path;
}

function errorWord({ error }: BatchResult["items"][number]): string {
  if (error?.busy === true) return "busy";
  return error?.kind === "interrupted" ? "interrupted" : "error";
}

/** One line per item that did something or needs something, then the counts. */
function summary(result: BatchResult, context: CommandContext, style: Style): string {
  const { totals } = result;
  const rows = result.items
    .filter((item) => !item.up_to_date || item.status !== "accepted")
    .map((item) => {
      const state =
        item.status === "accepted"
          ? style.green("accepted")
          : item.status === "human_required"
            ? style.yellow("needs a person")
            : style.red(errorWord(item));
      const folder = relative(context.cwd, item.output_dir);
      const what =
        item.status === "accepted"
          ? folder
          : item.status === "human_required"
            ? relative(context.cwd, item.report ?? item.output_dir)
            : (item.error?.message ?? "");
      const seconds = item.up_to_date ? "unchanged" : `${(item.duration_ms / 1000).toFixed(1)} s`;
      return [shown(context, item.item_id), state, String(item.iterations), seconds, what];
    });
  const table =
    rows.length === 0 ? [] : [context.output.table(["ITEM", "STATE", "ATTEMPTS", "TIME", ""], rows), ""];
  const busy = result.items.filter((item) => item.error?.busy === true).length;
  const counts = [
    `${totals.accepted} accepted`,
    ...(totals.human_required > 0
      ? [`${totals.human_required} ${totals.human_required === 1 ? "needs" : "need"} a person`]
      : []),
    ...(totals.error > busy ? [count(totals.error - busy, "error")] : []),
    ...(busy > 0 ? [`${busy} busy`] : []),
    ...(totals.interrupted > 0 ? [`${totals.interrupted} interrupted`] : []),
    ...(totals.not_started > 0 ? [`${totals.not_started} not started`] : []),
  ].join(", ");
  const nothing = totals.up_to_date === totals.items && totals.items > 0;
  const lines = [
    ...table,
    `${count(totals.items, "item")}: ${counts} (${nothing ? "nothing to do, all" : totals.up_to_date} up to date)`,
  ];
  const why = result.not_started[0]?.reason;
  if (why !== undefined) lines.push(`Not started: ${why}. Run the same command again to go on.`);
  else if (totals.interrupted > 0) {
    lines.push("Interrupted: run the same command again to go on; no reply that came is asked for twice.");
  }
  const cost = costText(totals.usage);
  if (cost !== "") lines.push(style.dim(cost));
  return lines.join("\n");
}
