// Responses of the operations on design projects.
import { z } from "zod";
import {
  artifactIndexSchema,
  differenceSchema,
  patchFileSchema,
  pendingRunSchema,
  questionSchema,
  runSchema,
  STATES,
} from "../../loops/design/schemas.ts";

const row = z
  .object({
    id: z.string().describe("name of the project's folder"),
    name: z.string(),
    pipeline: z.string(),
    state: z.enum(STATES),
    version: z.int().describe("of the spec"),
    turn: z.int(),
    waiting_patches: z.int(),
    waiting_run: z.boolean(),
    last_run: z.object({ run_id: z.string(), status: z.string(), until: z.string() }).nullable(),
    error: z.string().nullable().describe("error if the project cannot be read"),
  })
  .meta({ id: "DesignProjectRow" });

const patch = patchFileSchema.extend({
  difference: z.array(differenceSchema).describe("what it changes in the spec"),
});
const version = z.object({
  version: z.int(),
  hash: z.string(),
  patch_id: z.string().nullable(),
  undoes: z.string().nullable(),
  created_at: z.string(),
  created_by: z.string(),
});
const turn = z.object({
  turn: z.int(),
  message: z.string(),
  answer: z.string(),
  questions: z.array(questionSchema),
  patch_id: z.string().nullable().describe("the patch that it proposed"),
  run_request: z
    .object({ run_until: z.string(), reason: z.string(), expected_signal: z.string() })
    .nullable(),
  confidence: z.number().nullable(),
  packs: z.array(z.object({ mode: z.string(), chars: z.number(), hop: z.number() })),
  warnings: z.array(z.string()),
  error: z.string().nullable(),
  decisions: z.array(
    z.object({
      decision: z.string(),
      of: z.string(),
      reason: z.string().nullable(),
      by: z.string(),
      at: z.string(),
    }),
  ),
});

export const designSchemas = {
  list: z.object({ folder: z.string(), projects: z.array(row), can_talk: z.boolean() }),
  project: row.extend({
    created_at: z.string(),
    stages: z.array(z.string()),
    pending_patch_ids: z.array(z.string()),
    pending_run: pendingRunSchema.nullable(),
    questions: z.array(questionSchema).describe("open questions of the last turn"),
    held: z.boolean().describe("a process is working on it"),
    can_talk: z.boolean().describe("a model is configured"),
  }),
  conversation: z.object({ turns: z.array(turn), total: z.int() }),
  spec: version.extend({
    spec: z.json(),
    difference: z.array(differenceSchema).describe("since the version before"),
    versions: z.array(version).describe("newest first"),
  }),
  patches: z.object({ patches: z.array(patch).describe("newest first") }),
  runs: z.object({ runs: z.array(runSchema).describe("newest first") }),
  artifacts: artifactIndexSchema,
  reports: z.object({
    compile: z.object({ ok: z.boolean(), version: z.int(), errors: z.array(z.string()) }).nullable(),
    last_run: runSchema.nullable(),
    files: z.array(z.object({ path: z.string(), bytes: z.int() })).describe("of the last run"),
  }),
};
export type DesignRowWire = z.infer<typeof row>;
export type DesignListWire = z.infer<typeof designSchemas.list>;
export type DesignWire = z.infer<typeof designSchemas.project>;
export type DesignTurnWire = z.infer<typeof turn>;
export type DesignConversationWire = z.infer<typeof designSchemas.conversation>;
export type DesignSpecWire = z.infer<typeof designSchemas.spec>;
export type DesignPatchWire = z.infer<typeof patch>;
export type DesignRunWire = z.infer<typeof runSchema>;
export type DesignArtifactsWire = z.infer<typeof artifactIndexSchema>;
export type DesignReportsWire = z.infer<typeof designSchemas.reports>;
