// Runs a project's pipeline: its folder, its record after every stage, and its entries in state and reports. Called
// only on the user's request. An interruption marks the run; an incomplete stage is never reused.
import { existsSync } from "node:fs";
import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { AtomsmithError, toAtomsmithError } from "../../core/errors.ts";
import { runGraph } from "../../engine/index.ts";
import { writeFileAtomic } from "../../store/index.ts";
import { indexRun, withRun } from "./artifacts.ts";
import { FULL } from "./directive.ts";
import { padNumber, REPORTS, runPath } from "./folder.ts";
import { pipelineGraph, type RunDeps, stagesUntil } from "./pipeline/graph.ts";
import type { StageRun } from "./pipeline/types.ts";
import type { DesignProject } from "./project.ts";
import { type ArtifactIndex, artifactIndexSchema, type Run } from "./schemas.ts";
import { errorState, interruptedRun, restingState } from "./state.ts";
import { file } from "./versions.ts";

/** `design cancel` in another process creates this file in the run's folder. */
export const CANCEL_FILE = "cancel";
const POLL_MS = 100;

/** Throws kind `usage` for an unknown stage. */
export function checkUntil(project: DesignProject, until: string): void {
  const names = project.pipeline.stages.map(({ name }) => name);
  if (until === FULL || names.includes(until)) return;
  throw new AtomsmithError(
    "usage",
    `unknown stage ${JSON.stringify(until)}; stages: ${[...names, FULL].join(", ")}`,
  );
}

/** Runs the stages up to `until` on the current spec. Throws kind `interrupted` when cancelled. */
export async function executeRun(
  project: DesignProject,
  until: string,
  origin: { approved: boolean; reason: string | null },
): Promise<Run> {
  checkUntil(project, until);
  const { services, reader } = project;
  const version = reader.latestVersion();
  const earlier = reader
    .runIds()
    .map((id) => reader.run(id))
    .reverse();
  let run: Run = {
    run_id: `run_${padNumber(Number(earlier[0]?.run_id.replace(/\D/g, "") ?? 0) + 1)}`,
    spec_hash: version.hash,
    spec_version: version.version,
    until,
    stages: [],
    status: "running",
    started_at: services.now().toISOString(),
    ended_at: null,
    jail: null,
  };
  const folder = project.reader.path("runs", run.run_id);
  await writeFileAtomic(join(folder, "spec.json"), `${JSON.stringify(version.spec, null, 2)}\n`);
  const state = {
    ...reader.state,
    state: "RUNNING" as const,
    pending_run: origin.approved ? null : reader.state.pending_run,
  };
  const line = project.decisionLine(origin.approved ? "approve" : "run", "run", origin.reason);
  await project.write({
    files: [file(runPath(run.run_id), run), file("state.json", state)],
    lines: [{ ...line, run_id: run.run_id }],
  });
  services.emit({ type: "design_run", run_id: run.run_id, status: "running" });
  const cancel = watchCancel(join(folder, CANCEL_FILE));
  const signal = AbortSignal.any([services.signal, cancel.signal]);
  const record = async (current: Run): Promise<void> => {
    run = current;
    await project.write({ files: [file(runPath(run.run_id), run)] });
  };
  try {
    const stages = stagesUntil(project.pipeline, until);
    const graph = pipelineGraph(stages, project.pipeline.continuesOnFailure);
    const end = await runGraph(
      graph,
      { node: graph.start, state: run },
      depsOf(project, earlier, folder, record),
      {
        signal,
        checkpoint: ({ state: now }) => record(now),
        onEnter: ({ node }) => services.emit({ type: "stage_started", stage: node, iteration: 1 }),
        onLeave: ({ node }, next, ms) =>
          services.emit({
            type: "stage_finished",
            stage: node,
            iteration: 1,
            next: next ?? "",
            duration_ms: Math.round(ms),
          }),
      },
    );
    if (end.end !== "finished") throw new AtomsmithError("internal", "a run has no limits of its own");
    run = { ...end.state, ended_at: services.now().toISOString() };
  } catch (error) {
    const cancelled = cancel.signal.aborted && !services.signal.aborted;
    run = interruptedRun(
      run,
      services.now(),
      signal.aborted ? (cancelled ? "cancelled" : "interrupted") : "failed",
    );
    await finish(project, run);
    throw signal.aborted ? interruption(signal) : toAtomsmithError(error);
  } finally {
    cancel.stop();
    await rm(join(folder, CANCEL_FILE), { force: true });
  }
  await finish(project, run);
  return run;
}

function depsOf(
  project: DesignProject,
  earlier: readonly Run[],
  folder: string,
  begin: (run: Run) => Promise<void>,
): RunDeps {
  const { pipeline } = project;
  return {
    pipeline,
    earlier,
    begin,
    folderOf: (id) => project.reader.path("runs", id),
    prepare: async (run, stage): Promise<Omit<StageRun, "signal">> => {
      const out = join(folder, stage);
      await rm(out, { recursive: true, force: true });
      await mkdir(out, { recursive: true });
      const specFile = join(folder, "spec.json");
      return {
        runId: run.run_id,
        spec: JSON.parse(await readFile(specFile, "utf8")),
        specFile,
        out,
        prev: run.stages.length === 0 ? "" : join(folder, run.stages.at(-1)?.name ?? ""),
        folderOf: (name) => join(folder, name),
        before: run.stages.map(({ inputs_hash }) => inputs_hash),
      };
    },
  };
}

/** Writes the run, its reports and the state as one change. */
async function finish(project: DesignProject, run: Run): Promise<void> {
  const { reader, services } = project;
  const index = withRun(
    readIndex(reader.text(join(REPORTS, "artifact_index.json"))),
    indexRun(project.dir, run),
  );
  const completed = run.status === "ok" || run.status === "cancelled";
  const state = completed ? restingState(reader.state) : errorState(reader.state);
  await project.write({
    files: [
      file(runPath(run.run_id), run),
      file(join(REPORTS, "artifact_index.json"), index),
      file(join(REPORTS, "last_run_report.json"), run),
      file("state.json", state),
    ],
  });
  services.emit({ type: "design_run", run_id: run.run_id, status: run.status });
}

/** The current index; a missing or damaged one starts empty. */
export function readIndex(text: string | undefined): ArtifactIndex {
  try {
    return artifactIndexSchema.parse(JSON.parse(text ?? ""));
  } catch {
    return { runs: [] };
  }
}

/** Watches for the file with which another process cancels the run. */
function watchCancel(path: string): { signal: AbortSignal; stop(): void } {
  const controller = new AbortController();
  const timer = setInterval(() => {
    if (existsSync(path)) controller.abort(new AtomsmithError("interrupted", "the run was cancelled"));
  }, POLL_MS);
  return { signal: controller.signal, stop: () => clearInterval(timer) };
}

function interruption(signal: AbortSignal): AtomsmithError {
  return signal.reason instanceof AtomsmithError
    ? signal.reason
    : new AtomsmithError("interrupted", "interrupted");
}
