// The tables of the fleet, in the schema `atomsmith`. A migration only adds (tables, columns with defaults, indexes), so that
// workers of the previous version can continue. A migration that cannot be written this way sets `since`, the oldest program
// format that may still use the database.
import { AtomsmithError } from "../../core/errors.ts";
import type { Database, Query } from "./database.ts";

export interface Migration {
  sql: string;
  /** The minimum number of migrations that a program must know to use the result. */
  since?: number;
}

const RUN = "space text NOT NULL, loop text NOT NULL, id text NOT NULL";

export const MIGRATIONS: readonly Migration[] = [
  {
    sql: `
CREATE TABLE atomsmith.run (${RUN},
  epoch bigint NOT NULL, job text, attempt int NOT NULL DEFAULT 0, token uuid, held_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (space, loop, id));
CREATE TABLE atomsmith.checkpoint (${RUN}, n int NOT NULL, checkpoint_id text NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp(), body text NOT NULL, PRIMARY KEY (space, loop, id, n));
CREATE TABLE atomsmith.journal (${RUN}, n int NOT NULL, line text NOT NULL, PRIMARY KEY (space, loop, id, n));
CREATE TABLE atomsmith.turn (${RUN}, n int NOT NULL, line text NOT NULL, PRIMARY KEY (space, loop, id, n));
CREATE TABLE atomsmith.turn_aside (${RUN}, n int NOT NULL, line text NOT NULL, PRIMARY KEY (space, loop, id, n));
CREATE TABLE atomsmith.view (${RUN}, folder text NOT NULL, name text NOT NULL, body text NOT NULL,
  PRIMARY KEY (space, loop, id, folder, name));
CREATE TABLE atomsmith.file (${RUN}, path text NOT NULL, body bytea NOT NULL, PRIMARY KEY (space, loop, id, path));

CREATE TABLE atomsmith.submission (id uuid PRIMARY KEY, kind text NOT NULL, project text NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp(), host text NOT NULL, document text NOT NULL,
  max_cost_usd float8, max_tokens bigint, cost_usd float8 NOT NULL DEFAULT 0, tokens bigint NOT NULL DEFAULT 0,
  stopped text, stopped_exit int);
CREATE TABLE atomsmith.job (id uuid PRIMARY KEY, submission uuid NOT NULL REFERENCES atomsmith.submission,
  kind text NOT NULL, project text NOT NULL, subject text NOT NULL, inputs text NOT NULL, payload text NOT NULL,
  state text NOT NULL DEFAULT 'open', result text, reason text, worker text, attempt int, handed_back int NOT NULL DEFAULT 0,
  at timestamptz NOT NULL DEFAULT clock_timestamp(), ended_at timestamptz, collected boolean NOT NULL DEFAULT false);
CREATE UNIQUE INDEX job_once ON atomsmith.job (project, kind, subject) WHERE state = 'open';
CREATE INDEX job_submission ON atomsmith.job (submission, state);
CREATE INDEX job_uncollected ON atomsmith.job (project, kind) WHERE NOT collected;
CREATE TABLE atomsmith.endpoint (url text PRIMARY KEY, paused_until timestamptz);
CREATE TABLE atomsmith.call (id uuid PRIMARY KEY, url text NOT NULL REFERENCES atomsmith.endpoint,
  submission uuid NOT NULL, worker text NOT NULL, tokens bigint NOT NULL, cost_usd float8 NOT NULL,
  until timestamptz NOT NULL);
CREATE INDEX call_url ON atomsmith.call (url);
CREATE INDEX call_submission ON atomsmith.call (submission);
CREATE TABLE atomsmith.worker (id text PRIMARY KEY, host text NOT NULL, pid int NOT NULL, version text NOT NULL,
  kinds text NOT NULL, roots text NOT NULL, concurrency int NOT NULL, running int NOT NULL DEFAULT 0,
  done bigint NOT NULL DEFAULT 0, refused text, drain boolean NOT NULL DEFAULT false, started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  seen_at timestamptz NOT NULL DEFAULT clock_timestamp());
`,
  },
  {
    // Attempts that failed in their worker; those neither completed, failed nor handed back lost their lease.
    sql: "ALTER TABLE atomsmith.job ADD COLUMN failed int NOT NULL DEFAULT 0;",
  },
  {
    // Jobs of agents: their calls, and the files of their workspace with modification times.
    sql: `
CREATE TABLE atomsmith.log (${RUN}, name text NOT NULL, n int NOT NULL, line text NOT NULL,
  PRIMARY KEY (space, loop, id, name, n));
ALTER TABLE atomsmith.file ADD COLUMN modified_ms float8;
`,
  },
];

/** Key of the advisory lock that allows one process at a time to migrate. */
const LOCK = 7_160_231_481;

/** Applies the missing migrations. Safe in several processes at once, and while older programs use the database. Throws
 * kind `store` for a database that requires a newer program. */
export async function migrate(db: Database, migrations: readonly Migration[] = MIGRATIONS): Promise<void> {
  if (await isCurrent(db, migrations.length)) return;
  await db.transaction(async (query) => {
    await query("SELECT pg_advisory_xact_lock($1)", [LOCK]);
    await query("CREATE SCHEMA IF NOT EXISTS atomsmith");
    await query(
      "CREATE TABLE IF NOT EXISTS atomsmith.migration (n int PRIMARY KEY, since int NOT NULL, at timestamptz NOT NULL DEFAULT clock_timestamp())",
    );
    const done = await appliedOf(query, migrations.length, db.name);
    for (let n = done + 1; n <= migrations.length; n++) {
      const { sql, since = 1 } = migrations[n - 1] ?? { sql: "" };
      await query(sql);
      await query("INSERT INTO atomsmith.migration (n, since) VALUES ($1, $2)", [n, since]);
    }
  });
}

/** Whether no migration is missing. Takes no lock, since a thousand starting workers would wait for it in turn. */
async function isCurrent(db: Database, known: number): Promise<boolean> {
  const [table] = await db.query<{ name: string | null }>(
    "SELECT to_regclass('atomsmith.migration')::text AS name",
  );
  if (table?.name == null) return false;
  return (await appliedOf((text) => db.query(text), known, db.name)) >= known;
}

async function appliedOf(query: Query, known: number, name: string): Promise<number> {
  const [row] = await query<{ n: number; since: number }>(
    "SELECT coalesce(max(n), 0) AS n, coalesce(max(since), 1) AS since FROM atomsmith.migration",
  );
  const { n = 0, since = 1 } = row ?? {};
  if (known >= since) return n;
  throw new AtomsmithError("store", `the database ${name} was changed by a newer atomsmith (format ${n})`, {
    where: name,
    hint: "use the newer program on this machine too",
  });
}
