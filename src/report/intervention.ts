// The human intervention report: the item, the attempts, the smallest failing example, the questions, and the exact
// command for each next step. Plain data in, Markdown and JSON out.
import type { AtomSources } from "../contract/atoms.ts";
import type { GateFinding } from "../contract/gates.ts";
import type { FailingExample, InterventionFacts, ShownAttempt } from "./intervention-facts.ts";
import { toMarkdown } from "./intervention-text.ts";
import { pageAdvice } from "./page-advice.ts";

export interface InterventionReport {
  markdown: string;
  json: Record<string, unknown>;
}

export function interventionReport(facts: InterventionFacts): InterventionReport {
  const questions = questionsOf(facts);
  const example = smallestExample(errorsOf(facts));
  const advice = pageAdvice(facts);
  return {
    markdown: toMarkdown(facts, { summary: summaryOf(facts), questions, example, advice }),
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
      error_source: facts.last?.error_source ?? "unknown",
      last_attempt: attemptJson(facts.last),
      best_attempt: attemptJson(facts.best),
      last_validation_errors: facts.last?.errors ?? errorsOf(facts),
      last_generated_code: codeJson((facts.last ?? facts.best)?.code),
      page_advice: advice,
      looked_at: facts.looked_at,
      hints: facts.hints,
      answers: facts.answers,
      suggested_actions: facts.next_steps,
      cache_location: facts.cache_dir,
      output_location: facts.output_dir,
      resume_command:
        facts.next_steps.flatMap(({ commands }) => commands).find((command) => / resume /.test(command)) ??
        "",
      created_at: facts.created_at,
    },
  };
}

/** Errors of the attempt that is kept. */
function errorsOf({ best }: InterventionFacts): GateFinding[] {
  return best?.errors ?? [];
}

function attemptJson(attempt: ShownAttempt | null): Record<string, unknown> | null {
  if (attempt === null) return null;
  const { iteration, error_source, errors, code } = attempt;
  return { iteration, error_source, validation_errors: errors, code: codeJson(code) };
}

function codeJson(code: AtomSources | undefined): Record<string, string> | null {
  return code === undefined
    ? null
    : { atom_a: code.atom_a, atom_b: code.atom_b, atom_c: code.atom_c, yaml: code.config };
}

function summaryOf(facts: InterventionFacts): string {
  const id = facts.item_id;
  switch (facts.reason) {
    case "gave_up":
      return `The author of ${id} cannot continue without an answer.`;
    case "iterations":
      return `No attempt of ${facts.iterations} for ${id} passed all gates (limit: ${facts.max_iterations}).`;
    case "no_evidence":
      return `Atoms for ${id} were written, but no log was read, so nothing is proved.`;
    case "edits_rejected":
      return `The edited atoms of ${id} do not pass all gates.`;
  }
}

/** The author's questions; if it has none, a question for each failing gate. */
function questionsOf(facts: InterventionFacts): string[] {
  if (facts.questions.length > 0) return facts.questions;
  if (facts.reason === "no_evidence" || (facts.looked_at.length === 0 && errorsOf(facts).length === 0)) {
    return [`Which file below ${facts.search_root} contains what sections 1 and 4.1 of the page describe?`];
  }
  const gates = [...new Set(errorsOf(facts).map((error) => error.gate))];
  return gates.slice(0, 3).map((gate) => QUESTIONS[gate.replace(/_.*/, "")] ?? QUESTION);
}

const QUESTION =
  "Is the page right and the code wrong, or does the page require something that the logs do not contain?";
const QUESTIONS: Record<string, string> = {
  gate4:
    "Which lines of which log are the records, and what is their value? One example line with the value to take from it is the best hint.",
  gate3: "Which of the four checker types does the page mean, and what does a waiver apply to?",
  config: "Which patterns and waivers does the page require, word for word?",
  consistency: "Which patterns and waivers does the page require, word for word?",
  universality:
    "Does the matching depend on a word of this page? Then the word belongs in the config as a pattern.",
};

function smallestExample(errors: readonly GateFinding[]): FailingExample | undefined {
  const shown = errors.filter((error) => error.example !== undefined && error.example !== "");
  shown.sort((a, b) => (a.example?.length ?? 0) - (b.example?.length ?? 0));
  const first = shown[0];
  return (
    first && { gate: first.gate, atom: first.atom, message: first.message, example: first.example ?? "" }
  );
}
