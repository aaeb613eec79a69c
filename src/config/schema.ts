// The one schema of the configuration. The keys of the seed's agent_config.yaml load unchanged; added keys are
// optional. Timeouts are seconds. `config schema` prints it, `config show` prints the values with their origin.
import { z } from "zod";

export const PROVIDERS = ["offline", "openai", "azure", "anthropic", "replay"] as const;
export type ProviderName = (typeof PROVIDERS)[number];

const roleSchema = z.strictObject({
  provider: z
    .enum(PROVIDERS)
    .optional()
    .describe("who writes; default: offline when no key is configured, else openai"),
  model: z.string().min(1).optional(),
  temperature: z.number().min(0).max(2).optional(),
  max_tokens: z.int().min(1).optional().describe("tokens of one reply"),
  reasoning_effort: z.enum(["minimal", "low", "medium", "high"]).optional(),
  base_url: z
    .url({ protocol: /^https?$/ })
    .refine(
      (url) => !/^[a-z]+:\/\/[^/]*@/i.test(url),
      "must not contain a user or password: secrets are read from the environment only",
    )
    .optional(),
  api_key_env: z
    .string()
    .refine(
      (name) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name),
      "must be the name of an environment variable, never the key itself",
    )
    .optional()
    .describe("name of the environment variable that holds the key"),
  api_version: z.string().optional().describe("azure only"),
  timeout: z.number().positive().optional().describe("seconds for one request"),
  max_retries: z.int().min(0).max(20).optional(),
  quirks: z.array(z.string()).optional().describe("names of server quirks to assume, e.g. no_parallel_tools"),
});

const priceSchema = z.strictObject({
  input: z.number().min(0).describe("USD per million input tokens"),
  cached_input: z.number().min(0).optional(),
  output: z.number().min(0).describe("USD per million output tokens"),
});

export const configSchema = z.strictObject({
  paths: z
    .strictObject({
      search_root: z.string().default("."),
      item_specs_dir: z.string().default("./item_specs"),
      cache_dir: z.string().default("./cache"),
      output_dir: z.string().default("./output"),
      variables: z
        .record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), z.string())
        .default({})
        .describe(
          "values of ${NAME} in input_files; CHECKLIST_ROOT, DESIGN_ROOT and LOG_ROOT default to the search root",
        ),
    })
    .prefault({}),
  llm: z
    .strictObject({
      agent_a: roleSchema.prefault({}),
      agent_b: roleSchema.prefault({}),
      reflect: roleSchema.prefault({}),
      draft: z.enum(["none", "offline"]).default("none"),
      redact: z.boolean().default(true),
      prices: z.record(z.string(), priceSchema).default({}),
      max_cost_usd: z.number().positive().optional(),
      max_cost_usd_per_item: z.number().positive().optional(),
      max_tokens_total: z.int().positive().optional(),
      max_concurrency: z.int().min(1).max(256).default(8),
      idle_timeout: z.number().positive().default(60).describe("seconds without a byte inside a stream"),
      cassettes: z.string().optional().describe("folder of recorded replies for provider replay"),
    })
    .prefault({}),
  cache: z
    .strictObject({
      retention_policy: z.enum(["hourly"]).default("hourly"),
      max_checkpoints_per_hour: z.int().min(1).default(10),
      keep_hours: z.int().min(1).default(24),
      cleanup_on_success: z.boolean().default(false),
    })
    .prefault({}),
  execution: z
    .strictObject({
      max_iterations: z.int().min(1).max(20).default(3),
      timeout_per_stage: z.number().positive().default(300),
      timeout_total: z.number().positive().default(1800).describe("seconds for one item"),
      enable_streaming: z.boolean().default(true),
      concurrency: z.int().min(1).max(256).default(4).describe("items at once in a batch"),
      candidates: z.int().min(1).max(8).default(1),
    })
    .prefault({}),
  logging: z
    .strictObject({
      level: z.enum(["DEBUG", "INFO", "WARNING", "ERROR"]).default("INFO"),
      log_file: z.string().optional(),
      log_llm_calls: z.boolean().default(true),
    })
    .prefault({}),
  tool_constraints: z
    .strictObject({
      max_read_lines_per_call: z.int().min(1).default(200),
      max_total_read_bytes: z.int().min(1).default(102_400),
      max_files_per_discovery: z.int().min(1).default(20),
      max_search_matches_per_keyword: z.int().min(1).default(3),
      require_discovery_before_read: z.boolean().default(true),
      header_lines_default: z.int().min(1).default(100),
    })
    .prefault({}),
  sandbox: z
    .strictObject({
      require: z.enum(["full", "partial", "process"]).default("process"),
      children: z.int().min(1).max(64).optional().describe("default: number of processors, at most 4"),
      timeout: z.number().positive().default(5).describe("seconds for one call of an atom"),
      memory_mb: z.int().min(16).max(4096).default(256),
    })
    .prefault({}),
  check: z
    .strictObject({
      max_text_mb: z
        .int()
        .min(1)
        .default(256)
        .describe("largest text given to an atom that is not line-local"),
      max_records: z.int().min(1).default(1_000_000),
    })
    .prefault({}),
});

/** The configuration with every default filled in. */
export type Config = z.infer<typeof configSchema>;
export type RoleConfig = z.infer<typeof roleSchema>;
