// The job store in one SQLite file of the workspace folder. Every change names the state or the worker it expects, so
// that of two processes only one succeeds.
import { Database } from "bun:sqlite";
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { storeError } from "../../../store/index.ts";
import type { JobRequest } from "./request.ts";
import { SqliteSubmissions, SUBMISSIONS_SCHEMA } from "./sqlite-submissions.ts";
import type { Submissions } from "./submissions.ts";
import type { Job, JobChange, JobStore } from "./types.ts";

const BUSY_MS = 10_000;

const SCHEMA = `
CREATE TABLE IF NOT EXISTS jobs (
  id TEXT PRIMARY KEY,
  agent_id TEXT NOT NULL,
  config_ref TEXT NOT NULL,
  description TEXT NOT NULL,
  search_root TEXT NOT NULL,
  status TEXT NOT NULL,
  phase TEXT NOT NULL DEFAULT '',
  message TEXT NOT NULL DEFAULT '',
  confidence REAL,
  summary TEXT NOT NULL DEFAULT '',
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  completed_at TEXT,
  worker TEXT,
  heartbeat_ms INTEGER,
  cancel_requested INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX IF NOT EXISTS jobs_by_state ON jobs (agent_id, status, created_at);
`;

type Row = Omit<Job, "cancel_requested"> & { cancel_requested: number };
type Value = string | number | null;

/** Opens the store and creates it if missing. Throws kind `store`. */
export function openSqliteJobs(path: string): JobStore {
  try {
    mkdirSync(dirname(path), { recursive: true });
    const db = new Database(path, { create: true, strict: true });
    db.run(`PRAGMA busy_timeout = ${BUSY_MS}`);
    useRollbackJournal(db);
    db.run("PRAGMA synchronous = FULL");
    db.run(SCHEMA);
    db.run(SUBMISSIONS_SCHEMA);
    return new SqliteJobs(db);
  } catch (error) {
    throw storeError(error, path);
  }
}

/** The other mode (WAL) shares memory between processes, so it is only for those of one machine. A file that an earlier program
 * left in that mode is changed when no other process has it open. */
function useRollbackJournal(db: Database): void {
  const row = db.query<{ journal_mode: string }, []>("PRAGMA journal_mode").get();
  if (row?.journal_mode !== "wal") return;
  try {
    db.run("PRAGMA busy_timeout = 0");
    db.run("PRAGMA journal_mode = DELETE");
  } catch {
    // It is open elsewhere; the next process changes it.
  } finally {
    db.run(`PRAGMA busy_timeout = ${BUSY_MS}`);
  }
}

class SqliteJobs implements JobStore {
  readonly submissions: Submissions;
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
    this.submissions = new SqliteSubmissions(db, (id, request) => this.create(id, request));
  }

  create(id: string, request: JobRequest): boolean {
    const now = new Date().toISOString();
    const done = this.db
      .query(
        `INSERT INTO jobs (id, agent_id, config_ref, description, search_root, status, created_at, updated_at)
         VALUES (?, ?, ?, ?, ?, 'created', ?, ?) ON CONFLICT (id) DO NOTHING`,
      )
      .run(id, request.agent_id, request.config_ref, request.description, request.search_root, now, now);
    return done.changes === 1;
  }

  get(id: string): Job | undefined {
    const row = this.db.query<Row, [string]>("SELECT * FROM jobs WHERE id = ?").get(id);
    return row === null ? undefined : toJob(row);
  }

  list(): Job[] {
    return this.db.query<Row, []>("SELECT * FROM jobs ORDER BY created_at DESC, id DESC").all().map(toJob);
  }

  claimable(agentId: string): Job[] {
    return this.db
      .query<Row, [string]>(
        "SELECT * FROM jobs WHERE agent_id = ? AND status IN ('created', 'processing') ORDER BY created_at, id",
      )
      .all(agentId)
      .map(toJob);
  }

  claim(seen: Job, worker: string, now: number): boolean {
    return this.change(
      "UPDATE jobs SET status = 'processing', worker = ?, heartbeat_ms = max(coalesce(heartbeat_ms, 0) + 1, ?), cancel_requested = 0, message = '', completed_at = NULL, updated_at = ? WHERE id = ? AND status = ? AND worker IS ? AND heartbeat_ms IS ?",
      [worker, now, new Date().toISOString(), seen.id, seen.status, seen.worker, seen.heartbeat_ms],
    );
  }

  beat(id: string, worker: string, now: number): boolean {
    return this.change(
      "UPDATE jobs SET heartbeat_ms = max(heartbeat_ms + 1, ?) WHERE id = ? AND worker = ?",
      [now, id, worker],
    );
  }

  update(id: string, worker: string, change: JobChange): boolean {
    const { set, values } = assignments(change);
    return this.change(`UPDATE jobs SET ${set} WHERE id = ? AND worker = ?`, [...values, id, worker]);
  }

  release(id: string, worker: string, change: JobChange): boolean {
    const { set, values } = assignments(change);
    return this.change(
      `UPDATE jobs SET ${set}, worker = NULL, heartbeat_ms = NULL WHERE id = ? AND worker = ?`,
      [...values, id, worker],
    );
  }

  requestCancel(id: string): void {
    this.change("UPDATE jobs SET cancel_requested = 1 WHERE id = ?", [id]);
  }

  finish(seen: Job, change: JobChange): boolean {
    const { set, values } = assignments(change);
    return this.change(
      `UPDATE jobs SET ${set}, worker = NULL, heartbeat_ms = NULL WHERE id = ? AND status = ? AND worker IS ?`,
      [...values, seen.id, seen.status, seen.worker],
    );
  }

  close(): void {
    this.db.close();
  }

  private change(sql: string, values: Value[]): boolean {
    return this.db.query<unknown, Value[]>(sql).run(...values).changes === 1;
  }
}

/** `a = ?, b = ?` with the time of the change. */
function assignments(change: JobChange): { set: string; values: Value[] } {
  const now = new Date().toISOString();
  const entries = Object.entries(change) as [keyof JobChange, Value | undefined][];
  const given = entries.filter((entry): entry is [keyof JobChange, Value] => entry[1] !== undefined);
  const ended = change.status === "completed" ? [["completed_at", now] as const] : [];
  const all: (readonly [string, Value])[] = [...given, ...ended, ["updated_at", now]];
  return { set: all.map(([name]) => `${name} = ?`).join(", "), values: all.map(([, value]) => value) };
}

function toJob(row: Row): Job {
  return { ...row, cancel_requested: row.cancel_requested !== 0 };
}
