// The intervention report as Markdown. Its content is decided in intervention.ts.
import type { GateFinding } from "../contract/gates.ts";
import { count } from "../core/words.ts";
import { visible } from "./escape.ts";
import type { FailingExample, InterventionFacts, ShownAttempt } from "./intervention-facts.ts";

/** Texts of the report that are derived from the facts. */
export interface ReportText {
  summary: string;
  questions: string[];
  example: FailingExample | undefined;
  advice: string[];
}

/** The report as Markdown. */
export function toMarkdown(facts: InterventionFacts, text: ReportText): string {
  const { questions, example, advice } = text;
  const lines = [
    `# ${facts.item_id} needs review`,
    "",
    text.summary,
    "",
    "## The item",
    "",
    ...(facts.title === "" ? [] : [`**${inline(facts.title)}** (\`${facts.spec_path}\`)`, ""]),
    ...excerpt("What to extract", facts.parsing_logic),
    ...excerpt("What to check", facts.check_logic),
    "## The question",
    "",
    ...questions.map((question) => `- ${inline(question)}`),
    "",
    ...questionedLines(facts),
    ...blocksToPaste(facts),
    ...(facts.reasons.length === 0
      ? []
      : ["Reasons:", "", ...facts.reasons.map((reason) => `- ${inline(reason)}`), ""]),
    "## The smallest failing example",
    "",
    ...exampleLines(example),
    "## Next steps",
    "",
    ...facts.next_steps.flatMap((step, index) => [
      `${index + 1}. **${step.title}**${step.note === undefined ? "" : `: ${step.note}`}`,
      "",
      ...fenced(step.commands.join("\n"), "sh", "   "),
      "",
    ]),
    "## The page",
    "",
    ...advice.map((line) => `- ${inline(line)}`),
    "",
    "## Attempts",
    "",
    ...attemptsTable(facts),
    "## Files read",
    "",
    ...filesReadLines(facts),
    ...attemptErrors(facts),
    "## Locations",
    "",
    facts.keeps_set
      ? `- the accepted set, which stays until a new one is accepted: \`${facts.output_dir}\``
      : `- safe stubs (extract nothing, never run by \`check\`): \`${facts.output_dir}\``,
    facts.best === null
      ? "- the author wrote no code, so `attempt/` does not exist"
      : `- code of attempt ${facts.best.iteration}: \`${facts.attempt_dir}\``,
    `- every attempt, reply and checkpoint: \`${facts.cache_dir}\``,
    "",
  ];
  return lines.join("\n");
}

function excerpt(title: string, text: string): string[] {
  const all = text.split("\n").filter((line) => line.trim() !== "");
  if (all.length === 0) return [];
  const shown = all.slice(0, 12);
  const more = all.length > shown.length ? [`> … ${all.length - shown.length} more lines on the page`] : [];
  return [`${title}:`, "", ...shown.map((line) => `> ${line}`), ...more, ""];
}

function questionedLines({ lines }: InterventionFacts): string[] {
  if (lines.length === 0) return [];
  const shown = lines.map(({ file, line, count, text }) => {
    const times = count === undefined || count < 2 ? "" : ` (and ${count - 1} like it)`;
    return `${file}:${line}${times}\n    ${visible(text).slice(0, 300)}`;
  });
  return [...fenced(shown.join("\n"), "text", ""), ""];
}

function blocksToPaste({ blocks, choose_command }: InterventionFacts): string[] {
  const shown = blocks.flatMap(({ kind, content }, index) => [
    `Block ${index + 1}:`,
    "",
    ...fenced(visible(content), kind, ""),
    "",
  ]);
  // A block with an empty value is not an answer yet.
  const complete = blocks.flatMap(({ content }, i) => (/^value:\s*$/m.test(content) ? [] : [i + 1]));
  if (complete.length === 0) return shown;
  const commands = complete.map((n) => `${choose_command}${n}`).join("\n");
  return [...shown, "If a block is correct as it is, submit it with:", "", ...fenced(commands, "sh", ""), ""];
}

function exampleLines(example: FailingExample | undefined): string[] {
  if (example === undefined) return ["No gate reported an example.", ""];
  return [
    `\`${example.gate}\` on \`${example.atom}\`: ${inline(example.message)}`,
    "",
    ...fenced(example.example, "", ""),
    "",
  ];
}

