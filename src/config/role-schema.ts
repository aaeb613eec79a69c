// The schema of the settings of a model role.
import { z } from "zod";

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

export type RoleConfig = z.infer<typeof roleSchema>;
