// Pure functions over the state of a project and its records: the state after a decision, an error or an interruption.
import type { PatchFile, PendingRun, ProjectState, Run } from "./schemas.ts";

/** The state when nothing is running: waiting if something is pending, otherwise idle. */
export function restingState(state: ProjectState): ProjectState {
  if (state.pending_patch_ids.length > 0) return { ...state, state: "WAITING_PATCH_APPROVAL" };
  return { ...state, state: state.pending_run === null ? "IDLE" : "WAITING_RUN_APPROVAL" };
}

/** The state after an error: pending patches and runs stay pending. */
export function errorState(state: ProjectState): ProjectState {
  const resting = restingState(state);
  return resting.state === "IDLE" ? { ...resting, state: "ERROR" } : resting;
}

/** A run proposed together with a patch is pending only once the patch is approved. */
export function pendingRunAfter(run: PendingRun | null, changed: readonly PatchFile[]): PendingRun | null {
  const patch = run === null ? undefined : changed.find(({ patch_id }) => patch_id === run.patch_id);
  if (run === null || patch === undefined || patch.status === "proposed") return run;
  return patch.status === "approved" ? { ...run, patch_id: null } : null;
}

export function interruptedRun(run: Run, now: Date, status: Run["status"] = "interrupted"): Run {
  const current = typeof run["current"] === "string" ? run["current"] : null;
  const stage = {
    name: current ?? "",
    status: "interrupted" as const,
    seconds: 0,
    failures: [],
    metrics: {},
    inputs_hash: "",
  };
  const stages = current === null ? run.stages : [...run.stages, stage];
  return { ...run, stages, status, ended_at: now.toISOString(), current: null };
}
