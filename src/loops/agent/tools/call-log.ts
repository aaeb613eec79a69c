// Stored calls of a job: each is stored before it is made, and its outcome before it is used.
import { z } from "zod";
import type { JsonObject } from "../../../core/json.ts";
import { type RunLog, readLines } from "../../../store/index.ts";
import type { Outcome } from "./types.ts";

const recordSchema = z.object({
  n: z.number().int(),
  hash: z.string(),
  /** Absent: the call was in progress. */
  outcome: z
    .object({
      ok: z.boolean(),
      text: z.string(),
      isData: z.boolean(),
      ops: z.array(z.json()),
      patch: z.record(z.string(), z.json()),
    })
    .optional(),
});

/** A stored call; `ok` is undefined when it was in progress. */
export interface StoredCall {
  n: number;
  hash: string;
  ok: boolean | undefined;
  text: string;
}

/** The stored calls by their number; of several lines of one call the last. */
export async function readCalls(path: string): Promise<StoredCall[]> {
  const calls = new Map<number, StoredCall>();
  for (const line of (await readLines(path)).values) {
    const read = recordSchema.safeParse(line);
    if (!read.success) continue;
    const { n, hash, outcome } = read.data;
    calls.set(n, { n, hash, ok: outcome?.ok, text: outcome?.text ?? "" });
  }
  return [...calls.values()].sort((a, b) => a.n - b.n);
}

/** The log `calls` of the job's store: outcomes of calls by their number in the job. */
export class CallLog {
  private readonly log: RunLog;
  private readonly stored = new Map<number, { hash: string; outcome: Outcome | undefined }>();

  private constructor(log: RunLog) {
    this.log = log;
  }

  /** @param after calls up to this number are part of the checkpoint and not needed */
  static over(lines: RunLog, after: number): CallLog {
    const log = new CallLog(lines);
    for (const line of lines.earlier) {
      const read = recordSchema.safeParse(line);
      if (!read.success || read.data.n <= after) continue;
      const { n, hash, outcome } = read.data;
      log.stored.set(n, { hash, outcome: outcome as Outcome | undefined });
    }
    return log;
  }

  find(n: number, hash: string): { outcome: Outcome | undefined } | undefined {
    const storedCall = this.stored.get(n);
    return storedCall?.hash === hash ? storedCall : undefined;
  }

  /** Resolves when the line is stored. */
  append(n: number, hash: string, outcome?: Outcome): Promise<void> {
    const line = { n, hash, ...(outcome === undefined ? {} : { outcome }) };
    return this.log.append(line as unknown as JsonObject);
  }
}
