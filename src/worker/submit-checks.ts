// `check --queue`: one job per set; the results equal those of a local check, in the requested order.
import { existsSync, readFileSync } from "node:fs";
import { basename, isAbsolute, join, resolve } from "node:path";
import type { Config } from "../config/schema.ts";
import { ATOM_FILES } from "../contract/atoms.ts";
import { AtomsmithError } from "../core/errors.ts";
import type { Emit } from "../core/events.ts";
import { hashJson, sha256 } from "../core/hash.ts";
import { PathGuard } from "../files/guard.ts";
import { variablesOf } from "../files/variables.ts";
import { markCollected, type NewJob, newSubmissionId, type Queue, submitJobs } from "../queue/index.ts";
import type { Submission } from "../queue/types.ts";
import { MANIFEST_FILE, verifyAtomSetSync } from "../runtime/atom-set.ts";
import { type CheckedSet, parseOverride, type Range, splitInputs } from "../runtime/index.ts";
import type { CheckJobOptions } from "./check-job.ts";
import { Collector } from "./collect.ts";
import { belowRoot } from "./item-job.ts";
import { type JoinedLog, rangeResultSchema } from "./range-job.ts";
import { createSubmission, inputsHash } from "./submission.ts";

export interface FleetCheck {
  queue: Queue;
  config: Config;
  /** Absolute, links resolved. */
  searchRoot: string;
  /** Absolute paths of the program's own files, which are not logs. */
  ownFiles: readonly string[];
  options: CheckJobOptions;
  emit: Emit;
  signal: AbortSignal;
}

/** Checks sets on the fleet. Throws kind `store` when the fleet gave one up, kind `usage` for an input that workers
 * cannot read, and kind `interrupted`. `onDone` is called as each check ends. */
export async function checkByFleet(
  dirs: readonly string[],
  fleet: FleetCheck,
  onDone: (checked: CheckedSet) => Promise<void>,
): Promise<CheckedSet[]> {
  const { queue, config, searchRoot, options, emit, signal } = fleet;
  for (const input of options.inputs ?? []) {
    if (belowRoot(searchRoot, input) !== undefined) continue;
    throw new AtomsmithError(
      "usage",
      `--input ${input} is outside the search root; workers can read only files below it`,
      {
        where: input,
      },
    );
  }
  const submission = await createSubmission({
    kind: "check",
    config,
    searchRoot,
    seed: 0,
    commandFlags: [],
    ownFiles: fleet.ownFiles,
    options,
  });
  const sets = dirs.map((dir) => resolve(dir));
  const collector = new Collector(queue, signal, (message) =>
    emit({ type: "log", level: "warning", message }),
  );
  try {
    emit({ type: "progress", what: "items", done: 0, total: dirs.length });
    const id = newSubmissionId();
    const ranges = new Map<string, RangeJob[][]>();
    for (const dir of sets) ranges.set(dir, await rangeJobs(dir, submission, fleet));
    const first = sets.flatMap((dir) => ranges.get(dir)?.flat() ?? []).map(({ job }) => job);
    const plain = sets.filter((dir) => ranges.get(dir)?.length === 0);
    const jobs = [...first, ...plain.map((dir) => jobOf(dir, submission))];
    const ids = await submitJobs(queue, id, submission, jobs);
    let done = 0;
    return await Promise.all(
      sets.map(async (dir) => {
        const cut = ranges.get(dir) ?? [];
        const joined = await joinedLogs(cut, ids, queue, collector);
        const last = jobOf(dir, submission, cut.length === 0 ? {} : { joined });
        const { subject } = last;
        const own = cut.length === 0 ? ids : await submitJobs(queue, id, submission, [last]);
        const job = await collector.wait(own.get(subject) ?? "");
        if (job.state !== "done" || job.result === null) throw jobFailed(subject, job.id, job.reason);
        const checked = JSON.parse(job.result) as CheckedSet | { not_started: string };
        if ("not_started" in checked) throw jobFailed(subject, job.id, checked.not_started);
        await onDone(checked);
        await markCollected(queue, job.id);
        done += 1;
        emit({ type: "progress", what: "items", done, total: dirs.length });
        return checked;
      }),
    );
  } finally {
    collector.close();
  }
}

