// The event of a reply that was not asked for again: it came from the stored turns or from a cassette.
import type { EventBody } from "../core/events.ts";
import type { ChatReply, ModelRole } from "./types.ts";

/** `model_call_finished` with `replayed: true`; the tokens and the cost are those of the call that was paid for. */
export function replayedCall(role: ModelRole, reply: ChatReply): EventBody {
  return {
    type: "model_call_finished",
    role,
    model: reply.model,
    input_tokens: reply.usage.input_tokens,
    cached_tokens: reply.usage.cached_tokens,
    output_tokens: reply.usage.output_tokens,
    cost_usd: reply.cost_usd,
    replayed: true,
    finish_reason: reply.finish_reason,
    duration_ms: 0,
  };
}
