// The index of what the runs of a project left behind, and the choice of those that a model is told of.
import { lstatSync } from "node:fs";
import { join, relative } from "node:path";
import { allFiles } from "../../files/all-files.ts";
import type { ArtifactIndex, Run } from "./schemas.ts";

type Entry = ArtifactIndex["runs"][number];

/** Files of one run that the index names; the rest is said as a number. */
const MAX_FILES = 10_000;

/** What a run left, with paths relative to the project folder. */
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

/** The index with this run in it, oldest first. */
export function withRun(index: ArtifactIndex, entry: Entry): ArtifactIndex {
  const others = index.runs.filter(({ run_id }) => run_id !== entry.run_id);
  return { runs: [...others, entry] };
}

/** The last `count` runs and the last good one, newest first. */
export function relevantRuns(runs: readonly Run[], count: number): Run[] {
  const newest = [...runs].reverse();
  const last = newest.slice(0, count);
  const good = newest.find(({ status }) => status === "ok");
  return good === undefined || last.includes(good) ? last : [...last, good];
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
