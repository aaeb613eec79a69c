// Files of a run in the database: the folder of an atom set before and after the job, or the workspace of an agent.
import type { Database, Query } from "../store/postgres/database.ts";

export interface StoredFile {
  /** Relative, with `/`. */
  path: string;
  body: Uint8Array;
  /** Time of the last change, if needed. */
  modified_ms?: number | null;
}

export interface FilePlace {
  space: string;
  loop: string;
  id: string;
}

/** Replaces all files of a run, within a transaction. */
export async function replaceFiles(
  query: Query,
  { space, loop, id }: FilePlace,
  files: readonly StoredFile[],
): Promise<void> {
  await query("DELETE FROM atomsmith.file WHERE space = $1 AND loop = $2 AND id = $3", [space, loop, id]);
  if (files.length === 0) return;
  await query(
    `INSERT INTO atomsmith.file (space, loop, id, path, body, modified_ms)
     SELECT $1, $2, $3, path, body, modified_ms
     FROM unnest($4::text[], $5::bytea[], $6::float8[]) AS file (path, body, modified_ms)`,
    [
      space,
      loop,
      id,
      files.map((file) => file.path),
      files.map((file) => Buffer.from(file.body)),
      files.map((file) => file.modified_ms ?? null),
    ],
  );
}

/** Adds or replaces files of a run and removes others, within a transaction. */
export async function updateFiles(
  query: Query,
  { space, loop, id }: FilePlace,
  changed: readonly StoredFile[],
  removed: readonly string[],
): Promise<void> {
  const key = [space, loop, id];
  await query("DELETE FROM atomsmith.file WHERE space = $1 AND loop = $2 AND id = $3 AND path = ANY($4)", [
    ...key,
    [...removed],
  ]);
  for (const { path, body, modified_ms } of changed) {
    await query(
      `INSERT INTO atomsmith.file (space, loop, id, path, body, modified_ms) VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (space, loop, id, path) DO UPDATE SET body = excluded.body, modified_ms = excluded.modified_ms`,
      [...key, path, Buffer.from(body), modified_ms ?? null],
    );
  }
}

/** All files of a run, sorted by path. */
export function loadFiles(db: Database, { space, loop, id }: FilePlace): Promise<StoredFile[]> {
  return db.query<StoredFile>(
    "SELECT path, body, modified_ms FROM atomsmith.file WHERE space = $1 AND loop = $2 AND id = $3 ORDER BY path",
    [space, loop, id],
  );
}
