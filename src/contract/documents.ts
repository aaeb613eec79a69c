// Schemas of the JSON documents that commands print with --json, shared by commands, tests and `schema NAME`. Objects are
// open: readers must accept additional keys.
import { z } from "zod";
import { ERROR_KINDS } from "../core/errors.ts";
import { ATOM_PARTS, parsedItemSchema } from "./atoms.ts";
import { setChangesSchema } from "./changes.ts";
import { GATE_NAMES } from "./gates.ts";

const count = z.int().min(0);
const milliseconds = z.number().min(0);
const part = z.enum(ATOM_PARTS as [string, ...string[]]);

/** The document that any command prints with --json when it fails. */
export const errorDocumentSchema = z.looseObject({
  error: z.looseObject({
    kind: z.enum(ERROR_KINDS),
    message: z.string(),
    where: z.string().optional(),
    hint: z.string().optional(),
    status: z.int().optional(),
    busy: z.literal(true).optional().describe("another process works on it"),
  }),
});

const gateResultsSchema = z
  .record(z.enum(GATE_NAMES), z.boolean().nullable())
  .describe("true passed, false failed, null not run");

const findingSchema = z.looseObject({
  gate: z.string(),
  atom: part,
  code: z.string(),
  message: z.string(),
  line: z.int().optional(),
  example: z.string().optional(),
});

export const validateResultSchema = z.looseObject({
  dir: z.string(),
  item_id: z.string(),
  valid: z.boolean(),
  gates: gateResultsSchema,
  errors: z.array(findingSchema),
  warnings: z.array(findingSchema),
  duration_ms: milliseconds,
});
/** `validate --json`. */
export const validateDocumentSchema = z.looseObject({ results: z.array(validateResultSchema) });

const resultItemSchema = z.looseObject({
  description: z.string(),
  expected: z.string().optional(),
  value: z.string().optional(),
  searched_files: z.array(z.string()).optional(),
  line_number: z.int().nullable(),
  source_file: z.string(),
  matched_content: z.string(),
  parsed_fields: z.record(z.string(), z.json()),
  reason: z.string().optional().describe("the condition on a field that the record does not meet"),
  severity: z.literal("INFO").optional(),
  tag: z.enum(["[WAIVED_AS_INFO]", "[WAIVED_INFO]", "[WAIVER]"]).optional(),
  waiver_pattern: z.string().optional(),
  waiver_reason: z.string().optional(),
});
const globalNoteSchema = z.strictObject({
  waiver_pattern: z.string(),
  waiver_reason: z.literal("Global Waiver"),
  tag: z.literal("[WAIVED_INFO]"),
});
const unusedWaiverSchema = z.strictObject({ pattern: z.string(), reason: z.literal("Not matched") });

const status = z.enum(["PASS", "FAIL"]);
const items = z.array(resultItemSchema);
const waived = z.array(z.union([globalNoteSchema, resultItemSchema]));
/** The strict L5 result: exactly these keys, by checker type. docs/contract.md, section 4. */
export const checkResultByType = {
  1: z.strictObject({ status, found_items: items, missing_items: items }),
  2: z.strictObject({ status, found_items: items, missing_items: items, extra_items: items }),
  3: z.strictObject({
    status,
    found_items: items,
    missing_items: items,
    extra_items: items,
    waived,
    unused_waivers: z.array(unusedWaiverSchema),
  }),
  4: z.strictObject({
    status,
    found_items: items,
    missing_items: items,
    waived,
    unused_waivers: z.array(unusedWaiverSchema),
  }),
} as const;

export const diagnosticSchema = z.looseObject({
  severity: z.enum(["error", "warning", "info"]),
  code: z.string(),
  message: z.string(),
  file: z.string().optional(),
  line: z.int().optional(),
});

