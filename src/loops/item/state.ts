// What is known of an item while its atoms are made. Written into every checkpoint and checked with this schema when it
// is read back. Each fact stands once: views of the tool log are outputs of a stage, not state.
import { z } from "zod";
import { signaturesOf } from "../../author/memory.ts";
import { ATOM_FILES, type AtomPart, type AtomSources } from "../../contract/atoms.ts";
import { setChangesSchema } from "../../contract/changes.ts";
import { declarationsSchema, secondLookSchema } from "../../contract/declarations.ts";
import { ERROR_SOURCES, GATE_NAMES, noGateResults } from "../../contract/gates.ts";
import { AtomsmithError } from "../../core/errors.ts";
import { errorSource } from "../../gates/index.ts";
import { BLOCK_KINDS } from "../../spec/blocks.ts";
import { SECTION_KEYS } from "../../spec/types.ts";

/** Raised when a field changes its meaning; `readState` then knows how to lift older ones. */
export const STATE_VERSION = 1;

export const STAGES = [
  "load_spec",
  "preprocess",
  "agent_a",
  "agent_b",
  "validate",
  "second_look",
  "reflect_a",
  "reflect_b",
  "done",
  "human_required",
] as const;
export type Stage = (typeof STAGES)[number];
/** Stages after which nothing runs unless a person says so. */
export const FINAL_STAGES: readonly Stage[] = ["done", "human_required"];
/** Stages that a person may start at. */
export const RUNNABLE_STAGES: readonly Stage[] = STAGES.filter((stage) => !FINAL_STAGES.includes(stage));

const sourcesSchema = z.object({
  atom_a: z.string(),
  atom_b: z.string(),
  atom_c: z.string(),
  config: z.string(),
});

const findingSchema = z.object({
  gate: z.enum(GATE_NAMES),
  atom: z.enum(Object.keys(ATOM_FILES) as [AtomPart, ...AtomPart[]]),
  code: z.string(),
  message: z.string(),
  line: z.number().exactOptional(),
  example: z.string().exactOptional(),
});

/** A gate that an older program did not have was not run. */
const gatesSchema = z
  .partialRecord(z.enum(GATE_NAMES), z.boolean().nullable())
  .transform((gates) => ({ ...noGateResults(), ...gates }));

const reportSchema = z.object({
  valid: z.boolean(),
  gates: gatesSchema,
  errors: z.array(findingSchema),
  warnings: z.array(findingSchema),
  suspicions: z.array(findingSchema).default([]),
  facts: z.object({
    line_local: z.boolean().nullable(),
    line_local_evidence: z.string().exactOptional(),
    records_by_file: z.record(z.string(), z.number()),
    pattern_matches: z.record(z.string(), z.number()),
    seed: z.number(),
  }),
  duration_ms: z.number(),
});

const sectionSchema = z.object({
  key: z.enum(SECTION_KEYS),
  heading: z.string(),
  line: z.number(),
  text: z.string(),
});

const blockSchema = z.object({
  kind: z.enum(BLOCK_KINDS),
  content: z.string(),
  line: z.number(),
  section: z.enum(SECTION_KEYS).nullable(),
});

const extractionSchema = z.object({
  records: z.number(),
  files: z.number(),
  fields: z.record(z.string(), z.array(z.string())),
  value_shapes: z.array(z.string()),
  input_files: z.array(z.string()).exactOptional(),
  witnesses: z.object({ patterns: z.array(z.string()), reason: z.string() }).exactOptional(),
});

const errorSourceSchema = z.enum([...ERROR_SOURCES, "none"]);
type StoredSource = z.infer<typeof errorSourceSchema>;

const attemptSchema = z.object({
  iteration: z.number().int(),
  part: z.enum(["atom_a", "logic"]),
  sources: sourcesSchema,
  gates: gatesSchema,
  errors: z.array(findingSchema),
  /** What the errors were traced to, and so where the repair went. */
  source: errorSourceSchema,
  timestamp: z.string(),
});

/** Checkpoints of older programs wrote one source for Atom B, Atom C and the config: the errors tell which it is. */
function withErrorSource(stored: unknown, key: string, errors: string): unknown {
  if (typeof stored !== "object" || stored === null || !(key in stored)) return stored;
  const entry = stored as Record<string, unknown>;
  if (entry[key] !== "logic") return stored;
  const found = z.array(findingSchema).safeParse(entry[errors]);
  const source: StoredSource = found.success ? errorSource(found.data) : "unknown";
  return { ...entry, [key]: source };
}

const decisionSchema = z
  .object({
    round: z.string(),
    /** The stage whose author decided; older programs wrote it in the place of the decision. */
    stage: z.string().optional(),
    decision: z.string(),
    reason: z.string(),
  })
  .transform(({ round, stage, decision, reason }) =>
    stage === undefined
      ? { round, stage: decision, decision: reason, reason: "" }
      : { round, stage, decision, reason },
  );

