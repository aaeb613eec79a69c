// Search over the text files of a directory: full text, and vectors if an embedding server is configured. The index is a
// cache in one SQLite file: changed files are read again before each search, and a damaged index is rebuilt.
import { Database } from "bun:sqlite";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { toAtomsmithError } from "../../core/errors.ts";
import { sha256 } from "../../core/hash.ts";
import { storeError } from "../../store/atomic.ts";
import { chunkParts } from "../chunk.ts";
import { partsOf } from "../text-page.ts";
import { type Ranked, ranked } from "./rank.ts";
import { type IndexedFile, SCHEMA, textFiles } from "./schema.ts";
import { addMissingVectors, type Embedder, nearest } from "./vectors.ts";

const CHUNK = { maxChars: 1600, overlapChars: 200 };
/** Maximum candidates of each kind for the ranking. */
const CANDIDATES = 50;
const BUSY_MS = 10_000;

export interface Hit {
  path: string;
  /** Page, sheet or slide of the text. */
  page: number;
  text: string;
  /** The searches that found it. */
  by: ("full text" | "embeddings")[];
}

export interface Answer {
  hits: Hit[];
  /** A sentence about the searches used, and why one failed. */
  answered: string;
}

export interface IndexStats {
  files: number;
  chunks: number;
  vectors: number;
  bytes: number;
}

export class WorkspaceIndex {
  private db: Database;
  private readonly path: string;
  private readonly root: string;

  /** @param path file of the index
   * @param root absolute path of the searched directory */
  constructor(path: string, root: string) {
    this.path = path;
    this.root = root;
    this.db = this.open();
  }

  /** Reads changed files. Returns the number of files read, and the files that were skipped. */
  refresh(): { read: number; skipped: string[] } {
    const { files, skipped } = textFiles(this.root);
    const known = new Map(
      this.db
        .query<IndexedFile & { path: string }, []>("SELECT path, size, mtime, sha256 FROM files")
        .all()
        .map((row) => [row.path, row]),
    );
    const names = new Set(files.map(({ path }) => path));
    for (const path of known.keys()) if (!names.has(path)) this.remove(path);
    let read = 0;
    for (const file of files) {
      const before = known.get(file.path);
      if (before?.size === file.size && before.mtime === file.mtime) continue;
      if (this.indexFile(file, before?.sha256)) read += 1;
    }
    return { read, skipped };
  }

  /** The chunks that match a query best. If the embedding server fails, only the full text is searched, and `answered`
   * reports it. */
  async search(query: string, limit: number, embedder?: Embedder): Promise<Answer> {
    const { skipped } = this.refresh();
    const text = this.fullText(query);
    const note = skipped.length === 0 ? "" : ` Not searched: ${skipped.slice(0, 5).join(", ")}.`;
    if (embedder === undefined) {
      return { hits: this.hits(ranked([["full text", text]]), limit), answered: `Full text (BM25).${note}` };
    }
    let near: number[];
    try {
      await addMissingVectors(this.db, embedder);
      near = await nearest(this.db, embedder, query, CANDIDATES);
    } catch (error) {
      const { kind, message } = toAtomsmithError(error);
      if (kind === "interrupted") throw error;
      const answered = `Full text (BM25) only: embeddings failed: ${message}.${note}`;
      return { hits: this.hits(ranked([["full text", text]]), limit), answered };
    }
    const hits = this.hits(
      ranked([
        ["full text", text],
        ["embeddings", near],
      ]),
      limit,
    );
    return { hits, answered: `Full text (BM25) and embeddings (${embedder.model}), ranked together.${note}` };
  }

  /** Number of chunks of a file in the index. */
  countChunks(path: string): number {
    const query = this.db.query<{ n: number }, [string]>("SELECT count(*) AS n FROM chunks WHERE path = ?");
    return query.get(path)?.n ?? 0;
  }

