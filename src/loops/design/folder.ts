// Reads and changes the project folder. A change of several files is atomic, also when the process is killed: it is
// first written to `commit.json`, and the next process that opens the project finishes it. Readers without the lock see
// such a change as done.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { AtomsmithError } from "../../core/errors.ts";
import type { JsonValue } from "../../core/json.ts";
import {
  AppendLog,
  removeLeftovers,
  storeError,
  writeFileAtomic,
  writeFilesAtomic,
} from "../../store/index.ts";
import {
  type PatchFile,
  type Project,
  type ProjectState,
  patchFileSchema,
  projectSchema,
  type Run,
  runSchema,
  stateSchema,
  type Version,
  versionSchema,
} from "./schemas.ts";

/** Folder of the program's own files in a project: lock, checkpoints, stored replies, extractions. */
export const OWN_FOLDER = ".atomsmith";
const COMMIT_FILE = join(OWN_FOLDER, "commit.json");
export const TURN_LOG = join("logs", "agent_turns.jsonl");
export const REPORTS = "reports";
/** Folders that may contain temporary files of killed processes. */
const WRITTEN_FOLDERS = [".", OWN_FOLDER, "spec_history", "patches", REPORTS];

const commitSchema = z.object({
  files: z.array(z.object({ path: z.string(), text: z.string() })),
  lines: z.array(z.string()),
});
type Commit = z.infer<typeof commitSchema>;

/** Files to write together, by path relative to the project, and lines for the turn log. */
export interface Change {
  files: ({ path: string; value: JsonValue | object } | { path: string; text: string })[];
  lines?: object[];
}

/** Read access without a lock. */
export class ProjectReader {
  readonly dir: string;
  private readonly uncommitted: ReadonlyMap<string, string>;

  /** Throws kind `usage` if the folder is not a project. */
  constructor(dir: string) {
    this.dir = dir;
    const commit = readCommit(dir);
    this.uncommitted = new Map(commit?.files.map(({ path, text }) => [path, text]));
    if (this.text("project.json") === undefined) {
      throw new AtomsmithError("usage", `no design project in ${dir}`, {
        where: dir,
        hint: "create one with: atomsmith design --create NAME --project-dir DIR",
      });
    }
  }

  /** Absolute path of a file in the project. */
  path(...parts: string[]): string {
    return join(this.dir, ...parts);
  }

  get project(): Project {
    return this.read("project.json", projectSchema);
  }

  get state(): ProjectState {
    return this.read("state.json", stateSchema);
  }

  /** Numbers of the versions of the spec, ascending. */
  versions(): number[] {
    return this.names("spec_history", /^(\d{4,})\.json$/).map(Number);
  }

  version(number: number): Version {
    return this.read(join("spec_history", `${padNumber(number)}.json`), versionSchema);
  }

  latestVersion(): Version {
    const last = this.versions().at(-1);
    if (last === undefined) throw new AtomsmithError("store", `${this.dir} has no spec version`);
    return this.version(last);
  }

  patchIds(): string[] {
    return this.names("patches", /^(\d{4,})\.json$/);
  }

  /** A patch by its id, with or without leading zeros. Throws kind `usage` if it does not exist. */
  patch(id: string): PatchFile {
    const found = /^\d+$/.test(id)
      ? this.patchIds().find((known) => Number(known) === Number(id))
      : undefined;
    if (found === undefined) throw new AtomsmithError("usage", `no patch ${id} in this project`);
    return this.read(patchPath(found), patchFileSchema);
  }

  /** Ids of the runs, oldest first. */
  runIds(): string[] {
    return this.names("runs", /^(run_\d{4,})$/).filter((id) => this.text(runPath(id)) !== undefined);
  }

  run(id: string): Run {
    return this.read(runPath(id), runSchema);
  }

  lastRun(): Run | undefined {
    const id = this.runIds().at(-1);
    return id === undefined ? undefined : this.run(id);
  }

