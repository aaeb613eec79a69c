// The table of submissions, in the file of the job store: a decision and the job that follows from it are one
// transaction. Every change names the state it expects, so that of two processes only one succeeds.
import type { Database } from "bun:sqlite";
import type { JobRequest } from "./request.ts";
import {
  type Decided,
  type NewSubmission,
  type Submission,
  type Submissions,
  submittedCitationsSchema,
} from "./submissions.ts";

export const SUBMISSIONS_SCHEMA = `
CREATE TABLE IF NOT EXISTS submissions (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  item_id TEXT NOT NULL,
  page TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  citations TEXT NOT NULL,
  creator_job TEXT NOT NULL,
  search_root TEXT NOT NULL,
  status TEXT NOT NULL,
  round INTEGER NOT NULL,
  taken_by TEXT,
  reasons TEXT NOT NULL DEFAULT '',
  returned_as TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS submissions_by_status ON submissions (status, number);
CREATE INDEX IF NOT EXISTS submissions_by_item ON submissions (item_id, number);
`;

type Row = Omit<Submission, "id" | "citations"> & { number: number; citations: string };

/** Undecided, and not taken by an active job: jobs that ended or were removed release their submissions. */
const FREE = `SELECT s.* FROM submissions s LEFT JOIN jobs j ON j.id = s.taken_by
  WHERE s.status = 'submitted'
    OR (s.status = 'taken' AND (j.id IS NULL OR j.status IN ('completed', 'failed', 'cancelled')))`;

export class SqliteSubmissions implements Submissions {
  private readonly db: Database;
  private readonly createJob: (id: string, request: JobRequest) => boolean;

  constructor(db: Database, createJob: (id: string, request: JobRequest) => boolean) {
    this.db = db;
    this.createJob = createJob;
  }

  submit(page: NewSubmission): { submission: Submission } | { refused: string } {
    return this.atomically(() => {
      const identical = this.newestRow("item_id = ? AND sha256 = ? AND creator_job = ?", [
        page.item_id,
        page.sha256,
        page.creator_job,
      ]);
      if (identical?.status === "rejected") {
        return { refused: `This text was already sent back as ${identical.id}: ${identical.reasons}` };
      }
      if (identical !== undefined) return { submission: identical };
      const open = this.newestRow("item_id = ? AND status IN ('submitted', 'taken')", [page.item_id]);
      if (open !== undefined && open.creator_job !== page.creator_job) {
        return { refused: `${page.item_id} was already submitted by job ${open.creator_job} as ${open.id}.` };
      }
      if (open?.status === "taken") {
        return { refused: `${open.id} of ${page.item_id} is being validated: wait for the decision.` };
      }
      return { submission: this.stored(page, open) };
    });
  }

  next(job: string): Submission | undefined {
    return this.atomically(() => {
      const own = this.newestRow("status = 'taken' AND taken_by = ?", [job]);
      if (own !== undefined) return own;
      const free = this.db.query<Row, []>(`${FREE} ORDER BY s.number LIMIT 1`).get();
      if (free === null) return undefined;
      this.db
        .query("UPDATE submissions SET status = 'taken', taken_by = ?, updated_at = ? WHERE number = ?")
        .run(job, now(), free.number);
      return this.newestRow("number = ?", [free.number]);
    });
  }

  newestFree(): Submission | undefined {
    const row = this.db.query<Row, []>(`${FREE} ORDER BY s.number DESC LIMIT 1`).get();
    return row === null ? undefined : toSubmission(row);
  }

  get(id: string): Submission | undefined {
    const number = numberOf(id);
    return number === undefined ? undefined : this.newestRow("number = ?", [number]);
  }

  list(): Submission[] {
    return this.db.query<Row, []>("SELECT * FROM submissions ORDER BY number").all().map(toSubmission);
  }

  decide(id: string, by: string, { status, reasons, job }: Parameters<Submissions["decide"]>[2]): Decided {
    return this.atomically(() => {
      const submission = this.get(id);
      if (submission?.taken_by !== by) return "lost";
      if (submission.status === status) return "again";
      if (submission.status !== "taken") return "lost";
      this.db
        .query(
          "UPDATE submissions SET status = ?, reasons = ?, returned_as = ?, updated_at = ? WHERE number = ?",
        )
        .run(status, reasons, job?.id ?? null, now(), numberOf(id) ?? 0);
      if (job !== undefined) this.createJob(job.id, job.request);
      return "done";
    });
  }

  private stored(page: NewSubmission, open: Submission | undefined): Submission {
    const citations = JSON.stringify(page.citations);
    const time = now();
    if (open !== undefined) {
      this.db
        .query("UPDATE submissions SET page = ?, sha256 = ?, citations = ?, updated_at = ? WHERE number = ?")
        .run(page.page, page.sha256, citations, time, numberOf(open.id) ?? 0);
      return this.newestRow("number = ?", [numberOf(open.id) ?? 0]) ?? open;
    }
    const { lastInsertRowid } = this.db
      .query(
        `INSERT INTO submissions (item_id, page, sha256, citations, creator_job, search_root, status, round, created_at, updated_at)
         VALUES (?, ?, ?, ?, ?, ?, 'submitted', ?, ?, ?)`,
      )
      .run(
        page.item_id,
        page.page,
        page.sha256,
        citations,
        page.creator_job,
        page.search_root,
        this.roundOf(page),
        time,
        time,
      );
    const stored = this.newestRow("number = ?", [Number(lastInsertRowid)]);
    if (stored === undefined) throw new Error("a stored submission is missing");
    return stored;
  }

  /** One more than the round of the version that was sent back to this job, or of the rejected version of the same
   * job and item. */
  private roundOf({ creator_job, item_id }: NewSubmission): number {
    const before = this.newestRow(
      "returned_as = ? OR (creator_job = ? AND item_id = ? AND status = 'rejected')",
      [creator_job, creator_job, item_id],
    );
    return before === undefined ? 0 : before.round + 1;
  }

  /** The newest row of a condition. */
  private newestRow(where: string, values: (string | number)[]): Submission | undefined {
    const row = this.db
      .query<Row, (string | number)[]>(
        `SELECT * FROM submissions WHERE ${where} ORDER BY number DESC LIMIT 1`,
      )
      .get(...values);
    return row === null ? undefined : toSubmission(row);
  }

  private atomically<T>(work: () => T): T {
    return this.db.transaction(work).immediate();
  }
}

function toSubmission({ number, citations, ...row }: Row): Submission {
  return { ...row, id: `S${number}`, citations: submittedCitationsSchema.parse(JSON.parse(citations)) };
}

function numberOf(id: string): number | undefined {
  const digits = /^S(\d{1,12})$/.exec(id)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

function now(): string {
  return new Date().toISOString();
}
