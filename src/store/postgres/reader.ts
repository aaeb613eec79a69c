// Read access to a run in PostgreSQL, and where a run is stored there.
import { isJsonObject, type JsonObject } from "../../core/json.ts";
import {
  type Checkpoint,
  type CheckpointInfo,
  noCheckpoint,
  parseCheckpoint,
  type RunRef,
} from "../checkpoints.ts";
import { checkId } from "../ids.ts";
import type { RunAccess } from "../types.ts";
import type { Database } from "./database.ts";

/** Translates paths in stored text: the store has the paths of one machine, a worker may have other ones. */
export interface PathTranslation {
  toStored(text: string): string;
  toLocal(text: string): string;
}

const SAME: PathTranslation = { toStored: (text) => text, toLocal: (text) => text };

export interface RunPlace {
  db: Database;
  /** Separates projects that share a database. */
  space: string;
  paths?: PathTranslation;
  /** Called before each checkpoint and each line of a further log, to store what they refer to. */
  beforeCheckpoint?(): Promise<void>;
}

/** Condition for the rows of a run; its values are `PostgresReader.key`. */
export const OF_RUN = "space = $1 AND loop = $2 AND id = $3";

/** Read access to a run in the database. */
export class PostgresReader implements RunAccess {
  readonly dir: string;
  protected readonly db: Database;
  protected readonly run: RunRef;
  protected readonly key: [space: string, loop: string, id: string];
  protected readonly paths: PathTranslation;

  /** Throws kind `usage` for an invalid loop name or id. */
  constructor({ db, space, paths = SAME }: RunPlace, run: RunRef) {
    checkId(run.loop);
    checkId(run.id);
    this.db = db;
    this.run = run;
    this.key = [space, run.loop, run.id];
    this.paths = paths;
    this.dir = `${db.name} ${space}/${run.loop}/${run.id}`;
  }

  async loadCheckpoint(id?: string): Promise<Checkpoint | undefined> {
    const rows = await this.rows<{ body: string }>(
      `SELECT body FROM atomsmith.checkpoint WHERE ${OF_RUN} AND ($4::text IS NULL OR checkpoint_id = $4) ORDER BY n DESC`,
      [id ?? null],
    );
    for (const { body } of rows) {
      const checkpoint = parseCheckpoint(this.paths.toLocal(body), this.dir);
      if (checkpoint !== undefined) return checkpoint;
    }
    if (id !== undefined) throw noCheckpoint(this.run, id, await this.listCheckpoints());
    return undefined;
  }

  async listCheckpoints(): Promise<CheckpointInfo[]> {
    const rows = await this.rows<{ checkpoint_id: string }>(
      `SELECT checkpoint_id FROM atomsmith.checkpoint WHERE ${OF_RUN} ORDER BY n`,
    );
    return rows.map((row) => ({ id: row.checkpoint_id, path: `${this.dir}/${row.checkpoint_id}` }));
  }

  async loadView(folder: string, name: string): Promise<unknown> {
    const [row] = await this.rows<{ body: string }>(
      `SELECT body FROM atomsmith.view WHERE ${OF_RUN} AND folder = $4 AND name = $5`,
      [folder, name],
    );
    return row === undefined ? undefined : JSON.parse(this.paths.toLocal(row.body));
  }

  async loadViews(folder: string): Promise<Map<string, unknown>> {
    const rows = await this.rows<{ name: string; body: string }>(
      `SELECT name, body FROM atomsmith.view WHERE ${OF_RUN} AND folder = $4`,
      [folder],
    );
    const views = rows.map(({ name, body }): [string, unknown] => [
      name,
      JSON.parse(this.paths.toLocal(body)),
    ]);
    return new Map(views.sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  async listViews(folder: string): Promise<string[]> {
    const rows = await this.rows<{ name: string }>(
      `SELECT name FROM atomsmith.view WHERE ${OF_RUN} AND folder = $4`,
      [folder],
    );
    return rows.map((row) => row.name).sort();
  }

  loadJournal(): Promise<JsonObject[]> {
    return this.lines("journal");
  }

  loadTurns(): Promise<JsonObject[]> {
    return this.lines("turn");
  }

  async loadLog(name: string): Promise<JsonObject[]> {
    checkId(name);
    const rows = await this.rows<{ line: string }>(
      `SELECT line FROM atomsmith.log WHERE ${OF_RUN} AND name = $4 ORDER BY n`,
      [name],
    );
    return this.parsed(rows);
  }

  async isLocked(): Promise<boolean> {
    const rows = await this.rows(`SELECT 1 FROM atomsmith.run WHERE ${OF_RUN} AND job IS NOT NULL`);
    return rows.length > 0;
  }

  private async lines(table: "journal" | "turn"): Promise<JsonObject[]> {
    const rows = await this.rows<{ line: string }>(
      `SELECT line FROM atomsmith.${table} WHERE ${OF_RUN} ORDER BY n`,
    );
    return this.parsed(rows);
  }

  protected parsed(rows: readonly { line: string }[]): JsonObject[] {
    return rows.flatMap(({ line }) => {
      const value: unknown = JSON.parse(this.paths.toLocal(line));
      return isJsonObject(value) ? [value] : [];
    });
  }

  protected rows<R = Record<string, unknown>>(text: string, values: unknown[] = []): Promise<R[]> {
    return this.db.query<R>(text, [...this.key, ...values]);
  }
}