const currentStateSchema = z.object({
  version: z.literal(STATE_VERSION),

  // Input
  item_id: z.string(),
  item_spec_path: z.string(),
  item_spec_sha256: z.string(),
  /** The page as it was read; empty in checkpoints of older programs. Authors get slices of it, never the whole. */
  item_spec_content: z.string().default(""),
  spec_title: z.string(),
  spec_headings: z.array(
    z.object({
      depth: z.number(),
      text: z.string(),
      line: z.number(),
      key: z.enum([...SECTION_KEYS, "4"]).exactOptional(),
    }),
  ),
  spec_warnings: z.array(z.string()),
  spec_sections: z.record(z.string(), sectionSchema),
  /** Absent in checkpoints of older programs, which read no blocks. */
  spec_blocks: z.array(blockSchema).default([]),
  search_root: z.string(),
  resolved_env_vars: z.record(z.string(), z.string()),

  // What the tools showed, with the quota spent so far; opaque here, restored by the tools themselves
  tool_quota: z.record(z.string(), z.json()).nullable(),

  // The attempt under work
  atom_a_code: z.string(),
  atom_a_reasoning: z.string(),
  atom_b_code: z.string(),
  atom_c_code: z.string(),
  yaml_config: z.string(),
  atom_b_reasoning: z.string(),
  /** What Atom A extracts from the observed logs, in shapes; null before Agent A. */
  extraction: extractionSchema.nullable(),
  /** Field paths and types that the logic was written against; null before Agent B. */
  logic_written_for: z.string().nullable(),

  /** What the author declares with the attempt under work. */
  declarations: declarationsSchema.default({}),
  /** Statements about extraction that go back to Agent A, once; those that must not travel are counted. */
  doubts: z
    .object({
      pending: z.array(z.object({ statement: z.string(), quote: z.string() })),
      dropped: z.number().int(),
      sent: z.boolean(),
    })
    .default({ pending: [], dropped: 0, sent: false }),
  /** The one question about what words of the page seem to say, and its answer; null before it was put. */
  second_look: secondLookSchema.nullable().default(null),

  // Validation
  validation_errors: z.array(findingSchema),
  gate_results: gatesSchema,
  error_source: errorSourceSchema,
  /** The best attempt so far; a worse one never replaces it. */
  best: z
    .object({
      iteration: z.number().int(),
      sources: sourcesSchema,
      declarations: declarationsSchema.default({}),
      extraction: extractionSchema.nullable(),
      report: reportSchema,
    })
    .nullable(),
  gate_seed: z.number().int(),
  /** Hash of the logs that the gates last ran on; null before. */
  gated_on: z.string().nullable().default(null),
  /** What accepting the attempt changes, or changed; null before that. */
  changes: setChangesSchema.nullable().default(null),

  // Control flow
  current_stage: z.enum(STAGES),
  /** Attempts that reached the gates. */
  iteration_count: z.number().int(),
  /** `iteration_count` when the user last resumed the item: the limit counts from here. */
  iteration_base: z.number().int(),
  /** Id of the checkpoint that this state follows; empty for the first. */
  checkpoint_id: z.string(),
  /** The final stage has written everything; nothing is left to run. */
  finished: z.boolean(),
  /** Hash of the author's settings and prompts that this run began with. */
  made_with: z.string(),
  given_up: z
    .object({
      stage: z.enum(STAGES),
      reasons: z.array(z.string()),
      questions: z.array(z.string()),
      lines: z
        .array(
          z.object({ file: z.string(), line: z.number(), count: z.number().optional(), text: z.string() }),
        )
        .default([]),
      blocks: z.array(z.object({ kind: z.enum(["example", "check"]), content: z.string() })).default([]),
      candidates: z.array(z.object({ code: z.string(), note: z.string() })),
    })
    .nullable(),
  /** Why the item needs review; null otherwise. */
  human_reason: z.enum(["gave_up", "iterations", "no_evidence", "edits_rejected"]).nullable(),
  /** Limits in force when a person was asked, so that raising one resumes the item. */
  limits_met: z.object({ max_iterations: z.number(), max_total_read_bytes: z.number() }).nullable(),
  /** The sources under work are a person's edits (`--accept-edits`): gated as they are, never repaired. */
  edited_by_person: z.boolean(),
  /** Logs that a person's config names: evidence beside what the author read. */
  named_logs: z.array(z.string()),
  hints: z.array(z.string()),
  /** Blocks that a person added with `resume --example`, each with its fence, oldest first. */
  answers: z.array(z.string()).default([]),

  // Metadata
  created_at: z.string(),
  updated_at: z.string(),
  error_history: z.array(z.preprocess((entry) => withErrorSource(entry, "source", "errors"), attemptSchema)),

  // Kept for the author across iterations
  conversation_summary: z.string(),
  generated_code_signatures: z.record(z.string(), z.string()),
  /** What authors decided and why, in their own words. */
  key_decisions: z.array(decisionSchema),
  /** Where the code under work comes from. */
  iteration_context: z
    .object({ based_on: z.number().int(), dropped: z.array(z.number().int()) })
    .default({ based_on: 0, dropped: [] }),
});
const itemStateSchema = z.preprocess(
  (stored) => withErrorSource(stored, "error_source", "validation_errors"),
  currentStateSchema,
);
export type ItemState = z.infer<typeof itemStateSchema>;
export type AttemptEntry = ItemState["error_history"][number];

