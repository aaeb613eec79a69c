// Gives the model what it asked for, once in a turn. What the first directive proposed does not count.
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
