// What generate, batch and resume share: the services of a run made from a command's context, and the text that
// shows how an item ended.
import { relative } from "node:path";
import { AtomsmithError } from "../core/errors.ts";
import { createRunServices, type ItemResult, type RunServices } from "../loops/item/index.ts";
import type { CommandContext } from "./context.ts";
import { stopSignals } from "./stop-signals.ts";
import type { Style } from "./style.ts";

interface CommonValues {
  "search-root"?: string | undefined;
  out?: string | undefined;
  cache?: string | undefined;
  provider?: string | undefined;
  seed?: number | undefined;
}

/** Services of one run; closed with the command. Throws `config` errors before anything is started. */
export function openRun(context: CommandContext, args: CommonValues): RunServices {
  const run = createRunServices({
    config: context.config,
    bus: context.bus,
    env: context.env,
    ...stopSignals(context),
    ...(args.seed === undefined ? {} : { seed: args.seed }),
    commandFlags: repeatedFlags(context, args),
    ownFiles: context.ownFiles,
  });
  context.onCleanup(() => run.close());
  return run;
}

/** The flags that a later command about the same item needs, as they were given. */
function repeatedFlags(context: CommandContext, args: CommonValues): string[] {
  const flags: string[] = [];
  if (context.loaded.file !== null) {
    const file = relative(context.cwd, context.loaded.file);
    if (file !== "atomsmith.yaml") flags.push("--config", file);
  }
  for (const name of ["search-root", "out", "cache", "provider"] as const) {
    const value = args[name];
    if (value !== undefined) flags.push(`--${name}`, value);
  }
  return flags;
}

const MARK = { accepted: "accepted", human_required: "needs a person", error: "error" } as const;

/** How one item ended, for a person. */
export function itemText(result: ItemResult, style: Style, cwd: string): string {
  const paint = { accepted: style.green, human_required: style.yellow, error: style.red }[result.status];
  const folder = relative(cwd, result.output_dir) || ".";
  const passed = Object.values(result.gates).filter((gate) => gate === true).length;
  const lines = [
    `${style.bold(result.item_id)}  ${paint(MARK[result.status])}${result.iterations === 0 ? "" : `  after ${count(result.iterations, "attempt")}, ${passed} gates passed`}`,
  ];
  if (result.status === "accepted") lines.push(`  atoms: ${folder}`, `  next:  atomsmith check ${folder}`);
  if (result.status === "human_required") {
    for (const error of result.errors.slice(0, 3)) lines.push(`  - ${error.message.split("\n")[0]}`);
    lines.push(`  what to do: ${folder}/human_intervention_report.md`);
  }
  if (result.error) {
    lines.push(`  ${result.error.message}`);
    if (result.error.hint !== undefined) lines.push(`  ${style.dim(result.error.hint)}`);
  }
  const cost = costText(result.usage);
  if (cost !== "") lines.push(`  ${style.dim(cost)}`);
  return lines.join("\n");
}

export function costText(usage: ItemResult["usage"]): string {
  if (usage.calls === 0) return "";
  const price = usage.cost_usd === null ? "price unknown" : `${usage.cost_usd.toFixed(4)} USD`;
  return `${count(usage.calls, "model call")}, ${usage.input_tokens} + ${usage.output_tokens} tokens, ${price}`;
}

export function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? "" : "s"}`;
}

/** An item that failed for a reason that is no property of the item is told as the command's error. */
export function throwIfUnusable(result: ItemResult): void {
  const error = result.error;
  if (!error || !["usage", "config", "spec", "interrupted", "internal"].includes(error.kind)) return;
  const { kind, message, where, hint } = error;
  throw new AtomsmithError(kind, message, {
    ...(where === undefined ? {} : { where }),
    ...(hint === undefined ? {} : { hint }),
  });
}

/** With --json the document has the error; a person looking at stderr is told too. */
export function tellError(result: ItemResult, context: CommandContext): void {
  if (!result.error || !context.json) return;
  context.output.warn(`error: ${result.error.message}`);
  if (result.error.hint !== undefined) context.output.warn(`  ${result.error.hint}`);
}
