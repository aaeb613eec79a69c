// Write access to a run in PostgreSQL. Every write checks the epoch under which the run was opened and locks the run's row
// (a fence): once another attempt has opened the run, writes of the earlier one find no row and are rejected. Rows are
// numbered by their only writer, so repeating a statement after a lost connection changes nothing.
import { AtomsmithError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import { type Redact, redactDeep } from "../../core/redact/index.ts";
import { closedError } from "../append-log.ts";
import { type Checkpoint, checkpointId, checkpointText, type RunRef } from "../checkpoints.ts";
import { checkId } from "../ids.ts";
import { memoizedRedact } from "../masked.ts";
import type { Lease, Retention, RunLog, RunWriter, Turns } from "../types.ts";
import type { Query } from "./database.ts";
import { OF_RUN, PostgresReader, type RunPlace } from "./reader.ts";
import { holdRun, type Part, RunWrites } from "./writes.ts";

/** Write access under a lease of the queue. */
export class PostgresRunStore extends PostgresReader implements RunWriter {
  readonly turns: Turns;
  private readonly place: RunPlace;
  private readonly epoch: string;
  private readonly retention: Retention;
  private readonly mask: Redact;
  private readonly stored: JsonObject[];
  private readonly writes: RunWrites;
  private nextCheckpoint: number;
  private nextTurn: number;
  private closed = false;
  private ids: string[];

  private constructor(place: RunPlace, run: RunRef, retention: Retention, mask: Redact, opened: Opened) {
    super(place, run);
    const { epoch, rows, next } = opened;
    this.place = place;
    this.epoch = epoch;
    this.retention = retention;
    this.mask = memoizedRedact(mask);
    this.stored = this.parsed(rows.filter(({ what }) => what === "turn").map(({ text: line }) => ({ line })));
    this.ids = rows.filter(({ what }) => what === "checkpoint").map(({ text }) => text);
    this.nextCheckpoint = next("checkpoint");
    this.nextTurn = next("turn");
    this.writes = new RunWrites({
      db: this.db,
      key: this.key,
      epoch,
      nextEvent: next("event"),
      lost: () => this.lost(),
    });
    this.turns = {
      damaged: [],
      all: () => this.stored,
      append: (turn) => this.appendTurn(turn),
      setAside: () => this.setTurnsAside(),
    };
  }

  /** Takes the run over from an earlier attempt, whose writes are rejected from then on. Throws kind `usage` when this
   * attempt or a later one has it already. */
  static async open(
    place: RunPlace,
    run: RunRef,
    retention: Retention,
    mask: Redact,
    lease: Lease,
  ): Promise<PostgresRunStore> {
    const { dir } = new PostgresReader(place, run);
    const token = crypto.randomUUID();
    const opened = await place.db.transaction((query) =>
      openRun(query, [place.space, run.loop, run.id], lease, token, retention.keepHours),
    );
    if (opened !== undefined) return new PostgresRunStore(place, run, retention, mask, opened);
    throw new AtomsmithError("usage", `${run.loop} ${run.id} is in use by another worker`, {
      where: dir,
      busy: true,
    });
  }

  async saveCheckpoint(stage: string, state: Checkpoint["state"]): Promise<string> {
    this.throwIfClosed();
    await this.place.beforeCheckpoint?.();
    this.throwIfFailed();
    const now = new Date();
    const id = checkpointId(now, this.ids);
    const text = checkpointText(this.run, id, stage, redactDeep(state, this.mask), now);
    const keep = this.retention.maxCheckpointsPerHour;
    const n = this.nextCheckpoint++;
    this.ids = [...this.ids, id].slice(-keep);
    const stored = this.write({
      sql: `INSERT INTO atomsmith.checkpoint (space, loop, id, n, checkpoint_id, body)
        SELECT $1, $2, $3, ?1::int, ?2, ?3 FROM held ON CONFLICT DO NOTHING`,
      values: [n, id, this.paths.toStored(text)],
    });
    // In the same transaction.
    const dropped = n < keep ? undefined : this.write(dropBefore(n - keep + 1));
    await Promise.all([stored, dropped]);
    this.throwIfFailed();
    return id;
  }

  async saveView(
    folder: string,
    name: string,
    value: unknown,
    options: { later?: boolean } = {},
  ): Promise<void> {
    checkId(folder);
    checkId(name);
    this.throwIfClosed();
    const text = this.paths.toStored(JSON.stringify(redactDeep(value, this.mask)));
    this.writes.addView(folder, name, text);
    if (options.later !== true) await this.write();
  }

  async dropViews(folder: string): Promise<void> {
    checkId(folder);
    this.throwIfClosed();
    this.writes.dropViews(folder);
    await this.writes.writeAlone({
      sql: `DELETE FROM atomsmith.view WHERE EXISTS (SELECT FROM held) AND ${OF_RUN} AND folder = ?1`,
      values: [folder],
    });
  }

  record(event: object): void {
    this.throwIfClosed();
    if (this.writes.failure !== undefined) return; // the next checkpoint throws it
    this.writes.addEvent(this.paths.toStored(JSON.stringify(redactDeep(event, this.mask))));
  }

  async openLog(name: string): Promise<RunLog> {
    this.throwIfClosed();
    const earlier = await this.loadLog(name);
    let next = earlier.length;
    return {
      earlier,
      append: async (line) => {
        this.throwIfClosed();
        await this.place.beforeCheckpoint?.();
        const n = next++;
        await this.write({
          sql: `INSERT INTO atomsmith.log (space, loop, id, name, n, line)
            SELECT $1, $2, $3, ?1, ?2::int, ?3 FROM held ON CONFLICT DO NOTHING`,
          values: [name, n, this.paths.toStored(JSON.stringify(line))],
        });
      },
    };
  }

  async dropHistory(): Promise<void> {
    await this.write(dropBefore(this.nextCheckpoint - 1));
  }

  /** Locks the run's row within a transaction. Throws kind `store` when a later attempt has taken the run over. */
  async hold(query: Query): Promise<void> {
    if (!(await holdRun(query, this.key, this.epoch))) throw this.lost();
  }

  async close(options: { keepLock?: boolean } = {}): Promise<void> {
    this.closed = true;
    // The run is lost or broken: nothing is stored, and the next attempt takes it over.
    await this.writes.write(options.keepLock === true ? undefined : RELEASE).catch(() => undefined);
  }

  private async appendTurn(turn: JsonObject): Promise<void> {
    this.throwIfClosed();
    const n = this.nextTurn++;
    await this.write({
      sql: `INSERT INTO atomsmith.turn (space, loop, id, n, line)
        SELECT $1, $2, $3, ?1::int, ?2 FROM held ON CONFLICT DO NOTHING`,
      values: [n, this.paths.toStored(JSON.stringify(turn))],
    });
    this.stored.push(turn);
  }

  private async setTurnsAside(): Promise<void> {
    this.throwIfClosed();
    if (this.stored.length === 0) return;
    await this.writes.alone(() =>
      this.db.transaction(async (query) => {
        await this.hold(query);
        const moved = await query(`SELECT 1 FROM atomsmith.turn WHERE ${OF_RUN} LIMIT 1`, this.key);
        if (moved.length === 0) return; // already committed; only the answer was lost
        await query(`DELETE FROM atomsmith.turn_aside WHERE ${OF_RUN}`, this.key);
        await query(
          `INSERT INTO atomsmith.turn_aside SELECT * FROM atomsmith.turn WHERE ${OF_RUN}`,
          this.key,
        );
        await query(`DELETE FROM atomsmith.turn WHERE ${OF_RUN}`, this.key);
      }),
    );
    this.stored.length = 0;
  }

  private async write(part?: Part): Promise<void> {
    this.throwIfClosed();
    await this.writes.write(part);
  }

  private lost(): AtomsmithError {
    return new AtomsmithError("store", `${this.run.loop} ${this.run.id} was taken over by another worker`, {
      where: this.dir,
    });
  }

  private throwIfClosed(): void {
    if (this.closed) throw closedError(this.dir);
  }

  private throwIfFailed(): void {
    if (this.writes.failure !== undefined) throw this.writes.failure;
  }
}

const RELEASE: Part = {
  sql: `UPDATE atomsmith.run SET job = NULL WHERE EXISTS (SELECT FROM held) AND ${OF_RUN} AND epoch = $4`,
  values: [],
  changesRun: true,
};

function dropBefore(n: number): Part {
  return {
    sql: `DELETE FROM atomsmith.checkpoint WHERE EXISTS (SELECT FROM held) AND ${OF_RUN} AND n < ?1::int`,
    values: [n],
  };
}

interface Row {
  what: "turn" | "checkpoint" | "event";
  n: number;
  text: string;
}

interface Opened {
  epoch: string;
  /** Stored replies and ids of checkpoints, in order. */
  rows: Row[];
  /** The number of the next row. */
  next(what: Row["what"]): number;
}

/** Gives the run a new epoch, deletes expired checkpoints, and reads the initial state of a writer. Undefined when this
 * attempt or a later one of its job already has the run. A repetition after a lost answer finds its own row by the token. */
async function openRun(
  query: Query,
  key: string[],
  lease: Lease,
  token: string,
  keepHours: number,
): Promise<Opened | undefined> {
  const [run] = await query<{ epoch: string }>(
    `INSERT INTO atomsmith.run AS run (space, loop, id, epoch, job, attempt, token) VALUES ($1, $2, $3, 1, $4, $5, $6)
     ON CONFLICT (space, loop, id) DO UPDATE
       SET epoch = run.epoch + 1, job = $4, attempt = $5, token = $6, held_at = clock_timestamp()
       WHERE run.job IS DISTINCT FROM $4 OR run.attempt < $5 OR run.token = $6
     RETURNING epoch::text`,
    [...key, lease.job, lease.attempt, token],
  );
  if (run === undefined) return undefined;
  // A separate statement sees all writes of the earlier attempt.
  const rows = await query<Row>(
    `WITH expired AS (
       DELETE FROM atomsmith.checkpoint WHERE ${OF_RUN} AND at < clock_timestamp() - $4 * interval '1 hour'
         AND n < (SELECT max(n) FROM atomsmith.checkpoint WHERE ${OF_RUN}))
     SELECT 'turn' AS what, n, line AS text FROM atomsmith.turn WHERE ${OF_RUN}
     UNION ALL SELECT 'checkpoint', n, checkpoint_id FROM atomsmith.checkpoint WHERE ${OF_RUN}
     UNION ALL (SELECT 'event', n, '' FROM atomsmith.journal WHERE ${OF_RUN} ORDER BY n DESC LIMIT 1)
     ORDER BY what, n`,
    [...key, keepHours],
  );
  const next = (what: Row["what"]): number => 1 + (rows.findLast((row) => row.what === what)?.n ?? -1);
  return { epoch: run.epoch, rows, next };
}