function attemptsTable(facts: InterventionFacts): string[] {
  if (facts.attempts.length === 0) return ["No attempt reached the gates.", ""];
  return [
    "| attempt | gates passed | gates failed | error source | first error |",
    "|---|---|---|---|---|",
    ...facts.attempts.map((attempt) => {
      const first = attempt.errors[0];
      const failed = attempt.gates_failed.map((name) => `\`${name}\``).join(", ") || "none";
      return `| ${attempt.iteration} | ${attempt.gates_passed} | ${failed} | \`${attempt.error_source}\` | ${cell(first?.message ?? "")} |`;
    }),
    "",
    ...(facts.hints.length === 0
      ? []
      : [
          "Hints so far (`resume --drop-hint N` removes one):",
          "",
          ...facts.hints.map((hint, i) => `${i + 1}. ${inline(hint)}`),
          "",
        ]),
    ...(facts.answers.length === 0
      ? []
      : ["Blocks so far:", "", ...facts.answers.flatMap((answer) => [answer, ""])]),
  ];
}

function filesReadLines(facts: InterventionFacts): string[] {
  const quota = `${facts.tool_bytes.used} of ${facts.tool_bytes.limit} bytes of the reading quota are used.`;
  const complete = facts.looked_at.filter(({ lines }) => lines === null);
  if (complete.length > 0) {
    return [
      ...complete.slice(0, 20).map(({ path }) => `- \`${path}\`, all lines`),
      ...(complete.length > 20 ? [`- … ${complete.length - 20} more`] : []),
      "",
    ];
  }
  const quotedLogs = new Set(facts.lines.map(({ file }) => file)).size;
  if (facts.looked_at.length === 0 && quotedLogs > 0) {
    return [`The first lines of ${count(quotedLogs, "log")} were read; they are shown above.`, ""];
  }
  if (facts.looked_at.length === 0) {
    return [
      `${count(facts.discovered, "file was", "files were")} listed below \`${facts.search_root}\`, and none was read. ${quota}`,
      "",
    ];
  }
  return [
    ...facts.looked_at.map(
      ({ path, lines }) => `- \`${path}\`${lines === null ? "" : `, ${count(lines, "line")}`}`,
    ),
    "",
    `${count(facts.discovered, "file was", "files were")} listed below \`${facts.search_root}\`. ${quota}`,
    "",
  ];
}

/** The errors of the best attempt and of the last one. */
function attemptErrors({ best, last }: InterventionFacts): string[] {
  const section = (title: string, attempt: ShownAttempt): string[] => [
    `## ${title}`,
    "",
    ...(attempt.errors.length === 0 ? [] : [`Error source: \`${attempt.error_source}\`.`, ""]),
    ...errorLines(attempt.errors),
  ];
  if (best === null) return ["## Errors", "", "None: no code reached the gates.", ""];
  if (last === null) {
    return [
      `## Errors of attempt ${best.iteration}, which is kept`,
      "",
      "None: the gates have not run on it.",
      "",
    ];
  }
  if (last.iteration === best.iteration) {
    return section(`Errors of attempt ${best.iteration}, the last and the best`, best);
  }
  return [
    ...section(`Errors of attempt ${best.iteration}, the best, which is kept`, best),
    ...section(`Errors of attempt ${last.iteration}, the last`, last),
  ];
}

function errorLines(errors: readonly GateFinding[]): string[] {
  if (errors.length === 0) return ["None.", ""];
  const shown = errors.slice(0, 20).map((error) => {
    const line = error.line === undefined ? "" : `, line ${error.line}`;
    return `- \`${error.gate}\` (${error.atom}${line}, \`${error.code}\`): ${inline(error.message)}`;
  });
  if (errors.length > 20) shown.push(`- … ${errors.length - 20} more in \`error_logs/\``);
  return [...shown, ""];
}

/** A fence longer than any run of backticks in the text, so that no log line can close it. */
function fenced(text: string, language: string, indent: string): string[] {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map((match) => match[0].length));
  const fence = "`".repeat(longest + 1);
  return [`${fence}${language}`, ...text.split("\n"), fence].map((line) => indent + line);
}

/** One line, with Markdown characters escaped. */
function inline(text: string): string {
  // A code span is verbatim: its characters are not markup, and its spaces are significant.
  const parts = text.trim().split(/(`+[^`]+`+)/);
  return parts.map((part, i) => (i % 2 === 1 ? part.replace(/[\r\n]/g, " ") : escaped(part))).join("");
}

function escaped(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .replace(/[*_]/g, (c) => `\\${c}`)
    .replace(/[<>]/g, (c) => (c === "<" ? "&lt;" : "&gt;"));
}

function cell(text: string): string {
  return inline(text).replaceAll("|", "\\|").slice(0, 200);
}
