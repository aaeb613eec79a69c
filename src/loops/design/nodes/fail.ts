// Ends a turn with an error: it is recorded in the turn log, and nothing else changes.
import { errorState } from "../state.ts";
import { turnLine } from "../turn-line.ts";
import type { TurnDeps, TurnState } from "../turn-state.ts";
import { file } from "../versions.ts";

export async function fail(state: TurnState, { project }: TurnDeps): Promise<TurnState> {
  const next = errorState({ ...project.state, turn: state.turn });
  await project.write({ files: [file("state.json", next)], lines: [turnLine(state)] });
  return state;
}
