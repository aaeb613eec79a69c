// Memory across the rounds of an item: decisions in the words of their author. Each author sees only its own, because
// a text of one author may contain what the other must not see (docs/contract.md, section 1).
import type { Decision, RoundMemory } from "../../author/memory.ts";
import type { Stage } from "./stages.ts";
import { attemptNumber, type ItemState } from "./state.ts";

/** Maximum number of decisions kept, newest last. */
const MAX_DECISIONS = 20;
const MAX_CHARS = 300;

const STAGES_OF: Record<"parsing" | "logic", readonly Stage[]> = {
  parsing: ["agent_a", "reflect_a"],
  logic: ["agent_b", "reflect_b", "second_look"],
};

/** `key_decisions` with the decisions of a reply; without stated decisions, the start of its reasoning is kept. */
export function withDecisions(
  state: ItemState,
  stage: Stage,
  reply: { decisions?: readonly Decision[]; reasoning: string },
): ItemState["key_decisions"] {
  const notes = reply.reasoning.replace(/\s+/g, " ").trim().slice(0, MAX_CHARS);
  const stated = reply.decisions ?? [];
  const decisions = stated.length > 0 || notes === "" ? stated : [{ decision: notes, reason: "" }];
  const round = String(attemptNumber(state));
  return [...state.key_decisions, ...decisions.map((decision) => ({ round, stage, ...decision }))].slice(
    -MAX_DECISIONS,
  );
}

/** Memory of earlier rounds for a repair by one of the two authors. */
export function memoryFor(state: ItemState, author: "parsing" | "logic"): RoundMemory {
  const stages: readonly string[] = STAGES_OF[author];
  return {
    decisions: state.key_decisions
      .filter(({ stage }) => stages.includes(stage))
      .map(({ round, decision, reason }) => ({ round, decision, reason })),
    iteration: state.iteration_context,
  };
}
