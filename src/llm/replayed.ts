// The event of a replayed reply, from the stored turns or from a cassette.
import type { EventBody } from "../core/events.ts";
import type { ChatReply, ModelRole } from "./types.ts";

/** `model_call_finished` with `replayed: true`; tokens and cost are those of the original call. */
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
