// Transfer of the workspace folder of an agent's job: read as a list of files, restored on another machine, and
// mirrored to the database while a worker changes it.
import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { pathOf, TreeWalk } from "../files/walk.ts";
import { type FilePlace, loadFiles, type StoredFile, updateFiles } from "../queue/index.ts";
import { isStoreFile, isTemporary } from "../store/index.ts";
import type { Database, Query } from "../store/postgres/database.ts";

/** Folder of the run's store in the folder of a job. */
const STORE = ".agent";

/** All files and directories of a job, without the store of its run; directories end with `/`. */
export function listFolder(root: string): string[] {
  const paths: string[] = [];
  const walk = new TreeWalk<true>({
    visit(entry) {
      const { folder, name, kind, named } = entry;
      if (!named || kind === "link" || kind === "special" || isTemporary(name)) return undefined;
      if (folder === join(root, STORE) && isStoreFile(name)) return undefined;
      const path = relative(root, pathOf(entry)).split(sep).join("/");
      paths.push(kind === "folder" ? `${path}/` : path);
      return kind === "folder" ? true : undefined;
    },
    unreadable: () => undefined,
  });
  walk.from(root, true).runSync();
  return paths.sort();
}

/** Reads entries of a folder; skips entries deleted meanwhile. */
export function readFolder(root: string, paths: readonly string[] = listFolder(root)): StoredFile[] {
  return paths.flatMap((path) => {
    const info = lstatSync(join(root, path), { throwIfNoEntry: false });
    if (info === undefined) return [];
    const body = path.endsWith("/") ? new Uint8Array() : readFileSync(join(root, path));
    return [{ path, body, modified_ms: info.mtimeMs }];
  });
}

/** Makes a folder equal to the files, including their times; keeps the store of the run. */
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
    // Object files of git are write-protected.
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

/** Mirrors a folder to the database. */
export class FolderMirror {
  private readonly options: MirrorOptions;
  private known = new Map<string, string>();

  constructor(options: MirrorOptions) {
    this.options = options;
  }

  /** Restores the folder from the database. */
  async restore(): Promise<void> {
    writeFolder(this.options.folder, await loadFiles(this.options.db, this.options.place));
    this.known = marksOf(this.options.folder);
  }

  /** Stores the changes since the last call. Nothing may write to the folder meanwhile. */
  async store(): Promise<void> {
    const { db, place, folder, hold } = this.options;
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

/** A mark per entry that changes with each write. */
function marksOf(folder: string): Map<string, string> {
  return new Map(
    listFolder(folder).map((path) => {
      if (path.endsWith("/")) return [path, "folder"];
      const info = lstatSync(join(folder, path), { bigint: true, throwIfNoEntry: false });
      return [path, info === undefined ? "" : `${info.ino}:${info.size}:${info.mtimeNs}`];
    }),
  );
}
