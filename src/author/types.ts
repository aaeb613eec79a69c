// The author port: what the pipeline needs of an author of atoms, a model or the offline author.
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

/** What the logic author learns of Atom A. */
export interface ExtractionSummary extends ExtractionShapes {
  /** `AtomADraft.input_files`, handed on by the pipeline: section 4.1 says where the data is and Agent B never sees
   * it, so the program and not the model writes this key of the config. */
  input_files?: string[];
  /** `AtomADraft.witnesses`, kept for the config; Agent B is not shown them. */
  witnesses?: WitnessProposal;
}

export interface AtomADraft {
  kind: "draft";
  /** Logs that were read whole, absolute: evidence beside what the tools showed. */
  logs?: string[];
  atom_a: string;
  reasoning: string;
  /** What it decided and why, in its own words. */
  decisions?: Decision[];
  /** A few sentences of what was seen in the logs, so that the same lines are not read twice. */
  log_summary: string;
  /** What it declares of the records, with quotes from the page. */
  declarations?: Declarations;
  /** Globs under the search root for the logs the page means, e.g. `reports/*_sta.rpt`. The pipeline hands them to
   * Agent B in the extraction summary, and after a repair of Atom A puts them into the config with
   * `withInputFiles` (src/author/input-files.ts). */
  input_files?: string[];
  /** What shows that a run was complete; the pipeline writes it into the config. Absent: nothing is said about it. */
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
  /** What it declares of the config, with quotes from the page. */
  declarations?: Declarations;
  /** What section 4.2 says of the form of records and Atom A gets wrong: the way back. Contract, section 8. */
  extraction_doubts?: ExtractionDoubt[];
}

/** A statement about the form of records, with the text of the page that says so. */
export interface ExtractionDoubt {
  statement: string;
  quote: string;
}

/** What an author says when it is asked once more before its work is accepted. */
export interface SecondLook {
  /** The corrected config; absent: the author keeps its config. */
  config?: string;
  declarations?: Declarations;
  /** Why, in the author's words. */
  reason: string;
}

/** The same of the author of Atom A. */
export interface ParsingSecondLook {
  /** Atom A as it is corrected; absent: the author keeps it. */
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

/** The author does not know, and says what it would need. Leads to `human_required`. */
export interface GivenUp {
  kind: "gave_up";
  /** As in `AtomADraft`. */
  logs?: string[];
  reasons: string[];
  /** Exact questions to the person, one sentence or two each. */
  questions: string[];
  /** Log lines that the questions are about. */
  lines?: { file: string; line: number; count?: number; text: string }[];
  /** Blocks of which the person pastes the right one, or fills one in: without their fences. */
  blocks?: { kind: "example" | "check"; content: string }[];
  /** What it would have tried, best first; kept under attempt/. */
  candidates: { code: string; note: string }[];
  /** Files the author looked at, absolute. */
  log_summary: string;
}

/** One earlier attempt, as the reflect step sees it. */
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
  /** When the time of the stage ends, on the clock of the model services (`performance.now()`). */
  deadline: number;
  /** Answers a person gave with `--hint`, oldest first. */
  hints: string[];
  item_id: string;
  iteration: number;
  /** Whole logs below the search root, for authors that are programs: nothing they read leaves the machine. */
  logs: LogFolder;
  /** Worked examples of the page and of a person's answers. A model gets them with its slice. */
  examples: readonly WorkedExample[];
  /** What the Atom A under work extracts from the observed logs. No model is shown these values. */
  records(): Promise<ParsedItem[]>;
  /** Gates on one candidate of Atom A alone, for `execution.candidates` > 1. Without it only one is asked for. */
  judgeAtomA?: (atomA: string, declarations: Declarations) => Promise<GateReport>;
}

export interface ReflectInput {
  sources: AtomSources;
  errors: GateFinding[];
  gates: GateResults;
  /** The parts the gates found at fault. */
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
  /** Is asked once, and with one call, about what words of the page seem to say against the config. An author that
   * cannot be asked has no such method. */
  secondLook?(
    slice: LogicSlice,
    input: SecondLookInput,
    extraction: ExtractionSummary,
    context: AuthorContext,
  ): Promise<SecondLook>;
  /** The same about Atom A, with one call. */
  secondLookA?(
    slice: ParsingSlice,
    input: ParsingSecondLookInput,
    context: AuthorContext,
  ): Promise<ParsingSecondLook>;
  /** What was spent so far for this item. */
  usage(): Usage & { calls: number; cost_usd: number | null };
}

/** What `createAuthor(config, deps)` (src/author/index.ts) needs beside the configuration. One author per item. */
export interface AuthorDeps {
  /** The item's turn log (see src/llm/turns.ts). */
  turns: TurnLog;
  /** Shared by all items of a run: limiters, budget, cassettes. From `createLlmServices` (src/llm/index.ts);
   * undefined is allowed when every role is `offline`. */
  services?: LlmServices;
  /** Absolute search root; replaced by a constant in request keys, so that cassettes replay elsewhere. */
  searchRoot: string;
}
