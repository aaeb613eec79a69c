// The path guard: an author reads below the search root only, also after links are resolved, never what is
// hidden from it, and only files that a discovery returned.
import { realpathSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { AtomsmithError } from "../core/errors.ts";
import { type Refusal, refuse } from "./answer.ts";

export type Guarded = { ok: true; real: string; shown: string } | Refusal;

export class PathGuard {
  /** Absolute, links resolved. */
  readonly root: string;
  private readonly hidden: string[];
  private readonly requireDiscovery: boolean;
  /** Path below the root as given out, to the path with links resolved. */
  private readonly known = new Map<string, string>();

  /** Throws kind `config` when the search root is not a folder that can be read. */
  constructor(root: string, hidden: string[], requireDiscovery: boolean) {
    this.root = realRoot(root);
    this.hidden = resolved(hidden);
    this.requireDiscovery = requireDiscovery;
  }

  /** Files that discoveries have returned, links resolved. */
  get discovered(): string[] {
    return [...new Set(this.known.values())];
  }

  /** Names given out that are links to a discovered file. */
  get aliases(): Record<string, string> {
    return Object.fromEntries([...this.known].filter(([shown, real]) => shown !== this.shown(real)));
  }

  /** Path as shown to the author: relative to the root, with forward slashes. */
  shown(path: string): string {
    return relative(this.root, path).split(sep).join("/");
  }

  discover(shown: string, real: string): void {
    this.known.set(shown, real);
  }

  /** Is a path with links resolved one that the author may see? */
  allows(real: string): boolean {
    return isBelow(real, this.root) && !this.isHidden(real);
  }

  get hidesAnything(): boolean {
    return this.hidden.length > 0;
  }

  isHidden(path: string): boolean {
    return this.hidden.some((place) => path === place || isBelow(path, place));
  }

  /** The file that the author means, or why it may not read it. Nothing is said about files outside. */
  check(path: string): Guarded {
    if (path === "" || path.length > 4096 || path.includes("\0")) {
      return refuse("bad_path", "This cannot be a path.", this.advice());
    }
    const absolute = isAbsolute(path) ? this.viaRoot(resolve(path)) : resolve(this.root, path);
    if (!isBelow(absolute, this.root)) {
      return refuse("outside_root", "Only files below the search root may be read.", this.advice());
    }
    const shown = this.shown(absolute);
    const known = this.known.get(shown) ?? [...this.known.values()].find((real) => real === absolute);
    if (known === undefined && this.requireDiscovery) {
      return refuse("not_discovered", `No discovery has returned "${shown}" yet.`, this.advice());
    }
    let real: string;
    try {
      real = realpathSync(absolute);
    } catch {
      return refuse("input_missing", `There is no file "${shown}" (any more).`, this.advice());
    }
    if (!this.allows(real)) {
      return refuse("outside_root", `"${shown}" does not lead to a file that may be read.`, this.advice());
    }
    return { ok: true, real, shown };
  }

  private advice(): string {
    return this.requireDiscovery
      ? "Call list_available_files first and use a path exactly as it was returned."
      : "Use a path relative to the search root, as list_available_files returns it.";
  }

  /** An absolute path may name the root by way of a link; people write it so. */
  private viaRoot(path: string): string {
    if (isBelow(path, this.root)) return path;
    for (let parent = resolve(path, ".."), rest = relative(parent, path); ; ) {
      if (realOr(parent) === this.root) return join(this.root, rest);
      const above = resolve(parent, "..");
      if (above === parent) return path;
      rest = join(relative(above, parent), rest);
      parent = above;
    }
  }
}

/** Lists of hidden paths, resolved. Many items share one list, and it may be long. */
const lists = new WeakMap<readonly string[], string[]>();

function resolved(hidden: readonly string[]): string[] {
  const known = lists.get(hidden);
  if (known) return known;
  const paths = [...new Set(hidden.flatMap((path) => [resolve(path), realWherever(path)]))];
  lists.set(hidden, paths);
  return paths;
}

/** A path with links resolved as far as it exists: what is made there later is meant, too. */
function realWherever(path: string): string {
  const absolute = resolve(path);
  const above = dirname(absolute);
  try {
    return realpathSync(absolute);
  } catch {
    return above === absolute ? absolute : join(realWherever(above), basename(absolute));
  }
}

function isBelow(path: string, folder: string): boolean {
  const base = folder.endsWith(sep) ? folder : folder + sep;
  return path.startsWith(base);
}

function realOr(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

function realRoot(root: string): string {
  try {
    const real = realpathSync(root);
    if (!statSync(real).isDirectory())
      throw new AtomsmithError("config", "The search root is not a folder.", where(root));
    return real;
  } catch (error) {
    if (error instanceof AtomsmithError) throw error;
    const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
    const why = code === "ENOENT" ? "does not exist" : `cannot be read (${code ?? String(error)})`;
    throw new AtomsmithError("config", `The search root ${why}.`, { ...where(root), cause: error });
  }
}

function where(root: string): { where: string; hint: string } {
  return { where: root, hint: "Set paths.search_root or --search-root to the folder that holds the logs." };
}
