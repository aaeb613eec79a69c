// finish: ends a run of the job: completed, or waiting for the user.
import { jsonText } from "../../../store/index.ts";
import type { AgentState } from "../schemas.ts";
import type { AgentServices } from "../services.ts";
import { phaseLabel } from "../todo/archive.ts";

export async function finish(state: AgentState, services: AgentServices): Promise<AgentState> {
  const { completion } = state;
  if (state.waiting !== null || completion === null) return state;
  if (completion.confidence >= services.minConfidence) {
    await recordEnd(state, services, "completed", state.phase_ended_at);
    return state;
  }
  await recordEnd(state, services, "waiting", state.phase_ended_at);
  const text = `The job ended with confidence ${completion.confidence}, below ${services.minConfidence}: ${completion.summary}`;
  return { ...state, waiting: { reason: "confidence", text, node: "examine_workspace" } };
}

/** Writes `output/completion.json`, and the last commit when the job is completed.
 * @param at time of the end; the same when a process that was killed repeats the write, so that there is only one
 * commit */
export async function recordEnd(
  state: AgentState,
  { workspace, history, agent }: Pick<AgentServices, "workspace" | "history" | "agent">,
  status: "completed" | "waiting",
  at: string,
): Promise<void> {
  const { completion, job_id } = state;
  const document = {
    status,
    job_id,
    agent_id: agent.agent_id,
    summary: completion?.summary ?? "",
    deliverables: completion?.deliverables ?? [],
    confidence: completion?.confidence ?? null,
    notes: completion?.notes ?? "",
    completed_at: at,
  };
  await workspace.apply({ op: "write", path: "output/completion.json", text: jsonText(document) });
  if (status !== "completed") return;
  await history?.commit("Job: completed");
  await history?.tag(`${phaseLabel(state.phase)}_end`);
}
