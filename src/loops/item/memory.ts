// What is remembered over the rounds of an item: decisions in their author's own words. Each author is told of its own
// only, since the words of one may hold what the other must not see. Contract, section 1.
import type { Decision, RoundMemory } from "../../author/memory.ts";
import { attemptNumber, type ItemState, type Stage } from "./state.ts";

/** Decisions that are kept, newest last. */
const MAX_DECISIONS = 20;
const MAX_CHARS = 300;

const STAGES_OF: Record<"parsing" | "logic", readonly Stage[]> = {
  parsing: ["agent_a", "reflect_a"],
  logic: ["agent_b", "reflect_b", "second_look"],
};

/** `key_decisions` with what a reply states; a reply without stated decisions is remembered by its notes. */
export function withDecisions(
  state: ItemState,
  stage: Stage,
  reply: { decisions?: readonly Decision[]; reasoning: string },
): ItemState["key_decisions"] {
  const notes = reply.reasoning.replace(/\s+/g, " ").trim().slice(0, MAX_CHARS);
  const stated = reply.decisions ?? [];
  const made = stated.length > 0 || notes === "" ? stated : [{ decision: notes, reason: "" }];
  const round = String(attemptNumber(state));
  return [...state.key_decisions, ...made.map((one) => ({ round, stage, ...one }))].slice(-MAX_DECISIONS);
}

/** What a repair by one of the two authors is told of earlier rounds. */
export function memoryFor(state: ItemState, author: "parsing" | "logic"): RoundMemory {
  const stages: readonly string[] = STAGES_OF[author];
  return {
    decisions: state.key_decisions
      .filter(({ stage }) => stages.includes(stage))
      .map(({ round, decision, reason }) => ({ round, decision, reason })),
    iteration: state.iteration_context,
  };
}
