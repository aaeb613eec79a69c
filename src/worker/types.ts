// Interface of job handlers: one handler per kind, prepared once per submission.
import type { Config } from "../config/schema.ts";
import type { EventBus } from "../core/event-bus.ts";
import type { ClaimedJob, Queue, Submission } from "../queue/index.ts";
import type { Query } from "../store/postgres/database.ts";

/** Outcome of an attempt. */
export type Outcome =
  /** The job has a result for the submitter; `store` writes in the transaction of the completion. */
  | {
      end: "result";
      result: unknown;
      store?: (query: Query) => Promise<void>;
      stop?: { reason: string; exit: number | null };
    }
  /** The job is returned to the queue and does not count as an attempt. `refuse`: this worker refuses further jobs of
   * the submission. */
  | { end: "back"; reason: string; refuse?: true }
  /** The attempt failed; the job is retried. */
  | { end: "failed"; reason: string };

/** A running job. */
export interface RunningJob {
  job: ClaimedJob;
  /** Aborted when another worker took over the job, or when the worker must end at once. */
  signal: AbortSignal;
  /** Aborted when the worker ends: the running stage may finish. */
  pause: AbortSignal;
}

/** A submission that this worker can work on. */
export interface Prepared {
  work(held: RunningJob): Promise<Outcome>;
  close(): Promise<void>;
}

export interface WorkerContext {
  queue: Queue;
  /** Name of this worker in the fleet. */
  name: string;
  /** This machine's configuration: folders, sandbox, logging. */
  config: Config;
  env: Readonly<Record<string, string | undefined>>;
  /** Events of the worker itself. */
  bus: EventBus;
  /** Folder for temporary files of jobs; removed with the worker. */
  scratch: string;
  signal: AbortSignal;
}

export interface PrepareInput {
  id: string;
  submission: Submission;
  /** This worker's path of the search root. */
  root: string;
}

export type Prepare = (input: PrepareInput, context: WorkerContext) => Promise<Prepared>;