/** State before the first stage. `now` is ISO text; `seed` decides the generated tests of the gates. */
export function initialState(input: {
  itemId: string;
  specPath: string;
  specSha256: string;
  searchRoot: string;
  seed: number;
  hints: string[];
  answers: string[];
  settingsHash: string;
  now: string;
}): ItemState {
  return {
    version: STATE_VERSION,
    item_id: input.itemId,
    item_spec_path: input.specPath,
    item_spec_sha256: input.specSha256,
    item_spec_content: "",
    spec_title: "",
    spec_headings: [],
    spec_warnings: [],
    spec_sections: {},
    spec_blocks: [],
    search_root: input.searchRoot,
    resolved_env_vars: {},
    tool_quota: null,
    atom_a_code: "",
    atom_a_reasoning: "",
    atom_b_code: "",
    atom_c_code: "",
    yaml_config: "",
    atom_b_reasoning: "",
    extraction: null,
    logic_written_for: null,
    declarations: {},
    doubts: { pending: [], dropped: 0, sent: false },
    second_look: null,
    validation_errors: [],
    gate_results: noGateResults(),
    error_source: "none",
    best: null,
    gate_seed: input.seed,
    gated_on: null,
    changes: null,
    current_stage: "load_spec",
    iteration_count: 0,
    iteration_base: 0,
    checkpoint_id: "",
    finished: false,
    made_with: input.settingsHash,
    given_up: null,
    human_reason: null,
    limits_met: null,
    edited_by_person: false,
    named_logs: [],
    hints: input.hints,
    answers: input.answers,
    created_at: input.now,
    updated_at: input.now,
    error_history: [],
    conversation_summary: "",
    generated_code_signatures: {},
    key_decisions: [],
    iteration_context: { based_on: 0, dropped: [] },
  };
}

/** State from a checkpoint. Throws kind `store` when it is not one this program can continue. */
export function readState(stored: unknown, where: string): ItemState {
  const parsed = itemStateSchema.safeParse(stored);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new AtomsmithError(
    "store",
    `the checkpoint of ${where} cannot be continued: ${issue?.path.join(".")}: ${issue?.message}`,
    { where, hint: "start it again with: atomsmith generate ITEM.md --force" },
  );
}

/** The four sources of the attempt under work. */
export function sourcesOf(state: ItemState): AtomSources {
  return {
    atom_a: state.atom_a_code,
    atom_b: state.atom_b_code,
    atom_c: state.atom_c_code,
    config: state.yaml_config,
  };
}

/** The state with other sources under work. */
export function withSources(state: ItemState, sources: AtomSources): ItemState {
  return {
    ...state,
    atom_a_code: sources.atom_a,
    atom_b_code: sources.atom_b,
    atom_c_code: sources.atom_c,
    yaml_config: sources.config,
    generated_code_signatures: {
      ...signaturesOf(sources.atom_a),
      ...signaturesOf(sources.atom_b),
      ...signaturesOf(sources.atom_c),
    },
  };
}

/** Number of the attempt that an author stage works on, from 1. */
export function attemptNumber(state: ItemState): number {
  return state.iteration_count + 1;
}

/** Where the errors of the attempt under work are repaired: by the gate that found them, unknown ones in
 * Atom A. Undefined when there are none. */
export function repairStage(state: ItemState): "reflect_a" | "reflect_b" | undefined {
  if (state.error_source === "none") return undefined;
  return state.error_source === "atom_a" || state.error_source === "unknown" ? "reflect_a" : "reflect_b";
}

/** Field paths of the records and their types, as a text that is equal when the shape is. */
export function shapeOf(extraction: ItemState["extraction"]): string | null {
  return extraction === null ? null : JSON.stringify(Object.entries(extraction.fields).sort());
}

/** Shape of what Atom A extracts now. */
export function recordShape(state: ItemState): string | null {
  return shapeOf(state.extraction);
}
