// Shared by generate, batch and resume: the services of a run, created from a command's context, and the text of an
// item's result.
import { readFileSync } from "node:fs";
import { dirname, relative } from "node:path";
import { z } from "zod";
import { AUTHOR_ROLES } from "../author/roles.ts";
import { AtomsmithError } from "../core/errors.ts";
import { quote, shellFlags } from "../core/shell.ts";
import { count } from "../core/words.ts";
import { providerOf } from "../llm/providers.ts";
import { createRunServices, type ItemResult, type RunServices } from "../loops/item/index.ts";
import { changesHeadline } from "../report/index.ts";
import { changesText } from "./changes-text.ts";
import type { CommandContext } from "./context.ts";
import { type CommonValues, repeatedFlags } from "./repeated-flags.ts";
import { stopSignals } from "./stop-signals.ts";
import type { Style } from "./style.ts";

/** Opens the services of a run; closed with the command. Throws `config` errors before anything is started. */
export function openRun(
  context: CommandContext,
  args: CommonValues & { seed?: number | undefined },
): RunServices {
  warnAboutMissingKeys(context);
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

const MARK = { accepted: "accepted", human_required: "needs review", error: "error" } as const;

/** Warns about a model that is configured without a key: the offline author is used instead. */
function warnAboutMissingKeys(context: CommandContext): void {
  const { llm } = context.config;
  const idle = AUTHOR_ROLES.filter((role) => {
    const { provider, model } = llm[role];
    return provider === undefined && model !== undefined && providerOf(llm[role], context.env) === "offline";
  });
  if (idle.length === 0) return;
  const keys = [...new Set(idle.map((role) => llm[role].api_key_env ?? "OPENAI_API_KEY"))].join(", ");
  const message = `${idle.map((role) => `llm.${role}`).join(", ")}: a model is configured, but ${keys} is not set; using the offline author (--provider offline hides this warning)`;
  context.emit({ type: "log", level: "warning", message });
}

/** Those of the common flags that `check` accepts. */
const CHECK_FLAGS = ["--config", "--search-root", "--cache", "-c"];

/** The result of an item as text. @param flags flags that the next command about the item needs */
export function itemText(result: ItemResult, style: Style, cwd: string, flags: readonly string[]): string {
  const paint = { accepted: style.green, human_required: style.yellow, error: style.red }[result.status];
  const folder = relative(cwd, result.output_dir) || ".";
  const passed = Object.values(result.gates).filter((gate) => gate === true).length;
  const lines = [
    `${style.bold(result.item_id)}  ${paint(MARK[result.status])}${result.iterations === 0 ? "" : `  after ${count(result.iterations, "attempt")}, ${passed} gates passed`}`,
  ];
  const { changes } = result;
  if (changes !== undefined && changes.kind !== "new") {
    lines.push(
      `  change: ${changesHeadline(changes)}`,
      ...changesText(changes, style).map((line) => `  ${line}`),
    );
  }
  if (result.status === "accepted")
    lines.push(
      `  atoms: ${folder}`,
      `  next:  atomsmith check ${quote(folder)}${shellFlags(flags, CHECK_FLAGS)}`,
    );
  if (result.status === "human_required") {
    for (const error of result.errors.slice(0, 3)) lines.push(`  - ${error.message.split("\n")[0]}`);
    for (const { title, command } of nextSteps(result)) lines.push(`  ${title}: ${command}`);
    lines.push(`  review: ${relative(cwd, result.report ?? result.output_dir)}`);
    if (keptSet(result)) lines.push(`  kept:   the accepted set in ${folder}, until a new one is accepted`);
  }
  if (result.error) {
    lines.push(`  ${result.error.message}`);
    if (result.error.hint !== undefined) lines.push(`  ${style.dim(result.error.hint)}`);
  }
  const cost = costText(result.usage);
  if (cost !== "") lines.push(`  ${style.dim(cost)}`);
  return lines.join("\n");
}

/** Next steps that are one command each, from the report's JSON; none when it cannot be read. */
function nextSteps({ report }: ItemResult): { title: string; command: string }[] {
  if (report === undefined) return [];
  try {
    const text = readFileSync(report.replace(/\.md$/, ".json"), "utf8");
    const { suggested_actions } = stepsSchema.parse(JSON.parse(text));
    return suggested_actions.flatMap(({ title, commands: [command, ...more] }) =>
      command === undefined || more.length > 0 ? [] : [{ title: title.toLowerCase(), command }],
    );
  } catch {
    return [];
  }
}

const stepsSchema = z.object({
  suggested_actions: z.array(z.object({ title: z.string(), commands: z.array(z.string()) })),
});

/** Whether the folder still contains an accepted set. */
function keptSet(result: ItemResult): boolean {
  return result.report !== undefined && dirname(result.report) !== result.output_dir;
}

export function costText(usage: ItemResult["usage"]): string {
  if (usage.calls === 0) return "";
  const price = usage.cost_usd === null ? "price unknown" : `${usage.cost_usd.toFixed(4)} USD`;
  return `${count(usage.calls, "model call")}, ${usage.input_tokens} + ${usage.output_tokens} tokens, ${price}`;
}

/** Throws an error that is not specific to the item as the command's error. */
export function throwIfUnusable(result: ItemResult, flags: readonly string[]): void {
  const error = result.error;
  if (!error || !["usage", "config", "spec", "interrupted", "internal"].includes(error.kind)) return;
  const { kind, message, where } = error;
  const continueHint = `continue with: atomsmith resume ${result.item_id}${shellFlags(flags)}`;
  const hint = kind === "interrupted" ? continueHint : error.hint;
  throw new AtomsmithError(kind, message, {
    ...(where === undefined ? {} : { where }),
    ...(hint === undefined ? {} : { hint }),
    ...(error.busy === undefined ? {} : { busy: error.busy }),
  });
}

/** Also prints the error to stderr with --json. */
export function printError(result: ItemResult, context: CommandContext): void {
  if (!result.error || !context.json) return;
  context.output.warn(`error: ${result.error.message}`);
  if (result.error.hint !== undefined) context.output.warn(`  ${result.error.hint}`);
}
