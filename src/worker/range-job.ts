// Ranges of a huge log as jobs: the records of each are stored with its run until the check of the set joins them.
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { z } from "zod";
import { loadFiles, type Queue, replaceFiles } from "../queue/index.ts";
import { type FileExtraction, joinRanges, type RangeRecords } from "../runtime/index.ts";
import type { Query } from "../store/postgres/database.ts";
import type { Outcome } from "./types.ts";

const LOOP = "check";

/** The ranges of one log, in order, in the payload of the check of its set. */
export const joinedLogSchema = z.object({
  /** Absolute on the submitting machine. */
  path: z.string(),
  jobs: z.array(z.object({ subject: z.string(), id: z.string() })),
  /** False when a range failed or was unusable: the log is read as a whole, and the other ranges are removed. */
  counts: z.boolean(),
});
export type JoinedLog = z.infer<typeof joinedLogSchema>;

/** The result of a range's job: null when its records are usable, otherwise why the log is read as a whole. */
export const rangeResultSchema = z.object({ odd: z.string().nullable() });

/** Stores the records of a range with its completion. */
export function rangeOutcome(
  space: string,
  { subject, id }: { subject: string; id: string },
  found: RangeRecords | string,
): Outcome {
  if (typeof found === "string") return { end: "result", result: { odd: found } };
  const body = zstdCompressSync(JSON.stringify(found));
  const place = { space, loop: LOOP, id: subject };
  return {
    end: "result",
    result: { odd: null },
    store: (query) => replaceFiles(query, place, [{ path: fileOf(id), body }]),
  };
}

/** The joined ranges of a log; undefined when one is missing. */
export async function loadRanges(
  queue: Queue,
  space: string,
  log: JoinedLog,
  here: string,
): Promise<FileExtraction | undefined> {
  const ranges: RangeRecords[] = [];
  for (const { subject, id } of log.jobs) {
    const files = await loadFiles(queue.db, { space, loop: LOOP, id: subject });
    const file = files.find(({ path }) => path === fileOf(id));
    if (file === undefined) return undefined;
    ranges.push(JSON.parse(zstdDecompressSync(file.body).toString()) as RangeRecords);
  }
  return joinRanges(here, ranges);
}

/** Removes the ranges, within the transaction that completes the check of their set. */
export async function dropRanges(query: Query, space: string, logs: readonly JoinedLog[]): Promise<void> {
  const jobs = logs.flatMap((log) => log.jobs);
  if (jobs.length === 0) return;
  await query(
    `DELETE FROM atomsmith.file AS file USING unnest($3::text[], $4::text[]) AS old (id, path)
     WHERE file.space = $1 AND file.loop = $2 AND file.id = old.id AND file.path = old.path`,
    [space, LOOP, jobs.map(({ subject }) => subject), jobs.map(({ id }) => fileOf(id))],
  );
}

function fileOf(id: string): string {
  return `range-${id}.json.zst`;
}
