// The document of a job: from its row in the store and its last checkpoint.
import type { AtomsmithError } from "../../core/errors.ts";
import { RunReader } from "../../store/index.ts";
import { loadCheckpoint, stateOf } from "./checkpoint.ts";
import { jobFolder, storeFolder } from "./jobs/folder.ts";
import type { Job } from "./jobs/types.ts";
import { AGENT_LOOP, type AgentState, firstState, type JobDocument } from "./schemas.ts";
import { doneCount } from "./todo/todos.ts";

export function jobDocument(
  job: Job,
  state: AgentState,
  workspace: string,
  error?: AtomsmithError,
): JobDocument {
  const { phase, todos, completion, usage, waiting } = state;
  const numbered = phase.kind === "plan";
  const errorDocument = error?.toJSON();
  return {
    job_id: job.id,
    status: job.status,
    phase: { number: numbered ? phase.number : null, name: phase.name, total: numbered ? phase.total : null },
    todos: {
      done: doneCount(todos),
      total: todos.length,
      list: todos.map(({ id, text, status }) => ({ id, text, status })),
    },
    deliverables: completion?.deliverables ?? [],
    confidence: completion?.confidence ?? job.confidence,
    summary: completion?.summary ?? job.summary,
    usage: {
      requests: state.requests,
      input_tokens: usage.input_tokens,
      output_tokens: usage.output_tokens,
      cost_usd: usage.cost_usd,
    },
    workspace: jobFolder(workspace, job.id),
    waiting:
      job.status === "waiting" && waiting !== null ? { reason: waiting.reason, text: waiting.text } : null,
    ...(errorDocument === undefined
      ? {}
      : {
          error: {
            kind: errorDocument.kind,
            message: errorDocument.message,
            ...(errorDocument.hint === undefined ? {} : { hint: errorDocument.hint }),
          },
        }),
  };
}

/** The state of a job in its last checkpoint; takes no lock. */
export async function storedState(workspace: string, id: string): Promise<AgentState> {
  const reader = new RunReader({ folder: storeFolder(workspace, id) }, { loop: AGENT_LOOP, id });
  const position = await loadCheckpoint(reader);
  return position === undefined ? firstState(id) : stateOf(position);
}
