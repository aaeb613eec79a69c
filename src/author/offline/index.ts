// The offline author: derives a program from worked examples, without a model. It is deterministic; if the examples
// allow two readings of a log line, it asks about that line. docs/offline-author.md.

import { basename } from "node:path";
import { silentDeclarations } from "../../contract/declarations.ts";
import { count } from "../../core/words.ts";
import { codeSpans } from "../../spec/blocks.ts";
import type { WorkedExample } from "../../spec/example.ts";
import type { LogicSlice, ParsingSlice } from "../../spec/types.ts";
import { configFromCheck, declaredBy, draftFromCheck } from "../check-config.ts";
import { ATOM_B, ATOM_C } from "../standard-atoms.ts";
import type {
  AtomADraft,
  Author,
  AuthorContext,
  ExtractionSummary,
  GivenUp,
  LogicDraft,
  ReflectInput,
} from "../types.ts";
import { clusterLines } from "./logs/clusters.ts";
import type { LineKind } from "./logs/decide.ts";
import { type ChosenLogs, chooseLogs, filePatterns, logHeads } from "./logs/files.ts";
import { findWitness } from "./logs/witness.ts";
import type { Outcome } from "./outcome.ts";
import { emitAtomA } from "./program/emit.ts";
import { runProgram } from "./program/program.ts";
import { askCheck, askPattern } from "./questions/check.ts";
import { askFirst, askLine, askLog, type Question } from "./questions/lines.ts";
import { solve } from "./solve.ts";

/** Creates the offline author, which has no state. */
export function createOfflineAuthor(): Author {
  return {
    name: "offline",
    settings: { provider: "offline" },
    agentA: async (slice, context) => noteUnreadHints(await draftAtomA(slice, context), context),
    agentB: async (slice, _atomA, extraction, context) =>
      noteUnreadHints(await draftLogic(slice, extraction, context), context),
    reflectA: async (_slice, input) => refuseRepair(input),
    reflectB: async (_slice, input) => refuseRepair(input),
    usage: () => ({ input_tokens: 0, cached_tokens: 0, output_tokens: 0, calls: 0, cost_usd: 0 }),
  };
}

/** Reports that hints, which only a model can read, were ignored. */
function noteUnreadHints<T extends AtomADraft | LogicDraft | GivenUp>(reply: T, context: AuthorContext): T {
  if (context.hints.length === 0) return reply;
  const reason =
    "The hint was not read: without a model, answer with a worked example (`--example` or `label`).";
  if (reply.kind !== "gave_up") {
    context.emit({ type: "log", level: "warning", message: reason });
    return reply;
  }
  return { ...reply, reasons: [...reply.reasons, reason] };
}

/** Longer code spans quote a whole line instead of what records have in common. */
const MAX_SNIPPET_WORDS = 3;

/** Short code spans of section 1, split at ellipses: texts by which the page identifies records. */
export function recordSnippets(section: string): string[] {
  return codeSpans(section)
    .flatMap((text) => text.split(/\.\.\.|…/))
    .map((text) => text.trim())
    .filter(
      (text) => text.length > 2 && text.split(/\s+/).length <= MAX_SNIPPET_WORDS && /\p{L}/u.test(text),
    );
}

async function draftAtomA(slice: ParsingSlice, context: AuthorContext): Promise<AtomADraft | GivenUp> {
  const { examples } = slice;
  const recordTexts = examples.filter(({ records }) => records.length > 0).map(({ text }) => text);
  const chosen = await chooseLogs(slice.section_4_1, recordTexts, context.logs);
  const { logs } = chosen;
  if (logs.length === 0) {
    return giveUp(askLog(await logHeads(context.logs), filePatterns(slice.section_4_1)), chosen);
  }
  if (recordTexts.length === 0) return giveUp(askFirst(clusterLines(logs), logs), chosen);
  const outcome = solve(examples, logs, recordSnippets(slice.section_1));
  if (outcome.kind === "contradiction") return giveUp(askExamples(outcome), chosen);
  if (outcome.kind === "question") {
    return giveUp(askLine(outcome.place, outcome.readings, outcome.kinds, logs), chosen);
  }
  const numbers = numberFields(examples);
  const files = logs.map(({ path }) => basename(path));
  const about = [
    `Records of ${slice.item_id}, from ${count(examples.length, "worked example")} and ${count(files.length, "log")}.`,
  ];
  return {
    kind: "draft",
    atom_a: emitAtomA(outcome.program, { about, numbers }),
    reasoning: explainKinds(outcome.kinds, chosen),
    log_summary: summarizeLogs(chosen),
    declarations: silentDeclarations("atom_a"),
    input_files: chosen.globs,
    witnesses: findWitness(
      logs.map(({ path, lines }) => {
        const records = runProgram(outcome.program, lines).map(({ line }) => line);
        return { path, lines, records: new Set(records) };
      }),
    ),
    logs: logs.map(({ real }) => real),
  };
}

