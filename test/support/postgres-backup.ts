// Backup and restore of a cluster of the tests: a physical backup of the running server by its own interface
// (pg_backup_start, a copy of the files, pg_backup_stop), as pg_basebackup makes one. The package of binaries has neither
// pg_basebackup nor pg_dump.
import {
  chownSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { TestPostgres } from "./postgres.ts";

/** What belongs to the running server and not to its data. */
const NOT_COPIED = new Set(["postmaster.pid", "postmaster.opts", "pg_wal"]);

export class Backup {
  private readonly postgres: TestPostgres;
  private readonly data: string;
  private readonly copy: string;

  private constructor(postgres: TestPostgres, data: string) {
    this.postgres = postgres;
    this.data = data;
    this.copy = `${data}-backup`;
  }

  /** Backs the cluster up while it is at work. */
  static async take(postgres: TestPostgres): Promise<Backup> {
    const [row] = await postgres.query<{ dir: string }>("SELECT current_setting('data_directory') AS dir");
    const backup = new Backup(postgres, row?.dir ?? "");
    await backup.take();
    return backup;
  }

  /** The server dies and all its files are lost. */
  async destroy(): Promise<void> {
    await this.postgres.kill();
    rmSync(this.data, { recursive: true });
  }

  /** Puts the backup where the cluster was, and starts the server. */
  async restore(): Promise<void> {
    copyFolder(this.copy, this.data, new Set());
    await this.postgres.run();
  }

  private async take(): Promise<void> {
    const { Client } = await import("pg");
    const client = new Client({ connectionString: this.postgres.url() });
    await client.connect();
    try {
      await client.query("SELECT pg_backup_start('test', true)");
      copyFolder(this.data, this.copy, NOT_COPIED);
      const { rows } = await client.query("SELECT labelfile FROM pg_backup_stop(false)");
      writeFileSync(join(this.copy, "backup_label"), rows[0].labelfile);
      chownLike(this.data, join(this.copy, "backup_label"));
    } finally {
      await client.end();
    }
    // All that was written up to the end of the copy; the server replays it.
    copyFolder(join(this.data, "pg_wal"), join(this.copy, "pg_wal"), new Set());
  }
}

/** Copies a folder with its owners; files that vanish meanwhile are left out. */
function copyFolder(from: string, to: string, without: ReadonlySet<string>): void {
  mkdirSync(to, { recursive: true, mode: 0o700 });
  chownLike(from, to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (without.has(entry.name)) continue;
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) copyFolder(source, target, new Set());
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else copyFile(source, target);
  }
}

function copyFile(source: string, target: string): void {
  try {
    copyFileSync(source, target);
    chownLike(source, target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}

function chownLike(like: string, path: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(like);
  chownSync(path, uid, gid);
}
