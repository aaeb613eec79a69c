// A run of a pipeline as a graph of the engine, one node per stage. A failed stage ends the run unless the pipeline
// continues after failures; a stage with unchanged inputs is reused from an earlier run.
import { join } from "node:path";
import type { Graph } from "../../../engine/index.ts";
import type { Failure, Run, StageResult } from "../schemas.ts";
import { copyStage, findReusable } from "./reuse.ts";
import type { Pipeline, Stage, StageOutcome, StageRun } from "./types.ts";

export interface RunDeps {
  pipeline: Pipeline;
  /** Earlier runs, newest first. */
  earlier: readonly Run[];
  /** Absolute folder of a run. */
  folderOf(runId: string): string;
  /** Prepares the inputs of a stage and its empty folder. */
  prepare(run: Run, stage: string): Promise<Omit<StageRun, "signal">>;
  /** Called before a stage runs. */
  begin(run: Run): Promise<void>;
}

const END = "@end";

/** The graph of the given stages. */
export function pipelineGraph(
  stages: readonly Stage[],
  continuesOnFailure: boolean,
): Graph<Run, RunDeps, string> {
  const nodes: Record<string, Graph<Run, RunDeps, string>["nodes"][string]> = {
    [END]: { run: async (run) => ({ ...run, status: run.stages.some(isBad) ? "failed" : "ok" }), next: [] },
  };
  stages.forEach((stage, index) => {
    const next = stages[index + 1]?.name ?? END;
    const run = (state: Run, deps: RunDeps, { signal }: { signal: AbortSignal }): Promise<Run> =>
      runStage(stage, state, deps, signal);
    nodes[stage.name] =
      continuesOnFailure || next === END
        ? { run, next: [next] }
        : { run, next: [next, END], route: (state) => (state.stages.some(isBad) ? END : next) };
  });
  return { name: "pipeline", start: stages[0]?.name ?? END, nodes };
}

/** Stages up to and including the named one; all for `full`. */
export function stagesUntil(pipeline: Pipeline, until: string): readonly Stage[] {
  const at = pipeline.stages.findIndex(({ name }) => name === until);
  return at < 0 ? pipeline.stages : pipeline.stages.slice(0, at + 1);
}

function isBad({ status }: StageResult): boolean {
  return status !== "ok" && status !== "reused";
}

async function runStage(stage: Stage, run: Run, deps: RunDeps, signal: AbortSignal): Promise<Run> {
  const started = performance.now();
  await deps.begin({ ...run, current: stage.name });
  const stageRun = { ...(await deps.prepare(run, stage.name)), signal };
  const inputs_hash = await stage.inputsHash(stageRun);
  const reusable = findReusable(deps.earlier, stage.name, inputs_hash, (id) => {
    return stage.isReusable?.(join(deps.folderOf(id), stage.name)) !== false;
  });
  if (reusable !== undefined) {
    await copyStage(deps.folderOf(reusable.run_id), deps.folderOf(run.run_id), stage.name);
    const { failures, metrics } = reusable.stage;
    const reused_from = reusable.stage.reused_from ?? reusable.run_id;
    return withStage(
      run,
      {
        name: stage.name,
        status: "reused",
        seconds: secondsSince(started),
        failures,
        metrics,
        reused_from,
        inputs_hash,
      },
      reusable.jail,
    );
  }
  const outcome = await runGuarded(stage, stageRun, signal);
  const { status, failures, metrics } = outcome;
  return withStage(
    run,
    { name: stage.name, status, seconds: secondsSince(started), failures, metrics, inputs_hash },
    outcome.jail ?? null,
  );
}

/** An error inside a stage is its failure; only an interruption ends the run. */
async function runGuarded(stage: Stage, given: StageRun, signal: AbortSignal): Promise<StageOutcome> {
  try {
    const outcome = await stage.run(given);
    signal.throwIfAborted();
    return outcome;
  } catch (error) {
    signal.throwIfAborted();
    const failure: Failure = {
      name: stage.name,
      reason: error instanceof Error ? error.message : String(error),
    };
    return { status: "failed", failures: [failure], metrics: {} };
  }
}

/** The weakest jail of the stages is the jail of the run. */
const JAILS = ["none", "partial", "full"] as const;

function withStage(run: Run, stage: StageResult, jail: Run["jail"]): Run {
  const weakest = JAILS.find((level) => level === run.jail || level === jail) ?? null;
  return { ...run, stages: [...run.stages, stage], jail: weakest, current: null };
}

export function secondsSince(started: number): number {
  return Math.round(performance.now() - started) / 1000;
}
