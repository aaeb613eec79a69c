// The hand-over of ItemSpecs from creators to validators, as the loop sees it.
import { z } from "zod";
import { citationSchema } from "../../../documents/citations.ts";
import type { JobRequest } from "./request.ts";

/** `submitted`: waits for a validator; `taken`: a validator has it; then it is decided. */
export const SUBMISSION_STATUSES = ["submitted", "taken", "accepted", "rejected"] as const;
export type SubmissionStatus = (typeof SUBMISSION_STATUSES)[number];

export const submittedCitationsSchema = z.array(citationSchema);
export type SubmittedCitations = z.infer<typeof submittedCitationsSchema>;

/** A page as its creator wants it judged. */
export interface NewSubmission {
  item_id: string;
  /** The text of the page. */
  page: string;
  sha256: string;
  /** What the page cites, as the creator's job had it. */
  citations: SubmittedCitations;
  creator_job: string;
  /** Of the creator's job; absolute. */
  search_root: string;
}

export interface Submission extends NewSubmission {
  /** `S1`, `S2`, … */
  id: string;
  status: SubmissionStatus;
  /** How often earlier versions were sent back. */
  round: number;
  /** Job of the validator that has it or decided it. */
  taken_by: string | null;
  /** Reasons of the validator. */
  reasons: string;
  /** Job by which the creator gets it back. */
  returned_as: string | null;
  created_at: string;
  updated_at: string;
}

/** Result of a request to change a submission. `lost`: another job has it. */
export type Decided = "done" | "again" | "lost";

export interface Submissions {
  /** Stores a page; idempotent. Replaces a page of the same job and item that no validator has taken yet.
   * `refused`: why it cannot be stored. */
  submit(page: NewSubmission): { submission: Submission } | { refused: string };
  /** The submission that the job has taken, else the oldest free one: undecided, and not taken by an active job. */
  next(job: string): Submission | undefined;
  /** The newest submission that is free. */
  newestFree(): Submission | undefined;
  get(id: string): Submission | undefined;
  /** Oldest first. */
  list(): Submission[];
  /** Decides for a job that has it. With `job` that one is made in the same transaction. The same decision of the same
   * job once more is `again`. */
  decide(
    id: string,
    by: string,
    decision: { status: "accepted" | "rejected"; reasons: string; job?: { id: string; request: JobRequest } },
  ): Decided;
}
