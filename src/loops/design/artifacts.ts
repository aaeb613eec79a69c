// The index of the files that the runs of a project produced, and the selection for a model's context.
import { lstatSync } from "node:fs";
import { join, relative } from "node:path";
import { allFiles } from "../../files/all-files.ts";
import type { ArtifactIndex, Run } from "./schemas.ts";

type Entry = ArtifactIndex["runs"][number];

/** Maximum number of files of one run in the index; further files are only counted. */
const MAX_FILES = 10_000;

/** The files of a run, with paths relative to the project folder. */
export function indexRun(projectDir: string, run: Run): Entry {
  const files = filesBelow(join(projectDir, "runs", run.run_id), projectDir);
  return {
    run_id: run.run_id,
    started_at: run.started_at,
    status: run.status,
    stages: Object.fromEntries(run.stages.map(({ name, status }) => [name, status])),
    metrics: Object.fromEntries(run.stages.map(({ name, metrics }) => [name, metrics])),
    files: files.slice(0, MAX_FILES),
    ...(files.length > MAX_FILES ? { files_left_out: files.length - MAX_FILES } : {}),
  };
}

/** Adds a run to the index, oldest first. */
export function withRun(index: ArtifactIndex, entry: Entry): ArtifactIndex {
  const others = index.runs.filter(({ run_id }) => run_id !== entry.run_id);
  return { runs: [...others, entry] };
}

/** The last `count` runs and the last successful one, newest first. */
export function relevantRuns(runs: readonly Run[], count: number): Run[] {
  const newest = [...runs].reverse();
  const last = newest.slice(0, count);
  const lastSuccessful = newest.find(({ status }) => status === "ok");
  return lastSuccessful === undefined || last.includes(lastSuccessful) ? last : [...last, lastSuccessful];
}

/** Written by the program, not by a stage. */
const RECORDS = ["run.json", "spec.json"];

/** Regular files, sorted; links are not followed and not listed. */
function filesBelow(folder: string, base: string): { path: string; bytes: number }[] {
  return allFiles(folder).paths.flatMap((path) => {
    const info = lstatSync(path, { throwIfNoEntry: false });
    if (RECORDS.some((name) => path === join(folder, name))) return [];
    return info?.isFile() === true ? [{ path: relative(base, path), bytes: info.size }] : [];
  });
}
