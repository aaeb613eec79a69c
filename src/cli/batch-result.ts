// Text output of `batch`: a line per item, what each new set changes, totals.
import { relative } from "node:path";
import type { BatchResult } from "../batch/index.ts";
import { count } from "../core/words.ts";
import { changesHeadline, oneLine } from "../report/index.ts";
import { changesText } from "./changes-text.ts";
import type { CommandContext } from "./context.ts";
import { costText } from "./item-run.ts";
import type { Style } from "./style.ts";

/** Items whose changes are listed in full. */
const CHANGED_ITEMS = 20;

type Item = BatchResult["items"][number];

/** @param accept the command that accepts the results of a dry run; undefined outside a dry run */
export function batchText(
  result: BatchResult,
  context: CommandContext,
  style: Style,
  accept: string | undefined,
): string {
  const dryRun = accept !== undefined;
  const rows = result.items
    .filter((item) => !item.up_to_date || item.status !== "accepted")
    .map((item) => row(item, context, style, dryRun));
  const table =
    rows.length === 0 ? [] : [context.output.table(["ITEM", "STATE", "ATTEMPTS", "TIME", ""], rows), ""];
  const { totals } = result;
  const nothing = totals.up_to_date === totals.items && totals.items > 0;
  const lines = [
    ...table,
    ...changesOf(result.items, style, dryRun),
    `${count(totals.items, "item")}: ${counts(result, dryRun)} (${nothing ? "nothing to do, all" : totals.up_to_date} up to date)`,
  ];
  const why = result.not_started[0]?.reason;
  if (why !== undefined) lines.push(`Not started: ${why}. Run the same command again to continue.`);
  else if (totals.interrupted > 0) {
    lines.push("Interrupted. Run the same command again to continue; stored model replies are reused.");
  }
  const hasNewSets = result.items.some((item) => !item.up_to_date && item.status === "accepted");
  if (accept !== undefined && hasNewSets) {
    lines.push(`Nothing was accepted. To accept these results without asking the author again: ${accept}`);
  }
  const cost = costText(totals.usage);
  if (cost !== "") lines.push(style.dim(cost));
  return lines.join("\n");
}

function row(item: Item, context: CommandContext, style: Style, dryRun: boolean): string[] {
  const seconds = item.up_to_date ? "unchanged" : `${(item.duration_ms / 1000).toFixed(1)} s`;
  return [
    shownPath(context, item.item_id),
    stateWord(item, style, dryRun && !item.up_to_date),
    String(item.iterations),
    seconds,
    whereTo(item, context),
  ];
}

function stateWord(item: Item, style: Style, dryRun: boolean): string {
  if (item.status === "accepted") return style.green(dryRun ? "would be accepted" : "accepted");
  if (item.status === "human_required") return style.yellow(dryRun ? "would need review" : "needs review");
  return style.red(errorWord(item));
}

/** The folder or report to open, or the error. */
function whereTo(item: Item, context: CommandContext): string {
  if (item.status === "accepted") return relative(context.cwd, item.output_dir);
  if (item.status === "error") return item.error?.message ?? "";
  if (item.report !== undefined) return relative(context.cwd, item.report);
  return oneLine(item.errors[0]?.message ?? "");
}

export function shownPath(context: CommandContext, path: string): string {
  return path.startsWith("/") ? relative(context.cwd, path) : path;
}

function errorWord({ error }: Item): string {
  if (error?.busy === true) return "busy";
  return error?.kind === "interrupted" ? "interrupted" : "error";
}

function counts({ items, totals }: BatchResult, dryRun: boolean): string {
  const busy = items.filter((item) => item.error?.busy === true).length;
  const needReview = totals.human_required;
  return [
    `${totals.accepted} ${dryRun ? "would be accepted" : "accepted"}`,
    ...(needReview > 0
      ? [`${needReview} ${dryRun ? "would need" : needReview === 1 ? "needs" : "need"} review`]
      : []),
    ...(totals.error > busy ? [count(totals.error - busy, "error")] : []),
    ...(busy > 0 ? [`${busy} busy`] : []),
    ...(totals.interrupted > 0 ? [`${totals.interrupted} interrupted`] : []),
    ...(totals.not_started > 0 ? [`${totals.not_started} not started`] : []),
  ].join(", ");
}

/** What each new set changes; new items are listed only in a dry run, where nothing else shows them. */
function changesOf(items: readonly Item[], style: Style, dryRun: boolean): string[] {
  const changed = items.flatMap(({ item_id, changes }) =>
    changes !== undefined && (changes.kind !== "new" || dryRun) ? [{ item_id, changes }] : [],
  );
  if (changed.length === 0) return [];
  const shown = changed
    .slice(0, CHANGED_ITEMS)
    .flatMap(({ item_id, changes }) => [
      `${style.bold(item_id)}  ${changesHeadline(changes)}`,
      ...changesText(changes, style),
    ]);
  const more = changed.length - CHANGED_ITEMS;
  if (more > 0) shown.push(`… and ${more} more; --json and --html list all`);
  return ["Changes against the accepted sets, on the same logs:", ...shown, ""];
}