  /** A file of the project, including a change that is not finished yet; undefined if missing. */
  text(path: string): string | undefined {
    const changed = this.uncommitted.get(path);
    if (changed !== undefined) return changed;
    try {
      return readFileSync(this.path(path), "utf8");
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "ENOENT" || code === "ENOTDIR") return undefined;
      throw storeError(error, this.path(path));
    }
  }

  /** Throws kind `store` for a missing or damaged file. */
  protected read<T>(path: string, schema: z.ZodType<T>): T {
    const where = this.path(path);
    const text = this.text(path);
    if (text === undefined) throw new AtomsmithError("store", `${where} is missing`, { where });
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      throw new AtomsmithError("store", `${where} is not valid JSON`, { where });
    }
    const read = schema.safeParse(value);
    if (read.success) return read.data;
    const issue = read.error.issues[0];
    throw new AtomsmithError("store", `${where}: ${issue?.path.join(".")}: ${issue?.message}`, { where });
  }

  /** Ids in the file names of a folder, including those of an unfinished change, sorted by number. */
  private names(folder: string, pattern: RegExp): string[] {
    const pending = [...this.uncommitted.keys()].flatMap((path) => {
      const [first, name = ""] = path.split("/");
      return first === folder ? [name] : [];
    });
    let existing: string[] = [];
    try {
      existing = readdirSync(this.path(folder));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw storeError(error, this.path(folder));
    }
    const ids = [...new Set([...existing, ...pending])].flatMap((name) => pattern.exec(name)?.[1] ?? []);
    return ids.sort((a, b) => numberOf(a) - numberOf(b));
  }
}

function readCommit(dir: string): Commit | undefined {
  const path = join(dir, COMMIT_FILE);
  try {
    return commitSchema.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw storeError(error, path);
  }
}

/** Writes changes of a project folder. Requires the project's lock. */
export class ProjectWriter {
  private readonly dir: string;

  constructor(dir: string) {
    this.dir = dir;
  }

  /** Finishes the change of a killed process and removes its temporary files. */
  async recover(): Promise<void> {
    for (const folder of WRITTEN_FOLDERS) await removeLeftovers(join(this.dir, folder));
    const commit = readCommit(this.dir);
    if (commit !== undefined) await this.applyCommit(commit);
  }

  /** Writes a change completely; after a kill, the next process that opens the project completes it. Throws kind `store`. */
  async write({ files, lines = [] }: Change): Promise<void> {
    const texts = files.map((entry) => ({
      path: entry.path,
      text: "text" in entry ? entry.text : `${JSON.stringify(entry.value, null, 2)}\n`,
    }));
    const only = texts[0];
    if (only !== undefined && texts.length === 1 && lines.length === 0) {
      await writeFileAtomic(join(this.dir, only.path), only.text);
      return;
    }
    const commit: Commit = { files: texts, lines: lines.map((line) => JSON.stringify(line)) };
    await writeFileAtomic(join(this.dir, COMMIT_FILE), JSON.stringify(commit));
    await this.applyCommit(commit);
  }

  private async applyCommit({ files, lines }: Commit): Promise<void> {
    if (files.length > 0) {
      await writeFilesAtomic(files.map(({ path, text }) => ({ path: join(this.dir, path), data: text })));
    }
    this.appendLines(lines);
    await rm(join(this.dir, COMMIT_FILE), { force: true });
  }

  /** Skips lines that a killed process already wrote. */
  private appendLines(lines: readonly string[]): void {
    if (lines.length === 0) return;
    const path = join(this.dir, TURN_LOG);
    const log = new AppendLog(path);
    try {
      const lastLines = existsSync(path)
        ? readFileSync(path, "utf8").trimEnd().split("\n").slice(-lines.length)
        : [];
      const written = lines.lastIndexOf(lastLines.at(-1) ?? "") + 1;
      for (const line of lines.slice(written)) log.append(JSON.parse(line), true);
    } finally {
      log.close();
    }
  }
}

export function padNumber(number: number): string {
  return String(number).padStart(4, "0");
}

export function patchPath(id: string): string {
  return join("patches", `${id}.json`);
}

export function runPath(id: string): string {
  return join("runs", id, "run.json");
}

export function versionPath(number: number): string {
  return join("spec_history", `${padNumber(number)}.json`);
}

function numberOf(id: string): number {
  return Number(id.replace(/\D/g, ""));
}
