// The human intervention report, written for reading: what the item wants, what was tried, the smallest example
// that fails, the question, and the exact command for each way on. Plain data in, markdown and JSON out.
import type { AtomSources } from "../contract/atoms.ts";
import type { GateFinding } from "../contract/gates.ts";
import { visible } from "./escape.ts";

export type InterventionReason = "gave_up" | "iterations" | "no_evidence" | "edits_rejected";

export interface TriedAttempt {
  iteration: number;
  gates_passed: number;
  gates_failed: string[];
  errors: GateFinding[];
  timestamp: string;
}

export interface WayOn {
  title: string;
  /** Shell commands, one a line. */
  commands: string[];
  note?: string;
}

export interface InterventionFacts {
  item_id: string;
  title: string;
  spec_path: string;
  /** Texts of the page: what to extract, what to check. */
  parsing_logic: string;
  check_logic: string;
  reason: InterventionReason;
  iterations: number;
  max_iterations: number;
  /** The author's own words when it gave up, else empty. */
  reasons: string[];
  questions: string[];
  /** Log lines that the questions are about. */
  lines: { file: string; line: number; count?: number | undefined; text: string }[];
  /** Blocks of a page that answer the questions: the right one is to be pasted. */
  blocks: { kind: string; content: string }[];
  /** Oldest first. */
  attempts: TriedAttempt[];
  /** Errors of the attempt that is kept. */
  errors: GateFinding[];
  /** Number of the attempt that is kept; null when no code ever came. */
  kept_iteration: number | null;
  last_code: AtomSources | null;
  /** What the author looked at: path relative to the search root and lines seen; null: all of them. */
  looked_at: { path: string; lines: number | null }[];
  discovered: number;
  search_root: string;
  tool_bytes: { used: number; limit: number };
  hints: string[];
  /** Blocks that a person gave, each with its fence. */
  answers: string[];
  ways_on: WayOn[];
  /** The command that answers with a block, but for its number at the end. */
  choose_command: string;
  output_dir: string;
  /** Where the attempt is kept, if there is one. */
  attempt_dir: string;
  /** Does an accepted set stand in `output_dir`, which stays until a new one is accepted? */
  keeps_set: boolean;
  cache_dir: string;
  created_at: string;
}

export interface InterventionReport {
  markdown: string;
  json: Record<string, unknown>;
}

export function interventionReport(facts: InterventionFacts): InterventionReport {
  const questions = questionsOf(facts);
  const example = smallestExample(facts.errors);
  return {
    markdown: toMarkdown(facts, questions, example),
    json: {
      status: "HUMAN_INTERVENTION_REQUIRED",
      item_id: facts.item_id,
      item_spec_path: facts.spec_path,
      reason: facts.reason,
      total_iterations: facts.iterations,
      failure_summary: summaryOf(facts),
      reasons: facts.reasons,
      questions,
      lines: facts.lines,
      blocks: facts.blocks,
      smallest_failing_example: example ?? null,
      error_history: facts.attempts,
      last_validation_errors: facts.errors,
      last_generated_code: facts.last_code && {
        atom_a: facts.last_code.atom_a,
        atom_b: facts.last_code.atom_b,
        atom_c: facts.last_code.atom_c,
        yaml: facts.last_code.config,
      },
      looked_at: facts.looked_at,
      hints: facts.hints,
      answers: facts.answers,
      suggested_actions: facts.ways_on,
      cache_location: facts.cache_dir,
      output_location: facts.output_dir,
      resume_command:
        facts.ways_on.flatMap(({ commands }) => commands).find((one) => / resume /.test(one)) ?? "",
      created_at: facts.created_at,
    },
  };
}

function summaryOf(facts: InterventionFacts): string {
  const id = facts.item_id;
  switch (facts.reason) {
    case "gave_up":
      return `The author of ${id} says that it cannot go on without an answer.`;
    case "iterations":
      return `No attempt of ${facts.iterations} for ${id} passed all gates (limit: ${facts.max_iterations}).`;
    case "no_evidence":
      return `Atoms for ${id} were written, but no log was ever read, so nothing is proved.`;
    case "edits_rejected":
      return `The edited atoms of ${id} do not pass all gates.`;
  }
}

/** The author's questions; where it had none, the question that the failing gate comes down to. */
function questionsOf(facts: InterventionFacts): string[] {
  if (facts.questions.length > 0) return facts.questions;
  if (facts.reason === "no_evidence" || (facts.looked_at.length === 0 && facts.errors.length === 0)) {
    return [`Which file below ${facts.search_root} holds what section 1 and 4.1 of the page describe?`];
  }
  const gates = [...new Set(facts.errors.map((error) => error.gate))];
  return gates.slice(0, 3).map((gate) => QUESTIONS[gate.replace(/_.*/, "")] ?? QUESTION);
}

const QUESTION =
  "Is the page right and the code wrong, or does the page ask for something the logs do not show?";
const QUESTIONS: Record<string, string> = {
  gate4:
    "Which lines of which log are the records, and what is their value? One example line with the value to take from it is the best hint.",
  gate3: "Which of the four checker types does the page mean, and what does a waiver apply to?",
  config: "Which patterns and waivers does the page require, word for word?",
  consistency: "Which patterns and waivers does the page require, word for word?",
  universality:
    "Must the matching really know a word of this page? Then it belongs into the config as a pattern.",
};

export interface FailingExample {
  gate: string;
  atom: string;
  message: string;
  example: string;
}

