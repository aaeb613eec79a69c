// Batches the writes of one run into few transactions. Writes that are requested together, or during an earlier
// transaction, become one statement that locks the run's row: it is applied completely, and only while the attempt owns the
// run. Events and views may be delayed until the next write.
import type { AtomsmithError } from "../../core/errors.ts";
import type { Database, Query } from "./database.ts";
import { OF_RUN } from "./reader.ts";

/** Maximum number of delayed events, and maximum delay of events and views. */
const WAITING = { events: 200, ms: 1_000 };

/** A statement that reads `held`, the run's locked row, which is empty when another attempt owns the run. `$1` to `$3` are
 * the run, `$4` its epoch, `?1` and so on the values. Parts of one statement do not see each other's rows. */
export interface Part {
  sql: string;
  values: readonly unknown[];
  /** It changes the run's row. */
  changesRun?: true;
}

export interface RunWritesOptions {
  db: Database;
  key: readonly [space: string, loop: string, id: string];
  epoch: string;
  /** Number of the first event. */
  nextEvent: number;
  /** Thrown when another attempt has taken the run over. */
  lost(): AtomsmithError;
}

interface Group {
  parts: Part[];
  done: Promise<void>;
}

export class RunWrites {
  private readonly o: RunWritesOptions;
  private nextEvent: number;
  private events: string[] = [];
  /** By folder and name; the last value of each is stored. */
  private views = new Map<string, [folder: string, name: string, body: string]>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** Settles when all earlier writes have ended. */
  private last: Promise<unknown> = Promise.resolve();
  /** Not sent yet: further writes are added to it. */
  private open: Group | undefined;
  private failed: unknown;

  constructor(options: RunWritesOptions) {
    this.o = options;
    this.nextEvent = options.nextEvent;
  }

  /** The error of the first failed write of delayed events or views; undefined without one. */
  get failure(): unknown {
    return this.failed;
  }

  /** Stores an event with the next write, at the latest after a second. */
  addEvent(line: string): void {
    this.events.push(line);
    if (this.events.length >= WAITING.events) this.sendWaiting();
    else this.startTimer();
  }

  /** Stores a view with the next write, at the latest after a second. */
  addView(folder: string, name: string, body: string): void {
    this.views.set(`${folder}/${name}`, [folder, name, body]);
    this.startTimer();
  }

  /** Drops the delayed views of a folder. */
  dropViews(folder: string): void {
    for (const [key, [own]] of this.views) if (own === folder) this.views.delete(key);
  }

  /** Resolves when the part and all delayed events and views are stored. */
  write(part?: Part): Promise<void> {
    const group = this.open ?? this.newGroup();
    if (part !== undefined) group.parts.push(part);
    return group.done;
  }

  /** Runs `work` after all earlier writes and before all later ones, without the delayed events and views. */
  alone(work: () => Promise<void>): Promise<void> {
    this.open = undefined;
    return this.chain(work);
  }

  /** Stores a part in a separate transaction. */
  writeAlone(part: Part): Promise<void> {
    return this.alone(() => this.run([part]));
  }

  private newGroup(): Group {
    const parts: Part[] = [];
    const done = this.chain(() => {
      if (this.open?.parts === parts) this.open = undefined;
      return this.send(parts);
    });
    this.open = { parts, done };
    return this.open;
  }

  private chain(work: () => Promise<void>): Promise<void> {
    const done = this.last.then(work);
    this.last = done.catch(() => undefined);
    return done;
  }

  private async send(own: readonly Part[]): Promise<void> {
    const waiting = this.takeWaiting();
    if (own.length + waiting.length === 0) return;
    try {
      await this.run([...waiting, ...own]);
    } catch (error) {
      if (waiting.length > 0) this.failed ??= error;
      throw error;
    }
  }

  private takeWaiting(): Part[] {
    clearTimeout(this.timer);
    this.timer = undefined;
    const parts: Part[] = [];
    if (this.events.length > 0) parts.push(eventsPart(this.nextEvent, this.events));
    if (this.views.size > 0) parts.push(viewsPart([...this.views.values()]));
    this.nextEvent += this.events.length;
    this.events = [];
    this.views.clear();
    return parts;
  }

  private async run(parts: readonly Part[]): Promise<void> {
    const { db, key, epoch, lost } = this.o;
    const rows = await db.query(...statementOf(parts, [...key, epoch]));
    if (rows.length === 0) throw lost();
  }

  private startTimer(): void {
    this.timer ??= setTimeout(() => this.sendWaiting(), WAITING.ms);
  }

  private sendWaiting(): void {
    // The error is kept in `failed`.
    this.write().catch(() => undefined);
  }
}

/** Locks the run's row within a transaction; false when another attempt has taken the run over. */
export async function holdRun(query: Query, key: readonly string[], epoch: string): Promise<boolean> {
  const rows = await query(`SELECT 1 FROM atomsmith.run WHERE ${OF_RUN} AND epoch = $4 FOR SHARE`, [
    ...key,
    epoch,
  ]);
  return rows.length > 0;
}

/** Combines parts into one statement, which returns a row if the attempt owns the run. */
function statementOf(parts: readonly Part[], run: readonly string[]): [text: string, values: unknown[]] {
  const values: unknown[] = [...run];
  const written = parts.map(({ sql, values: own }, i) => {
    const before = values.length;
    values.push(...own);
    return `part${i} AS (${sql.replace(/\?(\d+)/g, (_, n) => `$${before + Number(n)}`)})`;
  });
  // Updating a row that was locked with FOR SHARE could deadlock with another attempt.
  const lock = parts.some((part) => part.changesRun) ? "UPDATE" : "SHARE";
  const held = `held AS MATERIALIZED (SELECT 1 FROM atomsmith.run WHERE ${OF_RUN} AND epoch = $4 FOR ${lock})`;
  return [`WITH ${[held, ...written].join(", ")} SELECT 1 FROM held`, values];
}

function eventsPart(first: number, lines: readonly string[]): Part {
  return {
    sql: `INSERT INTO atomsmith.journal (space, loop, id, n, line)
      SELECT $1, $2, $3, ?1::int + at - 1, text FROM held, unnest(?2::text[]) WITH ORDINALITY AS line (text, at)
      ON CONFLICT DO NOTHING`,
    values: [first, [...lines]],
  };
}

function viewsPart(views: readonly [folder: string, name: string, body: string][]): Part {
  return {
    sql: `INSERT INTO atomsmith.view (space, loop, id, folder, name, body)
      SELECT $1, $2, $3, folder, name, body
      FROM held, unnest(?1::text[], ?2::text[], ?3::text[]) AS view (folder, name, body)
      ON CONFLICT (space, loop, id, folder, name) DO UPDATE SET body = excluded.body`,
    values: [0, 1, 2].map((column) => views.map((view) => view[column])),
  };
}
