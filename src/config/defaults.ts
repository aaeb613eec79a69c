// The default configuration: what the schema yields for an empty file, written out so that a start without
// configuration does not need the schema. test/config/defaults.test.ts compares the two.
import type { Config } from "./schema.ts";

/** A new configuration of all defaults, with relative paths. */
export function defaultConfig(): Config {
  return {
    paths: {
      search_root: ".",
      item_specs_dir: "./item_specs",
      cache_dir: "./cache",
      output_dir: "./output",
      variables: {},
    },
    llm: {
      agent_a: {},
      agent_b: {},
      reflect: {},
      factory: {},
      design: {},
      agent: {},
      embeddings: {},
      draft: "none",
      universal_atoms: "standard",
      redact: true,
      prices: {},
      max_concurrency: 8,
      idle_timeout: 60,
    },
    cache: {
      retention_policy: "hourly",
      max_checkpoints_per_hour: 10,
      keep_hours: 24,
      cleanup_on_success: false,
    },
    execution: {
      max_iterations: 3,
      timeout_per_stage: 300,
      timeout_total: 1800,
      enable_streaming: true,
      gate_budget: 60,
      concurrency: 4,
      candidates: 1,
    },
    logging: { level: "INFO", log_llm_calls: true },
    tool_constraints: {
      max_read_lines_per_call: 200,
      max_total_read_bytes: 102_400,
      max_files_per_discovery: 20,
      max_search_matches_per_keyword: 3,
      require_discovery_before_read: true,
      header_lines_default: 100,
    },
    sandbox: { require: "process", timeout: 5, memory_mb: 256 },
    loops: {
      factory: {
        verify: [],
        max_attempts: 2,
        timeout_seconds: 600,
        jail: true,
        network: false,
        runs: "./runs",
        repositories: [],
      },
      agent: {
        workspace: "./workspace",
        configs: "./configs/agents",
        min_confidence: 0.5,
        heartbeat_seconds: 10,
        try_item_seconds: 300,
        max_returns: 3,
        web: { hosts: [], private_addresses: false, max_bytes: 5_000_000, timeout_seconds: 30 },
      },
      design: {
        compact_chars: 24_000,
        debug_chars: 48_000,
        full_chars: 100_000,
        file_chars: 20_000,
        turns: 6,
        runs: 3,
        jail: true,
        network: false,
        projects: "./projects",
      },
    },
    queue: { roots: {}, store: "postgres", max_attempts: 6, split_mb: 256 },
    check: { max_text_mb: 256, max_records: 1_000_000, require_witness: false },
  };
}

/** Keys whose only rule is a non-empty text. */
export const PLAIN_PATHS = ["search_root", "item_specs_dir", "cache_dir", "output_dir"] as const;
export type PlainPath = (typeof PLAIN_PATHS)[number];

/** The key of `paths` for a dotted key, if it is one of PLAIN_PATHS. */
export function plainPath(key: string): PlainPath | undefined {
  return PLAIN_PATHS.find((name) => key === `paths.${name}`);
}
