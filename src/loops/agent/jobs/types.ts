// The store of jobs as the loop sees it: states, claims, heartbeats. SQLite keeps it by default.
import type { JobRequest } from "./request.ts";
import type { Submissions } from "./submissions.ts";

export const JOB_STATUSES = ["created", "processing", "completed", "failed", "cancelled", "waiting"] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

export interface Job extends JobRequest {
  id: string;
  status: JobStatus;
  /** Phase in words, for lists. */
  phase: string;
  /** Why it waits or failed; empty otherwise. */
  message: string;
  confidence: number | null;
  summary: string;
  created_at: string;
  updated_at: string;
  completed_at: string | null;
  /** Token of the worker that has it. */
  worker: string | null;
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
  /** The hand-over of ItemSpecs, in the same store. */
  readonly submissions: Submissions;
  /** False when there is a job of this id. */
  create(id: string, request: JobRequest): boolean;
  get(id: string): Job | undefined;
  /** Newest first. */
  list(): Job[];
  /** Jobs of an agent that may be claimed, oldest first: new ones, and those whose worker is not known to live. */
  claimable(agentId: string): Job[];
  /** Takes a job for a worker if it still is in the state that was seen. Atomic. */
  claim(seen: Job, worker: string, now: number): boolean;
  /** Says that the worker lives. False when the job is no longer its own. */
  beat(id: string, worker: string, now: number): boolean;
  /** Changes a job of this worker. False when it is no longer its own. */
  update(id: string, worker: string, change: JobChange): boolean;
  /** Gives a job back; its status stays unless one is named. */
  release(id: string, worker: string, change: JobChange): boolean;
  /** Asks the worker to stop. */
  requestCancel(id: string): void;
  /** Ends a job that nobody works on. False when its state is another by now. */
  finish(seen: Job, change: JobChange): boolean;
  close(): void;
}
