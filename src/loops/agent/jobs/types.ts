// Interface of the job store: states, claims, heartbeats. The default implementation uses SQLite.
import type { JobRequest } from "./request.ts";
import type { Submissions } from "./submissions.ts";

export const JOB_STATUSES = ["created", "processing", "completed", "failed", "cancelled", "waiting"] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

export interface Job extends JobRequest {
  id: string;
  status: JobStatus;
  /** Name of the phase, for lists. */
  phase: string;
  /** Why it waits or failed; empty otherwise. */
  message: string;
  confidence: number | null;
  summary: string;
  created_at: string;
  updated_at: string;
  completed_at: string | null;
  /** Token of the worker that claimed it. */
  worker: string | null;
  /** Grows with each heartbeat. About the time of the worker's clock, which may be wrong: only changes of it count. */
  heartbeat_ms: number | null;
  cancel_requested: boolean;
}

export interface JobChange {
  status?: JobStatus;
  phase?: string;
  message?: string;
  confidence?: number | null;
  summary?: string;
}

export interface JobStore {
  /** Submitted ItemSpecs, in the same store. */
  readonly submissions: Submissions;
  /** False when a job with this id exists. */
  create(id: string, request: JobRequest): boolean;
  get(id: string): Job | undefined;
  /** Newest first. */
  list(): Job[];
  /** Jobs of an agent that may be claimed, oldest first: new ones, and those whose worker may be dead. */
  claimable(agentId: string): Job[];
  /** Claims a job for a worker if its state has not changed. Atomic. */
  claim(seen: Job, worker: string, now: number): boolean;
  /** Renews the heartbeat. False when another worker claimed the job. */
  beat(id: string, worker: string, now: number): boolean;
  /** Changes a job of this worker. False when another worker claimed it. */
  update(id: string, worker: string, change: JobChange): boolean;
  /** Releases a job; its status stays unless one is given. */
  release(id: string, worker: string, change: JobChange): boolean;
  /** Requests cancellation. */
  requestCancel(id: string): void;
  /** Ends a job that is not being worked on. False when its state has changed. */
  finish(seen: Job, change: JobChange): boolean;
  close(): void;
}
