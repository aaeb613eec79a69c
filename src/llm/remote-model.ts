// The ChatModel over a chat completions server: budget, retries, the endpoint's limiter, its learned quirks,
// masking of what leaves, and the price of what comes back.
import type OpenAI from "openai";
import { APIError } from "openai";
import { AtomsmithError } from "../core/errors.ts";
import type { Emit } from "../core/events.ts";
import type { Redact } from "../core/redact.ts";
import { type Assembled, estimateTokens } from "./assemble.ts";
import { type AttemptResult, attempt, createClient, type Fetch, interruption } from "./attempt.ts";
import { costOf, type Ledger, type Prices } from "./budget.ts";
import type { Clock } from "./clock.ts";
import type { AdaptiveLimiter, CallOutcome } from "./limiter.ts";
import type { RoleSettings } from "./providers.ts";
import { applyQuirks, type QuirkName, quirkFromRefusal, readWithQuirks } from "./quirks.ts";
import { withRetries } from "./retry.ts";
import type { ChatContext, ChatMessage, ChatModel, ChatReply, ChatRequest } from "./types.ts";
import { toWire, type WireBody } from "./wire.ts";

/** Longest delay a timer can have. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** What is known of one endpoint, shared by all callers of a run. */
export interface Endpoint {
  limiter: AdaptiveLimiter;
  learned: Set<QuirkName>;
}

export interface RemoteModelOptions {
  settings: RoleSettings;
  endpoint: Endpoint;
  ledgers: Ledger[];
  prices: Prices;
  clock: Clock;
  random: () => number;
  fetch: Fetch;
  redact: Redact;
  stream: boolean;
  idleMs: number;
  emit: Emit;
}

export class RemoteModel implements ChatModel {
  readonly name: string;
  private readonly client: OpenAI;
  private readonly masked = new WeakMap<ChatMessage, ChatMessage>();
  private readonly o: RemoteModelOptions;

  constructor(options: RemoteModelOptions) {
    this.o = options;
    this.name = options.settings.model;
    this.client = createClient(options.settings, options.fetch);
  }

  async complete(request: ChatRequest, context: ChatContext): Promise<ChatReply> {
    const { settings, clock } = this.o;
    const masked: ChatRequest = { ...request, messages: request.messages.map((m) => this.mask(m)) };
    const deadline = context.deadline ?? clock.now() + settings.timeoutMs * (settings.maxRetries + 1);
    const started = clock.now();
    this.o.emit({
      type: "model_call_started",
      role: settings.role,
      model: settings.model,
      messages: request.messages.length,
    });
    try {
      const reply = await withRetries(
        {
          maxRetries: settings.maxRetries,
          clock,
          random: this.o.random,
          signal: context.signal,
          deadline,
          onRetry: (number, wait, error) =>
            this.o.emit({
              type: "retry",
              what: `${settings.provider} ${settings.model}`,
              attempt: number,
              wait_ms: Math.round(wait),
              reason: error.message,
            }),
        },
        () => this.once(masked, context, deadline),
      );
      this.finished(reply, clock.now() - started);
      return reply;
    } catch (error) {
      if (context.signal.aborted) throw interruption(context.signal);
      throw error;
    }
  }

  /** One attempt, repeated at once for every quirk a refusal teaches. */
  private async once(request: ChatRequest, context: ChatContext, deadline: number): Promise<ChatReply> {
    const { settings, endpoint } = this.o;
    const plain = toWire(request, settings, this.o.stream);
    for (;;) {
      const quirks = new Set([...settings.quirks, ...endpoint.learned]);
      const body = applyQuirks(plain, quirks);
      const waiting = this.untilDeadline(context.signal, deadline);
      const result = await endpoint.limiter
        .run(waiting.signal, () => this.try(request, body, context, deadline), outcomeOf)
        .finally(waiting.clear);
      if (result.ok) return this.pay(this.toReply(readWithQuirks(result.reply, quirks), request));
      if (result.partial) await this.keepPartial(result.partial, request, context);
      const lesson = lessonOf(result, body, quirks);
      if (lesson === undefined) throw this.maskError(result.error);
      endpoint.learned.add(lesson);
      this.o.emit({
        type: "log",
        level: "info",
        message: `${settings.baseUrl} refused a parameter; asking again with the quirk ${lesson}`,
      });
    }
  }

  /** Ends the wait for a free place, which a server may have asked to be long, when the stage ends. */
  private untilDeadline(signal: AbortSignal, deadline: number): { signal: AbortSignal; clear: () => void } {
    const { settings, clock } = this.o;
    const late = new AbortController();
    const timer = setTimeout(
      () =>
        late.abort(
          new AtomsmithError(
            "rate_limit",
            `no free place at ${settings.baseUrl} before the stage ran out of time`,
            {
              where: settings.baseUrl,
              retryable: false,
              hint: "Lower the number of calls at once (llm.max_concurrency), or raise execution.timeout_per_stage.",
            },
          ),
        ),
      Math.min(Math.max(1, deadline - clock.now()), MAX_TIMER_MS),
    );
    return { signal: AbortSignal.any([signal, late.signal]), clear: () => clearTimeout(timer) };
  }

