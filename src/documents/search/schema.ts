// The tables of the index, and the files of a workspace that are indexed.
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

export const SCHEMA = `
CREATE TABLE IF NOT EXISTS files (path TEXT PRIMARY KEY, size INTEGER NOT NULL, mtime REAL NOT NULL,
  sha256 TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS chunks (id INTEGER PRIMARY KEY AUTOINCREMENT, path TEXT NOT NULL, page INTEGER NOT NULL,
  text TEXT NOT NULL) STRICT;
CREATE INDEX IF NOT EXISTS chunks_by_path ON chunks (path);
CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5 (text, tokenize = "unicode61 remove_diacritics 2");
CREATE TABLE IF NOT EXISTS vectors (chunk INTEGER NOT NULL, model TEXT NOT NULL, vector BLOB NOT NULL,
  PRIMARY KEY (chunk, model)) STRICT;
`;

export interface IndexedFile {
  size: number;
  mtime: number;
  sha256: string;
}

const TEXT = /\.(?:md|markdown|txt|json|ya?ml|csv|tsv|log|html?|xml)$/i;
/** Directories of the program, and the pages of tools, which are the same in every job. */
const EXCLUDED = new Set([".git", ".agent", "archive", "tools"]);
const MAX_BYTES = 10 * 2 ** 20;
const MAX_FILES = 20_000;

/** Text files below a directory, relative and sorted. Links are not followed. `skipped`: too large or too many files. */
export function textFiles(root: string): {
  files: { path: string; size: number; mtime: number }[];
  skipped: string[];
} {
  const files: { path: string; size: number; mtime: number }[] = [];
  const skipped: string[] = [];
  const walk = (folder: string): void => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && !(folder === "" && EXCLUDED.has(entry.name))) walk(path);
      if (!entry.isFile() || !TEXT.test(entry.name)) continue;
      const info = statSync(join(root, path), { throwIfNoEntry: false });
      if (info === undefined) continue;
      if (info.size > MAX_BYTES || files.length >= MAX_FILES) skipped.push(path);
      else files.push({ path, size: info.size, mtime: info.mtimeMs });
    }
  };
  walk("");
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { files, skipped };
}
