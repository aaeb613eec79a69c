// One attempt at a model call through the openai package. The package's own policies are disabled: no retries, no
// environment variables, no timers; the idle timer here watches the raw bytes.
import { AzureOpenAI, OpenAI } from "openai";
import { Stream } from "openai/core/streaming";
import type { ChatCompletionCreateParams } from "openai/resources/chat/completions";
import { AtomsmithError } from "../core/errors.ts";
import { type Assembled, assembleDocument, describe, MAX_REPLY_BYTES, StreamAssembler } from "./assemble.ts";
import { notACompletion, timedOut, toProviderError } from "./failures.ts";
import type { RoleSettings } from "./providers.ts";
import type { WireBody } from "./wire.ts";

/** Maximum raw size of one response: server-sent events are about fifty times as long as their text. */
const MAX_RAW_BYTES = 64 * MAX_REPLY_BYTES;

/** Most bytes to read of an error; 300 characters of it are shown. */
const MAX_ERROR_BYTES = 64 * 1024;

/** Time for a stream to close after its end marker, milliseconds. */
const MAX_DRAIN_MS = 250;

export interface AttemptOptions {
  settings: RoleSettings;
  signal: AbortSignal;
  /** Milliseconds without a byte inside a stream. */
  idleMs: number;
  /** Milliseconds for the whole attempt. */
  timeoutMs: number;
  onDelta?: (text: string) => void;
}

/** The reply, or the error with the part of the reply that arrived. */
export type AttemptResult =
  | { ok: true; reply: Assembled }
  | { ok: false; error: AtomsmithError; partial?: Assembled; raw?: unknown };

export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** Makes one request. Never throws. */
export async function attempt(
  client: OpenAI,
  body: WireBody,
  options: AttemptOptions,
): Promise<AttemptResult> {
  const { settings } = options;
  const watch = new Watch(options);
  const assembler = new StreamAssembler();
  let complete = false;
  const fail = (error: unknown): AttemptResult => ({
    ok: false,
    error: options.signal.aborted
      ? interruption(options.signal)
      : toProviderError(watch.reason ?? error, settings),
    raw: error,
    ...(assembler.started ? { partial: assembler.result() } : {}),
  });
  try {
    // The body is built by this program; the package's type is narrower about roles than the servers are.
    const params = body as unknown as ChatCompletionCreateParams;
    const response = await client.chat.completions
      .create(params, { signal: watch.signal, maxRetries: 0, timeout: options.timeoutMs })
      .asResponse();
    const watchedResponse = watch.watchBody(response);
    const type = response.headers.get("content-type") ?? "";
    // Some gateways answer a stream request with a document; it is handled as one.
    if (!body.stream || /json|html/.test(type)) {
      const document = assembleDocument(parseJson(await watchedResponse.text()));
      complete = true;
      if ("problem" in document) return fail(notACompletion(settings, document.problem));
      return watch.reason || options.signal.aborted ? fail(watch.reason) : { ok: true, reply: document };
    }
    for await (const chunk of Stream.fromSSEResponse<unknown>(watchedResponse, watch.controller, client)) {
      const added = assembler.add(chunk);
      if (added === undefined) return fail(notACompletion(settings, describe(chunk)));
      if (assembler.started) watch.startIdleTimer();
      if (added !== "") options.onDelta?.(added);
      if (assembler.full) break;
    }
    const reply = assembler.result();
    complete = !assembler.full;
    if (reply.finishReason !== undefined || reply.stopped !== undefined) return { ok: true, reply };
    // The package ends an aborted stream without an error.
    const what = assembler.started ? "a stream that ended before the reply was done" : "an empty stream";
    return fail(notACompletion(settings, what));
  } catch (error) {
    return fail(error);
  } finally {
    watch.end(complete);
  }
}

/** Creates a client with all options explicit, so that no OPENAI_… variable changes the destination of requests. */
export function createClient(settings: RoleSettings, fetchImpl: Fetch): OpenAI {
  const common = {
    apiKey: settings.apiKey,
    baseURL: settings.baseUrl,
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    logLevel: "off" as const,
    fetch: guarded(fetchImpl),
  };
  if (settings.client === "azure") {
    return new AzureOpenAI({ ...common, apiVersion: settings.apiVersion ?? "2024-10-21" });
  }
  return new OpenAI({ ...common, adminAPIKey: null });
}

