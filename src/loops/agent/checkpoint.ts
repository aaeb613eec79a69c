// Checkpoints of a job: the position in the two graphs. They contain the state once: the outer graph takes over the
// state of the inner one.
import { z } from "zod";
import { AtomsmithError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import { type Position, pathOf } from "../../engine/index.ts";
import type { RunAccess, RunWriter } from "../../store/index.ts";
import { type AgentState, stateSchema } from "./schemas.ts";

const storedSchema = z.object({
  /** Nodes from the outermost graph inwards. */
  path: z.array(z.string()).min(1).max(2),
  state: stateSchema,
});

export async function saveCheckpoint(
  store: RunWriter,
  position: Position<AgentState>,
  last = false,
): Promise<string> {
  const path = pathOf(position);
  const state = (position.inner?.state ?? position.state) as AgentState;
  return store.saveCheckpoint(path.join("_"), { path, state } as unknown as JsonObject, last);
}

/** The last position; undefined when the job has not started. Throws kind `store` when it is unreadable. */
export async function loadCheckpoint(store: RunAccess): Promise<Position<AgentState> | undefined> {
  const checkpoint = await store.loadCheckpoint();
  if (checkpoint === undefined) return undefined;
  const read = storedSchema.safeParse(checkpoint.state);
  if (!read.success) {
    throw new AtomsmithError(
      "store",
      `the checkpoint ${checkpoint.id} cannot be read: ${read.error.issues[0]?.message ?? ""}`,
      {
        where: store.dir,
      },
    );
  }
  const { path, state } = read.data;
  const [node = "", inner] = path;
  return inner === undefined ? { node, state } : { node, state, inner: { node: inner, state } };
}

/** State of a position, the innermost one. */
export function stateOf(position: Position<AgentState>): AgentState {
  return (position.inner?.state ?? position.state) as AgentState;
}
