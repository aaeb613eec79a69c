// Where a job starts: at its last checkpoint, with an answer, or at an earlier phase.
import { AtomsmithError } from "../../core/errors.ts";
import type { Position } from "../../engine/index.ts";
import { stateOf } from "./checkpoint.ts";
import { readPlan, reopened } from "./plan.ts";
import { type AgentState, FRESH_WATCH, firstState } from "./schemas.ts";
import type { AgentServices } from "./services.ts";
import { withUserText } from "./watch.ts";

export type Mode = { continue: true } | { answer: string } | { fromPhase: number };

/** The position to run from. Throws kind `usage` for a phase that the plan does not have. */
export async function startPosition(
  stored: Position<AgentState> | undefined,
  mode: Mode,
  services: Pick<AgentServices, "jobId" | "workspace" | "say" | "redact">,
): Promise<Position<AgentState>> {
  if ("fromPhase" in mode) return fromPhase(stored, mode.fromPhase, services);
  if (stored === undefined) return { node: "bootstrap", state: firstState(services.jobId) };
  if ("answer" in mode) return answered(stateOf(stored), mode.answer, services);
  return stored;
}

/** Resets the stuck counters, and adds the answer to the next steps. */
function answered(
  state: AgentState,
  written: string,
  { say, redact }: Pick<AgentServices, "say" | "redact">,
): Position<AgentState> {
  const question = state.waiting?.text ?? "";
  const answer = redact(written);
  const wanted = state.waiting?.node ?? "execute";
  const next: AgentState = {
    ...state,
    waiting: null,
    completion: null,
    rewinds: 0,
    watch: FRESH_WATCH,
    answers: [...state.answers, { question, answer }].slice(-20),
    messages: withUserText(state.messages, say("answer", { question, answer })),
  };
  const node = wanted === "execute" && state.phase.kind === "bootstrap" ? "bootstrap" : wanted;
  return { node, state: next };
}

async function fromPhase(
  stored: Position<AgentState> | undefined,
  number: number,
  { workspace, jobId }: Pick<AgentServices, "workspace" | "jobId">,
): Promise<Position<AgentState>> {
  const plan = workspace.page("main_plan.md");
  const known = readPlan(plan).map((phase) => phase.number);
  if (!known.includes(number) || stored === undefined) {
    throw new AtomsmithError("usage", `the plan of job ${jobId} has no phase ${number}`, {
      where: "main_plan.md",
      hint: known.length === 0 ? "it has no phases yet" : `its phases are ${known.join(", ")}`,
    });
  }
  await workspace.apply({ op: "write", path: "main_plan.md", text: reopened(plan, number) });
  const state = stateOf(stored);
  return {
    node: "examine_workspace",
    state: {
      ...state,
      pending: [],
      messages: [],
      waiting: null,
      completion: null,
      rewind: null,
      reset: null,
      watch: FRESH_WATCH,
      issue: `The user sent the job back to phase ${number}: it and all later phases are open again.`,
      phase_ended_at: new Date().toISOString(),
    },
  };
}
