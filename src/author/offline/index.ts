// The built-in author: a program from worked examples, without a model. Deterministic; asks about one line where the
// examples leave two readings. docs/offline-author.md.

import { basename } from "node:path";
import { silentDeclarations } from "../../contract/declarations.ts";
import { count } from "../../core/words.ts";
import { codeSpans } from "../../spec/blocks.ts";
import type { WorkedExample } from "../../spec/example.ts";
import type { LogicSlice, ParsingSlice } from "../../spec/types.ts";
import { configFromCheck, declaredBy, draftFromCheck } from "../check-config.ts";
import { ATOM_B, ATOM_C } from "../standard-atoms.ts";
import type { AtomADraft, Author, AuthorContext, ExtractionSummary, GivenUp, LogicDraft } from "../types.ts";
import { clusterLines } from "./logs/clusters.ts";
import type { LineKind } from "./logs/decide.ts";
import { type ChosenLogs, chooseLogs, filePatterns, logHeads } from "./logs/files.ts";
import { findWitness } from "./logs/witness.ts";
import { emitAtomA } from "./program/emit.ts";
import { runProgram } from "./program/program.ts";
import { askCheck, askPattern } from "./questions/check.ts";
import { askFirst, askLine, askLog, type Question } from "./questions/lines.ts";
import { type Outcome, solve } from "./solve.ts";

/** The offline author. It keeps nothing between items. */
export function createOfflineAuthor(): Author {
  return {
    name: "offline",
    settings: { provider: "offline" },
    agentA: async (slice, context) => withoutHints(await draftAtomA(slice, context), context),
    agentB: async (slice, _atomA, extraction, context) =>
      withoutHints(await draftLogic(slice, extraction, context), context),
    reflectA: async (_slice, input) =>
      cannotRepair(
        input.log_summary,
        input.errors.map(({ message }) => message),
      ),
    reflectB: async (_slice, input) =>
      cannotRepair(
        input.log_summary,
        input.errors.map(({ message }) => message),
      ),
    usage: () => ({ input_tokens: 0, cached_tokens: 0, output_tokens: 0, calls: 0, cost_usd: 0 }),
  };
}

/** Says of what a person wrote for a model that it was not read. */
function withoutHints<T extends AtomADraft | LogicDraft | GivenUp>(reply: T, context: AuthorContext): T {
  if (context.hints.length === 0) return reply;
  const reason =
    "The hint was not read: without a model, answers are worked examples (`--example` or `label`).";
  if (reply.kind !== "gave_up") {
    context.emit({ type: "log", level: "warning", message: reason });
    return reply;
  }
  return { ...reply, reasons: [...reply.reasons, reason] };
}

/** Short texts in backticks of section 1 that say how records are recognised: a snippet of a line, not a whole one. */
const SAID_WORDS = 3;

/** Pieces of the texts in backticks, without what an ellipsis stands for. */
export function saidTexts(section: string): string[] {
  return codeSpans(section)
    .flatMap((text) => text.split(/\.\.\.|…/))
    .map((text) => text.trim())
    .filter((text) => text.length > 2 && text.split(/\s+/).length <= SAID_WORDS && /\p{L}/u.test(text));
}

