// The graph of one turn: answer -> (context ->) offer | fail. The model answers; it can request context once and then
// answers again; its proposal is validated and offered to the user. Nothing changes or runs here: that requires a
// decision (project.ts) or an approved run (runs.ts, pipeline/graph.ts).
import type { Graph } from "../../engine/index.ts";
import { answer } from "./nodes/answer.ts";
import { context } from "./nodes/context.ts";
import { fail } from "./nodes/fail.ts";
import { offer } from "./nodes/offer.ts";
import type { TurnDeps, TurnState } from "./turn-state.ts";
import { wantsContext } from "./wants-context.ts";

export type TurnNode = "answer" | "context" | "answer_again" | "offer" | "fail";

export const turnGraph: Graph<TurnState, TurnDeps, TurnNode> = {
  name: "design",
  start: "answer",
  nodes: {
    answer: {
      run: (state, deps) => answer(state, deps, { mayRequestContext: true }),
      next: ["context", "offer", "fail"],
      route: (state) =>
        state.error !== null
          ? "fail"
          : state.directive !== null && wantsContext(state.directive)
            ? "context"
            : "offer",
    },
    context: { run: context, next: ["answer_again"] },
    answer_again: {
      run: (state, deps) => answer(state, deps, { mayRequestContext: false }),
      next: ["offer", "fail"],
      route: (state) => (state.error !== null ? "fail" : "offer"),
    },
    offer: { run: offer, next: [] },
    fail: { run: fail, next: [] },
  },
};
