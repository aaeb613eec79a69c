// Renders turns, proposals, runs and states as text. Control characters in texts of models and files are made visible.
import type { JsonValue } from "../../core/json.ts";
import { truncate } from "../../core/limits.ts";
import {
  type DesignProject,
  type ProjectState,
  proposalOf,
  type Run,
  type TurnDocument,
} from "../../loops/design/index.ts";
import { visible } from "../../report/index.ts";
import type { Style } from "../style.ts";

/** Most bytes of one value in a difference. */
const VALUE = 400;
/** Most lines of a list. */
const MANY = 30;

type Proposal = NonNullable<TurnDocument["proposal"]>;

export function turnText(
  document: TurnDocument,
  project: DesignProject,
  style: Style,
  dirFlag: string,
): string {
  const { error, questions, proposal, warnings } = document;
  return [
    ...(document.assistant_message === "" ? [] : [visible(document.assistant_message)]),
    ...(error === null ? [] : [`${style.red("error:")} ${visible(error.message)}`]),
    ...questions.flatMap(({ id, question, why_needed, default: proposed }) => [
      `${style.yellow("?")} ${style.bold(visible(id))}: ${visible(question)}`,
      style.dim(
        `  ${visible(why_needed)}${proposed === undefined || proposed === null ? "" : ` [${shown(proposed)}]`}`,
      ),
    ]),
    ...(proposal === null ? [] : proposalLines(proposal, project, style)),
    ...warnings.map((warning) => style.dim(`note: ${visible(warning)}`)),
    ...waitingLines(document, style, dirFlag),
  ].join("\n");
}

/** A proposed patch. */
export function patchText(project: DesignProject, id: string, style: Style): string {
  const proposal = proposalOf(project, id);
  return proposal === null ? "" : proposalLines(proposal, project, style).join("\n");
}

function proposalLines(
  { patch_id, difference, judged_anew, verdicts }: Proposal,
  project: DesignProject,
  style: Style,
): string[] {
  const lines = [style.bold(`patch ${patch_id}`)];
  const { spec } = project.reader.latestVersion();
  for (const { pointer, old, new: now } of difference.slice(0, MANY)) {
    const title = project.pipeline.titleOf?.(spec, pointer);
    lines.push(
      `  ${style.cyan(visible(pointer))}${title === undefined ? "" : `  ${style.dim(visible(title))}`}`,
    );
    if (old !== undefined) lines.push(style.red(`    - ${shown(old)}`));
    if (now !== undefined) lines.push(style.green(`    + ${shown(now)}`));
  }
  if (difference.length > MANY) lines.push(`  … and ${difference.length - MANY} more places`);
  if (verdicts.length > 0) lines.push(...verdictLines(verdicts, style));
  else if (judged_anew.length > 0) lines.push(`rechecked: ${judged_anew.slice(0, MANY).join(", ")}`);
  return lines;
}

function verdictLines(verdicts: Proposal["verdicts"], style: Style): string[] {
  const lines = ["effect on the results:"];
  const paint = (outcome: string | null): string =>
    outcome === null
      ? "?"
      : ({ pass: style.green, fail: style.red, error: style.yellow }[outcome] ?? String)(
          outcome.toUpperCase(),
        );
  for (const { item, before, after, appeared, disappeared, note } of verdicts.slice(0, MANY)) {
    const change = before === after ? paint(after) : `${paint(before)} -> ${paint(after)}`;
    lines.push(`  ${style.bold(visible(item))}  ${change}  ${style.dim(visible(note))}`);
    for (const line of disappeared.slice(0, 5)) lines.push(style.green(`    - ${visible(line)}`));
    for (const line of appeared.slice(0, 5)) lines.push(style.red(`    + ${visible(line)}`));
    const left = Math.max(0, disappeared.length - 5) + Math.max(0, appeared.length - 5);
    if (left > 0) lines.push(`    … and ${left} more`);
  }
  if (verdicts.length > MANY) lines.push(`  … and ${verdicts.length - MANY} more items`);
  return lines;
}

export function stateText(state: ProjectState, style: Style, dirFlag: string): string {
  return [`state: ${state.state}`, ...waitingLines(state, style, dirFlag)].join("\n");
}

function waitingLines(
  { pending_patch_ids, pending_run }: Pick<ProjectState, "pending_patch_ids" | "pending_run">,
  style: Style,
  dirFlag: string,
): string[] {
  const lines = pending_patch_ids.map(
    (id) => `${style.yellow("pending:")} patch ${id}  (atomsmith design approve ${id} ${dirFlag})`,
  );
  if (pending_run === null) return lines;
  const after =
    pending_patch_ids.length > 0 ? ", after the patches" : `  (atomsmith design approve run ${dirFlag})`;
  return [
    ...lines,
    `${style.yellow("pending:")} a run until ${pending_run.run_until}: ${visible(pending_run.reason)}${after}`,
  ];
}

/** A run with a table of its stages and its failures. */
export function runText(run: Run, project: Pick<DesignProject, "dir">, style: Style): string {
  const paint = {
    ok: style.green,
    reused: style.green,
    failed: style.red,
    timeout: style.red,
    interrupted: style.yellow,
  };
  const width = Math.max(5, ...run.stages.map(({ name }) => name.length));
  const rows = run.stages.map(({ name, status, seconds, reused_from, metrics }) => {
    const figures = Object.entries(metrics).map(([key, value]) => `${key} ${shown(value)}`);
    const from = reused_from === undefined ? "" : ` from ${reused_from}`;
    return `  ${name.padEnd(width)}  ${paint[status](`${status}${from}`.padEnd(22))}  ${seconds.toFixed(1).padStart(7)} s  ${style.dim(visible(truncate(figures.join(", "), 160).text))}`;
  });
  const failures = run.stages.flatMap(({ name, failures: own }) =>
    own.map((failure) => ({ stage: name, ...failure })),
  );
  return [
    `${style.bold(run.run_id)}  ${run.status}, until ${run.until}, spec version ${run.spec_version}${run.jail === null ? "" : `, jail ${run.jail}`}`,
    ...rows,
    ...failures
      .slice(0, MANY)
      .map(
        ({ stage, name, reason }) =>
          `  ${style.red("x")} ${stage}: ${visible(name)}: ${visible(truncate(reason, VALUE).text)}`,
      ),
    ...(failures.length > MANY ? [`  … and ${failures.length - MANY} more failures`] : []),
    `files: ${project.dir}/runs/${run.run_id}`,
  ].join("\n");
}

function shown(value: JsonValue): string {
  return visible(truncate(JSON.stringify(value), VALUE).text);
}
