// The folder of a job: the paths that tools may use, and idempotent changes of files, which are repeated after a
// crash.
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  statSync,
} from "node:fs";
import { copyFile, rename, rm } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";
import { AtomsmithError } from "../../../core/errors.ts";
import { PathGuard } from "../../../files/guard.ts";
import { writeFileAtomic } from "../../../store/atomic.ts";

/** Files that only the program writes; a folder ends in a slash. */
const BOOKKEEPING = ["todos.json", "progress.md", "archive/", "output/completion.json", ".git/", ".agent/"];
/** Largest file that a tool reads as a whole. */
const MAX_FILE_BYTES = 10 * 2 ** 20;

/** A change of the workspace. Paths are relative to the job's folder. Idempotent. */
export type FileOp =
  | { op: "write"; path: string; text: string }
  /** `at`: size of the file before. */
  | { op: "append"; path: string; at: number; text: string }
  | { op: "remove"; path: string }
  | { op: "move" | "copy"; from: string; to: string };

/** Error for a path that a tool may not use; the message names what is allowed. */
export class Refused extends Error {}

export class Workspace {
  /** Absolute, links resolved. */
  readonly root: string;
  private readonly guard: PathGuard;
  private readonly kept: readonly string[];

  /** @param archive folder of the archives, with a slash at its end */
  constructor(folder: string, archive = "archive/") {
    mkdirSync(folder, { recursive: true });
    this.guard = new PathGuard(folder);
    this.root = this.guard.root;
    this.kept = [...new Set([...BOOKKEEPING, archive])];
  }

  /** The relative path of a file or folder that a tool may read. Throws `Refused`. */
  readable(path: string): string {
    const place = this.place(path);
    const info = statSync(join(this.root, place), { throwIfNoEntry: false });
    if (info !== undefined && !info.isFile() && !info.isDirectory()) {
      throw new Refused(`${path} is neither a file nor a folder.`);
    }
    return place;
  }

  /** The relative path of a file or directory that a tool may change. Throws `Refused`. */
  writable(path: string): string {
    const place = this.place(path);
    if (place === "") throw new Refused("Name a file: the path is the folder of the job itself.");
    const real = this.realName(place);
    if (`/${place}/${real}/`.toLowerCase().includes("/.git/")) {
      throw new Refused(".git contains the history of the workspace; write to another folder.");
    }
    const kept = this.kept.find((name) => isKept(name, place) || isKept(name, real));
    if (kept !== undefined) {
      throw new Refused(
        `${kept} is reserved for the program; write to another file, for example below notes/ or output/.`,
      );
    }
    const info = lstatSync(join(this.root, place), { throwIfNoEntry: false });
    if (info !== undefined && !info.isFile() && !info.isDirectory()) {
      throw new Refused(`${path} is a link or a device; write to another file.`);
    }
    return place;
  }

  /** Text of a file. Throws `Refused` for a missing, binary or too large one. */
  text(path: string): string {
    const place = this.readable(path);
    const absolute = join(this.root, place);
    const info = statSync(absolute, { throwIfNoEntry: false });
    if (info === undefined) throw new Refused(`There is no file ${path}. list_files lists the files.`);
    if (info.isDirectory()) throw new Refused(`${path} is a folder; list_files lists its files.`);
    if (info.size > MAX_FILE_BYTES) {
      throw new Refused(`${path} has ${info.size} bytes; at most ${MAX_FILE_BYTES} can be read at once.`);
    }
    const bytes = readFileSync(absolute);
    if (bytes.includes(0)) throw new Refused(`${path} is not a text file.`);
    return bytes.toString("utf8");
  }

  /** Text of a page of the program; empty when it does not exist. */
  page(path: string): string {
    const absolute = join(this.root, path);
    const info = lstatSync(absolute, { throwIfNoEntry: false });
    return info?.isFile() && info.size <= MAX_FILE_BYTES ? readFileSync(absolute, "utf8") : "";
  }

  exists(path: string): boolean {
    return existsSync(join(this.root, this.readable(path)));
  }

  /** True when the file exists and may be a result of the job. */
  hasFile(path: string): boolean {
    try {
      return statSync(join(this.root, this.readable(path)), { throwIfNoEntry: false })?.isFile() ?? false;
    } catch (error) {
      if (error instanceof Refused) return false;
      throw error;
    }
  }

