// The graph of one item: load_spec -> preprocess -> agent_a -> agent_b -> validate -> done | reflect_a | reflect_b |
// second_look | human_required. All routes are defined here; stages do not choose their successor.
import type { Graph } from "../../engine/index.ts";
import { agentA, agentB, reflectA, reflectB } from "./authoring.ts";
import { done, humanRequired } from "./finish.ts";
import { loadSpec, preprocess } from "./prepare.ts";
import { secondLook } from "./second-look.ts";
import type { ItemServices } from "./services.ts";
import type { Stage } from "./stages.ts";
import { type ItemState, recordShape, repairStage } from "./state.ts";
import { validate } from "./validate.ts";

/** True when an accepted attempt has suspicions that its author was not asked about yet. */
function needsSecondLook({ best, second_look, edited_by_person }: ItemState): boolean {
  return second_look === null && !edited_by_person && (best?.report.suspicions ?? []).length > 0;
}

export const itemGraph: Graph<ItemState, ItemServices, Stage> = {
  name: "item",
  start: "load_spec",
  nodes: {
    load_spec: { run: loadSpec, next: ["preprocess"] },
    preprocess: { run: preprocess, next: ["agent_a"] },
    agent_a: {
      run: agentA,
      next: ["agent_b", "human_required"],
      route: (state) => (state.given_up ? "human_required" : "agent_b"),
    },
    agent_b: {
      run: agentB,
      next: ["validate", "reflect_a", "human_required"],
      route: (state) => {
        if (state.given_up) return "human_required";
        return state.doubts.pending.length > 0 ? "reflect_a" : "validate";
      },
    },
    validate: {
      run: validate,
      next: ["done", "second_look", "reflect_a", "reflect_b", "human_required"],
      route: afterValidation,
    },
    // A correction is the next attempt.
    second_look: {
      run: secondLook,
      next: ["validate", "agent_b", "done"],
      route: (state) => {
        if (!state.second_look?.corrected) return "done";
        return state.logic_written_for === recordShape(state) ? "validate" : "agent_b";
      },
    },
    // The reply of a reflect stage is the next attempt. After a repair of Atom A the logic is rewritten only when the
    // shape of the records changed.
    reflect_a: {
      run: reflectA,
      next: ["validate", "agent_b", "human_required"],
      route: (state) => {
        if (state.given_up) return "human_required";
        return state.logic_written_for === recordShape(state) ? "validate" : "agent_b";
      },
    },
    reflect_b: {
      run: reflectB,
      next: ["validate", "human_required"],
      route: (state) => (state.given_up ? "human_required" : "validate"),
    },
    done: { run: done, next: [] },
    human_required: { run: humanRequired, next: [] },
  },
};

function afterValidation(
  state: ItemState,
): "done" | "second_look" | "reflect_a" | "reflect_b" | "human_required" {
  if (state.human_reason !== null) return "human_required";
  return repairStage(state) ?? (needsSecondLook(state) ? "second_look" : "done");
}
