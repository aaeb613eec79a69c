// Responses of the operations on agent jobs.
import { z } from "zod";
import { agentTurnSchema } from "../../llm/turns.ts";
import { JOB_STATUSES } from "../../loops/agent/jobs/types.ts";
import { jobDocumentSchema } from "../../loops/agent/schemas.ts";

const row = z
  .object({
    job_id: z.string(),
    agent_id: z.string(),
    status: z.enum(JOB_STATUSES),
    phase: z.string(),
    message: z.string(),
    description: z.string(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: "AgentJobRow" });

const phase = z.object({
  number: z.int(),
  name: z.string(),
  state: z.enum(["complete", "current", "open"]),
});
const sizes = z
  .object({
    request: z.int(),
    system_tokens: z.int(),
    todo_tokens: z.int(),
    tool_tokens: z.int(),
    summary_tokens: z.int(),
    conversation_tokens: z.int(),
    total_tokens: z.int(),
  })
  .describe("tokens of the layers of the last request");
const warning = z.object({ at: z.string(), type: z.string(), text: z.string() });

export const agentSchemas = {
  list: z.object({
    folder: z.string(),
    jobs: z.array(row),
    configs: z.array(z.object({ name: z.string(), source: z.string() })),
  }),
  job: row.extend({
    config: z.string(),
    completed_at: z.string().nullable(),
    cancel_requested: z.boolean(),
    document: jobDocumentSchema.describe("as `agent show --json`"),
    phases: z.array(phase).describe("of main_plan.md"),
    display: z.string().describe("the todo list as every request shows it"),
    answers: z.array(z.object({ question: z.string(), answer: z.string() })),
    rewinds: z.int(),
    sizes: sizes.nullable(),
    warnings: z.array(warning).describe("stuck, rewound, compaction: newest first"),
  }),
  turns: z.object({ turns: z.array(agentTurnSchema), total: z.int() }),
  files: z.object({
    files: z.array(z.object({ path: z.string(), bytes: z.int(), changed_at: z.string() })),
    left_out: z.int(),
  }),
};
export type AgentRowWire = z.infer<typeof row>;
export type AgentListWire = z.infer<typeof agentSchemas.list>;
export type AgentWire = z.infer<typeof agentSchemas.job>;
export type AgentTurnsWire = z.infer<typeof agentSchemas.turns>;
export type AgentFilesWire = z.infer<typeof agentSchemas.files>;
