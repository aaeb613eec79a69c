// What counts as an answer of Agent A and of Agent B, and what is said about one that does not.
import type { AtomSources } from "../contract/atoms.ts";
import { type Declarations, readDeclarations } from "../contract/declarations.ts";
import { proseOf } from "../conversation/blocks.ts";
import type { Judgement, Task } from "../conversation/task-loop.ts";
import type { ToolBox } from "../conversation/tool-box.ts";
import { fingerprint } from "./code.ts";
import { AUTHOR_TASK } from "./giving-up.ts";
import type { Decision } from "./memory.ts";
import {
  configFrom,
  type Found,
  findAtom,
  findConfig,
  findDeclarations,
  findWitnesses,
  sourceFor,
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

type Said = Pick<LogicAnswer, "declarations" | "extraction_doubts" | "decisions" | "notes">;

export const LOGIC_PARTS = ["atom_b", "atom_c", "config"] as const;
export type LogicPart = (typeof LOGIC_PARTS)[number];

/** Atom A: one source that parses and declares the function, written after a log was looked at, and none of the
 * `tried` ones again.
 * @param looked has any log text been shown yet?
 * @param tried fingerprints of sources that failed
 * @param options.wantsWitness is an answer without witnesses, and without a reason for that, sent back once?
 * @param options.tools those that read logs; without them no call is answered any more */
export function atomATask(
  looked: () => boolean,
  tried: readonly string[],
  { wantsWitness, tools }: { wantsWitness: boolean; tools?: ToolBox },
): Task<AtomAAnswer, GivenUp> {
  const judge = (found: Found, rest: Omit<AtomAAnswer, "code">): Judgement<AtomAAnswer> => {
    if (!found.ok) return problemOf(found, SUBMIT_A);
    const answer = { code: found.code, ...rest };
    if (!looked()) return { nudge: "look_first", once: answer, lastSource: found.code };
    const same = tried.indexOf(fingerprint(found.code));
    if (same >= 0) {
      const what = same === 0 ? "the one that just failed" : "an earlier attempt";
      return { nudge: "same_answer", values: { what }, lastSource: found.code };
    }
    const { patterns, reason } = rest.witnesses;
    if (wantsWitness && patterns.length === 0 && reason === "") {
      return { nudge: "no_witness", once: answer, lastSource: found.code };
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
        return judge(sourceFor("atom_a", code), {
          ...rest,
          declarations: readDeclarations(declarations),
          witnesses: proposal,
        });
      },
    },
    sourceIn: (text, args) => {
      const handedIn = args === undefined ? undefined : submitAArguments.safeParse(args).data;
      const found = handedIn === undefined ? findAtom("atom_a", text) : sourceFor("atom_a", handedIn.code);
      return found.ok ? found.code : undefined;
    },
    fromText: (reply) => {
      const found = findAtom("atom_a", reply);
      // A reply may be megabytes of no use: nothing else is looked for in it.
      if (!found.ok) return problemOf(found, SUBMIT_A);
      return judge(found, {
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

/** The logic: the parts asked for, collected over as many replies as it takes; the other parts are kept.
 * @param kept sources of the parts that are not asked for
 * @param tried sources that failed, newest first */
export function logicTask(
  parts: readonly LogicPart[],
  kept: AtomSources | undefined,
  tried: readonly AtomSources[],
): Task<LogicAnswer, GivenUp> {
  const have = new Map<LogicPart, string>();
  const judge = (found: Map<LogicPart, Found>, rest: Said): Judgement<LogicAnswer> => {
    let problem: Judgement<LogicAnswer> | undefined;
    for (const part of parts) {
      const result = found.get(part);
      if (result?.ok) have.set(part, result.code);
      else if (result && result.problem.kind !== "no_code" && result.problem.kind !== "missing_function") {
        problem ??= problemOf(result, SUBMIT_B);
      }
    }
    if (problem) return problem;
    const missing = parts.filter((part) => !have.has(part));
    if (missing.length === parts.length) return { nudge: "no_code", values: { tool: SUBMIT_B } };
    if (missing.length > 0) return { nudge: "missing_parts", values: { parts: missing.join(", ") } };
    const same = tried.findIndex((sources) => parts.every((part) => equal(have.get(part), sources[part])));
    if (same >= 0) {
      const what = same === 0 ? "the one that just failed" : "an earlier attempt";
      have.clear();
      return { nudge: "same_answer", values: { what } };
    }
    const part = (name: LogicPart): string => have.get(name) ?? kept?.[name] ?? "";
    return {
      done: { atom_b: part("atom_b"), atom_c: part("atom_c"), config: part("config"), ...rest },
    };
  };
  return {
    ...AUTHOR_TASK,
    submit: {
      tool: SUBMIT_B,
      read: (args) => {
        const { atom_b, atom_c, config, declarations, ...rest } = submitBArguments.parse(args);
        const yaml = configFrom(config);
        return judge(
          new Map<LogicPart, Found>([
            ["atom_b", sourceFor("atom_b", atom_b)],
            ["atom_c", sourceFor("atom_c", atom_c)],
            ["config", yamlFound(yaml)],
          ]),
          { ...rest, declarations: readDeclarations(declarations) },
        );
      },
    },
    fromText: (reply) =>
      judge(
        new Map<LogicPart, Found>([
          ["atom_b", findAtom("atom_b", reply)],
          ["atom_c", findAtom("atom_c", reply)],
          ["config", yamlFound(findConfig(reply))],
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

/** Characters of a reason that are kept. */
export const MAX_REASON_CHARS = 1_000;

/** The config once more, or words: whatever is no config keeps the one there is. */
export function secondLookTask(): SecondLook<LogicAnswer> {
  return orKept(logicTask(["config"], undefined, []));
}

/** Atom A once more, or words: whatever is no source keeps the one there is. */
export function parsingSecondLookTask(): SecondLook<AtomAAnswer> {
  return orKept(atomATask(() => true, [], { wantsWitness: false }));
}

type SecondLook<T> = Task<T | { kept: string }, { kept: string }>;

/** A task of which every reply that is no answer, and every end without one, is the reason to keep what there is. */
function orKept<T>({ submit, fromText, giveUp, leave, ...task }: Task<T, GivenUp>): SecondLook<T> {
  const orWords = (judged: Judgement<T>, text: string): Judgement<T | { kept: string }> =>
    "done" in judged ? judged : { done: keptBecause(text) };
  return {
    ...task,
    ...(submit && {
      submit: { ...submit, read: (args) => orWords(submit.read(args), String(args["notes"] ?? "")) },
    }),
    ...(leave && {
      leave: { ...leave, read: (args, stopped) => keptBecause(leave.read(args, stopped).reasons.join(" ")) },
    }),
    fromText: (reply) => orWords(fromText(reply), proseOf(reply)),
    giveUp: (stopped) => keptBecause(giveUp(stopped).reasons.join(" ")),
  };
}

function keptBecause(text: string): { kept: string } {
  return {
    kept: text.trim().slice(0, MAX_REASON_CHARS) || "the reply could not be used; nothing was changed",
  };
}

function yamlFound(yaml: string | undefined): Found {
  return yaml === undefined ? { ok: false, problem: { kind: "no_code" } } : { ok: true, code: yaml };
}

/** The config may come back with the keys that the program fills in or without: that is no difference, and neither
 * are comments. */
export function sameConfig(a: string, b: string): boolean {
  return equal(a, b);
}

function equal(a: string | undefined, b: string): boolean {
  const plain = (text: string): string => fingerprint(withoutProgramKeys(text).replace(/^\s*#.*$/gm, ""));
  return a !== undefined && plain(a) === plain(b);
}

function problemOf(found: Found & { ok: false }, tool: string): Judgement<never> {
  const { problem } = found;
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
        values: { bytes: problem.bytes, limit: 256 * 1024 },
        lastSource: problem.source,
      };
  }
}