function smallestExample(errors: readonly GateFinding[]): FailingExample | undefined {
  const shown = errors.filter((error) => error.example !== undefined && error.example !== "");
  shown.sort((a, b) => (a.example?.length ?? 0) - (b.example?.length ?? 0));
  const first = shown[0];
  return (
    first && { gate: first.gate, atom: first.atom, message: first.message, example: first.example ?? "" }
  );
}

function toMarkdown(
  facts: InterventionFacts,
  questions: string[],
  example: FailingExample | undefined,
): string {
  const lines = [
    `# ${facts.item_id} needs review`,
    "",
    summaryOf(facts),
    "",
    "## What the item wants",
    "",
    ...(facts.title === "" ? [] : [`**${inline(facts.title)}** (\`${facts.spec_path}\`)`, ""]),
    ...excerpt("What to extract", facts.parsing_logic),
    ...excerpt("What to check", facts.check_logic),
    "## The question",
    "",
    ...questions.map((question) => `- ${inline(question)}`),
    "",
    ...linesAsked(facts),
    ...blocksToPaste(facts),
    ...(facts.reasons.length === 0
      ? []
      : ["Why it is asked:", "", ...facts.reasons.map((reason) => `- ${inline(reason)}`), ""]),
    "## The smallest failing example",
    "",
    ...exampleLines(example),
    "## Ways on",
    "",
    ...facts.ways_on.flatMap((way, index) => [
      `${index + 1}. **${way.title}**${way.note === undefined ? "" : `: ${way.note}`}`,
      "",
      ...fenced(way.commands.join("\n"), "sh", "   "),
      "",
    ]),
    "## What was tried",
    "",
    ...triedLines(facts),
    "## What was looked at",
    "",
    ...lookedLines(facts),
    "## Errors of the attempt that is kept",
    "",
    ...errorLines(facts.errors),
    "## Where things are",
    "",
    facts.keeps_set
      ? `- the accepted set, which stays until a new one is accepted: \`${facts.output_dir}\``
      : `- safe stubs (extract nothing, never run by \`check\`): \`${facts.output_dir}\``,
    facts.kept_iteration === null
      ? "- no code ever came, so there is no `attempt/` folder"
      : `- code of attempt ${facts.kept_iteration}: \`${facts.attempt_dir}\``,
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

function linesAsked({ lines }: InterventionFacts): string[] {
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
  // A block with a value to be filled in is no answer yet.
  const complete = blocks.flatMap(({ content }, i) => (/^value:\s*$/m.test(content) ? [] : [i + 1]));
  if (complete.length === 0) return shown;
  const commands = complete.map((n) => `${choose_command}${n}`).join("\n");
  return [...shown, "If one is right as it stands, this hands it in:", "", ...fenced(commands, "sh", ""), ""];
}

function exampleLines(example: FailingExample | undefined): string[] {
  if (example === undefined) return ["No gate has run on code that could fail, or none gave an example.", ""];
  return [
    `\`${example.gate}\` on \`${example.atom}\`: ${inline(example.message)}`,
    "",
    ...fenced(example.example, "", ""),
    "",
  ];
}

function triedLines(facts: InterventionFacts): string[] {
  if (facts.attempts.length === 0) return ["No attempt reached the gates.", ""];
  return [
    "| attempt | gates passed | gates failed | first error |",
    "|---|---|---|---|",
    ...facts.attempts.map((attempt) => {
      const first = attempt.errors[0];
      const failed = attempt.gates_failed.map((name) => `\`${name}\``).join(", ") || "none";
      return `| ${attempt.iteration} | ${attempt.gates_passed} | ${failed} | ${cell(first?.message ?? "")} |`;
    }),
    "",
    ...(facts.hints.length === 0
      ? []
      : [
          "Hints given so far (`resume --drop-hint N` takes one back):",
          "",
          ...facts.hints.map((hint, i) => `${i + 1}. ${inline(hint)}`),
          "",
        ]),
    ...(facts.answers.length === 0
      ? []
      : ["Blocks given so far:", "", ...facts.answers.flatMap((answer) => [answer, ""])]),
  ];
}

function lookedLines(facts: InterventionFacts): string[] {
  const quota = `${facts.tool_bytes.used} of ${facts.tool_bytes.limit} bytes of the reading quota are used.`;
  const whole = facts.looked_at.filter(({ lines }) => lines === null);
  if (whole.length > 0) {
    return [
      ...whole.slice(0, 20).map(({ path }) => `- \`${path}\`, all of it`),
      ...(whole.length > 20 ? [`- … ${whole.length - 20} more`] : []),
      "",
    ];
  }
  const heads = new Set(facts.lines.map(({ file }) => file)).size;
  if (facts.looked_at.length === 0 && heads > 0) {
    return [`The first lines of ${heads} log${heads === 1 ? "" : "s"} were read; they are shown above.`, ""];
  }
  if (facts.looked_at.length === 0) {
    return [
      `${facts.discovered} files were listed below \`${facts.search_root}\` and none was read. ${quota}`,
      "",
    ];
  }
  return [
    ...facts.looked_at.map((file) => `- \`${file.path}\`, ${file.lines} lines`),
    "",
    `${facts.discovered} files were listed below \`${facts.search_root}\`. ${quota}`,
    "",
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

/** A fence longer than any run of backquotes inside, so that no log line can end it. */
function fenced(text: string, language: string, indent: string): string[] {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map((match) => match[0].length));
  const fence = "`".repeat(longest + 1);
  return [`${fence}${language}`, ...text.split("\n"), fence].map((line) => indent + line);
}

/** One line, without characters that would start markup of their own. */
function inline(text: string): string {
  // A code span is verbatim: nothing in it is markup, and its spaces count.
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
