// The schema of the configuration. The keys of the former agent_config.yaml load unchanged; added keys are optional.
// Timeouts are in seconds. `config schema` prints it, `config show` prints the values with their origin. After a change
// here, UPDATE_DOCS=1 bun test test/config/docs.test.ts updates the table of docs/configuration.md.
import { z } from "zod";
import { loopsSchema } from "./loops-schema.ts";
import { ROLE_NAMES, type RoleName } from "./role-names.ts";
import { roleSchema } from "./role-schema.ts";

/** One member per role; each has independent values. */
function roleSchemas() {
  const role = roleSchema.prefault({});
  return Object.fromEntries(ROLE_NAMES.map((name) => [name, role])) as Record<RoleName, typeof role>;
}

const priceSchema = z.strictObject({
  input: z.number().min(0).describe("USD per million input tokens"),
  cached_input: z.number().min(0).optional().describe("USD per million input tokens read from a cache"),
  output: z.number().min(0).describe("USD per million output tokens"),
});

export const configSchema = z.strictObject({
  paths: z
    .strictObject({
      search_root: z
        .string()
        .min(1)
        .default(".")
        .describe("folder of the logs; files outside it are never read as logs"),
      item_specs_dir: z
        .string()
        .min(1)
        .default("./item_specs")
        .describe("folder of the ItemSpecs, used by batch without arguments"),
      cache_dir: z.string().min(1).default("./cache").describe("checkpoints, journals, stored replies"),
      output_dir: z.string().min(1).default("./output").describe("the atom sets, one folder per item"),
      variables: z
        .record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), z.string())
        .default({})
        .describe(
          "values of ${NAME} in input_files; CHECKLIST_ROOT and DESIGN_ROOT default to the search root, LOG_ROOT to its folder logs if it exists",
        ),
    })
    .prefault({}),
  llm: z
    .strictObject({
      ...roleSchemas(),
      embeddings: z
        .strictObject({
          base_url: roleSchema.shape.base_url,
          model: z.string().min(1).optional().describe("name of the embedding model"),
          api_key_env: roleSchema.shape.api_key_env,
        })
        .prefault({})
        .describe("embedding server for the agent's search; without it, only full-text search is used"),
      draft: z
        .enum(["none", "offline"])
        .default("none")
        .describe(
          "author of the first draft, which the model checks; it is written from the worked examples of the page",
        ),
      universal_atoms: z
        .enum(["standard", "author"])
        .default("standard")
        .describe("source of Atoms B and C: the program's own, or written by the author"),
      redact: z
        .boolean()
        .default(true)
        .describe("mask API keys and passwords in logs before sending them to a model"),
      prices: z
        .record(z.string(), priceSchema)
        .default({})
        .describe("prices by model, USD per million tokens"),
      max_cost_usd: z.number().positive().optional().describe("stop a run at this cost"),
      max_cost_usd_per_item: z.number().positive().optional().describe("stop one item at this cost"),
      max_tokens_total: z.int().positive().optional().describe("stop a run at this many tokens"),
      max_tokens_per_item: z.int().positive().optional().describe("stop one item at this many tokens"),
      max_concurrency: z.int().min(1).max(256).default(8).describe("concurrent model calls of all items"),
      idle_timeout: z
        .number()
        .positive()
        .default(60)
        .describe("timeout between two chunks of a stream, seconds"),
      record: z.string().optional().describe("folder to record replies to, one cassette per item"),
      cassettes: z.string().optional().describe("folder of recorded replies for provider replay"),
    })
    .prefault({}),
  cache: z
    .strictObject({
      retention_policy: z
        .enum(["hourly"])
        .default("hourly")
        .describe("keep checkpoints in one folder per hour"),
      max_checkpoints_per_hour: z.int().min(1).default(10).describe("most checkpoints kept per hour"),
      keep_hours: z.int().min(1).default(24).describe("hours to keep checkpoints"),
      cleanup_on_success: z
        .boolean()
        .default(false)
        .describe("keep only the latest checkpoint of an accepted item"),
    })
    .prefault({}),
  execution: z
    .strictObject({
      max_iterations: z.int().min(1).max(20).default(3).describe("attempts per item that reach the gates"),
      timeout_per_stage: z
        .number()
        .positive()
        .default(300)
        .describe("timeout of one stage of an item, seconds"),
      timeout_total: z.number().positive().default(1800).describe("timeout of one item, seconds"),
      enable_streaming: z.boolean().default(true).describe("stream model replies"),
      gate_budget: z
        .number()
        .positive()
        .default(60)
        .describe("timeout of the gates for one set, seconds; exceeding it is a finding"),
      concurrency: z.int().min(1).max(256).default(4).describe("concurrent items of a batch"),
      candidates: z.int().min(1).max(8).default(1).describe("drafts of Atom A per attempt; the best is kept"),
    })
    .prefault({}),
  logging: z
    .strictObject({
      level: z
        .enum(["DEBUG", "INFO", "WARNING", "ERROR"])
        .default("INFO")
        .describe("log level of stderr and the log file"),
      log_file: z.string().min(1).optional().describe("file to append the log to"),
      log_llm_calls: z
        .boolean()
        .default(true)
        .describe("also log model calls, without contents, to the log file"),
    })
    .prefault({}),
  tool_constraints: z
    .strictObject({
      max_read_lines_per_call: z.int().min(1).default(200).describe("maximum lines of one tool result"),
      max_total_read_bytes: z
        .int()
        .min(1)
        .default(102_400)
        .describe("maximum bytes of all tool results of an item"),
      max_files_per_discovery: z.int().min(1).default(20).describe("maximum files of one listing"),
      max_search_matches_per_keyword: z
        .int()
        .min(1)
        .default(3)
        .describe("maximum matches of a search per keyword"),
      require_discovery_before_read: z
        .boolean()
        .default(true)
        .describe("allow reading only files from a previous listing"),
      header_lines_default: z.int().min(1).default(100).describe("default number of header lines"),
      search_context_lines: z
        .int()
        .min(0)
        .max(1000)
        .default(10)
        .describe("default number of lines before and after a match"),
    })
    .prefault({}),
  sandbox: z
    .strictObject({
      require: z
        .enum(["full", "partial", "process"])
        .default("process")
        .describe("minimum sandbox level; the program refuses to run with a weaker one"),
      children: z
        .int()
        .min(1)
        .max(64)
        .optional()
        .describe("number of sandbox processes (default: number of processors, at most 4)"),
      timeout: z.number().positive().default(5).describe("timeout of one atom call, seconds"),
      memory_mb: z.int().min(16).max(4096).default(256).describe("memory limit of one atom"),
    })
    .prefault({}),
  loops: loopsSchema,
  queue: z
    .strictObject({
      project: z
        .string()
        .regex(/^[A-Za-z0-9._-]{1,100}$/)
        .optional()
        .describe("name of this project in the fleet (default: derived from host and output folder)"),
      root: z
        .string()
        .min(1)
        .optional()
        .describe("name of the search root, which workers map to a local path (default: its absolute path)"),
      roots: z
        .record(z.string().min(1), z.string().min(1))
        .default({})
        .describe("of a worker: local paths of search roots, by name; extended by --root"),
      store: z
        .enum(["postgres", "files"])
        .default("postgres")
        .describe(
          "storage of runs and sets: database tables, or the cache and output folders on a shared file system",
        ),
      max_attempts: z
        .int()
        .min(1)
        .max(100)
        .default(6)
        .describe("attempts of a job that lose their worker before the job is dead"),
      split_mb: z
        .int()
        .min(64)
        .max(1_000_000)
        .default(256)
        .describe("minimum size of a log that several workers read in ranges, for sets proved line-local"),
    })
    .prefault({}),
  check: z
    .strictObject({
      max_text_mb: z
        .int()
        .min(1)
        .default(256)
        .describe("maximum text size for an atom that is not line-local"),
      max_records: z.int().min(1).default(1_000_000).describe("maximum records that one atom may return"),
      require_witness: z
        .boolean()
        .default(false)
        .describe("treat a check that needs a witness and has none as an error instead of a warning"),
    })
    .prefault({}),
});

/** The configuration with every default filled in. */
export type Config = z.infer<typeof configSchema>;