function jobFailed(subject: string, id: string, reason: string | null): AtomsmithError {
  return new AtomsmithError("store", `the fleet did not check ${subject}: ${reason ?? "unknown reason"}`, {
    where: subject,
    hint: `details: atomsmith queue show ${id}`,
  });
}

/** A range of a log, and its job. */
interface RangeJob {
  range: Range;
  job: NewJob;
}

/** The jobs for the ranges of each huge log of a set. */
async function rangeJobs(
  dir: string,
  submission: Submission,
  { config, searchRoot, options, emit }: FleetCheck,
): Promise<RangeJob[][]> {
  const logs = await splitInputs(
    dir,
    {
      variables: variablesOf(searchRoot, config.paths.variables),
      ...(options.inputs === null ? {} : { inputs: options.inputs }),
      overrides: options.overrides.map(parseOverride),
      fromBytes: config.queue.split_mb * 2 ** 20,
    },
    new PathGuard(searchRoot),
    (path) =>
      emit({
        type: "log",
        level: "info",
        message: `${path} is read by one worker: compressed logs, UTF-16 and very long lines cannot be split`,
      }),
  );
  return logs.map((ranges) => ranges.map((range) => ({ range, job: jobOf(dir, submission, { range }) })));
}

/** Waits for the ranges of each log. */
async function joinedLogs(
  logs: readonly (readonly RangeJob[])[],
  ids: ReadonlyMap<string, string>,
  queue: Queue,
  collector: Collector,
): Promise<JoinedLog[]> {
  const joined: JoinedLog[] = [];
  for (const ranges of logs) {
    const jobs = ranges.map(({ job: { subject } }) => ({ subject, id: ids.get(subject) ?? "" }));
    const ended = await Promise.all(jobs.map(({ id }) => collector.wait(id)));
    for (const { id } of ended) await markCollected(queue, id);
    const counts = ended.every(({ state, result }) => {
      const parsed = rangeResultSchema.safeParse(JSON.parse(result ?? "null"));
      return state === "done" && parsed.success && parsed.data.odd === null;
    });
    const path = ranges[0]?.range.path;
    if (path !== undefined) joined.push({ path, jobs, counts });
  }
  return joined;
}

/** Task of a job in addition to its set: one range, or the whole check with joined logs. */
type Task = { range?: Range; joined?: JoinedLog[] };

function jobOf(dir: string, submission: Submission, task: Task = {}): NewJob {
  const files = [...Object.values(ATOM_FILES), MANIFEST_FILE].flatMap((path) => {
    const file = join(dir, path);
    return existsSync(file) ? [{ path, body: readFileSync(file) }] : [];
  });
  const page = pageOf(dir);
  const hashes = files.map(({ path, body }) => `${path} ${sha256(body)}`);
  return {
    subject: `${basename(dir)
      .replace(/[^A-Za-z0-9._-]/g, "_")
      .slice(0, 100)}-${sha256(dir).slice(0, 8)}${rangeName(task.range)}`,
    inputs: inputsHash(submission, [
      dir,
      ...hashes,
      page === null ? "" : sha256(page.body),
      ...(task.range === undefined && task.joined === undefined ? [] : [hashJson(task)]),
    ]),
    payload: JSON.stringify({ dir, page, ...task }),
    files,
    turns: [],
    checkpoint: undefined,
  };
}

function rangeName(range: Range | undefined): string {
  return range === undefined ? "" : `.${sha256(range.path).slice(0, 8)}.${range.from}`;
}

/** The page that a manifest names by its absolute path: it decides whether the set is outdated. */
function pageOf(dir: string): { path: string; body: string } | null {
  const set = verifyAtomSetSync(dir);
  if (set === undefined || !("manifest" in set)) return null;
  const { path } = set.manifest.spec;
  if (!isAbsolute(path)) return null;
  try {
    return { path, body: readFileSync(path).toString("base64") };
  } catch {
    return null; // the mark in the manifest decides
  }
}
