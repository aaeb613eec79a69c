// Responses of the operations on items.
import { z } from "zod";
import { GATE_NAMES } from "../../contract/gates.ts";
import { manifestSchema } from "../../contract/manifest.ts";
import { agentTurnSchema } from "../../llm/turns.ts";
import { outcomeSchema } from "./checks.ts";

const gates = z
  .record(z.string(), z.boolean().nullable())
  .describe("true passed, false failed, null not run");
const finding = z.looseObject({
  gate: z.enum(GATE_NAMES),
  atom: z.string(),
  code: z.string(),
  message: z.string(),
  line: z.number().optional(),
  example: z.string().optional().describe("the smallest input that shows it"),
});

const row = z
  .object({
    item_id: z.string(),
    state: z.enum([
      "new",
      "reading",
      "running",
      "unfinished",
      "accepted",
      "outdated",
      "human_required",
      "modified",
      "unreadable",
    ]),
    stage: z.string().nullable(),
    iterations: z.int().nullable(),
    updated_at: z.string().nullable(),
    next: z.string(),
    has_page: z.boolean(),
  })
  .meta({ id: "ItemRow" });

const attempt = z.looseObject({
  iteration: z.number(),
  gates,
  errors: z.array(finding),
  sources: z.object({ atom_a: z.string(), atom_b: z.string(), atom_c: z.string(), config: z.string() }),
});

const usage = z.looseObject({
  calls: z.number(),
  input_tokens: z.number(),
  output_tokens: z.number(),
  cost_usd: z.number().nullable(),
});

const record = z.object({
  value: z.string(),
  file: z.string(),
  line_number: z.number().nullable(),
  parsed_fields: z.record(z.string(), z.json()),
  context: z.object({ start_line: z.number(), lines: z.array(z.string()) }),
});

export const itemSchemas = {
  list: z.object({ items: z.array(row), total: z.int(), states: z.record(z.string(), z.int()) }),
  item: row.extend({
    checkpoints: z.array(z.string()),
    errors: z.array(z.string()),
    hints: z.array(z.string()),
    answers: z.array(z.string()),
    title: z.string(),
    questions: z.array(z.string()),
    ways_on: z.array(z.looseObject({ title: z.string(), commands: z.array(z.string()) })),
    gates,
    findings: z.array(finding),
    attempts: z.int(),
    records: z.int(),
    manifest: manifestSchema.nullable(),
    checks: z.array(outcomeSchema).describe("its outcomes in the last checks, newest first"),
  }),
  page: z.object({ path: z.string(), text: z.string() }),
  atoms: z.object({
    sets: z.array(z.object({ name: z.string(), files: z.record(z.string(), z.string()) })),
    report: z.string().nullable().describe("human_intervention_report.md"),
  }),
  attempts: z.object({ attempts: z.array(attempt) }),
  conversation: z.object({
    turns: z.array(agentTurnSchema),
    total: z.int(),
    usage: z.object({ total: usage, roles: z.record(z.string(), usage) }),
  }),
  records: z.object({ records: z.array(record), total: z.int() }),
};
export type ItemRowWire = z.infer<typeof row>;
export type ItemWire = z.infer<typeof itemSchemas.item>;
export type AtomsWire = z.infer<typeof itemSchemas.atoms>;
export type AttemptWire = z.infer<typeof attempt>;
export type TurnWire = z.infer<typeof agentTurnSchema>;
export type ConversationWire = z.infer<typeof itemSchemas.conversation>;
export type RecordWire = z.infer<typeof record>;