function beginningOf(response: Response): Response {
  if (response.body === null) return response;
  const reader = response.body.getReader();
  let left = MAX_ERROR_BYTES;
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { done, value } = await reader.read();
      if (done) return controller.close();
      controller.enqueue(value.subarray(0, left));
      left -= value.byteLength;
      if (left > 0) return;
      controller.close();
      // Do not wait for the rest of the response.
      void reader.cancel().catch(() => undefined);
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return new Response(body, { status: response.status, headers: response.headers });
}

/** Limits of one attempt: its total time, and idle time and size of a stream. */
class Watch {
  readonly controller = new AbortController();
  /** The error of an exceeded limit. */
  reason: AtomsmithError | undefined;
  private readonly options: AttemptOptions;
  private readonly timer: ReturnType<typeof setTimeout>;
  private idle: ReturnType<typeof setTimeout> | undefined;
  private replyStarted = false;
  private readonly onAbort = (): void => this.controller.abort();

  constructor(options: AttemptOptions) {
    this.options = options;
    if (options.signal.aborted) this.controller.abort();
    options.signal.addEventListener("abort", this.onAbort, { once: true });
    this.timer = setTimeout(
      () => this.abortWith(timedOut(options.settings, options.timeoutMs, "request")),
      options.timeoutMs,
    );
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** The same response with its bytes counted. A reader that stops at the end marker leaves the last bytes of the body
   * unread; they are drained, so that the connection can be reused. */
  watchBody(response: Response): Response {
    if (response.body === null) return response;
    const reader = response.body.getReader();
    let bytes = 0;
    const body = new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        const { done, value } = await reader.read();
        if (done) return controller.close();
        bytes += value.byteLength;
        if (bytes > MAX_RAW_BYTES) {
          this.abortWith(notACompletion(this.options.settings, `more than ${MAX_RAW_BYTES} bytes`));
        } else if (this.replyStarted) this.restartIdleTimer();
        controller.enqueue(value);
      },
      cancel: () => {
        void drain(reader);
      },
    });
    return new Response(body, { status: response.status, headers: response.headers });
  }

  /** Starts the idle timer with the first text of the reply. Before that the model may reason for as long as the request
   * may take, and some servers send nothing meanwhile. */
  startIdleTimer(): void {
    if (this.replyStarted) return;
    this.replyStarted = true;
    this.restartIdleTimer();
  }

  private restartIdleTimer(): void {
    clearTimeout(this.idle);
    this.idle = setTimeout(
      () => this.abortWith(timedOut(this.options.settings, this.options.idleMs, "idle")),
      this.options.idleMs,
    );
  }

  private abortWith(error: AtomsmithError): void {
    this.reason ??= error;
    this.controller.abort();
  }

  /** Stops the timers. A connection whose response was read completely stays open for the next call; any other is
   * closed. */
  end(complete: boolean): void {
    clearTimeout(this.timer);
    clearTimeout(this.idle);
    this.options.signal.removeEventListener("abort", this.onAbort);
    if (!complete) this.controller.abort();
  }
}

/** Reads the short rest of a body; cancels a longer one. */
async function drain(
  reader: Pick<ReadableStreamDefaultReader<Uint8Array>, "read" | "cancel">,
): Promise<void> {
  const late = setTimeout(() => void reader.cancel().catch(() => undefined), MAX_DRAIN_MS);
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read());
  } catch {
    // The connection was aborted; nothing is left to read.
  } finally {
    clearTimeout(late);
  }
}

/** Follows no redirects: the API key and the logs are only sent to the configured address. The package reads error
 * texts without a limit, so it receives only their beginning. */
function guarded(fetchImpl: Fetch): Fetch {
  return async (input, init) => {
    const response = await fetchImpl(input, { ...init, redirect: "manual" });
    if (response.status >= 400) return beginningOf(response);
    if (response.status < 300) return response;
    throw new Error(`a redirect to ${response.headers.get("location") ?? "nowhere"} is not followed`);
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export function interruption(signal: AbortSignal): AtomsmithError {
  return signal.reason instanceof AtomsmithError
    ? signal.reason
    : new AtomsmithError("interrupted", "interrupted while a model was answering");
}
