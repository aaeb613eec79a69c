// The built-in author: writes atoms from the page and the logs alone, without a model. Deterministic; uses the
// same four tools under the same quotas as a model; says so when it does not know. See docs/offline-author.md.

import type { LogicSlice, ParsingSlice } from "../../spec/types.ts";
import type {
  AtomADraft,
  Author,
  AuthorContext,
  ExtractionSummary,
  GivenUp,
  LogicDraft,
  ReflectInput,
} from "../types.ts";
import { draftLogic } from "./config/logic.ts";
import { asksToFollow, follow } from "./logs/follow.ts";
import { type Observation, observe } from "./logs/observe.ts";
import { isStandIn, tokenize } from "./logs/tokens.ts";
import { isGlob } from "./page/files.ts";
import { type Page, readPage } from "./page/page.ts";
import { emitAtomA } from "./program/emit.ts";
import { type Candidate, synthesize } from "./synthesize.ts";

/** Candidates at or above this confidence are written; below it a person is asked. Calibrated, see the docs. */
export const THRESHOLD = 0.8;

/** The offline author. It keeps nothing between items. */
export function createOfflineAuthor(): Author {
  return {
    name: "offline",
    settings: { provider: "offline", threshold: THRESHOLD },
    agentA: (slice, context) => draftAtomA(slice, context),
    agentB: async (slice, atomA, extraction, context) => logic(slice, atomA, extraction, context),
    reflectA: (slice, input, context) => reflectAtomA(slice, input, context),
    reflectB: async (slice, input, extraction, context) =>
      logic(slice, input.sources.atom_a, extraction, context),
    usage: () => ({ input_tokens: 0, cached_tokens: 0, output_tokens: 0, calls: 0, cost_usd: 0 }),
  };
}

function logic(
  slice: LogicSlice,
  atomA: string,
  extraction: ExtractionSummary,
  context: AuthorContext,
): LogicDraft | GivenUp {
  return draftLogic(slice, extraction, context.item_id, context.hints, {
    atomA,
    observed: context.tools.snapshot().observed,
  });
}

async function draftAtomA(slice: ParsingSlice, context: AuthorContext): Promise<AtomADraft | GivenUp> {
  const { page, observation, candidates } = await look(slice, context);
  return choose(page, observation, candidates);
}

/** The next candidate that was not tried before, unless there is none. */
async function reflectAtomA(
  slice: ParsingSlice,
  input: ReflectInput,
  context: AuthorContext,
): Promise<AtomADraft | GivenUp> {
  const { page, observation, candidates } = await look(slice, context);
  const tried = new Set([input.sources.atom_a, ...input.history.map((attempt) => attempt.sources.atom_a)]);
  const fresh = candidates.filter((one) => !tried.has(emitAtomA(one.program)));
  const chosen = choose(page, observation, fresh);
  if (chosen.kind === "draft") return chosen;
  return {
    ...chosen,
    reasons: [
      ...input.errors.slice(0, 5).map((error) => `${error.gate}: ${error.message}`),
      ...chosen.reasons,
    ],
  };
}

