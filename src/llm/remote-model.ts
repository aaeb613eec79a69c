// The ChatModel over a chat completions server: budget, retries, the endpoint's limiter and learned quirks, masking of
// requests, and pricing of replies.
import type OpenAI from "openai";
import { APIError } from "openai";
import type { Clock } from "../core/clock.ts";
import { AtomsmithError } from "../core/errors.ts";
import type { Emit } from "../core/events.ts";
import type { Redact } from "../core/redact/index.ts";
import { withRetries } from "../core/retry.ts";
import { type Assembled, estimateTokens } from "./assemble.ts";
import { type AttemptResult, attempt, createClient, type Fetch, interruption } from "./attempt.ts";
import { costOf, type Ledger, type Prices } from "./budget.ts";
import type { AdaptiveLimiter, CallOutcome } from "./limiter.ts";
import type { RoleSettings } from "./providers.ts";
import { applyQuirks, type QuirkName, quirkFromRefusal, readWithQuirks } from "./quirks.ts";
import type { EnteredCall, SharedLimits, Spending } from "./shared-limits.ts";
import type { ChatContext, ChatMessage, ChatModel, ChatReply, ChatRequest } from "./types.ts";
import { toWire, type WireBody } from "./wire.ts";

/** Longest delay that a timer supports. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** State of one endpoint, shared by all callers of a run. */
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
  /** Limits of the fleet that this process is part of. */
  shared?: { limits: SharedLimits; subject: string | undefined; maxCalls: number };
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
        () => this.attemptWithQuirks(masked, context, deadline),
      );
      this.emitFinished(reply, clock.now() - started);
      return reply;
    } catch (error) {
      if (context.signal.aborted) throw interruption(context.signal);
      throw error;
    }
  }

  /** One attempt, repeated immediately for every quirk learned from a rejected request. */
  private async attemptWithQuirks(
    request: ChatRequest,
    context: ChatContext,
    deadline: number,
  ): Promise<ChatReply> {
    const { settings, endpoint } = this.o;
    const standardBody = toWire(request, settings, this.o.stream);
    for (;;) {
      const quirks = new Set([...settings.quirks, ...endpoint.learned]);
      const body = applyQuirks(standardBody, quirks);
      const waiting = this.untilDeadline(context.signal, deadline);
      const result = await endpoint.limiter
        .run(waiting.signal, () => this.attemptCall(request, body, context, deadline), outcomeOf)
        .finally(waiting.clear);
      if (result.ok) return this.charge(this.toReply(readWithQuirks(result.reply, quirks), request));
      if (result.partial) await this.keepPartial(result.partial, request, context);
      const quirk = learnableQuirk(result, body, quirks);
      if (quirk === undefined) throw this.maskError(result.error);
      endpoint.learned.add(quirk);
      this.o.emit({
        type: "log",
        level: "info",
        message: `${settings.baseUrl} rejected a parameter; repeating the request with the quirk ${quirk}`,
      });
    }
  }

  /** Ends the wait for a free slot at the deadline: a server may have asked for a long pause. */
  private untilDeadline(signal: AbortSignal, deadline: number): { signal: AbortSignal; clear: () => void } {
    const { settings, clock } = this.o;
    const late = new AbortController();
    const timer = setTimeout(
      () =>
        late.abort(
          new AtomsmithError(
            "rate_limit",
            `no free slot for a call to ${settings.baseUrl} before the stage ran out of time`,
            {
              where: settings.baseUrl,
              retryable: false,
              hint: "Lower llm.max_concurrency, or raise execution.timeout_per_stage.",
            },
          ),
        ),
      Math.min(Math.max(1, deadline - clock.now()), MAX_TIMER_MS),
    );
    return { signal: AbortSignal.any([signal, late.signal]), clear: () => clearTimeout(timer) };
  }

  /** Makes the attempt once a slot is free. The budget is checked only now, since the cost of earlier calls is known. */
  private async attemptCall(
    request: ChatRequest,
    body: WireBody,
    context: ChatContext,
    deadline: number,
  ): Promise<AttemptResult> {
    const { settings, clock } = this.o;
    for (const ledger of this.o.ledgers) ledger.check();
    const least = this.leastSpending(request);
    const shared = await this.enterShared(least, context.signal, deadline);
    const releases = this.o.ledgers.map((ledger) => ledger.reserve(least.tokens, least.costUsd));
    let result: AttemptResult | undefined;
    try {
      result = await attempt(this.client, body, {
        settings,
        signal: context.signal,
        idleMs: this.o.idleMs,
        timeoutMs: Math.max(1, Math.ceil(Math.min(settings.timeoutMs, deadline - clock.now()))),
        ...(context.onDelta === undefined ? {} : { onDelta: context.onDelta }),
      });
      return result;
    } finally {
      for (const release of releases) release();
      if (shared !== undefined) await this.leaveShared(shared, result, request);
    }
  }

  private leastSpending(request: ChatRequest): Spending {
    const tokens = estimateTokens(request.messages.map((m) => m.content).join(""));
    const usage = { input_tokens: tokens, cached_tokens: 0, output_tokens: 0 };
    return { tokens, costUsd: costOf(usage, this.o.settings.model, this.o.prices) ?? 0 };
  }

  /** Waits for a free slot among the calls of the fleet. */
  private async enterShared(
    reserve: Spending,
    caller: AbortSignal,
    deadline: number,
  ): Promise<EnteredCall | undefined> {
    const { shared, settings } = this.o;
    if (shared === undefined) return undefined;
    const { signal, clear } = this.untilDeadline(caller, deadline);
    const { limits, subject, maxCalls } = shared;
    return limits.enter({ subject, endpoint: settings.baseUrl, maxCalls, reserve, signal }).finally(clear);
  }

  private async leaveShared(
    call: EnteredCall,
    result: AttemptResult | undefined,
    request: ChatRequest,
  ): Promise<void> {
    const assembled = result?.ok ? result.reply : result?.partial;
    const reply = assembled && this.toReply(assembled, request);
    const { input_tokens = 0, output_tokens = 0 } = reply?.usage ?? {};
    const pause =
      result && !result.ok && result.error.kind === "rate_limit"
        ? result.error.details.retryAfterMs
        : undefined;
    await call.leave({ tokens: input_tokens + output_tokens, costUsd: reply?.cost_usd ?? 0 }, pause);
  }

  /** Charges and stores a partial reply: it was billed too. */
  private async keepPartial(partial: Assembled, request: ChatRequest, context: ChatContext): Promise<void> {
    const reply = this.charge(this.toReply(partial, request));
    await context.onPartial?.(reply);
  }

  private charge(reply: ChatReply): ChatReply {
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

  /** Masks a message. A conversation sends the same messages repeatedly, so results are cached. */
  private mask(message: ChatMessage): ChatMessage {
    const cached = this.masked.get(message);
    if (cached) return cached;
    const content = this.o.redact(message.content);
    const masked = content === message.content ? message : { ...message, content };
    this.masked.set(message, masked);
    return masked;
  }

  /** Masks an error message, since servers may quote keys. The cause is dropped, because it cannot be masked. */
  private maskError({ kind, message, details: { cause: _, ...details } }: AtomsmithError): AtomsmithError {
    return new AtomsmithError(kind, this.o.redact(message), details);
  }

  private emitFinished(reply: ChatReply, durationMs: number): void {
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

/** The quirk that can be learned from a rejection (400, 422) of this body. */
function learnableQuirk(
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
