import { join } from "node:path";
import { z } from "zod";
import { truncate } from "../../../../core/limits.ts";
import { count } from "../../../../core/words.ts";
import type { Trial } from "../../items/trials.ts";
import { data, defineTool, type Outcome, refused, type ToolContext } from "../types.ts";
import { logPlaces, trialFolder } from "./context.ts";
import { findingLine, readPage } from "./page.ts";

const MAX_PROBLEMS = 6;
const MAX_WARNINGS = 4;
/** Maximum characters of one problem; a question of the author contains blocks to choose from. */
const PROBLEM_CHARS = 1_500;
const LINE_CHARS = 200;

export const tryItem = defineTool({
  name: "try_item",
  category: "items",
  description:
    "Have an author write the atoms of an ItemSpec of the workspace, prove them in all gates, and apply them to the logs.",
  details:
    'Example: `try_item("output/IMP-1-0-0-00_ItemSpec.md")`. The answer says whether the set is accepted, what was extracted ' +
    "from the logs and what the check says of them today, or which gates failed and what the author asks. Needs the logs of " +
    "the job. The set is kept with the job: decide_item_spec accepts no page without it.",
  schema: z.strictObject({ path: z.string() }),
  effects: "workspace",
  core: false,
  async run({ path }, context) {
    const { workspace, searchRoot } = context;
    if (searchRoot === "") return refused("This job has no logs: it was started without --search-root.");
    const page = readPage(path, workspace.text(path));
    const { spec, findings, id = "page" } = page.reading;
    if (spec === undefined) {
      const errors = findings.filter(({ severity }) => severity === "error");
      return refused(
        `The page cannot be used: ${errors.map((finding) => findingLine(path, finding)).join("; ")}`,
      );
    }
    const folder = trialFolder(page.text);
    const copy = `${folder}/${id}_ItemSpec.md`;
    await workspace.apply({ op: "write", path: copy, text: page.text });
    const trial = await context.trials.run(requestOf(join(workspace.root, folder), copy, context));
    return withUsage(data(trialText(id, trial)), trial, context);
  },
});

function requestOf(
  folder: string,
  copy: string,
  context: ToolContext,
): Parameters<ToolContext["trials"]["run"]>[0] {
  const { config, workspace, searchRoot, signal, agent, state } = context;
  const own = config.loops.agent.try_item_cost_usd;
  const { max_cost_usd } = agent.limits;
  const left =
    max_cost_usd === undefined ? undefined : Math.max(0.000_001, max_cost_usd - state.usage.known_cost_usd);
  const limits = [own, left].filter((limit) => limit !== undefined);
  return {
    folder,
    page: join(workspace.root, copy),
    searchRoot,
    ownFiles: [...logPlaces(context).hidden],
    maxSeconds: config.loops.agent.try_item_seconds,
    ...(limits.length === 0 ? {} : { maxCostUsd: Math.min(...limits) }),
    signal,
  };
}

/** Counts the cost of the author towards the limits of the job. */
function withUsage(outcome: Outcome, { usage }: Trial, { state }: ToolContext): Outcome {
  if (usage.calls === 0) return outcome;
  const before = state.usage;
  const after = {
    ...before,
    calls: before.calls + usage.calls,
    input_tokens: before.input_tokens + usage.input_tokens,
    output_tokens: before.output_tokens + usage.output_tokens,
    cost_usd: before.cost_usd === null || usage.cost_usd === null ? null : before.cost_usd + usage.cost_usd,
    known_cost_usd: before.known_cost_usd + (usage.cost_usd ?? 0),
  };
  return { ...outcome, patch: { usage: after } };
}

/** The result of a trial in a few hundred tokens. */
export function trialText(id: string, trial: Trial): string {
  const { gates, records, problems, warnings, verdict } = trial;
  const attempts = count(trial.attempts, "attempt");
  const failed = gates.failed.length === 0 ? "" : `, failed: ${gates.failed.join(", ")}`;
  const cut = (text: string, chars: number): string => truncate(text, chars).text;
  const head = { accepted: "ACCEPTED", human_required: "NOT ACCEPTED", error: "NOT TRIED" }[trial.status];
  const lines = [
    `${id}: ${head}${trial.author === "" ? "" : ` (author: ${trial.author}, ${attempts})`}`,
    ...(trial.status === "error" ? [] : [`Gates: ${gates.passed} passed${failed}`]),
    ...problems.slice(0, MAX_PROBLEMS).map((problem) => `- ${cut(problem, PROBLEM_CHARS)}`),
    ...more(problems, MAX_PROBLEMS, "problems"),
    ...(trial.logs.length === 0 ? [] : [`Proved on: ${cut(trial.logs.join(", "), LINE_CHARS)}`]),
  ];
  if (trial.status === "accepted") {
    lines.push(`Records: ${records.total}`);
    for (const { file, line, value, fields } of records.shown) {
      lines.push(`  ${file}:${line ?? "-"} ${cut(`${JSON.stringify(value)} ${fields}`, LINE_CHARS)}`);
    }
    if (records.total > records.shown.length) lines.push(`  (${records.total - records.shown.length} more)`);
  }
  if (verdict !== undefined) lines.push(`The check today: ${verdict.outcome.toUpperCase()}, ${verdict.why}`);
  lines.push(...warnings.slice(0, MAX_WARNINGS).map((warning) => `Warning: ${cut(warning, LINE_CHARS)}`));
  lines.push(...more(warnings, MAX_WARNINGS, "warnings"));
  return lines.join("\n");
}

function more(list: readonly unknown[], shown: number, what: string): string[] {
  return list.length > shown ? [`(${list.length - shown} more ${what})`] : [];
}
