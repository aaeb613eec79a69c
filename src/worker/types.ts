// What a worker does with jobs: one handler per kind, prepared once per submission.
import type { Config } from "../config/schema.ts";
import type { EventBus } from "../core/event-bus.ts";
import type { ClaimedJob, Queue, Submission } from "../queue/index.ts";
import type { Query } from "../store/postgres/database.ts";

/** How work on a job ended. */
export type Outcome =
  /** It has a result, for the submitter; `store` writes in the same transaction. */
  | {
      end: "result";
      result: unknown;
      store?: (query: Query) => Promise<void>;
      stop?: { reason: string; exit: number | null };
    }
  /** Another worker gets it; not an attempt. `refuse`: this worker takes no job of the submission any more. */
  | { end: "back"; reason: string; refuse?: true }
  /** The attempt failed; the job is tried again. */
  | { end: "failed"; reason: string };

/** A job under way. */
export interface Held {
  job: ClaimedJob;
  /** Aborted when the job is no longer this worker's, or when the worker has to end now. */
  signal: AbortSignal;
  /** Aborted when the worker ends: the stage under way may finish. */
  pause: AbortSignal;
}

/** A submission that this worker can work on. */
export interface Prepared {
  work(held: Held): Promise<Outcome>;
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
  /** Folder for what jobs need on this machine; removed with the worker. */
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
