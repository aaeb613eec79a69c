// The graph of one work order: check -> propose (SE) -> apply (TR) -> verify -> judge (PO) -> accept, and after
// every failure roll_back -> propose again or fail. All routes are defined here, none in the nodes.
import type { Graph } from "../../engine/index.ts";
import { apply } from "./apply.ts";
import { accept, check, fail, rollBack } from "./finish.ts";
import { propose } from "./propose.ts";
import type { FactoryServices } from "./services.ts";
import { type FactoryState, isFinal } from "./state.ts";
import { judge, verify } from "./verify.ts";

export type FactoryNode =
  | "check"
  | "propose"
  | "apply"
  | "verify"
  | "judge"
  | "accept"
  | "roll_back"
  | "fail";

export const factoryGraph: Graph<FactoryState, FactoryServices, FactoryNode> = {
  name: "factory",
  start: "check",
  nodes: {
    check: { run: check, next: ["propose", "fail"], route: orElse("propose", "fail") },
    propose: { run: propose, next: ["apply", "roll_back"], route: orElse("apply", "roll_back") },
    apply: { run: apply, next: ["verify", "roll_back"], route: orElse("verify", "roll_back") },
    verify: { run: verify, next: ["judge", "roll_back"], route: orElse("judge", "roll_back") },
    judge: { run: judge, next: ["accept", "roll_back"], route: orElse("accept", "roll_back") },
    accept: { run: accept, next: [] },
    roll_back: {
      run: rollBack,
      next: ["propose", "fail"],
      route: (state, { settings }) =>
        isFinal(state.failure) || state.attempt >= settings.maxAttempts ? "fail" : "propose",
    },
    fail: { run: fail, next: [] },
  },
};

/** The routes of a node that can fail. */
function orElse<Next extends FactoryNode, Other extends FactoryNode>(next: Next, other: Other) {
  return (state: FactoryState): Next | Other => (state.failure === null ? next : other);
}

/** The node at which an interrupted run resumes. Its changes were rolled back: an unfinished attempt is applied again
 * from the stored reply. */
export function resumeAt(node: string): FactoryNode {
  if (node === "check" || node === "roll_back" || node === "fail") return node;
  return "propose";
}
