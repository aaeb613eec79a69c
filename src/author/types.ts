// The author port: whoever writes atoms, a model or the offline synthesiser, looks like this to the pipeline.
import type { AtomPart, AtomSources } from "../contract/atoms.ts";
import type { GateFinding, GateResults } from "../contract/gates.ts";
import type { Emit } from "../core/events.ts";
import type { Usage } from "../llm/types.ts";
import type { LogicSlice, ParsingSlice } from "../spec/types.ts";
import type { FileTools } from "../tools/types.ts";

/** What Atom A really extracts on the observed logs: shapes and names, no values that would leak policy. */
export interface ExtractionSummary {
  records: number;
  files: number;
  /** Dotted paths of parsed_fields with the JSON types seen, e.g. `{ "slack": ["string"] }`. */
  fields: Record<string, string[]>;
  /** Shape of values, digits as 9 and letters as a, most frequent first, at most a handful. */
  value_shapes: string[];
}

export interface AtomADraft {
  kind: "draft";
  atom_a: string;
  reasoning: string;
  /** A few sentences of what was seen in the logs, so that nobody reads the same lines twice. */
  log_summary: string;
}

export interface LogicDraft {
  kind: "draft";
  atom_b: string;
  atom_c: string;
  config: string;
  reasoning: string;
}

/** The author does not know, and says what it would need. Leads to `human_required`. */
export interface GivenUp {
  kind: "gave_up";
  reasons: string[];
  /** Exact questions to the person. */
  questions: string[];
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
  /** Answers a person gave with `--hint`, oldest first. */
  hints: string[];
  item_id: string;
  iteration: number;
}

export interface ReflectInput {
  sources: AtomSources;
  errors: GateFinding[];
  gates: GateResults;
  /** The parts the gates found at fault. */
  parts: AtomPart[];
  history: AttemptRecord[];
  log_summary: string;
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
  /** What was spent so far for this item. */
  usage(): Usage & { calls: number; cost_usd: number | null };
}
