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
import type { Database, Query } from "./database.ts";
import { OF_RUN, PostgresReader, type RunPlace } from "./reader.ts";

/** Maximum number of buffered events, and maximum time in the buffer. */
const JOURNAL = { lines: 200, ms: 500 };
/** Locks the run's row against a new owner until the end of the statement. */
const HELD = `held AS MATERIALIZED (SELECT 1 FROM atomsmith.run WHERE ${OF_RUN} AND epoch = $4 FOR SHARE)`;

/** Write access under a lease of the queue. */
export class PostgresRunStore extends PostgresReader implements RunWriter {
  readonly turns: Turns;
  private readonly place: RunPlace;
  private readonly epoch: string;
  private readonly retention: Retention;
  private readonly mask: Redact;
  private readonly stored: JsonObject[];
  private nextCheckpoint: number;
  private nextEvent: number;
  private buffered: string[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  private writing: Promise<void> = Promise.resolve();
  private failure: unknown;
  private closed = false;
  private ids: string[];

  private constructor(place: RunPlace, run: RunRef, retention: Retention, mask: Redact, opened: Opened) {
    super(place, run);
    this.place = place;
    this.epoch = opened.epoch;
    this.retention = retention;
    this.mask = memoizedRedact(mask);
    this.stored = opened.turns;
    this.nextCheckpoint = opened.nextCheckpoint;
    this.nextEvent = opened.nextEvent;
    this.ids = opened.ids;
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
    const reader = new PostgresReader(place, run);
    const key = [place.space, run.loop, run.id];
    const epoch = await takeRun(place.db, key, lease);
    if (epoch === undefined) {
      throw new AtomsmithError("usage", `${run.loop} ${run.id} is in use by another worker`, {
        where: reader.dir,
        busy: true,
      });
    }
    const [next] = await place.db.query<{ checkpoint: number; event: number }>(
      `SELECT (SELECT coalesce(max(n) + 1, 0) FROM atomsmith.checkpoint WHERE ${OF_RUN}) AS checkpoint,
              (SELECT coalesce(max(n) + 1, 0) FROM atomsmith.journal WHERE ${OF_RUN}) AS event`,
      key,
    );
    const store = new PostgresRunStore(place, run, retention, mask, {
      epoch,
      turns: await reader.loadTurns(),
      ids: (await reader.listCheckpoints()).map((entry) => entry.id),
      nextCheckpoint: next?.checkpoint ?? 0,
      nextEvent: next?.event ?? 0,
    });
    await store.write(
      "DELETE FROM atomsmith.checkpoint WHERE EXISTS (SELECT FROM held) AND " +
        `${OF_RUN} AND at < clock_timestamp() - $5 * interval '1 hour' AND n < $6`,
      [retention.keepHours, store.nextCheckpoint - 1],
    );
    return store;
  }

  async saveCheckpoint(stage: string, state: Checkpoint["state"]): Promise<string> {
    this.throwIfClosed();
    await this.place.beforeCheckpoint?.();
    await this.flushJournal();
    const now = new Date();
    const id = checkpointId(now, this.ids);
    const text = checkpointText(this.run, id, stage, redactDeep(state, this.mask), now);
    const n = this.nextCheckpoint;
    await this.write(
      `INSERT INTO atomsmith.checkpoint (space, loop, id, n, checkpoint_id, body)
       SELECT $1, $2, $3, $5::int, $6, $7 FROM held ON CONFLICT DO NOTHING`,
      [n, id, this.paths.toStored(text)],
    );
    this.nextCheckpoint += 1;
    this.ids = [...this.ids, id].slice(-this.retention.maxCheckpointsPerHour);
    if (n >= this.retention.maxCheckpointsPerHour) {
      await this.write(
        `DELETE FROM atomsmith.checkpoint WHERE EXISTS (SELECT FROM held) AND ${OF_RUN} AND n <= $5::int`,
        [n - this.retention.maxCheckpointsPerHour],
      );
    }
    return id;
  }

  async saveView(folder: string, name: string, value: unknown): Promise<void> {
    checkId(folder);
    checkId(name);
    const text = JSON.stringify(redactDeep(value, this.mask));
    await this.write(
      `INSERT INTO atomsmith.view (space, loop, id, folder, name, body) SELECT $1, $2, $3, $5, $6, $7 FROM held
       ON CONFLICT (space, loop, id, folder, name) DO UPDATE SET body = excluded.body`,
      [folder, name, this.paths.toStored(text)],
    );
  }

  async dropViews(folder: string): Promise<void> {
    checkId(folder);
    await this.write(
      `DELETE FROM atomsmith.view WHERE EXISTS (SELECT FROM held) AND ${OF_RUN} AND folder = $5`,
      [folder],
    );
  }

  record(event: object): void {
    this.throwIfClosed();
    if (this.failure !== undefined) return; // the next checkpoint throws it
    this.buffered.push(this.paths.toStored(JSON.stringify(redactDeep(event, this.mask))));
    if (this.buffered.length >= JOURNAL.lines) this.startJournal();
    this.timer ??= setTimeout(() => this.startJournal(), JOURNAL.ms);
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
        const n = next;
        next += 1;
        await this.write(
          `INSERT INTO atomsmith.log (space, loop, id, name, n, line)
           SELECT $1, $2, $3, $5, $6::int, $7 FROM held ON CONFLICT DO NOTHING`,
          [name, n, this.paths.toStored(JSON.stringify(line))],
        );
      },
    };
  }

  async dropHistory(): Promise<void> {
    await this.write(
      `DELETE FROM atomsmith.checkpoint WHERE EXISTS (SELECT FROM held) AND ${OF_RUN} AND n < $5::int`,
      [this.nextCheckpoint - 1],
    );
  }

  /** Whether no later attempt has taken the run over. */
  async isHeld(): Promise<boolean> {
    const rows = await this.rows(`SELECT 1 FROM atomsmith.run WHERE ${OF_RUN} AND epoch = $4`, [this.epoch]);
    return rows.length > 0;
  }

  /** Locks the run's row within a transaction. Throws kind `store` when a later attempt has taken the run over. */
  async hold(query: Query): Promise<void> {
    const rows = await query(`SELECT 1 FROM atomsmith.run WHERE ${OF_RUN} AND epoch = $4 FOR SHARE`, [
      ...this.key,
      this.epoch,
    ]);
    if (rows.length === 0) throw this.lost();
  }

  async close(options: { keepLock?: boolean } = {}): Promise<void> {
    if (!this.closed) {
      this.closed = true;
      await this.flushJournal().catch(() => undefined); // the run was taken over or failed: nothing to store
    }
    if (options.keepLock === true) return;
    await this.rows(`UPDATE atomsmith.run SET job = NULL WHERE ${OF_RUN} AND epoch = $4`, [this.epoch]).catch(
      () => undefined, // the next attempt takes it over
    );
  }

  private async appendTurn(turn: JsonObject): Promise<void> {
    await this.write(
      "INSERT INTO atomsmith.turn (space, loop, id, n, line) SELECT $1, $2, $3, $5::int, $6 FROM held ON CONFLICT DO NOTHING",
      [this.stored.length, this.paths.toStored(JSON.stringify(turn))],
    );
    this.stored.push(turn);
  }

  private async setTurnsAside(): Promise<void> {
    this.throwIfClosed();
    if (this.stored.length === 0) return;
    await this.db.transaction(async (query) => {
      await this.hold(query);
      const turns = await query(`SELECT 1 FROM atomsmith.turn WHERE ${OF_RUN} LIMIT 1`, this.key);
      if (turns.length === 0) return; // committed before, but the answer was lost
      await query(`DELETE FROM atomsmith.turn_aside WHERE ${OF_RUN}`, this.key);
      await query(`INSERT INTO atomsmith.turn_aside SELECT * FROM atomsmith.turn WHERE ${OF_RUN}`, this.key);
      await query(`DELETE FROM atomsmith.turn WHERE ${OF_RUN}`, this.key);
    });
    this.stored.length = 0;
  }

  private startJournal(): void {
    this.writeJournal().catch((error) => {
      this.failure ??= error;
    });
  }

  /** Resolves when everything recorded so far is stored. */
  private async flushJournal(): Promise<void> {
    await this.writeJournal();
    if (this.failure !== undefined) throw this.failure;
  }

  private writeJournal(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const lines = this.buffered;
    this.buffered = [];
    if (lines.length === 0) return this.writing;
    const first = this.nextEvent;
    this.nextEvent += lines.length;
    this.writing = this.writing.then(() =>
      this.writeHeld(
        `INSERT INTO atomsmith.journal (space, loop, id, n, line)
         SELECT $1, $2, $3, $5::int + at - 1, text FROM held, unnest($6::text[]) WITH ORDINALITY AS line (text, at)
         ON CONFLICT DO NOTHING`,
        [first, lines],
      ),
    );
    return this.writing;
  }

  private write(statement: string, values: unknown[]): Promise<void> {
    this.throwIfClosed();
    return this.writeHeld(statement, values);
  }

  /** Runs a statement that has an effect only while this attempt owns the run. */
  private async writeHeld(statement: string, values: unknown[]): Promise<void> {
    const rows = await this.rows(`WITH ${HELD}, written AS (${statement}) SELECT 1 FROM held`, [
      this.epoch,
      ...values,
    ]);
    if (rows.length === 0) throw this.lost();
  }

  private lost(): AtomsmithError {
    return new AtomsmithError("store", `${this.run.loop} ${this.run.id} was taken over by another worker`, {
      where: this.dir,
    });
  }

  private throwIfClosed(): void {
    if (this.closed) throw closedError(this.dir);
  }
}

interface Opened {
  epoch: string;
  turns: JsonObject[];
  ids: string[];
  nextCheckpoint: number;
  nextEvent: number;
}

/** The new epoch; undefined when this attempt or a later one of its job owns the run. When the statement is repeated after
 * a lost answer, the token `$6` identifies the caller's own row. */
async function takeRun(db: Database, key: string[], lease: Lease): Promise<string | undefined> {
  const token = crypto.randomUUID();
  const rows = await db.query<{ epoch: string }>(
    `INSERT INTO atomsmith.run AS run (space, loop, id, epoch, job, attempt, token) VALUES ($1, $2, $3, 1, $4, $5, $6)
     ON CONFLICT (space, loop, id) DO UPDATE
       SET epoch = run.epoch + 1, job = $4, attempt = $5, token = $6, held_at = clock_timestamp()
       WHERE run.job IS DISTINCT FROM $4 OR run.attempt < $5 OR run.token = $6
     RETURNING epoch::text`,
    [...key, lease.job, lease.attempt, token],
  );
  return rows[0]?.epoch;
}
