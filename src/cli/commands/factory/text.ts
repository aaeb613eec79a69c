// A run of the factory as text for a terminal.
import type { RunView } from "../../../loops/factory/index.ts";
import { oneLine, visible } from "../../../report/index.ts";
import type { Style } from "../../style.ts";

/** Most lines of an error. */
const SHOWN_LINES = 12;

/** A run as text, a few lines per attempt. */
export function runText({ summary, order, attempts, dir }: RunView, style: Style): string {
  const title = order ? `${order.id}: ${order.title}` : summary.run_id;
  const verdict = summary.verdict === "PASS" ? style.green("PASS") : style.red("FAIL");
  const lines = [
    `${style.bold(oneLine(title))}  ${verdict}  ${style.dim(`run ${summary.run_id}, jail ${summary.jail}`)}`,
  ];
  for (const { record } of attempts) {
    const failure = record.failure_brief;
    const written = record.write_ok
      ? `wrote ${record.touched_files.map(oneLine).join(", ")}`
      : "wrote nothing";
    lines.push(
      `  attempt ${record.attempt_index}: ${failure ? style.red(failure.stage) : style.green("accepted")}, ${written}`,
    );
    for (const { command, exit_code, duration_seconds } of [...record.verify, ...record.acceptance]) {
      const mark = exit_code === 0 ? style.green("ok") : style.red(String(exit_code));
      lines.push(`    ${mark}  ${oneLine(command.join(" "))}  ${style.dim(`${duration_seconds} s`)}`);
    }
    if (!failure) continue;
    const excerpt = visible(failure.primary_error_excerpt).trimEnd().split("\n").slice(-SHOWN_LINES);
    lines.push(...excerpt.map((line) => `    ${style.dim(line)}`));
  }
  if (attempts.length === 0) lines.push(`  no attempt: ${summary.ended_stage}`);
  if (summary.drift.length > 0) {
    const drift = summary.drift.map(({ path, change }) => `${oneLine(path)} (${change})`);
    lines.push(style.yellow(`  commands also changed: ${drift.join(", ")}`));
  }
  lines.push(style.dim(`  ${dir}/report.html`));
  return lines.join("\n");
}
