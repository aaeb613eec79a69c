// The state of a run between two nodes, as plain JSON for the checkpoint; without the proposal, which is parsed again
// from the stored reply.
import { z } from "zod";
import {
  attemptRecordSchema,
  driftSchema,
  FAILURE_STAGES,
  type FailureBrief,
  type FailureStage,
  failureBriefSchema,
  jailLevelSchema,
  writeProposalSchema,
} from "./schemas.ts";

export const factoryStateSchema = z.strictObject({
  run_id: z.string(),
  started_utc: z.string(),
  /** Number of the current attempt, from 1; 0 before the first. */
  attempt: z.number().int(),
  /** All attempts; the last is the current one. */
  attempts: z.array(attemptRecordSchema),
  /** The proposal of the current attempt. */
  proposal: writeProposalSchema.nullable(),
  /** Failure of the current attempt, or of the previous one until there is a proposal. */
  failure: failureBriefSchema.nullable(),
  ended_stage: z.enum([...FAILURE_STAGES, "success"]).nullable(),
  drift: z.array(driftSchema),
  /** The weakest jail of the commands so far. */
  jail: jailLevelSchema.nullable(),
});
export type FactoryState = z.infer<typeof factoryStateSchema>;

export function firstState(runId: string, startedUtc: string): FactoryState {
  return {
    run_id: runId,
    started_utc: startedUtc,
    attempt: 0,
    attempts: [],
    proposal: null,
    failure: null,
    ended_stage: null,
    drift: [],
    jail: null,
  };
}

/** The state with a changed record of the current attempt. */
export function withRecord(
  state: FactoryState,
  change: Partial<FactoryState["attempts"][number]>,
): FactoryState {
  const last = state.attempts.at(-1);
  if (last === undefined) return state;
  return { ...state, attempts: [...state.attempts.slice(0, -1), { ...last, ...change }] };
}

/** The state after a failure of the current attempt. */
export function failed(state: FactoryState, failure: FailureBrief): FactoryState {
  return { ...withRecord(state, { failure_brief: failure }), failure };
}

/** Stages whose failures the model cannot fix: they end the run. */
const FINAL: ReadonlySet<FailureStage> = new Set(["preflight", "write_failed", "exception"]);

/** Whether a failure ends the run regardless of remaining attempts. */
export function isFinal(failure: FailureBrief | null): boolean {
  return failure !== null && FINAL.has(failure.stage);
}
