// `check --queue`: one job per set; the results are those of a check on this machine, in the order asked for.
import { existsSync, readFileSync } from "node:fs";
import { basename, isAbsolute, join, resolve } from "node:path";
import type { Config } from "../config/schema.ts";
import { ATOM_FILES } from "../contract/atoms.ts";
import { AtomsmithError } from "../core/errors.ts";
import type { Emit } from "../core/events.ts";
import { sha256 } from "../core/hash.ts";
import { markCollected, type NewJob, newSubmissionId, type Queue, submitJobs } from "../queue/index.ts";
import type { Submission } from "../queue/types.ts";
import { MANIFEST_FILE, verifyAtomSetSync } from "../runtime/atom-set.ts";
import type { CheckedSet } from "../runtime/index.ts";
import type { CheckJobOptions } from "./check-job.ts";
import { Collector } from "./collect.ts";
import { belowRoot } from "./item-job.ts";
import { inputsHash, makeSubmission } from "./submission.ts";

export interface FleetCheck {
  queue: Queue;
  config: Config;
  /** Absolute, links resolved. */
  searchRoot: string;
  /** Absolute paths of the program's own files: no logs. */
  ownFiles: readonly string[];
  options: CheckJobOptions;
  emit: Emit;
  signal: AbortSignal;
}

/** Has sets checked by the fleet. Throws kind `store` when it gave one up, kind `usage` for an input that a worker cannot
 * have, and kind `interrupted`. `onDone` is called as each one ends. */
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
      `--input ${input} is outside the search root, which is all that workers share`,
      {
        where: input,
      },
    );
  }
  const submission = await makeSubmission({
    kind: "check",
    config,
    searchRoot,
    seed: 0,
    commandFlags: [],
    ownFiles: fleet.ownFiles,
    options,
  });
  const jobs = dirs.map((dir) => jobOf(resolve(dir), submission));
  const collector = new Collector(queue, signal, (message) =>
    emit({ type: "log", level: "warning", message }),
  );
  try {
    emit({ type: "progress", what: "items", done: 0, total: dirs.length });
    const ids = await submitJobs(queue, newSubmissionId(), submission, jobs);
    let done = 0;
    return await Promise.all(
      jobs.map(async ({ subject }) => {
        const job = await collector.wait(ids.get(subject) ?? "");
        if (job.state !== "done" || job.result === null) throw givenUp(subject, job.id, job.reason);
        const checked = JSON.parse(job.result) as CheckedSet | { not_started: string };
        if ("not_started" in checked) throw givenUp(subject, job.id, checked.not_started);
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

function givenUp(subject: string, id: string, reason: string | null): AtomsmithError {
  return new AtomsmithError(
    "store",
    `the fleet did not check ${subject}: ${reason ?? "no reason is known"}`,
    {
      where: subject,
      hint: `atomsmith queue show ${id} tells more`,
    },
  );
}

function jobOf(dir: string, submission: Submission): NewJob {
  const files = [...Object.values(ATOM_FILES), MANIFEST_FILE].flatMap((path) => {
    const file = join(dir, path);
    return existsSync(file) ? [{ path, body: readFileSync(file) }] : [];
  });
  const page = pageOf(dir);
  const hashes = files.map(({ path, body }) => `${path} ${sha256(body)}`);
  return {
    subject: `${basename(dir)
      .replace(/[^A-Za-z0-9._-]/g, "_")
      .slice(0, 100)}-${sha256(dir).slice(0, 8)}`,
    inputs: inputsHash(submission, [dir, ...hashes, page === null ? "" : sha256(page.body)]),
    payload: JSON.stringify({ dir, page }),
    files,
    turns: [],
    checkpoint: undefined,
  };
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
