// The interface of a pipeline: its stages in order, and the spec that they work on.
import type { JsonValue } from "../../../core/json.ts";
import type { Difference, Failure, Run, StageReport, VerdictChange } from "../schemas.ts";

/** Inputs of one stage of one run. Paths are absolute. */
export interface StageRun {
  runId: string;
  spec: JsonValue;
  /** The run's own copy of the spec. */
  specFile: string;
  /** The stage's folder; empty at first. */
  out: string;
  /** The folder of the previous stage of this run; empty for the first. */
  prev: string;
  /** Folder of another stage of this run. */
  folderOf(stage: string): string;
  /** Input hashes of the previous stages, in order. */
  before: readonly string[];
  signal: AbortSignal;
}

export interface StageOutcome {
  status: "ok" | "failed" | "timeout";
  failures: Failure[];
  metrics: StageReport["metrics"] & object;
  jail?: NonNullable<Run["jail"]>;
}

export interface Stage {
  name: string;
  /** Hash of all inputs of the stage: equal hashes give equal results. */
  inputsHash(run: Omit<StageRun, "out" | "prev">): Promise<string>;
  run(run: StageRun): Promise<StageOutcome>;
  /** Whether a finished stage of an earlier run can be reused. For stages that also write outside their folder.
   * @param folder folder of the stage in that run */
  isReusable?(folder: string): boolean;
}

/** The effect of a spec change on the results, based on the last extraction. */
export interface Preview {
  judged_anew: string[];
  verdicts: VerdictChange[];
}

export interface Pipeline {
  name: string;
  stages: readonly Stage[];
  /** Description of the spec for the model. */
  specNotes?: string;
  /** The stage whose report is the validity report. */
  validityStage: string | null;
  /** Continue with the next stages after a failed one. */
  continuesOnFailure: boolean;
  /** The spec of a new project. */
  firstSpec(name: string): JsonValue;
  /** Problems of a spec, one line each; empty if it is valid. */
  problems(spec: JsonValue): string[];
  /** A readable name for the value at a pointer. */
  titleOf?(spec: JsonValue, pointer: string): string | undefined;
  /** Calls no model and reads no log. */
  preview?(
    before: JsonValue,
    after: JsonValue,
    changes: readonly Difference[],
    signal: AbortSignal,
  ): Promise<Preview>;
  /** Releases resources. */
  close?(): Promise<void>;
}

export const NO_PREVIEW: Preview = { judged_anew: [], verdicts: [] };
