// Copies a run from one store to another, e.g. from the database of a fleet to the files of the submitting machine.
import type { JsonObject } from "../core/json.ts";
import type { RunAccess, RunWriter } from "./types.ts";

/** Copies replies, journal, the latest checkpoint, and the given views and logs. Replies that the target already has are
 * kept; those of another run are set aside. */
export async function copyRun(
  from: RunAccess,
  to: RunWriter,
  { views = [], logs = [] }: { views?: readonly string[]; logs?: readonly string[] },
): Promise<void> {
  const turns = await from.loadTurns();
  const known = to.turns.all();
  const continues =
    known.length <= turns.length && known.every((turn, i) => turn["key"] === turns[i]?.["key"]);
  if (!continues) await to.turns.setAside();
  for (const turn of turns.slice(continues ? known.length : 0)) await to.turns.append(turn);
  for (const folder of views) {
    if (!continues) await to.dropViews(folder);
    for (const [name, view] of await from.loadViews(folder)) await to.saveView(folder, name, view);
  }
  for (const name of logs) await copyLog(await from.loadLog(name), to, name);
  for (const event of await from.loadJournal()) to.record(event);
  const checkpoint = await from.loadCheckpoint();
  if (checkpoint !== undefined) await to.saveCheckpoint(checkpoint.stage, checkpoint.state, true);
}

/** Appends the lines that are not in the target yet. */
async function copyLog(lines: readonly JsonObject[], to: RunWriter, name: string): Promise<void> {
  const log = await to.openLog(name);
  const { earlier } = log;
  const isSame = earlier.every((line, i) => JSON.stringify(line) === JSON.stringify(lines[i]));
  for (const line of lines.slice(isSame ? earlier.length : 0)) await log.append(line);
}
