// `schema NAME`: prints the JSON Schema of a documented JSON format.
import { z } from "zod";
import { configJsonSchema } from "../../config/keys.ts";
import {
  batchDocumentSchema,
  checkDocumentSchema,
  errorDocumentSchema,
  generateDocumentSchema,
  labelDocumentSchema,
  validateDocumentSchema,
  waiveDocumentSchema,
} from "../../contract/documents.ts";
import { manifestSchema } from "../../contract/manifest.ts";
import { queueDocumentSchema } from "../../contract/queue.ts";
import { EXIT } from "../../core/errors.ts";
import { agentConfigSchema } from "../../loops/agent/config/schema.ts";
import { jobDocumentSchema } from "../../loops/agent/schemas.ts";
import { runSchema, stateSchema, turnDocumentSchema } from "../../loops/design/schemas.ts";
import { eventSchema } from "../../loops/events.ts";
import {
  planResultSchema,
  runAllSchema,
  runSummarySchema,
  workOrderSchema,
  writeProposalSchema,
} from "../../loops/factory/documents.ts";
import { defineCommand } from "../command.ts";

const SCHEMAS = {
  validate: { title: "validate --json", make: () => z.toJSONSchema(validateDocumentSchema) },
  check: { title: "check --json", make: () => z.toJSONSchema(checkDocumentSchema) },
  generate: { title: "generate --json", make: () => z.toJSONSchema(generateDocumentSchema) },
  resume: { title: "resume --json", make: () => z.toJSONSchema(generateDocumentSchema) },
  batch: { title: "batch --json", make: () => z.toJSONSchema(batchDocumentSchema) },
  label: { title: "label --json", make: () => z.toJSONSchema(labelDocumentSchema) },
  waive: { title: "waive --json", make: () => z.toJSONSchema(waiveDocumentSchema) },
  queue: { title: "queue ls --json", make: () => z.toJSONSchema(queueDocumentSchema) },
  agent: {
    title: "agent run --json and other agent commands",
    make: () => z.toJSONSchema(jobDocumentSchema),
  },
  "agent-config": {
    title: "configuration of an agent",
    make: () => z.toJSONSchema(agentConfigSchema, { io: "input" }),
  },
  "design-turn": { title: "design --message --json", make: () => z.toJSONSchema(turnDocumentSchema) },
  "design-run": { title: "design run --json, and run.json", make: () => z.toJSONSchema(runSchema) },
  "design-state": {
    title: "state of a design project, printed by commands that change it",
    make: () => z.toJSONSchema(stateSchema),
  },
  config: { title: "atomsmith.yaml", make: () => ({ ...configJsonSchema() }) },
  events: { title: "one line of --events", make: () => z.toJSONSchema(eventSchema) },
  manifest: { title: "manifest.json of an atom set", make: () => z.toJSONSchema(manifestSchema) },
  "work-order": { title: "a work order of the factory", make: () => z.toJSONSchema(workOrderSchema) },
  "write-proposal": { title: "a proposal of a model", make: () => z.toJSONSchema(writeProposalSchema) },
  "factory-summary": {
    title: "run_summary.json, factory run --json, factory show --json",
    make: () => z.toJSONSchema(runSummarySchema),
  },
  "factory-run-all": {
    title: "run_all.json, factory run-all --json",
    make: () => z.toJSONSchema(runAllSchema),
  },
  "factory-plan": { title: "factory plan --json", make: () => z.toJSONSchema(planResultSchema) },
  error: { title: "any failed command with --json", make: () => z.toJSONSchema(errorDocumentSchema) },
} as const;
type SchemaName = keyof typeof SCHEMAS;
/** Names of all schemas. */
export const SCHEMA_NAMES = Object.keys(SCHEMAS) as SchemaName[];

/** JSON Schema by name, as printed by `schema NAME`. */
export function schemaByName(name: SchemaName): Record<string, unknown> {
  const { title, make } = SCHEMAS[name];
  const { $schema = "https://json-schema.org/draft/2020-12/schema", ...rest } = make() as Record<
    string,
    unknown
  >;
  return { $schema, title: `atomsmith: ${title}`, ...rest };
}

export const schemaCommand = defineCommand({
  name: "schema",
  summary: "print the JSON Schema of a document format",
  config: false,
  args: {
    name: {
      type: "positional",
      valueHint: "NAME",
      required: true,
      options: SCHEMA_NAMES,
      description: "name of the document",
    },
  },
  examples: [
    { command: "atomsmith schema check > check.schema.json", does: "for programs that read check --json" },
  ],
  run: async ({ name }, { output }) => {
    const schema = schemaByName(name as SchemaName);
    output.result(schema, () => JSON.stringify(schema, null, 2));
    return EXIT.ok;
  },
});
