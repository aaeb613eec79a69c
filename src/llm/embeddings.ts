// Embeddings of texts from a server with the OpenAI protocol.
import { z } from "zod";
import type { Clock } from "../core/clock.ts";
import { withRetries } from "../core/retry.ts";
import { postFailure, postJson } from "./json-post.ts";

export interface EmbeddingsOptions {
  baseUrl: string;
  model: string;
  /** Undefined if the server requires no key. */
  apiKey: string | undefined;
  clock: Clock;
  signal: AbortSignal;
  /** Timeout of one request, and of one request with all retries, milliseconds. */
  timeoutMs?: number;
  deadlineMs?: number;
  maxRetries?: number;
}

const TIMEOUT_MS = 30_000;
const DEADLINE_MS = 90_000;
const RETRIES = 2;
const MAX_REPLY_BYTES = 64 * 2 ** 20;

const replySchema = z.object({
  data: z.array(z.object({ index: z.int().min(0), embedding: z.array(z.number()).min(1) })),
});

/** Returns one vector per text, in order. Throws kinds `provider`, `rate_limit` and `interrupted`. */
export function createEmbedder(options: EmbeddingsOptions): {
  model: string;
  embed(texts: readonly string[]): Promise<Float32Array[]>;
} {
  const { clock, signal, model, maxRetries = RETRIES, deadlineMs = DEADLINE_MS } = options;
  const embed = (texts: readonly string[]): Promise<Float32Array[]> =>
    withRetries(
      {
        maxRetries,
        clock,
        random: Math.random,
        signal,
        deadline: clock.now() + deadlineMs,
        onRetry: () => {},
      },
      () => once(texts, options),
    );
  return { model, embed };
}

async function once(texts: readonly string[], options: EmbeddingsOptions): Promise<Float32Array[]> {
  const { baseUrl, model, apiKey, signal, timeoutMs = TIMEOUT_MS } = options;
  const answer = await postJson({
    baseUrl,
    path: "/embeddings",
    what: whatOf(options),
    apiKey,
    body: { model, input: texts, encoding_format: "float" },
    signal,
    timeoutMs,
    maxReplyBytes: MAX_REPLY_BYTES,
  });
  return vectors(options, answer, texts.length);
}

function whatOf({ model }: EmbeddingsOptions): string {
  return `embeddings, model ${model}`;
}

function vectors(options: EmbeddingsOptions, answer: unknown, count: number): Float32Array[] {
  const read = replySchema.safeParse(answer);
  const found = new Map(read.data?.data.map(({ index, embedding }) => [index, embedding]));
  const size = found.get(0)?.length;
  const all = Array.from({ length: count }, (_, index) => found.get(index) ?? []);
  if (!read.success || all.some((vector) => vector.length === 0 || vector.length !== size)) {
    const { baseUrl } = options;
    const message = `${baseUrl} did not answer with ${count} embeddings`;
    throw postFailure({ baseUrl, what: whatOf(options) }, message, { retryable: false });
  }
  return all.map((vector) => new Float32Array(vector));
}
