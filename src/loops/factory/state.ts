// What is known of a run between two nodes. Plain JSON: a checkpoint holds it, without the proposal, which is read
// again from the stored reply.
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
  /** Number of the attempt under way, from 1; 0 before the first. */
  attempt: z.number().int(),
  /** All attempts; the last one is under way. */
  attempts: z.array(attemptRecordSchema),
  /** What the model proposed in this attempt. */
  proposal: writeProposalSchema.nullable(),
  /** Why the attempt under way failed, or the one before it while no proposal has come. */
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

/** The state with the record of the attempt under way changed. */
export function withRecord(
  state: FactoryState,
  change: Partial<FactoryState["attempts"][number]>,
): FactoryState {
  const last = state.attempts.at(-1);
  if (last === undefined) return state;
  return { ...state, attempts: [...state.attempts.slice(0, -1), { ...last, ...change }] };
}

/** The state after a failure of the attempt under way. */
export function failed(state: FactoryState, failure: FailureBrief): FactoryState {
  return { ...withRecord(state, { failure_brief: failure }), failure };
}

/** Stages that a model cannot mend: they end the run. */
const FINAL: ReadonlySet<FailureStage> = new Set(["preflight", "write_failed", "exception"]);

/** Does the failure end the run, whatever attempts are left? */
export function isFinal(failure: FailureBrief | null): boolean {
  return failure !== null && FINAL.has(failure.stage);
}
