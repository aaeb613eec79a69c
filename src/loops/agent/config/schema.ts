// Schema of the configuration of an agent, with defaults.
import { z } from "zod";
import { roleSchema } from "../../../config/role-schema.ts";
import { connectionSchema } from "../../../databases/connection.ts";

/** Categories of tools in a configuration. */
export const CATEGORIES = [
  "workspace",
  "todo",
  "completion",
  "logs",
  "documents",
  "search",
  "citations",
  "items",
  "git",
  "data",
] as const;
export type Category = (typeof CATEGORIES)[number];

const toolList = z.array(z.string()).describe("names of tools of this category");
const count = z.int().min(1);

const llmSchema = roleSchema.extend({
  base_url: roleSchema.shape.base_url.or(z.null()).optional(),
  reasoning_level: roleSchema.shape.reasoning_effort.describe("older name of reasoning_effort"),
});

export const agentConfigSchema = z.strictObject({
  $schema: z.string().optional(),
  $extends: z
    .string()
    .optional()
    .describe("another configuration: an embedded one, or a path relative to this file"),
  agent_id: z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,60}$/)
    .describe("id under which jobs are claimed"),
  display_name: z.string().min(1),
  llm: llmSchema
    .prefault({})
    .describe("used only for keys that are not set in llm.agent of the program's configuration"),
  workspace: z
    .strictObject({
      structure: z.array(z.string()).default([]).describe("folders created at the start"),
      instructions_template: z.string().optional().describe("template of instructions.md"),
      git_versioning: z.boolean().default(false).describe("a commit per finished todo, tags per phase"),
    })
    .prefault({}),
  tools: z.strictObject(
    Object.fromEntries(CATEGORIES.map((name) => [name, toolList.optional()])) as Record<
      Category,
      z.ZodOptional<typeof toolList>
    >,
  ),
  todo: z
    .strictObject({
      max_items: count.default(25).describe("todos of one list"),
      archive_on_reset: z.boolean().default(true),
      archive_path: z
        .string()
        .regex(/^[A-Za-z0-9._-]+\/?$/)
        .default("archive/"),
    })
    .prefault({}),
  connections: z
    .record(z.string().regex(/^[A-Za-z0-9._-]{1,60}$/), z.union([z.boolean(), connectionSchema]))
    .default({})
    .describe("databases for the tools of the category data; true and false name none"),
  polling: z
    .strictObject({
      enabled: z.boolean().default(true),
      table: z.string().default("jobs"),
      status_field: z.string().default("status"),
      interval_seconds: z.number().positive().default(5),
    })
    .prefault({}),
  limits: z
    .strictObject({
      max_iterations: count.default(500).describe("requests to the model, over the whole job"),
      max_steps_per_phase: count.default(200).describe("requests of one phase"),
      max_stuck_steps: count.default(8).describe("steps without a new result"),
      max_rewinds: z.int().min(0).default(3).describe("rewinds by the model"),
      max_tokens: count.optional().describe("tokens of the whole job, in and out"),
      max_cost_usd: z.number().positive().optional(),
      max_seconds: z.number().positive().optional().describe("time of one run of the job"),
      context_threshold_tokens: count
        .default(80_000)
        .describe("the conversation is summarised above this size"),
      tool_retry_count: z
        .int()
        .min(0)
        .max(20)
        .default(3)
        .describe("retries of a call after a transient failure"),
    })
    .prefault({}),
  context_management: z
    .strictObject({
      compact_on_archive: z.boolean().default(true).describe("false: the conversation of a phase is dropped"),
      summarization_prompt: z
        .string()
        .min(1)
        .default("Summarize the work completed so far, focusing on decisions made and current progress."),
      keep_recent_tool_results: z.int().min(1).default(5),
    })
    .prefault({}),
});
export type AgentConfig = z.infer<typeof agentConfigSchema>;