  size(path: string): number {
    return statSync(join(this.root, path), { throwIfNoEntry: false })?.size ?? 0;
  }

  /** Names in a folder, folders with a slash, without the program's hidden ones. */
  list(path: string): string[] {
    const place = this.readable(path);
    const absolute = join(this.root, place);
    if (!statSync(absolute, { throwIfNoEntry: false })?.isDirectory())
      throw new Refused(`There is no folder ${path}.`);
    return readdirSync(absolute, { withFileTypes: true })
      .filter((entry) => !(place === "" && (entry.name === ".git" || entry.name === ".agent")))
      .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
      .sort();
  }

  /** Makes a change, unless it was already made. Throws kind `store`. */
  async apply(op: FileOp): Promise<void> {
    switch (op.op) {
      case "write":
        return writeFileAtomic(join(this.root, op.path), op.text, { flush: false });
      case "append": {
        const absolute = join(this.root, op.path);
        const before = existsSync(absolute) ? readFileSync(absolute).subarray(0, op.at) : Buffer.alloc(0);
        return writeFileAtomic(absolute, Buffer.concat([before, Buffer.from(op.text)]), { flush: false });
      }
      case "remove":
        return this.remove(join(this.root, op.path));
      case "move": {
        const from = join(this.root, op.from);
        if (!existsSync(from)) return; // moved before the process was killed
        mkdirSync(dirname(join(this.root, op.to)), { recursive: true });
        return rename(from, join(this.root, op.to));
      }
      case "copy": {
        const to = join(this.root, op.to);
        mkdirSync(dirname(to), { recursive: true });
        const temp = join(dirname(to), `.${basename(to)}.atomsmith-tmp-copy`);
        await copyFile(join(this.root, op.from), temp);
        return rename(temp, to);
      }
    }
  }

  private async remove(absolute: string): Promise<void> {
    const info = lstatSync(absolute, { throwIfNoEntry: false });
    if (info?.isDirectory()) rmdirSync(absolute);
    else await rm(absolute, { force: true });
  }

  /** Normalises a path written by a model to a relative one. */
  private place(path: string): string {
    const written = path.trim();
    if (/[\0-\x1f\x7f]/.test(written)) throw new Refused("A path must not contain control characters.");
    if (/^([/\\~]|[A-Za-z]:)/.test(written)) {
      throw new Refused(`Paths are relative to the folder of the job: write notes/x.md, not ${path}.`);
    }
    const parts = written.replaceAll("\\", "/").split("/");
    if (parts.includes("..")) throw new Refused(`".." is not allowed: paths stay in the folder of the job.`);
    if (parts.some((part) => Buffer.byteLength(part) > 200) || parts.length > 30) {
      throw new Refused("This path is too long.");
    }
    const place = parts.filter((part) => part !== "" && part !== ".").join("/");
    if (!this.guard.resolve(join(this.root, place)).inside || !this.staysInside(place)) {
      throw new Refused(`${path} leads out of the folder of the job through a link.`);
    }
    return place;
  }

  /** True when the nearest existing directory is inside the root; the file itself need not exist. */
  private staysInside(place: string): boolean {
    const real = this.realName(place);
    return real === "" || !(real === ".." || real.startsWith("../"));
  }

  /** The path relative to the root, with links resolved as far as it exists. */
  private realName(place: string): string {
    let above = join(this.root, place);
    let rest = "";
    for (;;) {
      try {
        return relative(this.root, join(realpathSync(above), rest))
          .split(sep)
          .join("/");
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code === "ELOOP") throw new Refused(`${place} is a link that leads to itself.`);
        // Writing to a dangling link would create its target.
        if (lstatSync(above, { throwIfNoEntry: false })?.isSymbolicLink()) return "..";
        if (above === this.root)
          throw new AtomsmithError("store", `the directory of the job was deleted: ${this.root}`);
        rest = join(basename(above), rest);
        above = dirname(above);
      }
    }
  }
}

/** Ignores case, as some file systems do. */
function isKept(name: string, place: string): boolean {
  const lower = place.normalize("NFC").toLowerCase();
  return name.endsWith("/")
    ? `${lower}/`.startsWith(name.toLowerCase())
    : lower === name || lower.startsWith(`${name}/`);
}

export function lineCount(text: string): number {
  return text === "" ? 0 : text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
}
