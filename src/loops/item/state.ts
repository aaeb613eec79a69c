// State of an item while its atoms are created: initial state, state of a checkpoint, derived values.
import type { z } from "zod";
import { signaturesOf } from "../../author/memory.ts";
import type { AtomSources } from "../../contract/atoms.ts";
import { noGateResults } from "../../contract/gates.ts";
import { AtomsmithError } from "../../core/errors.ts";
import { itemStateSchema, STATE_VERSION } from "./state-schema.ts";

export type ItemState = z.infer<typeof itemStateSchema>;
export type AttemptEntry = ItemState["error_history"][number];

/** State before the first stage. `now` is an ISO 8601 time; `seed` determines the tests that the gates generate. */
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

/** Reads the state of a checkpoint. Throws kind `store` when it does not fit the schema. */
export function readState(stored: unknown, where: string): ItemState {
  const parsed = itemStateSchema.safeParse(stored);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new AtomsmithError(
    "store",
    `the checkpoint of ${where} cannot be resumed: ${issue?.path.join(".")}: ${issue?.message}`,
    { where, hint: "start it again with: atomsmith generate ITEM.md --force" },
  );
}

/** The four sources of the current attempt. */
export function sourcesOf(state: ItemState): AtomSources {
  return {
    atom_a: state.atom_a_code,
    atom_b: state.atom_b_code,
    atom_c: state.atom_c_code,
    config: state.yaml_config,
  };
}

/** The state with other sources as the current attempt. */
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

/** The stage that repairs the errors of the current attempt; errors of an unknown part go to Atom A. Undefined when
 * there are none. */
export function repairStage(state: ItemState): "reflect_a" | "reflect_b" | undefined {
  if (state.error_source === "none") return undefined;
  return state.error_source === "atom_a" || state.error_source === "unknown" ? "reflect_a" : "reflect_b";
}

/** Canonical text of the field paths and types of the records: equal if and only if the shapes are equal. */
export function shapeOf(extraction: ItemState["extraction"]): string | null {
  return extraction === null ? null : JSON.stringify(Object.entries(extraction.fields).sort());
}

/** Shape of the records of the current Atom A. */
export function recordShape(state: ItemState): string | null {
  return shapeOf(state.extraction);
}
