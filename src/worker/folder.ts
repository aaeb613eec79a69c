// The workspace folder of an agent's job outside of its machine: read as a list of files, restored elsewhere, and kept in
// the database while a worker changes it.
import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { pathOf, TreeWalk } from "../files/walk.ts";
import { type FilePlace, loadFiles, type StoredFile, updateFiles } from "../queue/index.ts";
import { isStoreFile, isTemporary } from "../store/index.ts";
import type { Database, Query } from "../store/postgres/database.ts";

/** Folder of a job in which the store of the run lies. */
const STORE = ".agent";

/** All files and directories of a job, without the store of its run; directories end with `/`. */
export function listFolder(root: string): string[] {
  const found: string[] = [];
  const walk = new TreeWalk<true>({
    visit(entry) {
      const { folder, name, kind, named } = entry;
      if (!named || kind === "link" || kind === "special" || isTemporary(name)) return undefined;
      if (folder === join(root, STORE) && isStoreFile(name)) return undefined;
      const path = relative(root, pathOf(entry)).split(sep).join("/");
      found.push(kind === "folder" ? `${path}/` : path);
      return kind === "folder" ? true : undefined;
    },
    unreadable: () => undefined,
  });
  walk.from(root, true).runSync();
  return found.sort();
}

/** Reads entries of a folder; one that is gone by now is left out. */
export function readFolder(root: string, paths: readonly string[] = listFolder(root)): StoredFile[] {
  return paths.flatMap((path) => {
    const info = lstatSync(join(root, path), { throwIfNoEntry: false });
    if (info === undefined) return [];
    const body = path.endsWith("/") ? new Uint8Array() : readFileSync(join(root, path));
    return [{ path, body, modified_ms: info.mtimeMs }];
  });
}

/** Makes a folder equal to the files, with their times; the store of the run stays. */
export function writeFolder(root: string, files: readonly StoredFile[]): void {
  const wanted = new Set(files.map(({ path }) => path));
  mkdirSync(root, { recursive: true });
  for (const path of listFolder(root).reverse()) {
    if (!wanted.has(path) && path !== `${STORE}/`) rmSync(join(root, path), { recursive: true, force: true });
  }
  for (const { path, body, modified_ms } of files) {
    const target = join(root, path);
    if (path.endsWith("/")) {
      mkdirSync(target, { recursive: true });
      continue;
    }
    mkdirSync(dirname(target), { recursive: true });
    // What git stores is write-protected.
    if (existsSync(target)) rmSync(target);
    writeFileSync(target, body);
    if (modified_ms != null) utimesSync(target, modified_ms / 1000, modified_ms / 1000);
  }
}

export interface MirrorOptions {
  db: Database;
  place: FilePlace;
  folder: string;
  /** Throws kind `store` within the transaction when another worker has taken the job over. */
  hold(query: Query): Promise<void>;
}

/** A folder whose content is in the database, too. */
export class FolderMirror {
  private readonly o: MirrorOptions;
  private known = new Map<string, string>();

  constructor(options: MirrorOptions) {
    this.o = options;
  }

  /** Makes the folder what the database has. */
  async restore(): Promise<void> {
    writeFolder(this.o.folder, await loadFiles(this.o.db, this.o.place));
    this.known = marksOf(this.o.folder);
  }

  /** Stores what changed since the last time. Nothing may write to the folder meanwhile. */
  async store(): Promise<void> {
    const { db, place, folder, hold } = this.o;
    const now = marksOf(folder);
    const changed = [...now.keys()].filter((path) => this.known.get(path) !== now.get(path));
    const removed = [...this.known.keys()].filter((path) => !now.has(path));
    if (changed.length + removed.length === 0) return;
    await db.transaction(async (query) => {
      await hold(query);
      await updateFiles(query, place, readFolder(folder, changed), removed);
    });
    this.known = now;
  }
}

/** What changes with each write of an entry. */
function marksOf(folder: string): Map<string, string> {
  return new Map(
    listFolder(folder).map((path) => {
      if (path.endsWith("/")) return [path, "folder"];
      const info = lstatSync(join(folder, path), { bigint: true, throwIfNoEntry: false });
      return [path, info === undefined ? "" : `${info.ino}:${info.size}:${info.mtimeNs}`];
    }),
  );
}
