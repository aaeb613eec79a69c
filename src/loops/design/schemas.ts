// Schemas of the documents of a design project and of the output of its commands, used to parse them and printed by
// `schema NAME`. Documents are open: unknown keys of a newer program are allowed.
import { z } from "zod";

export const patchIdSchema = z.string().regex(/^\d{4,}$/);
const json = z.json();

/** `project.json`. */
export const projectSchema = z.looseObject({
  schema: z.literal(1),
  name: z.string(),
  /** `checklist`, or the name of the pipeline file's copy in the project folder. */
  pipeline: z.string(),
  /** Original folder of the pipeline file, the base of relative commands. Relative if it is inside the project. */
  pipeline_dir: z.string().optional(),
  created_at: z.string(),
});
export type Project = z.infer<typeof projectSchema>;

export const operationSchema = z.object({
  op: z.enum(["add", "remove", "replace", "move", "copy", "test"]),
  path: z.string(),
  value: json.optional(),
  from: z.string().optional(),
});
export type Operation = z.infer<typeof operationSchema>;

/** `spec_history/0007.json`. */
export const versionSchema = z.looseObject({
  version: z.int().min(1),
  hash: z.string(),
  spec: json,
  /** null: the first spec, a manual edit, or an undo. */
  patch_id: patchIdSchema.nullable(),
  created_at: z.string(),
  created_by: z.string(),
  /** The patch that this version undoes. */
  undoes: patchIdSchema.optional(),
});
export type Version = z.infer<typeof versionSchema>;

const outcome = z.enum(["pass", "fail", "error"]).nullable();
export const verdictChangeSchema = z.looseObject({
  item: z.string(),
  title: z.string(),
  /** null: not judged (no extraction, disabled, or removed). */
  before: outcome,
  after: outcome,
  /** Violations that the patch adds and removes, one line each. */
  appeared: z.array(z.string()),
  disappeared: z.array(z.string()),
  /** Why `after` is null, or another note. */
  note: z.string(),
});
export type VerdictChange = z.infer<typeof verdictChangeSchema>;

export const patchFileSchema = z.looseObject({
  patch_id: patchIdSchema,
  status: z.enum(["proposed", "approved", "rejected", "failed"]),
  patches: z.array(operationSchema),
  explanation: z.string(),
  base_hash: z.string(),
  turn: z.int(),
  decided_at: z.string().nullable(),
  reason: z.string().nullable(),
  decided_by: z.string().nullable(),
  judged_anew: z.array(z.string()),
  verdicts: z.array(verdictChangeSchema),
});
export type PatchFile = z.infer<typeof patchFileSchema>;

export const STATES = [
  "IDLE",
  "PROCESSING",
  "WAITING_PATCH_APPROVAL",
  "WAITING_RUN_APPROVAL",
  "RUNNING",
  "ERROR",
] as const;

export const pendingRunSchema = z.looseObject({
  run_until: z.string(),
  reason: z.string(),
  expected_signal: z.string(),
  turn: z.int(),
  /** The patch of the same directive: the run is pending only once the patch is approved. */
  patch_id: patchIdSchema.nullable(),
});
export type PendingRun = z.infer<typeof pendingRunSchema>;

/** `state.json`, and the output of commands that change the project. */
export const stateSchema = z.looseObject({
  state: z.enum(STATES),
  pending_patch_ids: z.array(patchIdSchema),
  pending_run: pendingRunSchema.nullable(),
  turn: z.int().min(0),
});
export type ProjectState = z.infer<typeof stateSchema>;

const failureSchema = z.looseObject({ name: z.string(), reason: z.string() });
export type Failure = z.infer<typeof failureSchema>;
const metricsSchema = z.record(z.string(), json);

/** `report.json` of a stage. */
export const stageReportSchema = z.looseObject({
  ok: z.boolean().optional(),
  failures: z.array(failureSchema).optional(),
  metrics: metricsSchema.optional(),
});
export type StageReport = z.infer<typeof stageReportSchema>;

export const stageResultSchema = z.looseObject({
  name: z.string(),
  status: z.enum(["ok", "failed", "timeout", "reused", "interrupted"]),
  seconds: z.number(),
  failures: z.array(failureSchema),
  metrics: metricsSchema,
  /** The run whose files were reused. */
  reused_from: z.string().optional(),
  /** Hash of all inputs of the stage: equal hashes give equal results. */
  inputs_hash: z.string(),
});
export type StageResult = z.infer<typeof stageResultSchema>;

/** `run.json`, and the output of `design run` and `design approve run`. */
export const runSchema = z.looseObject({
  run_id: z.string(),
  spec_hash: z.string(),
  spec_version: z.int(),
  until: z.string(),
  stages: z.array(stageResultSchema),
  status: z.enum(["running", "ok", "failed", "interrupted", "cancelled"]),
  started_at: z.string(),
  ended_at: z.string().nullable(),
  /** The jail of the stage commands; null for a pipeline without commands. */
  jail: z.enum(["full", "partial", "none"]).nullable(),
});
export type Run = z.infer<typeof runSchema>;

export const artifactIndexSchema = z.looseObject({
  runs: z.array(
    z.looseObject({
      run_id: z.string(),
      started_at: z.string(),
      status: runSchema.shape.status,
      stages: z.record(z.string(), z.string()),
      metrics: z.record(z.string(), metricsSchema),
      /** Relative to the project folder. */
      files: z.array(z.looseObject({ path: z.string(), bytes: z.int() })),
    }),
  ),
});
export type ArtifactIndex = z.infer<typeof artifactIndexSchema>;

export const questionSchema = z.object({
  id: z.string(),
  question: z.string(),
  why_needed: z.string(),
  default: json.optional(),
});
export type Question = z.infer<typeof questionSchema>;

export const differenceSchema = z.object({
  pointer: z.string(),
  op: z.enum(["add", "remove", "replace"]),
  old: json.optional(),
  new: json.optional(),
});
export type Difference = z.infer<typeof differenceSchema>;

/** `design --message --json`. */
export const turnDocumentSchema = z.looseObject({
  turn: z.int(),
  state: z.enum(STATES),
  assistant_message: z.string(),
  questions: z.array(questionSchema),
  proposal: z
    .looseObject({
      patch_id: patchIdSchema,
      difference: z.array(differenceSchema),
      judged_anew: z.array(z.string()),
      verdicts: z.array(verdictChangeSchema),
    })
    .nullable(),
  pending_patch_ids: z.array(patchIdSchema),
  pending_run: pendingRunSchema.nullable(),
  warnings: z.array(z.string()),
  error: z.looseObject({ kind: z.string(), message: z.string() }).nullable(),
});
export type TurnDocument = z.infer<typeof turnDocumentSchema>;
