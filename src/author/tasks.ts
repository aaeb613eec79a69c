// The tasks of Agent A and Agent B: which replies are accepted, and how the program answers the others.
import type { AtomSources } from "../contract/atoms.ts";
import { type Declarations, readDeclarations } from "../contract/declarations.ts";
import { proseOf } from "../conversation/blocks.ts";
import type { Judgement, Task } from "../conversation/task-loop.ts";
import type { ToolBox } from "../conversation/tool-box.ts";
import { fingerprint } from "./code.ts";
import { AUTHOR_TASK } from "./giving-up.ts";
import type { Decision } from "./memory.ts";
import {
  findAtom,
  findConfig,
  findDeclarations,
  findWitnesses,
  MAX_SOURCE_BYTES,
  readSubmittedConfig,
  readSubmittedSource,
  type SourceReading,
} from "./reply.ts";
import { SUBMIT_A, SUBMIT_B, submitAArguments, submitBArguments } from "./submit-tools.ts";
import type { ExtractionDoubt, GivenUp } from "./types.ts";
import { type WitnessProposal, withoutProgramKeys } from "./witnesses.ts";

export interface AtomAAnswer {
  code: string;
  input_files: string[];
  log_summary: string;
  declarations: Declarations;
  decisions: Decision[];
  notes: string;
  witnesses: WitnessProposal;
}

export interface LogicAnswer {
  atom_b: string;
  atom_c: string;
  config: string;
  declarations: Declarations;
  extraction_doubts: ExtractionDoubt[];
  decisions: Decision[];
  notes: string;
}

type Statements = Pick<LogicAnswer, "declarations" | "extraction_doubts" | "decisions" | "notes">;

export const LOGIC_PARTS = ["atom_b", "atom_c", "config"] as const;
export type LogicPart = (typeof LOGIC_PARTS)[number];

/** Atom A: a source that parses, declares the function, was written after a log was read, and differs from failed ones.
 * @param hasRead has the model read any log text?
 * @param tried fingerprints of sources that failed
 * @param options.wantsWitness return an answer with neither witnesses nor a reason for their absence once
 * @param options.tools for reading logs; without them, calls are not answered */
export function atomATask(
  hasRead: () => boolean,
  tried: readonly string[],
  { wantsWitness, tools }: { wantsWitness: boolean; tools?: ToolBox },
): Task<AtomAAnswer, GivenUp> {
  const judge = (source: SourceReading, rest: Omit<AtomAAnswer, "code">): Judgement<AtomAAnswer> => {
    if (!source.ok) return judgeProblem(source, SUBMIT_A);
    const answer = { code: source.code, ...rest };
    if (!hasRead()) return { nudge: "look_first", once: answer, lastSource: source.code };
    const attempt = tried.indexOf(fingerprint(source.code));
    if (attempt >= 0)
      return { nudge: "same_answer", values: { what: nameAttempt(attempt) }, lastSource: source.code };
    const { patterns, reason } = rest.witnesses;
    if (wantsWitness && patterns.length === 0 && reason === "") {
      return { nudge: "no_witness", once: answer, lastSource: source.code };
    }
    return { done: answer };
  };
  return {
    ...AUTHOR_TASK,
    ...(tools === undefined ? {} : { tools }),
    submit: {
      tool: SUBMIT_A,
      read: (args) => {
        const { code, declarations, witnesses, no_witness_reason, ...rest } = submitAArguments.parse(args);
        const proposal = { patterns: witnesses, reason: no_witness_reason.trim() };
        return judge(readSubmittedSource("atom_a", code), {
          ...rest,
          declarations: readDeclarations(declarations),
          witnesses: proposal,
        });
      },
    },
    sourceIn: (text, args) => {
      const submitted = args === undefined ? undefined : submitAArguments.safeParse(args).data;
      const source =
        submitted === undefined ? findAtom("atom_a", text) : readSubmittedSource("atom_a", submitted.code);
      return source.ok ? source.code : undefined;
    },
    fromText: (reply) => {
      const source = findAtom("atom_a", reply);
      // A reply without code may have megabytes, which are not searched for anything else.
      if (!source.ok) return judgeProblem(source, SUBMIT_A);
      return judge(source, {
        input_files: [],
        log_summary: "",
        declarations: findDeclarations(reply),
        decisions: [],
        notes: proseOf(reply).slice(0, 2000),
        witnesses: findWitnesses(reply),
      });
    },
  };
}

/** The logic: some parts, collected over several replies.
 * @param kept sources of the other parts
 * @param tried sources that failed, newest first */
