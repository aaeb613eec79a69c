// Result of an item, as `generate --json`, `resume --json` and the entries of `batch --json` show it.
import type { Author } from "../../author/types.ts";
import type { SetChanges } from "../../contract/changes.ts";
import type { GateFinding, GateResults } from "../../contract/gates.ts";
import { noGateResults } from "../../contract/gates.ts";
import type { AtomsmithError } from "../../core/errors.ts";
import type { ItemState } from "./state.ts";

export type ItemStatus = "accepted" | "human_required" | "error";

export interface ItemResult {
  item_id: string;
  status: ItemStatus;
  iterations: number;
  gates: GateResults;
  errors: (GateFinding | { message: string })[];
  output_dir: string;
  /** Path of the report, when the item needs review. */
  report?: string;
  /** Differences from the previously accepted set, when the new one was, or would be, accepted. */
  changes?: SetChanges;
  usage: { calls: number; input_tokens: number; output_tokens: number; cost_usd: number | null };
  duration_ms: number;
  /** Why the status is `error`. */
  error?: ReturnType<AtomsmithError["toJSON"]>;
  /** Set when every other item would fail too: rejected credentials, an unknown model. */
  fatal?: true;
}

export const NO_USAGE: ItemResult["usage"] = { calls: 0, input_tokens: 0, output_tokens: 0, cost_usd: 0 };

/** Message for a set that passes all gates but has no evidence. */
const NO_EVIDENCE = "No log was read: the atoms pass the gates that need no log, but nothing is proved.";

export function finishedResult(
  status: "accepted" | "human_required",
  state: ItemState,
  outputDir: string,
  reportFile: string | undefined,
  usage: ReturnType<Author["usage"]>,
  ms: number,
): ItemResult {
  const report = state.best?.report;
  const reasons = state.given_up?.reasons ?? [];
  const unproved = state.human_reason === "no_evidence" ? [NO_EVIDENCE] : [];
  return {
    item_id: state.item_id,
    status,
    iterations: state.iteration_count,
    gates: report?.gates ?? state.gate_results,
    errors:
      status === "accepted"
        ? []
        : [...(report?.errors ?? []), ...[...reasons, ...unproved].map((message) => ({ message }))],
    output_dir: outputDir,
    ...(status === "human_required" && reportFile !== undefined ? { report: reportFile } : {}),
    ...(status === "accepted" && state.changes !== null ? { changes: state.changes } : {}),
    usage: usageOf(usage),
    duration_ms: Math.round(ms),
  };
}

export function failedResult(
  itemId: string,
  error: AtomsmithError,
  outputDir: string,
  done: { state?: ItemState | undefined; usage?: ReturnType<Author["usage"]> | undefined; ms: number },
): ItemResult {
  return {
    item_id: itemId,
    status: "error",
    iterations: done.state?.iteration_count ?? 0,
    gates: done.state?.gate_results ?? noGateResults(),
    errors: [{ message: error.message }],
    output_dir: outputDir,
    usage: done.usage ? usageOf(done.usage) : NO_USAGE,
    duration_ms: Math.round(done.ms),
    error: error.toJSON(),
    ...(error.details.fatal === true ? { fatal: true as const } : {}),
  };
}

function usageOf(usage: ReturnType<Author["usage"]>): ItemResult["usage"] {
  const { calls, input_tokens, output_tokens, cost_usd } = usage;
  return { calls, input_tokens, output_tokens, cost_usd };
}
