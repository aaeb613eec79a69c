// The schema of the settings of the factory, agent and design loops.
import { z } from "zod";
import { roleSchema } from "./role-schema.ts";

export const loopsSchema = z
  .strictObject({
    factory: z
      .strictObject({
        verify: z
          .array(z.string().min(1))
          .default([])
          .describe(
            "commands that verify a repository after every change; by default, derived from its files",
          ),
        max_attempts: z.int().min(1).max(20).default(2).describe("number of proposals to try per work order"),
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
          .describe("folder of your own agent configurations; they override built-in ones of the same name"),
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
                z.string().regex(/^(?:\*\.)?[A-Za-z0-9._-]+(?::\d{1,5})?$|^\[[0-9A-Fa-f:.]+\](?::\d{1,5})?$/),
              )
              .default([])
              .describe("hosts that may be fetched: docs.example.org, *.example.org, optionally with :port"),
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
  .prefault({});