  stats(): IndexStats {
    const count = (table: string): number =>
      this.db.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get()?.n ?? 0;
    const pages = this.db.query<{ page_count: number }, []>("PRAGMA page_count").get()?.page_count ?? 0;
    const size = this.db.query<{ page_size: number }, []>("PRAGMA page_size").get()?.page_size ?? 0;
    return { files: count("files"), chunks: count("chunks"), vectors: count("vectors"), bytes: pages * size };
  }

  close(): void {
    this.db.close();
  }

  private open(): Database {
    try {
      mkdirSync(dirname(this.path), { recursive: true });
      try {
        return openIndex(this.path);
      } catch {
        // The index is a cache: after a crash or a full disk it is created again.
        for (const suffix of ["", "-wal", "-shm", "-journal"]) rmSync(this.path + suffix, { force: true });
        return openIndex(this.path);
      }
    } catch (error) {
      throw storeError(error, this.path);
    }
  }

  private fullText(query: string): number[] {
    // Every word is quoted, so that a query contains no operators.
    const words = [...new Set(query.match(/[\p{L}\p{N}_]+/gu) ?? [])].slice(0, 64);
    if (words.length === 0) return [];
    return this.db
      .query<{ id: number }, [string, number]>(
        "SELECT rowid AS id FROM words WHERE words MATCH ? ORDER BY bm25(words), rowid LIMIT ?",
      )
      .all(words.map((word) => `"${word}"*`).join(" OR "), CANDIDATES)
      .map(({ id }) => id);
  }

  private hits(found: readonly Ranked[], limit: number): Hit[] {
    const query = this.db.query<{ path: string; page: number; text: string }, [number]>(
      "SELECT path, page, text FROM chunks WHERE id = ?",
    );
    return found.slice(0, limit).flatMap(({ id, by }) => {
      const row = query.get(id);
      return row === null ? [] : [{ ...row, by }];
    });
  }

  /** Indexes a file; false when its content is unchanged. */
  private indexFile(
    file: { path: string; size: number; mtime: number },
    before: string | undefined,
  ): boolean {
    const bytes = readFileSync(join(this.root, file.path));
    const hash = sha256(bytes);
    if (hash === before) {
      this.db
        .query("UPDATE files SET size = ?, mtime = ? WHERE path = ?")
        .run(file.size, file.mtime, file.path);
      return false;
    }
    const text = bytes.includes(0) ? "" : bytes.toString("utf8");
    this.db.transaction(() => {
      this.remove(file.path);
      const insert = this.db.query("INSERT INTO chunks (path, page, text) VALUES (?, ?, ?) RETURNING id");
      const words = this.db.query("INSERT INTO words (rowid, text) VALUES (?, ?)");
      // Every part is split separately, so that a hit has one page.
      for (const chunk of partsOf(text).flatMap((part) => chunkParts([part], CHUNK))) {
        const { id } = insert.get(file.path, chunk.from, chunk.text) as { id: number };
        words.run(id, chunk.text);
      }
      this.db
        .query("INSERT INTO files (path, size, mtime, sha256) VALUES (?, ?, ?, ?)")
        .run(file.path, file.size, file.mtime, hash);
    })();
    return true;
  }

  private remove(path: string): void {
    this.db.query("DELETE FROM words WHERE rowid IN (SELECT id FROM chunks WHERE path = ?)").run(path);
    this.db.query("DELETE FROM vectors WHERE chunk IN (SELECT id FROM chunks WHERE path = ?)").run(path);
    this.db.query("DELETE FROM chunks WHERE path = ?").run(path);
    this.db.query("DELETE FROM files WHERE path = ?").run(path);
  }
}

function openIndex(path: string): Database {
  const db = new Database(path, { create: true, strict: true });
  try {
    db.run(`PRAGMA busy_timeout = ${BUSY_MS}`);
    db.run("PRAGMA synchronous = OFF");
    db.run(SCHEMA);
    const fault = db.query<{ quick_check: string }, []>("PRAGMA quick_check(1)").get();
    if (fault?.quick_check !== "ok") throw new Error("the index is damaged");
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