async function draftLogic(
  slice: LogicSlice,
  extraction: ExtractionSummary,
  context: AuthorContext,
): Promise<LogicDraft | GivenUp> {
  const { check } = slice;
  if (check === null) return giveUp(askCheck(slice.section_2, slice.section_3), undefined);
  const globs = extraction.input_files ?? [];
  const logs = await readLogs(context);
  const question = askPattern(check, await context.records(), context.examples, logs);
  if (question !== undefined) return giveUp(question, undefined);
  return (
    draftFromCheck(slice, globs) ?? {
      kind: "draft",
      atom_b: ATOM_B,
      atom_c: ATOM_C,
      config: configFromCheck(check, { description: slice.item_id, input_files: globs }),
      reasoning: "The check block is the config; Atoms B and C are the standard ones.",
      declarations: declaredBy(check),
    }
  );
}

/** Limits of the search for patterns of a check: files, and their characters in total. */
const MAX_SEARCHED = { files: 400, chars: 64 * 2 ** 20 };

async function readLogs({ logs }: AuthorContext): Promise<{ path: string; lines: string[] }[]> {
  const texts: { path: string; lines: string[] }[] = [];
  let chars = 0;
  for (const path of (await logs.list()).paths.slice(0, MAX_SEARCHED.files)) {
    const input = chars < MAX_SEARCHED.chars ? await logs.read(path) : undefined;
    if (input === undefined) continue;
    chars += input.text.length;
    texts.push({ path, lines: input.text.split("\n") });
  }
  return texts;
}

function giveUp(question: Question, chosen: ChosenLogs | undefined): GivenUp {
  return {
    kind: "gave_up",
    ...question,
    candidates: [],
    log_summary: chosen === undefined ? "" : summarizeLogs(chosen),
    ...(chosen === undefined ? {} : { logs: chosen.logs.map(({ real }) => real) }),
  };
}

function refuseRepair({ errors, log_summary }: Pick<ReflectInput, "errors" | "log_summary">): GivenUp {
  const messages = errors.map(({ message }) => message);
  return {
    kind: "gave_up",
    reasons: ["The program derived from the examples does not pass the gates.", ...messages.slice(0, 5)],
    questions: [
      "Which record is extracted incorrectly? Add it as a worked example, or write Atom A manually.",
    ],
    candidates: [],
    log_summary,
  };
}

function askExamples({ message, examples }: Outcome & { kind: "contradiction" }): Question {
  const shown = examples.map(({ text }) => text.split("\n")[0]?.slice(0, 120)).join("; ");
  return {
    reasons: [`The examples cannot be used: ${message} (${shown}).`],
    questions: [
      "Correct the example in section 1. `atomsmith spec lint` lists texts that its log text does not contain.",
    ],
  };
}

/** Fields that an example marks as numbers. */
function numberFields(examples: readonly WorkedExample[]): string[] {
  const names = examples.flatMap(({ records }) =>
    records.flatMap(({ fields }) => [...fields].flatMap(([name, { number }]) => (number ? [name] : []))),
  );
  return [...new Set(names)];
}

const MAX_REASONS = 8;

/** Why lines were extracted or left out, with the number of lines per reason. */
function explainKinds(kinds: readonly LineKind[], { notes }: ChosenLogs): string {
  const countLines = (list: readonly LineKind[]): number =>
    list.reduce((sum, { lines }) => sum + lines.length, 0);
  const records = kinds.filter(({ verdict }) => verdict === "record");
  const others = kinds.filter(({ verdict }) => verdict === "other");
  const reasons = (list: readonly LineKind[]): string[] =>
    [...new Set(list.map(({ why }) => why))]
      .map((why) => `${countLines(list.filter((kind) => kind.why === why))} ${why}`)
      .slice(0, MAX_REASONS);
  return [
    `${countLines(records)} records: ${reasons(records).join("; ")}.`,
    ...(others.length === 0 ? [] : [`Similar lines that are not records: ${reasons(others).join("; ")}.`]),
    ...notes,
  ].join("\n");
}

function summarizeLogs({ logs, notes }: ChosenLogs): string {
  const files = logs.slice(0, 10).map(({ path, lines }) => `${path} (${lines.length} lines)`);
  const more = logs.length > files.length ? ` and ${logs.length - files.length} more` : "";
  return [`Logs read: ${files.join(", ")}${more}.`, ...notes].join(" ");
}
