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
    .describe("who writes; default: openai when a model and its key or server are configured, else offline"),
  model: z.string().min(1).optional().describe("name of the model (of the deployment, for azure)"),
  temperature: z.number().min(0).max(2).optional().describe("left out of the request when not set"),
  max_tokens: z.int().min(1).optional().describe("tokens of one reply"),
  reasoning_effort: z
    .enum(["minimal", "low", "medium", "high"])
    .optional()
    .describe("for models that think; left out of the request when not set"),
  base_url: z
    .url({ protocol: /^https?$/ })
    .refine(
      (url) => !/^[a-z]+:\/\/[^/]*@/i.test(url),
      "must not contain a user or password: secrets are read from the environment only",
    )
    .optional()
    .describe("server that speaks the OpenAI protocol: a gateway, vLLM, Ollama, llama.cpp"),
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
  max_retries: z.int().min(0).max(20).optional().describe("tries again after rate limits and server errors"),
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
        .describe("folder of the logs; nothing outside it is ever read as a log"),
      item_specs_dir: z
        .string()
        .min(1)
        .default("./item_specs")
        .describe("folder of the ItemSpecs, for batch without arguments"),
      cache_dir: z.string().min(1).default("./cache").describe("checkpoints, journals, stored replies"),
      output_dir: z.string().min(1).default("./output").describe("the atom sets, one folder per item"),
      variables: z
        .record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), z.string())
        .default({})
        .describe(
          "values of ${NAME} in input_files; CHECKLIST_ROOT and DESIGN_ROOT default to the search root, LOG_ROOT to its folder logs where there is one",
        ),
    })
    .prefault({}),
  llm: z
    .strictObject({
      ...roleSchemas(),
      embeddings: z
        .strictObject({
          base_url: roleSchema.shape.base_url,
          model: z.string().min(1).optional().describe("name of the model that makes vectors"),
          api_key_env: roleSchema.shape.api_key_env,
        })
        .prefault({})
        .describe("server of embeddings for the agent's search; without it full text answers"),
      draft: z
        .enum(["none", "offline"])
        .default("none")
        .describe("who makes a first draft, from the worked examples of a page, for the model to check"),
      universal_atoms: z
        .enum(["standard", "author"])
        .default("standard")
        .describe("who writes Atoms B and C: the program brings them, or the author writes them as well"),
      redact: z.boolean().default(true).describe("mask keys and passwords in logs before a model sees them"),
      prices: z.record(z.string(), priceSchema).default({}).describe("USD per million tokens, by model"),
      max_cost_usd: z.number().positive().optional().describe("stop a run at this cost"),
      max_cost_usd_per_item: z.number().positive().optional().describe("stop one item at this cost"),
      max_tokens_total: z.int().positive().optional().describe("stop a run at this many tokens"),
      max_tokens_per_item: z.int().positive().optional().describe("stop one item at this many tokens"),
      max_concurrency: z.int().min(1).max(256).default(8).describe("model calls at once, over all items"),
      idle_timeout: z.number().positive().default(60).describe("seconds without a byte inside a stream"),
      record: z.string().optional().describe("folder to record replies in, one cassette per item"),
      cassettes: z.string().optional().describe("folder of recorded replies for provider replay"),
    })
    .prefault({}),
  cache: z
    .strictObject({
      retention_policy: z
        .enum(["hourly"])
        .default("hourly")
        .describe("checkpoints are kept in folders by hour"),
      max_checkpoints_per_hour: z.int().min(1).default(10).describe("older ones of the hour are dropped"),
      keep_hours: z.int().min(1).default(24).describe("folders of older hours are dropped"),
      cleanup_on_success: z
        .boolean()
        .default(false)
        .describe("keep only the latest checkpoint of an accepted item"),
    })
    .prefault({}),
  execution: z
    .strictObject({
      max_iterations: z.int().min(1).max(20).default(3).describe("attempts that reach the gates, per item"),
      timeout_per_stage: z.number().positive().default(300).describe("seconds for one stage of one item"),
      timeout_total: z.number().positive().default(1800).describe("seconds for one item"),
      enable_streaming: z.boolean().default(true).describe("read replies as they are written"),
      gate_budget: z
        .number()
        .positive()
        .default(60)
        .describe("seconds that the gates may spend on one set; what takes longer is a finding"),
      concurrency: z.int().min(1).max(256).default(4).describe("items at once in a batch"),
      candidates: z
        .int()
        .min(1)
        .max(8)
        .default(1)
        .describe("drafts of Atom A per attempt; the best one is kept"),
    })
    .prefault({}),
  logging: z
    .strictObject({
      level: z
        .enum(["DEBUG", "INFO", "WARNING", "ERROR"])
        .default("INFO")
        .describe("of stderr and the log file"),
      log_file: z.string().min(1).optional().describe("what happens is appended to this file"),
      log_llm_calls: z
        .boolean()
        .default(true)
        .describe("model calls also stand in the log file (no contents)"),
    })
    .prefault({}),
  tool_constraints: z
    .strictObject({
      max_read_lines_per_call: z
        .int()
        .min(1)
        .default(200)
        .describe("lines that one call of a tool may return"),
      max_total_read_bytes: z
        .int()
        .min(1)
        .default(102_400)
        .describe("bytes that all tools together may return for one item"),
      max_files_per_discovery: z.int().min(1).default(20).describe("files that one listing returns"),
      max_search_matches_per_keyword: z
        .int()
        .min(1)
        .default(3)
        .describe("matches that a search returns per word"),
      require_discovery_before_read: z
        .boolean()
        .default(true)
        .describe("only files that a listing returned may be read"),
      header_lines_default: z.int().min(1).default(100).describe("lines of a header when none are asked for"),
    })
    .prefault({}),
  sandbox: z
    .strictObject({
      require: z
        .enum(["full", "partial", "process"])
        .default("process")
        .describe("the program does not start with a weaker sandbox than this"),
      children: z
        .int()
        .min(1)
        .max(64)
        .optional()
        .describe("processes at once (default: number of processors, at most 4)"),
      timeout: z.number().positive().default(5).describe("seconds for one call of an atom"),
      memory_mb: z.int().min(16).max(4096).default(256).describe("memory of one atom"),
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
              "commands that verify a repository after every change; without them they follow from its files",
            ),
          max_attempts: z.int().min(1).max(20).default(2).describe("proposals that are tried per work order"),
          timeout_seconds: z.number().positive().max(86_400).default(600).describe("seconds for one command"),
          jail: z.boolean().default(true).describe("run commands in the jail where the machine has one"),
          network: z.boolean().default(false).describe("let commands use the network"),
          runs: z
            .string()
            .min(1)
            .default("./runs")
            .describe("folder of the runs that serve shows and starts; commands name theirs with --out"),
          repositories: z
            .array(z.string().min(1))
            .default([])
            .describe("git repositories on which serve may start work orders"),
        })
        .prefault({}),
      agent: z
        .strictObject({
          workspace: z
            .string()
            .min(1)
            .default("./workspace")
            .describe("folder of the jobs and of their store"),
          configs: z
            .string()
            .min(1)
            .default("./configs/agents")
            .describe(
              "folder of your own agent configurations; they override embedded ones of the same name",
            ),
          min_confidence: z
            .number()
            .min(0)
            .max(1)
            .default(0.5)
            .describe("a job that ends with less waits for a person"),
          heartbeat_seconds: z
            .number()
            .positive()
            .default(10)
            .describe(
              "how often a worker says that it lives; after three that are missed its job is taken over",
            ),
          try_item_seconds: z
            .number()
            .positive()
            .max(86_400)
            .default(300)
            .describe("seconds that try_item may take for one page"),
          try_item_cost_usd: z
            .number()
            .positive()
            .optional()
            .describe("what try_item may cost for one page, in USD"),
          max_returns: z
            .int()
            .min(0)
            .default(3)
            .describe("how often an ItemSpec goes back to its creator; then a person is needed"),
          web: z
            .strictObject({
              search_url: roleSchema.shape.base_url.describe(
                "server of web search that speaks Tavily's protocol; without it nothing is searched on the web",
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
                  "hosts whose pages are fetched: docs.example.org, *.example.org, either with :port",
                ),
              private_addresses: z
                .boolean()
                .default(false)
                .describe("fetch pages from addresses of this machine and its network, too"),
              max_bytes: z
                .int()
                .min(1024)
                .max(64 * 2 ** 20)
                .default(5_000_000)
                .describe("bytes of one page"),
              timeout_seconds: z
                .number()
                .positive()
                .max(600)
                .default(30)
                .describe("seconds for one page or search"),
            })
            .prefault({})
            .describe("the agent's way to the web; off unless a server or hosts are named"),
        })
        .prefault({}),
      design: z
        .strictObject({
          compact_chars: z.int().min(1000).default(24_000).describe("characters of a compact context pack"),
          debug_chars: z
            .int()
            .min(1000)
            .default(48_000)
            .describe("characters of the pack after a run with failures"),
          full_chars: z.int().min(1000).default(100_000).describe("characters of what a model asks for"),
          file_chars: z
            .int()
            .min(100)
            .default(20_000)
            .describe("characters of one file that a model asks for"),
          turns: z.int().min(0).default(6).describe("last turns that a pack tells of"),
          runs: z
            .int()
            .min(1)
            .default(3)
            .describe("last runs that a pack tells of, beside the last good one"),
          jail: z.boolean().default(true).describe("run commands in the jail where the machine has one"),
          network: z.boolean().default(false).describe("let commands use the network"),
          projects: z
            .string()
            .min(1)
            .default("./projects")
            .describe(
              "folder whose folders are the projects that serve shows; commands name one with --project-dir",
            ),
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
        .describe("name of this project among those of the fleet (default: from host and output folder)"),
      root: z
        .string()
        .min(1)
        .optional()
        .describe("name of the search root, by which workers find their path (default: its absolute path)"),
      roots: z
        .record(z.string().min(1), z.string().min(1))
        .default({})
        .describe("of a worker: its path of each search root, by name; --root adds to it"),
      store: z
        .enum(["postgres", "files"])
        .default("postgres")
        .describe(
          "where runs and sets are: tables, or the cache and output folders, which all machines share",
        ),
      max_attempts: z
        .int()
        .min(1)
        .max(100)
        .default(6)
        .describe("attempts of one job, each ended by the loss of its worker, before it counts as dead"),
      split_mb: z
        .int()
        .min(64)
        .max(1_000_000)
        .default(256)
        .describe(
          "logs from this size on are read in ranges by several workers, where a set is proved line-local",
        ),
    })
    .prefault({}),
  check: z
    .strictObject({
      max_text_mb: z
        .int()
        .min(1)
        .default(256)
        .describe("largest text given to an atom that is not line-local"),
      max_records: z.int().min(1).default(1_000_000).describe("records that one atom may return"),
      require_witness: z
        .boolean()
        .default(false)
        .describe("a check that needs a witness and has none is an error, not a warning"),
    })
    .prefault({}),
});

/** The configuration with every default filled in. */
export type Config = z.infer<typeof configSchema>;
export type RoleConfig = z.infer<typeof roleSchema>;
