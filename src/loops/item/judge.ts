// Gates on one candidate of Atom A, for `execution.candidates` > 1: the author asks for several and keeps the best.
import type { AuthorContext } from "../../author/types.ts";
import { silentDeclarations } from "../../contract/declarations.ts";
import { runGates } from "../../gates/index.ts";
import type { FileTools } from "../../tools/types.ts";
import { observedLogs } from "./evidence.ts";
import { exactBlocks, quotaOf, specOf } from "./prepare.ts";
import type { ItemServices } from "./services.ts";
import type { ItemState } from "./state.ts";

/** Judges a source on the logs observed so far. The other parts are empty and their findings have no meaning, so no
 * events are emitted. */
export function judgeAtomA(
  state: ItemState,
  services: ItemServices,
  tools: FileTools,
  signal: AbortSignal,
): NonNullable<AuthorContext["judgeAtomA"]> {
  return async (atomA, declarations) => {
    const logs = await observedLogs({ ...state, tool_quota: quotaOf(tools) }, services);
    return services.gateSlots.run(() =>
      runGates(
        {
          itemId: state.item_id,
          sources: { atom_a: atomA, atom_b: "", atom_c: "", config: "" },
          spec: specOf(state),
          ...exactBlocks(state),
          declarations: { ...silentDeclarations("atom_a"), ...declarations },
          logs,
          searchRoot: state.search_root,
          seed: state.gate_seed,
        },
        { sandbox: services.sandbox, emit: () => undefined, signal },
      ),
    );
  };
}
