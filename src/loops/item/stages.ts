// The stages of the item loop, in the order of its graph.

export const STAGES = [
  "load_spec",
  "preprocess",
  "agent_a",
  "agent_b",
  "validate",
  "second_look",
  "reflect_a",
  "reflect_b",
  "done",
  "human_required",
] as const;
export type Stage = (typeof STAGES)[number];
/** Stages after which nothing runs unless the user requests it. */
export const FINAL_STAGES: readonly Stage[] = ["done", "human_required"];
/** Stages that the user may start at. */
export const RUNNABLE_STAGES: readonly Stage[] = STAGES.filter((stage) => !FINAL_STAGES.includes(stage));
