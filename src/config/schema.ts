// The schema of the configuration. The keys of the former agent_config.yaml load unchanged; added keys are optional.
// Timeouts are in seconds. `config schema` prints it, `config show` prints the values with their origin. After a change
// here, UPDATE_DOCS=1 bun test test/config/docs.test.ts updates the table of docs/configuration.md.
import { z } from "zod";
import { ROLE_NAMES, type RoleName } from "./role-names.ts";

export const PROVIDERS = ["offline", "openai", "azure", "anthropic", "replay"] as const;
export type ProviderName = (typeof PROVIDERS)[number];

/** Settings of a model under one role. */
export const roleSchema = z.strictObject({
  provider: z
    .enum(PROVIDERS)
    .optional()
    .describe(
      "provider of the model; default: openai if a model and its key or server are configured, otherwise offline",
    ),
  model: z.string().min(1).optional().describe("name of the model (of the deployment, for azure)"),
  temperature: z.number().min(0).max(2).optional().describe("not sent if not set"),
  max_tokens: z.int().min(1).optional().describe("maximum tokens of a reply"),
  reasoning_effort: z
    .enum(["minimal", "low", "medium", "high"])
    .optional()
    .describe("for reasoning models; not sent if not set"),
  base_url: z
    .url({ protocol: /^https?$/ })
    .refine(
      (url) => !/^[a-z]+:\/\/[^/]*@/i.test(url),
      "must not contain a user or password: secrets are read from the environment only",
    )
    .optional()
    .describe("server with the OpenAI protocol: a gateway, vLLM, Ollama, llama.cpp"),
  api_key_env: z
    .string()
    .refine(
      (name) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name),
      "must be the name of an environment variable, never the key itself",
    )
    .optional()
    .describe("environment variable with the API key"),
  api_version: z.string().optional().describe("azure only"),
  timeout: z.number().positive().optional().describe("timeout of one request, seconds"),
  max_retries: z.int().min(0).max(20).optional().describe("retries after rate limits and server errors"),
  quirks: z.array(z.string()).optional().describe("names of server quirks to assume, e.g. no_parallel_tools"),
});

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
  loops: z
    .strictObject({
      factory: z
        .strictObject({
          verify: z
            .array(z.string().min(1))
            .default([])
            .describe(
              "commands that verify a repository after every change; by default, derived from its files",
            ),
          max_attempts: z
            .int()
            .min(1)
            .max(20)
            .default(2)
            .describe("number of proposals to try per work order"),
          timeout_seconds: z
            .number()
            .positive()
            .max(86_400)
            .default(600)
            .describe("timeout of one command, seconds"),
          jail: z.boolean().default(true).describe("run commands in the jail if it is available"),
          network: z.boolean().default(false).describe("allow commands to use the network"),
          runs: z
            .string()
            .min(1)
            .default("./runs")
            .describe("folder of the runs that serve shows and starts; other commands use --out"),
          repositories: z
            .array(z.string().min(1))
            .default([])
            .describe("git repositories on which serve may start work orders"),
        })
        .prefault({}),
      agent: z
        .strictObject({
          workspace: z.string().min(1).default("./workspace").describe("folder of the jobs and their store"),
          configs: z
            .string()
            .min(1)
            .default("./configs/agents")
            .describe(
              "folder of your own agent configurations; they override built-in ones of the same name",
            ),
          min_confidence: z
            .number()
            .min(0)
            .max(1)
            .default(0.5)
            .describe("a job that ends with a lower confidence waits for approval"),
          heartbeat_seconds: z
            .number()
            .positive()
            .default(10)
            .describe(
              "heartbeat interval of a worker, seconds; after three missed heartbeats its job is taken over",
            ),
          try_item_seconds: z
            .number()
            .positive()
            .max(86_400)
            .default(300)
            .describe("timeout of try_item for one page, seconds"),
          try_item_cost_usd: z
            .number()
            .positive()
            .optional()
            .describe("cost limit of try_item for one page, USD"),
          max_returns: z
            .int()
            .min(0)
            .default(3)
            .describe("how often an ItemSpec is returned to its creator before it needs review"),
          web: z
            .strictObject({
              search_url: roleSchema.shape.base_url.describe(
                "web search server with Tavily's protocol; without it, web search is off",
              ),
              api_key_env: roleSchema.shape.api_key_env,
              hosts: z
                .array(
                  z
                    .string()
                    .regex(/^(?:\*\.)?[A-Za-z0-9._-]+(?::\d{1,5})?$|^\[[0-9A-Fa-f:.]+\](?::\d{1,5})?$/),
                )
                .default([])
                .describe(
                  "hosts that may be fetched: docs.example.org, *.example.org, optionally with :port",
                ),
              private_addresses: z
                .boolean()
                .default(false)
                .describe("also allow addresses of this machine and its local network"),
              max_bytes: z
                .int()
                .min(1024)
                .max(64 * 2 ** 20)
                .default(5_000_000)
                .describe("maximum bytes of one page"),
              timeout_seconds: z
                .number()
                .positive()
                .max(600)
                .default(30)
                .describe("timeout of one page or search, seconds"),
            })
            .prefault({})
            .describe("web access of the agent; off unless a server or hosts are configured"),
        })
        .prefault({}),
      design: z
        .strictObject({
          compact_chars: z
            .int()
            .min(1000)
            .default(24_000)
            .describe("maximum characters of a compact context pack"),
          debug_chars: z
            .int()
            .min(1000)
            .default(48_000)
            .describe("maximum characters of the pack after a run with failures"),
          full_chars: z
            .int()
            .min(1000)
            .default(100_000)
            .describe("maximum characters of the context that a model requests"),
          file_chars: z.int().min(100).default(20_000).describe("maximum characters of one requested file"),
          turns: z.int().min(0).default(6).describe("number of last turns in a pack"),
          runs: z
            .int()
            .min(1)
            .default(3)
            .describe("number of last runs in a pack, in addition to the last successful one"),
          jail: z.boolean().default(true).describe("run commands in the jail if it is available"),
          network: z.boolean().default(false).describe("allow commands to use the network"),
          projects: z
            .string()
            .min(1)
            .default("./projects")
            .describe("folder with the projects that serve shows; other commands use --project-dir"),
        })
        .prefault({}),
    })
    .prefault({}),
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
export type RoleConfig = z.infer<typeof roleSchema>;
