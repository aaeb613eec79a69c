// The author port: the interface of the pipeline to authors of atoms, which are a model or the offline author.
import type { AtomPart, AtomSources, ParsedItem } from "../contract/atoms.ts";
import type { Declarations } from "../contract/declarations.ts";
import type { GateFinding, GateReport, GateResults } from "../contract/gates.ts";
import type { Emit } from "../core/events.ts";
import type { LlmServices } from "../llm/services.ts";
import type { TurnLog } from "../llm/turns.ts";
import type { Usage } from "../llm/types.ts";
import type { ExtractionShapes } from "../runtime/summary.ts";
import type { WorkedExample } from "../spec/example.ts";
import type { LogicSlice, ParsingSlice } from "../spec/types.ts";
import type { LogFolder } from "../tools/log-folder.ts";
import type { FileTools } from "../tools/types.ts";
import type { Decision, RoundMemory } from "./memory.ts";
import type { WitnessProposal } from "./witnesses.ts";

/** What the author of the logic knows about Atom A. */
export interface ExtractionSummary extends ExtractionShapes {
  /** `AtomADraft.input_files`. Agent B does not see section 4.1, so the program writes this key of the config. */
  input_files?: string[];
  /** `AtomADraft.witnesses`, for the config; Agent B does not see them. */
  witnesses?: WitnessProposal;
}

export interface AtomADraft {
  kind: "draft";
  /** Absolute paths of logs that were read without the tools. */
  logs?: string[];
  atom_a: string;
  reasoning: string;
  /** The author's decisions and their reasons. */
  decisions?: Decision[];
  /** Summary of the logs, so that later steps do not read the same lines again. */
  log_summary: string;
  /** Declarations about the records, with quotes from the page. */
  declarations?: Declarations;
  /** Globs under the search root for the logs of the page, such as `reports/*_sta.rpt`. The pipeline writes them into
   * the config with `withInputFiles` (src/author/input-files.ts). */
  input_files?: string[];
  /** What shows that a run was complete; the pipeline writes it into the config. Absent if the author did not say. */
  witnesses?: WitnessProposal;
}

export interface LogicDraft {
  kind: "draft";
  atom_b: string;
  atom_c: string;
  config: string;
  reasoning: string;
  /** As in `AtomADraft`. */
  decisions?: Decision[];
  /** Declarations about the config, with quotes from the page. */
  declarations?: Declarations;
  /** Statements of section 4.2 about the form of records that the extraction violates; they lead to a repair of Atom A
   * (docs/contract.md, section 8). */
  extraction_doubts?: ExtractionDoubt[];
}

/** A statement about the form of records, with a quote from the page. */
export interface ExtractionDoubt {
  statement: string;
  quote: string;
}

/** Answer to the question about the config before it is accepted. */
export interface SecondLook {
  /** The corrected config; absent if the author keeps its config. */
  config?: string;
  declarations?: Declarations;
  /** The author's reason. */
  reason: string;
}

/** Answer to the question about Atom A before it is accepted. */
export interface ParsingSecondLook {
  /** The corrected Atom A; absent if the author keeps it. */
  draft?: AtomADraft;
  reason: string;
}

export interface ParsingSecondLookInput {
  sources: AtomSources;
  suspicions: GateFinding[];
}

export interface SecondLookInput {
  sources: AtomSources;
  suspicions: GateFinding[];
  declarations: Declarations;
}

/** The author cannot continue without an answer of the user. Leads to `human_required`. */
export interface GivenUp {
  kind: "gave_up";
  /** As in `AtomADraft`. */
  logs?: string[];
  reasons: string[];
  /** Questions to the user, one or two sentences each. */
  questions: string[];
  /** Log lines that the questions are about. */
  lines?: { file: string; line: number; count?: number; text: string }[];
  /** Possible answers as blocks without fences; the user pastes one of them, or completes it. */
  blocks?: { kind: "example" | "check"; content: string }[];
  /** Sources that were not accepted, best first; kept under attempt/. */
  candidates: { code: string; note: string }[];
  /** As in `AtomADraft`. */
  log_summary: string;
}

/** An earlier attempt. */
export interface AttemptRecord {
  iteration: number;
  part: "atom_a" | "logic";
  sources: AtomSources;
  gates: GateResults;
  errors: GateFinding[];
}

export interface AuthorContext {
  tools: FileTools;
  emit: Emit;
  signal: AbortSignal;
  /** End of the time of the stage, on the clock of the model services (`performance.now()`). */
  deadline: number;
  /** Answers of the user with `--hint`, oldest first. */
  hints: string[];
  item_id: string;
  iteration: number;
  /** Whole logs below the search root, for the offline author only: what it reads does not leave the machine. */
  logs: LogFolder;
  /** Worked examples of the page and of the user's answers. A model gets them with its slice. */
  examples: readonly WorkedExample[];
  /** What the current Atom A extracts from the observed logs. These values are never shown to a model. */
  records(): Promise<ParsedItem[]>;
  /** Runs the gates on a candidate of Atom A alone, for `execution.candidates` > 1. */
  judgeAtomA?: (atomA: string, declarations: Declarations) => Promise<GateReport>;
}

export interface ReflectInput {
  sources: AtomSources;
  errors: GateFinding[];
  gates: GateResults;
  /** The parts that the findings are about. */
  parts: AtomPart[];
  history: AttemptRecord[];
  log_summary: string;
  memory: RoundMemory;
}

export interface Author {
  readonly name: string;
  /** Provider, models and settings for the manifest, without secrets. */
  readonly settings: Record<string, string | number | boolean | null>;
  agentA(slice: ParsingSlice, context: AuthorContext): Promise<AtomADraft | GivenUp>;
  agentB(
    slice: LogicSlice,
    atomA: string,
    extraction: ExtractionSummary,
    context: AuthorContext,
  ): Promise<LogicDraft | GivenUp>;
  reflectA(slice: ParsingSlice, input: ReflectInput, context: AuthorContext): Promise<AtomADraft | GivenUp>;
  reflectB(
    slice: LogicSlice,
    input: ReflectInput,
    extraction: ExtractionSummary,
    context: AuthorContext,
  ): Promise<LogicDraft | GivenUp>;
  /** Asks once, with one call, about contradictions between the page and the config. The offline author does not have
   * this method. */
  secondLook?(
    slice: LogicSlice,
    input: SecondLookInput,
    extraction: ExtractionSummary,
    context: AuthorContext,
  ): Promise<SecondLook>;
  /** Asks once, with one call, about contradictions between the page and Atom A. */
  secondLookA?(
    slice: ParsingSlice,
    input: ParsingSecondLookInput,
    context: AuthorContext,
  ): Promise<ParsingSecondLook>;
  /** Total usage of the item so far. */
  usage(): Usage & { calls: number; cost_usd: number | null };
}

/** Dependencies of `createAuthor` (src/author/index.ts). */
export interface AuthorDeps {
  /** The item's turn log (see src/llm/turns.ts). */
  turns: TurnLog;
  /** From `createLlmServices` (src/llm/index.ts), shared by all items of a run. Optional if all roles are `offline`. */
  services?: LlmServices;
  /** Absolute search root; replaced by a constant in request keys, so that cassettes replay in other folders. */
  searchRoot: string;
}
