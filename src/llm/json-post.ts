// One JSON request to a configured server, with a timeout and a size limit, without redirects. The error says whether
// the request can be retried.
import { AtomsmithError, type ErrorDetails } from "../core/errors.ts";
import { retryAfterMs } from "./failures.ts";

export interface JsonPost {
  /** Address of the server, for messages. */
  baseUrl: string;
  /** Path below the base URL. */
  path: string;
  /** Subject of the request for messages, e.g. `embeddings, model m`. */
  what: string;
  /** Undefined if the server requires no key. */
  apiKey: string | undefined;
  body: unknown;
  signal: AbortSignal;
  timeoutMs: number;
  maxReplyBytes: number;
}

/** Returns the answer, or undefined if it is not JSON. Throws kinds `provider`, `rate_limit` and `interrupted`. */
export async function postJson(post: JsonPost): Promise<unknown> {
  const { baseUrl, apiKey, signal } = post;
  let response: Response;
  let text: string;
  try {
    response = await fetch(`${baseUrl.replace(/\/+$/, "")}${post.path}`, {
      method: "POST",
      redirect: "error",
      headers: {
        "content-type": "application/json",
        ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify(post.body),
      signal: AbortSignal.any([signal, AbortSignal.timeout(post.timeoutMs)]),
    });
    text = await bounded(response, post);
  } catch (error) {
    if (signal.aborted) throw new AtomsmithError("interrupted", `the request was interrupted (${post.what})`);
    if (error instanceof AtomsmithError) throw error;
    throw postFailure(post, `no answer from ${baseUrl}`, { retryable: true, cause: error });
  }
  if (!response.ok) throw refusal(post, response);
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The error of a request. */
export function postFailure(
  { baseUrl, what }: Pick<JsonPost, "baseUrl" | "what">,
  message: string,
  details: ErrorDetails,
): AtomsmithError {
  return new AtomsmithError("provider", `${message} (${what})`, { where: baseUrl, ...details });
}

async function bounded(response: Response, post: JsonPost): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes, { stream: true });
    if (text.length > post.maxReplyBytes) {
      throw postFailure(post, `the answer is larger than ${post.maxReplyBytes} bytes`, {});
    }
  }
  return text + decoder.decode();
}

function refusal(post: JsonPost, { status, headers }: Response): AtomsmithError {
  const { baseUrl, what } = post;
  const wait = retryAfterMs(headers);
  const pause = wait === undefined ? {} : { retryAfterMs: wait };
  if (status === 429) {
    return new AtomsmithError("rate_limit", `${baseUrl} limits the rate of requests (${what})`, {
      where: baseUrl,
      status,
      retryable: true,
      ...pause,
    });
  }
  const retryable = status === 408 || status >= 500;
  return postFailure(post, `${baseUrl} answered with status ${status}`, { status, retryable, ...pause });
}
