// Vectors of texts by a server that speaks the OpenAI protocol.
import { z } from "zod";
import type { Clock } from "../core/clock.ts";
import { AtomsmithError } from "../core/errors.ts";
import { withRetries } from "../core/retry.ts";
import { retryAfterMs } from "./failures.ts";

export interface EmbeddingsOptions {
  baseUrl: string;
  model: string;
  /** Undefined: the server wants none. */
  apiKey: string | undefined;
  clock: Clock;
  signal: AbortSignal;
  /** Milliseconds for one request, and for one with all its repetitions. */
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

/** As many vectors as texts, in their order. Throws kinds `provider`, `rate_limit` and `interrupted`. */
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
  let response: Response;
  let text: string;
  try {
    response = await fetch(`${baseUrl.replace(/\/+$/, "")}/embeddings`, {
      method: "POST",
      redirect: "error",
      headers: {
        "content-type": "application/json",
        ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify({ model, input: texts, encoding_format: "float" }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    text = await bounded(response);
  } catch (error) {
    if (signal.aborted) throw new AtomsmithError("interrupted", "asking for embeddings was interrupted");
    if (error instanceof AtomsmithError) throw error;
    throw failure(options, `no answer from ${baseUrl}`, { retryable: true, cause: error });
  }
  if (!response.ok) throw refusal(options, response);
  return vectors(options, text, texts.length);
}

async function bounded(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes, { stream: true });
    if (text.length > MAX_REPLY_BYTES) {
      throw new AtomsmithError("provider", `the embeddings are larger than ${MAX_REPLY_BYTES} bytes`);
    }
  }
  return text + decoder.decode();
}

function refusal(options: EmbeddingsOptions, { status, headers }: Response): AtomsmithError {
  const wait = retryAfterMs(headers);
  const pause = wait === undefined ? {} : { retryAfterMs: wait };
  if (status === 429) {
    const message = `${options.baseUrl} limits the rate of embeddings`;
    return new AtomsmithError("rate_limit", message, {
      where: options.baseUrl,
      status,
      retryable: true,
      ...pause,
    });
  }
  const retryable = status === 408 || status >= 500;
  return failure(options, `${options.baseUrl} answered with status ${status}`, {
    status,
    retryable,
    ...pause,
  });
}

function vectors(options: EmbeddingsOptions, text: string, count: number): Float32Array[] {
  const read = replySchema.safeParse(jsonOr(text));
  const found = new Map(read.data?.data.map(({ index, embedding }) => [index, embedding]));
  const size = found.get(0)?.length;
  const all = Array.from({ length: count }, (_, index) => found.get(index) ?? []);
  if (!read.success || all.some((vector) => vector.length === 0 || vector.length !== size)) {
    throw failure(options, `${options.baseUrl} answered with something else than ${count} embeddings`, {
      retryable: false,
    });
  }
  return all.map((vector) => new Float32Array(vector));
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function failure(
  { baseUrl, model }: EmbeddingsOptions,
  message: string,
  details: { retryable: boolean; status?: number; retryAfterMs?: number; cause?: unknown },
): AtomsmithError {
  return new AtomsmithError("provider", `${message} (embeddings, model ${model})`, {
    where: baseUrl,
    ...details,
  });
}
