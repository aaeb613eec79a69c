// Sends the requested context to the model, once per turn. Proposals of the first directive are dropped.
import { fullPack } from "../context.ts";
import { nudge } from "../prompts.ts";
import type { TurnDeps, TurnState } from "../turn-state.ts";

export async function context(state: TurnState, { conversation, source }: TurnDeps): Promise<TurnState> {
  if (state.directive === null) return state;
  const pack = fullPack(source, state.directive.context_requests);
  conversation.say(nudge("context", { pack: pack.text }));
  const packs = [...state.packs, { mode: pack.mode, chars: pack.text.length, hop: 1 }];
  return { ...state, packs, directive: null };
}