export const checkEntrySchema = z.looseObject({
  item_id: z.string(),
  type: z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4)]).nullable(),
  outcome: z.enum(["pass", "fail", "error"]),
  result: z
    .union([checkResultByType[3], checkResultByType[2], checkResultByType[4], checkResultByType[1]])
    .nullable()
    .describe("null when nothing could be judged"),
  diagnostics: z.array(diagnosticSchema),
  unverified: z.literal(true).optional().describe("run in spite of a set that nothing vouches for"),
  outdated: z.literal(true).optional().describe("run in spite of a page that changed since"),
  parsed_items: z.array(parsedItemSchema).optional(),
  input_files: z.array(z.string()),
  duration_ms: milliseconds,
});
export const comparisonSchema = z.looseObject({
  baseline: z.string(),
  items: z.array(
    z.looseObject({
      item_id: z.string(),
      change: z.enum(["newly_failing", "newly_passing", "changed", "new", "gone", "same"]),
      before: z.string().nullable(),
      now: z.string().nullable(),
      appeared: z.array(z.string()).describe("violations and errors that the earlier run did not have"),
      disappeared: z.array(z.string()),
    }),
  ),
});
/** `check --json`. `error` accompanies the results if the config of an item is wrong (exit 2). */
export const checkDocumentSchema = z.looseObject({
  results: z.array(checkEntrySchema),
  comparison: comparisonSchema.optional().describe("with --baseline"),
  error: z.looseObject({ kind: z.literal("config"), message: z.string() }).optional(),
});

export const usageSchema = z.looseObject({
  calls: count,
  input_tokens: count,
  output_tokens: count,
  cost_usd: z.number().min(0).nullable().describe("null when the price of the model is unknown"),
});

/** `generate --json` and `resume --json`. */
export const generateDocumentSchema = z.looseObject({
  item_id: z.string(),
  status: z.enum(["accepted", "human_required", "error"]),
  iterations: count,
  gates: gateResultsSchema,
  errors: z.array(z.looseObject({ message: z.string() })),
  output_dir: z.string(),
  report: z.string().optional().describe("the report for a person, when one is needed"),
  changes: setChangesSchema
    .optional()
    .describe("what the new set changes against the accepted one, when one was made"),
  usage: usageSchema,
  duration_ms: milliseconds,
});

/** `label --json`. */
export const labelDocumentSchema = z.object({
  page: z.string(),
  written: z.boolean(),
  blocks: z.array(
    z.object({
      kind: z.enum(["example", "check"]),
      section: z.string(),
      /** 1-based line of the opening fence; null when nothing was written. */
      line: z.number().int().nullable(),
      text: z.string(),
    }),
  ),
  /** The result of the examples on the logs; absent when the user left without writing. */
  preview: z
    .union([
      z.object({ kind: z.enum(["nothing", "question", "contradiction"]) }),
      z.object({ kind: z.literal("records"), records: z.number().int(), left_out: z.number().int() }),
    ])
    .optional(),
});

/** `waive add --json` and `waive remove --json`. */
export const waiveDocumentSchema = z.looseObject({
  item_id: z.string(),
  written: z.boolean(),
  waiver: z
    .looseObject({
      pattern: z.string(),
      reason: z.string(),
      until: z.string().nullable().describe("last day, YYYY-MM-DD"),
      by: z.string(),
      at: z.string(),
    })
    .optional(),
  removed: z.string().optional().describe("the pattern that was taken away"),
  before: z.enum(["pass", "fail", "error"]),
  after: z.enum(["pass", "fail", "error"]),
  records: z.array(resultItemSchema).describe("violations that it takes, or that come back"),
  matches_nothing: z.boolean(),
  errors: z.array(findingSchema).describe("why the config gates refuse it"),
});

/** `batch --json`. */
export const batchDocumentSchema = z.looseObject({
  items: z.array(generateDocumentSchema),
  totals: z.record(z.string(), z.union([z.number(), z.null(), usageSchema])),
  dry_run: z.literal(true).optional().describe("nothing was accepted"),
});