export function logicTask(
  parts: readonly LogicPart[],
  kept: AtomSources | undefined,
  tried: readonly AtomSources[],
): Task<LogicAnswer, GivenUp> {
  const collected = new Map<LogicPart, string>();
  const judge = (
    sources: ReadonlyMap<LogicPart, SourceReading>,
    rest: Statements,
  ): Judgement<LogicAnswer> => {
    let problem: Judgement<LogicAnswer> | undefined;
    for (const part of parts) {
      const source = sources.get(part);
      if (source?.ok) collected.set(part, source.code);
      else if (source && source.problem.kind !== "no_code" && source.problem.kind !== "missing_function") {
        problem ??= judgeProblem(source, SUBMIT_B);
      }
    }
    if (problem) return problem;
    const missing = parts.filter((part) => !collected.has(part));
    if (missing.length === parts.length) return { nudge: "no_code", values: { tool: SUBMIT_B } };
    if (missing.length > 0) return { nudge: "missing_parts", values: { parts: missing.join(", ") } };
    const attempt = tried.findIndex((failed) =>
      parts.every((part) => isSameSource(collected.get(part) ?? "", failed[part])),
    );
    if (attempt >= 0) {
      collected.clear();
      return { nudge: "same_answer", values: { what: nameAttempt(attempt) } };
    }
    const source = (part: LogicPart): string => collected.get(part) ?? kept?.[part] ?? "";
    return {
      done: { atom_b: source("atom_b"), atom_c: source("atom_c"), config: source("config"), ...rest },
    };
  };
  return {
    ...AUTHOR_TASK,
    submit: {
      tool: SUBMIT_B,
      read: (args) => {
        const { atom_b, atom_c, config, declarations, ...rest } = submitBArguments.parse(args);
        return judge(
          new Map<LogicPart, SourceReading>([
            ["atom_b", readSubmittedSource("atom_b", atom_b)],
            ["atom_c", readSubmittedSource("atom_c", atom_c)],
            ["config", yamlReading(readSubmittedConfig(config))],
          ]),
          { ...rest, declarations: readDeclarations(declarations) },
        );
      },
    },
    fromText: (reply) =>
      judge(
        new Map<LogicPart, SourceReading>([
          ["atom_b", findAtom("atom_b", reply)],
          ["atom_c", findAtom("atom_c", reply)],
          ["config", yamlReading(findConfig(reply))],
        ]),
        {
          declarations: findDeclarations(reply),
          extraction_doubts: [],
          decisions: [],
          notes: proseOf(reply).slice(0, 2000),
        },
      ),
  };
}

/** The phrase for the values of the nudge `same_answer`. @param index in the failed attempts, newest first */
function nameAttempt(index: number): string {
  return index === 0 ? "the one that just failed" : "an earlier attempt";
}

/** Longer reasons are truncated. */
export const MAX_REASON_CHARS = 1_000;

/** The corrected config, or the reason to keep it. */
export function secondLookTask(): SecondLook<LogicAnswer> {
  return orKeep(logicTask(["config"], undefined, []));
}

/** The corrected Atom A, or the reason to keep it. */
export function parsingSecondLookTask(): SecondLook<AtomAAnswer> {
  return orKeep(atomATask(() => true, [], { wantsWitness: false }));
}

type SecondLook<T> = Task<T | { kept: string }, { kept: string }>;

/** The task with any other reply, and any end without an answer, as the reason to keep the current source. */
function orKeep<T>({ submit, fromText, giveUp, leave, ...task }: Task<T, GivenUp>): SecondLook<T> {
  const answerOr = (judgement: Judgement<T>, text: string): Judgement<T | { kept: string }> =>
    "done" in judgement ? judgement : { done: keep(text) };
  return {
    ...task,
    ...(submit && {
      submit: { ...submit, read: (args) => answerOr(submit.read(args), String(args["notes"] ?? "")) },
    }),
    ...(leave && {
      leave: { ...leave, read: (args, stopped) => keep(leave.read(args, stopped).reasons.join(" ")) },
    }),
    fromText: (reply) => answerOr(fromText(reply), proseOf(reply)),
    giveUp: (stopped) => keep(giveUp(stopped).reasons.join(" ")),
  };
}

function keep(text: string): { kept: string } {
  return {
    kept: text.trim().slice(0, MAX_REASON_CHARS) || "the reply could not be used; nothing was changed",
  };
}

function yamlReading(yaml: string | undefined): SourceReading {
  return yaml === undefined ? { ok: false, problem: { kind: "no_code" } } : { ok: true, code: yaml };
}

/** Are two sources or configs equal except for comments, white space, and the keys that the program writes? */
export function isSameSource(a: string, b: string): boolean {
  const normalize = (text: string): string => fingerprint(withoutProgramKeys(text).replace(/^\s*#.*$/gm, ""));
  return normalize(a) === normalize(b);
}

function judgeProblem({ problem }: SourceReading & { ok: false }, tool: string): Judgement<never> {
  switch (problem.kind) {
    case "no_code":
      return { nudge: "no_code", values: { tool } };
    case "broken_code":
      return { nudge: "broken_code", values: { problem: problem.problem }, lastSource: problem.source };
    case "missing_function":
      return { nudge: "missing_function", values: { name: problem.name }, lastSource: problem.source };
    case "too_long":
      return {
        nudge: "too_long",
        values: { bytes: problem.bytes, limit: MAX_SOURCE_BYTES },
        lastSource: problem.source,
      };
  }
}
