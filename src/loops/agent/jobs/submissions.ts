// Interface for handing ItemSpecs over from creators to validators.
import { z } from "zod";
import { citationSchema } from "../../../documents/citations.ts";
import type { JobRequest } from "./request.ts";

/** `submitted`: waits for a validator; `taken`: claimed by a validator; the others are final. */
export const SUBMISSION_STATUSES = ["submitted", "taken", "accepted", "rejected"] as const;
export type SubmissionStatus = (typeof SUBMISSION_STATUSES)[number];

export const submittedCitationsSchema = z.array(citationSchema);
export type SubmittedCitations = z.infer<typeof submittedCitationsSchema>;

/** A page submitted by its creator. */
export interface NewSubmission {
  item_id: string;
  /** The text of the page. */
  page: string;
  sha256: string;
  /** The citations of the creator's job. */
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
  /** Job of the validator that claimed or decided it. */
  taken_by: string | null;
  /** Reasons of the validator. */
  reasons: string;
  /** Job that returns it to its creator. */
  returned_as: string | null;
  created_at: string;
  updated_at: string;
}

/** Result of a request to change a submission. `lost`: claimed by another job. */
export type Decided = "done" | "again" | "lost";

export interface Submissions {
  /** Stores a page; idempotent. Replaces an unclaimed page of the same job and item. `refused`: why it cannot be
   * stored. */
  submit(page: NewSubmission): { submission: Submission } | { refused: string };
  /** The submission that the job has claimed, otherwise the oldest free one: undecided, and not claimed by an active
   * job. */
  next(job: string): Submission | undefined;
  /** The newest free submission. */
  newestFree(): Submission | undefined;
  get(id: string): Submission | undefined;
  /** Oldest first. */
  list(): Submission[];
  /** Decides a submission claimed by a job. With `job`, creates that job in the same transaction. Repeating the same
   * decision returns `again`. */
  decide(
    id: string,
    by: string,
    decision: { status: "accepted" | "rejected"; reasons: string; job?: { id: string; request: JobRequest } },
  ): Decided;
}
