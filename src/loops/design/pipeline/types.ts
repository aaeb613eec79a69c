// What a pipeline is to a design project: stages in an order, a spec that they work on, and what a spec may be.
import type { JsonValue } from "../../../core/json.ts";
import type { Difference, Failure, Run, StageReport, VerdictChange } from "../schemas.ts";

/** What one stage of one run gets. Paths are absolute. */
export interface StageRun {
  runId: string;
  spec: JsonValue;
  /** The run's own copy of the spec. */
  specFile: string;
  /** The stage's folder; empty at first. */
  out: string;
  /** The folder of the stage before in this run; empty for the first. */
  prev: string;
  /** Folder of another stage of this run. */
  folderOf(stage: string): string;
  /** Hashes of the inputs of the stages before, in their order. */
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
  /** Hash of all that decides what the stage does: equal hashes, equal results. */
  inputsHash(run: Omit<StageRun, "out" | "prev">): Promise<string>;
  run(run: StageRun): Promise<StageOutcome>;
  /** May a finished stage of an earlier run be taken? For stages that also leave something outside of their folder.
   * @param folder of the stage in that run */
  stillHolds?(folder: string): boolean;
}

/** What a change of the spec does to the results, as far as the last extraction tells. */
export interface Preview {
  judged_anew: string[];
  verdicts: VerdictChange[];
}

export interface Pipeline {
  name: string;
  stages: readonly Stage[];
  /** What a model has to know of the spec. */
  specNotes?: string;
  /** The stage whose report is the validity report. */
  validityStage: string | null;
  /** Do the stages after a failed one run all the same? */
  goesOn: boolean;
  /** The spec of a new project. */
  firstSpec(name: string): JsonValue;
  /** What is wrong with a spec, one line each; empty when it fits. */
  problems(spec: JsonValue): string[];
  /** A readable name for the value at a pointer, shown beside it. */
  titleOf?(spec: JsonValue, pointer: string): string | undefined;
  /** Asks no model and reads no log. */
  preview?(
    before: JsonValue,
    after: JsonValue,
    changes: readonly Difference[],
    signal: AbortSignal,
  ): Promise<Preview>;
  /** After a run: what later previews need. */
  close?(): Promise<void>;
}

export const NO_PREVIEW: Preview = { judged_anew: [], verdicts: [] };
