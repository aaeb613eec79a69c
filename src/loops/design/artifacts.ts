// The index of what the runs of a project left behind, and the choice of those that a model is told of.
import { readdirSync, statSync } from "node:fs";
import { join, relative } from "node:path";
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

/** Regular files, sorted; links are not followed and not listed. */
function filesBelow(folder: string, base: string): { path: string; bytes: number }[] {
  const files: { path: string; bytes: number }[] = [];
  const folders = [folder];
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    for (const entry of readdirSync(at, { withFileTypes: true })) {
      const path = join(at, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isFile()) {
        const bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
        files.push({ path: relative(base, path), bytes });
      }
    }
  }
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}
