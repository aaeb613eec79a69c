// Schemas of the factory's documents: work orders, proposals of models, and the files of a run. All are strict: an
// unknown key is an error. `schema work-order|write-proposal|factory-summary` prints them.
import { z } from "zod";
import { pathProblem } from "./paths.ts";
import { splitWords } from "./shell-words.ts";

/** A kilobyte in the limits, in bytes of UTF-8. */
const KB = 1_024;
export const MAX_CONTEXT_FILES = 10;
export const MAX_CONTEXT_BYTES = 200 * KB;
export const MAX_WRITE_BYTES = 200 * KB;
export const MAX_PROPOSAL_BYTES = 500 * KB;
/** Maximum characters of an error in a request to the model. */
export const MAX_EXCERPT_CHARS = 2_000;

/** A file of the repository, by its path relative to the root. */
const repoPath = z
  .string()
  .superRefine((text, context) => {
    const problem = pathProblem(text);
    if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
  })
  .describe("path from the root of the repository");

const acceptanceCommand = z
  .string()
  .superRefine((text, context) => {
    const words = splitWords(text);
    if (!words.ok)
      context.addIssue({ code: "custom", message: `the command cannot be parsed: ${words.problem}` });
    else if (words.words.length === 0) context.addIssue({ code: "custom", message: "the command is empty" });
  })
  .describe("a command; split into arguments like a POSIX shell does, never run by a shell");

export const workOrderSchema = z.strictObject({
  id: z.string().min(1),
  title: z.string().min(1),
  intent: z.string().min(1).describe("what to change, for the model"),
  allowed_files: z.array(repoPath).describe("files that may be written; run rejects an order without any"),
  forbidden: z
    .array(z.string())
    .describe("a path forbids that file or folder; any other text is shown to the model"),
  acceptance_commands: z.array(acceptanceCommand).min(1),
  context_files: z.array(repoPath).max(MAX_CONTEXT_FILES).describe("files shown to the model"),
  notes: z.string().nullable().exactOptional(),
  preconditions: z
    .array(z.strictObject({ kind: z.enum(["file_exists", "file_absent"]), path: repoPath }))
    .exactOptional(),
  postconditions: z.array(z.strictObject({ kind: z.literal("file_exists"), path: repoPath })).exactOptional(),
});
export type WorkOrder = z.infer<typeof workOrderSchema>;
export type Condition = { kind: "file_exists" | "file_absent"; path: string };

export const writeProposalSchema = z
  .strictObject({
    summary: z.string(),
    writes: z
      .array(
        z.strictObject({
          path: repoPath,
          base_sha256: z
            .string()
            .regex(/^[0-9a-f]{64}$/, "must be a SHA-256 of 64 lower-case hex digits")
            .describe("SHA-256 of the current bytes of the file; of no bytes for a new file"),
          content: z
            .string()
            .refine(
              (text) => !text.includes("\0") && text.isWellFormed(),
              "is not text (NUL or an incomplete character)",
            )
            .refine(
              (text) => Buffer.byteLength(text) <= MAX_WRITE_BYTES,
              `is longer than ${MAX_WRITE_BYTES} bytes`,
            )
            .describe("the whole new content of the file"),
        }),
      )
      .min(1),
  })
  .superRefine(({ writes }, context) => {
    const paths = writes.map(({ path }) => path);
    const twice = paths.find((path, index) => paths.indexOf(path) !== index);
    if (twice !== undefined)
      context.addIssue({ code: "custom", message: `${twice} is written twice`, path: ["writes"] });
    const bytes = writes.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
    if (bytes > MAX_PROPOSAL_BYTES) {
      context.addIssue({
        code: "custom",
        message: `the contents together are longer than ${MAX_PROPOSAL_BYTES} bytes`,
        path: ["writes"],
      });
    }
  });
export type WriteProposal = z.infer<typeof writeProposalSchema>;

export const FAILURE_STAGES = [
  "preflight",
  "llm_output_invalid",
  "write_scope_violation",
  "stale_context",
  "write_failed",
  "verify_failed",
  "acceptance_failed",
  "exception",
] as const;
export type FailureStage = (typeof FAILURE_STAGES)[number];

export const failureBriefSchema = z.strictObject({
  stage: z.enum(FAILURE_STAGES),
  command: z.string().nullable(),
  exit_code: z.number().int().nullable(),
  primary_error_excerpt: z.string(),
  constraints_reminder: z.string(),
});
export type FailureBrief = z.infer<typeof failureBriefSchema>;

export const cmdResultSchema = z.strictObject({
  command: z.array(z.string()),
  exit_code: z.number().int().describe("-1: could not be started; -2: ended at its time limit"),
  stdout_trunc: z.string(),
  stderr_trunc: z.string(),
  stdout_path: z.string().describe("relative to the folder of the run"),
  stderr_path: z.string().describe("relative to the folder of the run"),
  duration_seconds: z.number(),
});
export type CmdResult = z.infer<typeof cmdResultSchema>;

export const attemptRecordSchema = z.strictObject({
  attempt_index: z.number().int(),
  baseline_commit: z.string(),
  proposal_path: z.string().describe("relative to the folder of the run"),
  touched_files: z.array(z.string()),
  write_ok: z.boolean(),
  verify: z.array(cmdResultSchema),
  acceptance: z.array(cmdResultSchema),
  failure_brief: failureBriefSchema.nullable(),
});
export type AttemptRecord = z.infer<typeof attemptRecordSchema>;

export const driftSchema = z.strictObject({
  path: z.string(),
  change: z.enum(["added", "modified", "deleted", "mode"]),
});
export type Drift = z.infer<typeof driftSchema>;

export const usageSchema = z.strictObject({
  calls: z.number().int(),
  input_tokens: z.number().int(),
  output_tokens: z.number().int(),
  cost_usd: z.number().nullable(),
});

/** The jail level of the commands of a run. */
export const jailLevelSchema = z.enum(["full", "partial", "none"]);
export type JailLevel = z.infer<typeof jailLevelSchema>;

export const runSummarySchema = z.strictObject({
  run_id: z.string(),
  repo_path: z.string(),
  work_order_path: z.string(),
  work_order_hash: z.string(),
  repo_baseline_commit: z.string(),
  repo_tree_hash_before: z.string(),
  repo_tree_hash_after: z.string().nullable(),
  max_attempts: z.number().int(),
  attempts: z.array(attemptRecordSchema),
  verdict: z.enum(["PASS", "FAIL"]),
  ended_stage: z.enum([...FAILURE_STAGES, "success"]),
  started_utc: z.string(),
  ended_utc: z.string(),
  jail: jailLevelSchema,
  drift: z.array(driftSchema),
  usage: usageSchema,
});
export type RunSummary = z.infer<typeof runSummarySchema>;