async function draftAtomA(slice: ParsingSlice, context: AuthorContext): Promise<AtomADraft | GivenUp> {
  const { examples } = slice;
  const wanted = examples.filter(({ records }) => records.length > 0).map(({ text }) => text);
  const chosen = await chooseLogs(slice.section_4_1, wanted, context.logs);
  const { logs } = chosen;
  if (logs.length === 0) {
    return givenUp(askLog(await logHeads(context.logs), filePatterns(slice.section_4_1)), chosen);
  }
  if (wanted.length === 0) return givenUp(askFirst(clusterLines(logs), logs), chosen);
  const outcome = solve(examples, logs, saidTexts(slice.section_1));
  if (outcome.kind === "contradiction") return givenUp(askExamples(outcome), chosen);
  if (outcome.kind === "question") {
    return givenUp(askLine(outcome.place, outcome.readings, outcome.kinds, logs), chosen);
  }
  const numbers = numberFields(examples);
  const files = logs.map(({ path }) => basename(path));
  const about = [
    `Records of ${slice.item_id}, from ${count(examples.length, "worked example")} and ${count(files.length, "log")}.`,
  ];
  return {
    kind: "draft",
    atom_a: emitAtomA(outcome.program, { about, numbers }),
    reasoning: reasonsOf(outcome.kinds, chosen),
    log_summary: summaryOf(chosen),
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
  if (check === null) return givenUp(askCheck(slice.section_2, slice.section_3), undefined);
  const globs = extraction.input_files ?? [];
  const logs = await readAll(context);
  const question = askPattern(check, await context.records(), context.examples, logs);
  if (question !== undefined) return givenUp(question, undefined);
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

/** Logs, and their characters in all, in which patterns of a check are looked for. */
const LOOKED = { files: 400, chars: 64 * 2 ** 20 };

async function readAll({ logs }: AuthorContext): Promise<{ path: string; lines: string[] }[]> {
  const texts: { path: string; lines: string[] }[] = [];
  let chars = 0;
  for (const path of (await logs.list()).paths.slice(0, LOOKED.files)) {
    const input = chars < LOOKED.chars ? await logs.read(path) : undefined;
    if (input === undefined) continue;
    chars += input.text.length;
    texts.push({ path, lines: input.text.split("\n") });
  }
  return texts;
}

function givenUp(question: Question, chosen: ChosenLogs | undefined): GivenUp {
  return {
    kind: "gave_up",
    ...question,
    candidates: [],
    log_summary: chosen === undefined ? "" : summaryOf(chosen),
    ...(chosen === undefined ? {} : { logs: chosen.logs.map(({ real }) => real) }),
  };
}

function cannotRepair(log_summary: string, errors: readonly string[]): GivenUp {
  return {
    kind: "gave_up",
    reasons: ["The program made from the examples does not pass the gates.", ...errors.slice(0, 5)],
    questions: ["Which record is extracted wrongly? Show it as a worked example, or write Atom A by hand."],
    candidates: [],
    log_summary,
  };
}

function askExamples({ message, examples }: Outcome & { kind: "contradiction" }): Question {
  const shown = examples.map(({ text }) => text.split("\n")[0]?.slice(0, 120)).join("; ");
  return {
    reasons: [`The examples cannot be used as they are: ${message} (${shown}).`],
    questions: ["Correct the example in section 1; `atomsmith spec lint` says what does not stand in it."],
  };
}

/** Fields that an example marks as numbers. */
function numberFields(examples: readonly WorkedExample[]): string[] {
  const names = examples.flatMap(({ records }) =>
    records.flatMap(({ fields }) => [...fields].flatMap(([name, { number }]) => (number ? [name] : []))),
  );
  return [...new Set(names)];
}

/** Kinds of lines that are named in the reasoning. */
const NAMED = 8;

/** What was taken beside lines like the examples, what was left out, and why. */
function reasonsOf(kinds: readonly LineKind[], { notes }: ChosenLogs): string {
  const count = (list: readonly LineKind[]): number => list.reduce((sum, { lines }) => sum + lines.length, 0);
  const records = kinds.filter(({ verdict }) => verdict === "record");
  const others = kinds.filter(({ verdict }) => verdict === "other");
  const told = (list: readonly LineKind[]): string[] => {
    const whys = [...new Set(list.map(({ why }) => why))];
    return whys.map((why) => `${count(list.filter((one) => one.why === why))} ${why}`).slice(0, NAMED);
  };
  return [
    `${count(records)} records: ${told(records).join("; ")}.`,
    ...(others.length === 0 ? [] : [`Lines that resemble them and are none: ${told(others).join("; ")}.`]),
    ...notes,
  ].join("\n");
}

function summaryOf({ logs, notes }: ChosenLogs): string {
  const files = logs.slice(0, 10).map(({ path, lines }) => `${path} (${lines.length} lines)`);
  const more = logs.length > files.length ? ` and ${logs.length - files.length} more` : "";
  return [`Logs read: ${files.join(", ")}${more}.`, ...notes].join(" ");
}