/** Reads the page and the logs and ranks what could be meant, without deciding. */
export async function look(
  slice: ParsingSlice,
  context: AuthorContext,
): Promise<{ page: Page; observation: Observation; candidates: Candidate[] }> {
  const page = readPage(slice.section_1, slice.section_4_1, context.hints);
  const globs = page.files.filter((file) => file.wanted).map((file) => file.glob);
  for (const hint of context.hints) {
    for (const word of hint.split(/[\s,;`"']+/)) if (isGlob(word) && !globs.includes(word)) globs.push(word);
  }
  const excluded = page.files.filter((file) => !file.wanted).map((file) => file.glob);
  const observation = await observe(
    context.tools,
    { globs, excluded, clauses: page.fileClauses },
    keywordsOf(page),
  );
  const candidates = synthesize(page, observation);
  if (asksToFollow(page) && (candidates[0]?.confidence ?? 0) < 0.95) {
    const followed = await follow(context.tools, page, observation, keywordsOf(page));
    if (followed.length > 0) {
      observation.notes.push(`The log names ${followed.join(", ")}, which was read as well.`);
      return { page, observation, candidates: synthesize(page, observation) };
    }
  }
  return { page, observation, candidates };
}

/** What is searched for in logs too big to read: fixed words of the examples, quoted texts, names. */
export function keywordsOf(page: Page): string[] {
  const words = new Set<string>();
  for (const group of page.groups) {
    const runs = group.examples.flatMap((example) => example.lines.map(fixedRun));
    for (const run of runs) if (run.length >= 4) words.add(run);
    for (const text of group.wanted) if (text.length >= 3) words.add(text);
  }
  // Titles that the page names: every file has its own below them.
  for (const { title } of page.places) if (title.length >= 6 && words.size < 5) words.add(title);
  for (const rule of page.rules) for (const text of rule.equals) if (text.length >= 3) words.add(text);
  for (const list of page.lists)
    for (const name of list.names.slice(0, 3)) if (name.length >= 4) words.add(name);
  return [...words].slice(0, 12);
}

/** The globs that found files. Where the page names none, the files that gave records, by name. */
function inputGlobs(observation: Observation, best: Candidate): string[] {
  const globs = observation.files.flatMap((file) => {
    if (file.glob !== "**/*") return [file.glob];
    const records = best.records.get(file.real ?? file.path)?.length ?? 0;
    return records > 0 ? [`**/${file.path.slice(file.path.lastIndexOf("/") + 1)}`] : [];
  });
  return [...new Set(globs)];
}

/** The longest run of words of an example that may well stand in the log as they are. */
function fixedRun(line: string): string {
  const runs: string[] = [];
  let run = "";
  for (const token of tokenize(line)) {
    if (token.kind === "word" && !isStandIn(token.text)) run += token.text;
    else if (token.kind === "space" && token.text === " " && run !== "") run += " ";
    else {
      runs.push(run.trim());
      run = "";
    }
  }
  return [...runs, run.trim()].sort((a, b) => b.length - a.length)[0] ?? "";
}

function choose(
  page: Page,
  observation: Observation,
  candidates: readonly Candidate[],
): AtomADraft | GivenUp {
  const best = candidates[0];
  const summary = summarize(observation, best);
  if (best !== undefined && best.confidence >= THRESHOLD && observation.missing.length === 0) {
    const globs = inputGlobs(observation, best);
    return {
      kind: "draft",
      atom_a: emitAtomA(best.program),
      reasoning: [
        ...best.notes,
        ...best.reasons,
        ...best.doubts.map((doubt) => `Doubt: ${doubt}.`),
        `Confidence ${best.confidence.toFixed(2)}.`,
      ].join("\n"),
      log_summary: summary,
      input_files: globs,
    };
  }
  return giveUp(page, observation, candidates, summary);
}

function giveUp(
  page: Page,
  observation: Observation,
  candidates: readonly Candidate[],
  summary: string,
): GivenUp {
  const reasons: string[] = [];
  const questions: string[] = [];
  for (const glob of observation.missing) {
    reasons.push(`No file matches ${glob}.`);
    questions.push(`Where is ${glob}? Answer with the file's path or pattern below the search root.`);
  }
  if (observation.files.length === 0 && observation.missing.length === 0) {
    reasons.push("No file was found at all.");
    questions.push("Which files hold the data? Answer with a path or pattern.");
  }
  const best = candidates[0];
  if (best === undefined && observation.files.length > 0) {
    reasons.push(
      page.groups.some((group) => group.examples.length > 0)
        ? "No line of the logs is like the example lines of the page."
        : "The page shows no example line, and no structure of the logs fits its description.",
    );
    questions.push(
      "Which line of the logs is a record? Answer with one such line, as it stands in the log, in backticks.",
    );
  }
  if (best !== undefined && best.confidence < THRESHOLD) {
    reasons.push(
      ...best.doubts.map((doubt) => `Not sure enough (confidence ${best.confidence.toFixed(2)}): ${doubt}.`),
    );
    questions.push(
      "Is the first candidate right? If not, which line is a record, and which part of it is the value?",
    );
  }
  if (page.groups.every((group) => group.value === undefined)) {
    reasons.push("Section 1 does not say what the value of a record is.");
    questions.push('What is the value? Answer with a hint such as "value: the host name".');
  }
  return {
    kind: "gave_up",
    reasons: [...reasons, ...observation.notes],
    questions,
    candidates: candidates.slice(0, 3).map((one) => ({ code: emitAtomA(one.program), note: preview(one) })),
    log_summary: summary,
  };
}

function preview(candidate: Candidate): string {
  const records = [...candidate.records].flatMap(([path, found]) => found.map((one) => ({ path, ...one })));
  const shown = records
    .slice(0, 3)
    .map(
      (one) =>
        `${one.path}:${one.line} value ${JSON.stringify(one.value)} fields ${JSON.stringify(one.fields)}`,
    );
  return `Would extract ${records.length} records from what was read, e.g. ${shown.join("; ") || "nothing"}.`;
}

function summarize(observation: Observation, best: Candidate | undefined): string {
  const files = observation.files.map((file) => {
    const lines = file.segments.reduce((sum, segment) => sum + segment.lines.length, 0);
    const records = best?.records.get(file.real ?? file.path)?.length ?? 0;
    return `${file.path}: ${lines} lines read${file.complete ? " (all)" : ""}, ${records} records`;
  });
  return files.join("\n");
}
