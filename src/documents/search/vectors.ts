// Vectors of chunks beside the index, compared one by one: 100,000 of 1,536 numbers take 0.7 s (measured).
import type { Database } from "bun:sqlite";
import { AtomsmithError } from "../../core/errors.ts";

/** A server that makes vectors of texts. */
export interface Embedder {
  model: string;
  /** As many vectors as texts, in their order. Throws AtomsmithError. */
  embed(texts: readonly string[]): Promise<Float32Array[]>;
}

const BATCH = 64;

/** Makes the vectors that chunks lack. What was made stays when a later batch fails. */
export async function missingVectors(db: Database, embedder: Embedder): Promise<void> {
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

/** Ids of the chunks whose vectors point most nearly where that of the query does. */
export async function nearest(
  db: Database,
  embedder: Embedder,
  query: string,
  limit: number,
): Promise<number[]> {
  const [given] = await embedder.embed([query]);
  if (given === undefined) throw new AtomsmithError("provider", "the server answered without a vector");
  const wanted = unit(given);
  const scored: { id: number; score: number }[] = [];
  const rows = db.query<{ chunk: number; vector: Uint8Array }, [string]>(
    "SELECT chunk, vector FROM vectors WHERE model = ?",
  );
  for (const { chunk, vector } of rows.iterate(embedder.model)) {
    const other = new Float32Array(vector.slice().buffer);
    if (other.length === wanted.length) scored.push({ id: chunk, score: dot(wanted, other) });
  }
  return scored
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ id }) => id);
}

/** The vector with length 1, so that the cosine is a product. */
function unit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(dot(vector, vector));
  return length === 0 ? new Float32Array(vector) : vector.map((value) => value / length);
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}
