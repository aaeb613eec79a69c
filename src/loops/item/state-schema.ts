// Schema of the item state in checkpoints, with the migrations of entries written by older versions. Each fact is stored
// once: views of the tool log are stage outputs, not state.
import { z } from "zod";
import { ATOM_FILES, type AtomPart } from "../../contract/atoms.ts";
import { setChangesSchema } from "../../contract/changes.ts";
import { declarationsSchema, secondLookSchema } from "../../contract/declarations.ts";
import { ERROR_SOURCES, GATE_NAMES, noGateResults } from "../../contract/gates.ts";
import { errorSource } from "../../gates/index.ts";
import { BLOCK_KINDS } from "../../spec/blocks.ts";
import { SECTION_KEYS } from "../../spec/types.ts";
import { STAGES } from "./stages.ts";

/** Incremented when a field changes its meaning; the schema then migrates older states. */
export const STATE_VERSION = 1;

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

/** Gates unknown to an older version count as not run. */
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
  /** The part to which the errors were assigned, which decides the repair stage. */
  source: errorSourceSchema,
  timestamp: z.string(),
});

/** Older versions stored one source, `logic`, for Atom B, Atom C and the config: derive the part from the errors. */
function withErrorSource(stored: unknown, key: string, errors: string): unknown {
  if (typeof stored !== "object" || stored === null || !(key in stored)) return stored;
  const entry = stored as Record<string, unknown>;
  if (entry[key] !== "logic") return stored;
  const findings = z.array(findingSchema).safeParse(entry[errors]);
  const source: StoredSource = findings.success ? errorSource(findings.data) : "unknown";
  return { ...entry, [key]: source };
}

const decisionSchema = z
  .object({
    round: z.string(),
    /** The stage whose author decided; older versions stored it as `decision`. */
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
  /** The page as it was read; empty in checkpoints of older versions. Authors get slices of it, never the whole
   * page. */
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
  /** Absent in checkpoints of older versions, which did not read blocks. */
  spec_blocks: z.array(blockSchema).default([]),
  search_root: z.string(),
  resolved_env_vars: z.record(z.string(), z.string()),

  // Snapshot of the tools: observed texts and spent quota; opaque here
  tool_quota: z.record(z.string(), z.json()).nullable(),

  // The current attempt
  atom_a_code: z.string(),
  atom_a_reasoning: z.string(),
  atom_b_code: z.string(),
  atom_c_code: z.string(),
  yaml_config: z.string(),
  atom_b_reasoning: z.string(),
  /** Shapes of the records that Atom A extracts from the observed logs; null before Agent A. */
  extraction: extractionSchema.nullable(),
  /** Field paths and types for which the logic was written; null before Agent B. */
  logic_written_for: z.string().nullable(),

  /** Declarations of the author for the current attempt. */
  declarations: declarationsSchema.default({}),
  /** Statements about extraction that go back to Agent A, once; those that must not be passed on are counted. */
  doubts: z
    .object({
      pending: z.array(z.object({ statement: z.string(), quote: z.string() })),
      dropped: z.number().int(),
      sent: z.boolean(),
    })
    .default({ pending: [], dropped: 0, sent: false }),
  /** The question about suspicions, asked once, and its answer; null before. */
  second_look: secondLookSchema.nullable().default(null),

  // Validation
  validation_errors: z.array(findingSchema),
  gate_results: gatesSchema,
  error_source: errorSourceSchema,
  /** The best attempt so far. */
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
  /** Differences from the accepted set; null before the comparison. */
  changes: setChangesSchema.nullable().default(null),

  // Control flow
  current_stage: z.enum(STAGES),
  /** Attempts that reached the gates. */
  iteration_count: z.number().int(),
  /** `iteration_count` when the user last resumed the item: the limit counts from here. */
  iteration_base: z.number().int(),
  /** Id of the previous checkpoint; empty for the first. */
  checkpoint_id: z.string(),
  /** The final stage is complete. */
  finished: z.boolean(),
  /** Hash of the author's settings and prompts at the start of the run. */
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
  /** Limits in force when review was requested, so that raising one resumes the item. */
  limits_met: z.object({ max_iterations: z.number(), max_total_read_bytes: z.number() }).nullable(),
  /** The current sources are edits of the user (`--accept-edits`): validated unchanged, never repaired. */
  edited_by_person: z.boolean(),
  /** Logs named by the author or by a config of the user: evidence in addition to the files that were read. */
  named_logs: z.array(z.string()),
  hints: z.array(z.string()),
  /** Blocks that the user added with `resume --example`, each with its fence, oldest first. */
  answers: z.array(z.string()).default([]),

  // Metadata
  created_at: z.string(),
  updated_at: z.string(),
  error_history: z.array(z.preprocess((entry) => withErrorSource(entry, "source", "errors"), attemptSchema)),

  // Memory of the author across iterations
  conversation_summary: z.string(),
  generated_code_signatures: z.record(z.string(), z.string()),
  /** Decisions of the authors with their reasons. */
  key_decisions: z.array(decisionSchema),
  /** The iterations from which the current code is derived. */
  iteration_context: z
    .object({ based_on: z.number().int(), dropped: z.array(z.number().int()) })
    .default({ based_on: 0, dropped: [] }),
});
export const itemStateSchema = z.preprocess(
  (stored) => withErrorSource(stored, "error_source", "validation_errors"),
  currentStateSchema,
);