  /** The attempt itself, once there is room for it: only now it is known what the calls before it cost. */
  private async try(
    request: ChatRequest,
    body: WireBody,
    context: ChatContext,
    deadline: number,
  ): Promise<AttemptResult> {
    const { settings, clock } = this.o;
    for (const ledger of this.o.ledgers) ledger.check();
    const release = this.reserve(request);
    try {
      return await attempt(this.client, body, {
        settings,
        signal: context.signal,
        idleMs: this.o.idleMs,
        timeoutMs: Math.max(1, Math.ceil(Math.min(settings.timeoutMs, deadline - clock.now()))),
        ...(context.onDelta === undefined ? {} : { onDelta: context.onDelta }),
      });
    } finally {
      release();
    }
  }

  private reserve(request: ChatRequest): () => void {
    const tokens = estimateTokens(request.messages.map((m) => m.content).join(""));
    const usage = { input_tokens: tokens, cached_tokens: 0, output_tokens: 0 };
    const cost = costOf(usage, this.o.settings.model, this.o.prices) ?? 0;
    const releases = this.o.ledgers.map((ledger) => ledger.reserve(tokens, cost));
    return () => {
      for (const release of releases) release();
    };
  }

  /** A reply that broke off was billed all the same. */
  private async keepPartial(partial: Assembled, request: ChatRequest, context: ChatContext): Promise<void> {
    const reply = this.pay(this.toReply(partial, request));
    await context.onPartial?.(reply);
  }

  private pay(reply: ChatReply): ChatReply {
    for (const ledger of this.o.ledgers) ledger.add(this.o.settings.role, reply);
    return reply;
  }

  private toReply(assembled: Assembled, request: ChatRequest): ChatReply {
    const { redact, settings } = this.o;
    const usage = assembled.usage ?? {
      input_tokens: estimateTokens(JSON.stringify(request.messages)),
      cached_tokens: 0,
      output_tokens: estimateTokens(assembled.content + JSON.stringify(assembled.toolCalls)),
      estimated: true,
    };
    return {
      content: redact(assembled.content),
      tool_calls: assembled.toolCalls.map((call) => ({ ...call, arguments: redact(call.arguments) })),
      finish_reason: finishReason(assembled),
      ...(assembled.refusal === undefined ? {} : { refusal: redact(assembled.refusal) }),
      usage,
      cost_usd: costOf(usage, settings.model, this.o.prices),
      model: assembled.model ?? settings.model,
    };
  }

  /** Masks a message. A conversation sends the same messages again and again: each is masked once. */
  private mask(message: ChatMessage): ChatMessage {
    const known = this.masked.get(message);
    if (known) return known;
    const content = this.o.redact(message.content);
    const masked = content === message.content ? message : { ...message, content };
    this.masked.set(message, masked);
    return masked;
  }

  /** Servers quote keys in their complaints. The cause is dropped: its text is not ours to vouch for. */
  private maskError({ kind, message, details: { cause: _, ...details } }: AtomsmithError): AtomsmithError {
    return new AtomsmithError(kind, this.o.redact(message), details);
  }

  private finished(reply: ChatReply, durationMs: number): void {
    this.o.emit({
      type: "model_call_finished",
      role: this.o.settings.role,
      model: reply.model,
      input_tokens: reply.usage.input_tokens,
      cached_tokens: reply.usage.cached_tokens,
      output_tokens: reply.usage.output_tokens,
      cost_usd: reply.cost_usd,
      replayed: false,
      finish_reason: reply.finish_reason,
      duration_ms: Math.round(durationMs),
    });
  }
}

function outcomeOf(result: AttemptResult): { outcome: CallOutcome; retryAfterMs?: number } {
  if (result.ok) return { outcome: "success" };
  const { kind, details } = result.error;
  if (kind === "rate_limit") {
    return {
      outcome: "rate_limited",
      ...(details.retryAfterMs === undefined ? {} : { retryAfterMs: details.retryAfterMs }),
    };
  }
  return { outcome: kind === "provider" && details.retryable ? "server_error" : "other" };
}

/** The quirk that a refusal (400, 422) of this body teaches. */
function lessonOf(
  result: { error: AtomsmithError; raw?: unknown },
  body: Parameters<typeof quirkFromRefusal>[0],
  assumed: ReadonlySet<QuirkName>,
): QuirkName | undefined {
  const { raw } = result;
  if (!(raw instanceof APIError) || (raw.status !== 400 && raw.status !== 422)) return undefined;
  return quirkFromRefusal(body, raw.param, `${raw.message} ${JSON.stringify(raw.error ?? "")}`, assumed);
}

function finishReason(assembled: Assembled): ChatReply["finish_reason"] {
  if (assembled.stopped !== undefined) return "length";
  switch (assembled.finishReason) {
    case "stop":
    case "length":
    case "content_filter":
      return assembled.finishReason === "stop" && assembled.toolCalls.length > 0
        ? "tool_calls"
        : assembled.finishReason;
    case "tool_calls":
    case "function_call":
      return "tool_calls";
    case "end_turn":
      return assembled.toolCalls.length > 0 ? "tool_calls" : "stop";
    case "max_tokens":
      return "length";
    default:
      return "other";
  }
}
