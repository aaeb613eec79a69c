// The line of a turn in the turn log.
import type { TurnState } from "./turn-state.ts";

export function turnLine({ turn, message, packs, replies, directive, warnings, error }: TurnState): object {
  return { turn, message, packs, replies, directive, warnings, error };
}
