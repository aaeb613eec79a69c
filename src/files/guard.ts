// The one path guard: only what lies below the search root after all links are resolved is read, and never what is
// hidden from the reader.
import { realpathSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import type { Diagnostic } from "../contract/results.ts";
import { AtomsmithError } from "../core/errors.ts";

export interface GuardOptions {
  /** Files that a person named on the command line, allowed wherever they lie. */
  also?: readonly string[];
  /** Absolute files and folders that must not be seen, whether they exist yet or not. */
  hidden?: readonly string[];
}

/** Where a path leads. `real` is absent when it does not resolve: missing, a link loop, no permission. */
export type Place = { inside: true; path: string; exists: boolean } | { inside: false };

export class PathGuard {
  /** Absolute, links resolved. */
  readonly root: string;
  /** As it was given, absolute; paths that do not exist are compared with it. */
  private readonly named: string;
  private readonly also: ReadonlySet<string>;
  private readonly hidden: readonly string[];

  /** Throws kind `usage` when the search root is not a directory that can be read. */
  constructor(searchRoot: string, options: GuardOptions = {}) {
    this.named = resolve(searchRoot);
    this.root = realRoot(this.named);
    this.also = new Set((options.also ?? []).map(realOr));
    this.hidden = resolved(options.hidden ?? []);
  }

  /** May a path with all links resolved be read? */
  allows(realPath: string): boolean {
    return (isInside(this.root, realPath) && !this.hides(realPath)) || this.also.has(realPath);
  }

  /** Is a path, or a folder it lies in, hidden? */
  hides(path: string): boolean {
    return this.hidden.some((place) => path === place || isBelow(path, place));
  }

  /** Where a path leads. One that does not resolve is judged by its name, and left to the reader to diagnose. */
  resolve(path: string): Place {
    let real: string;
    try {
      real = realpathSync(path);
    } catch {
      const lexical = resolve(path);
      const below = isInside(this.root, lexical) || isInside(this.named, lexical);
      const inside = (below && !this.hides(lexical)) || this.also.has(lexical);
      return inside ? { inside, path: lexical, exists: false } : { inside };
    }
    return this.allows(real) ? { inside: true, path: real, exists: true } : { inside: false };
  }

  /** A path relative to the root, with forward slashes. */
  shown(path: string): string {
    return relative(this.root, path).split(sep).join("/");
  }

  /** An absolute path below the root by its name. A path may name the root by way of a link; people write it so.
   * Undefined when it leads out. */
  below(path: string): string | undefined {
    const absolute = isAbsolute(path) ? this.viaRoot(resolve(path)) : resolve(this.root, path);
    return isBelow(absolute, this.root) ? absolute : undefined;
  }

  private viaRoot(path: string): string {
    if (isBelow(path, this.root)) return path;
    for (let parent = dirname(path), rest = basename(path); ; ) {
      if (realOr(parent) === this.root) return join(this.root, rest);
      const above = dirname(parent);
      if (above === parent) return path;
      rest = join(basename(parent), rest);
      parent = above;
    }
  }

  /** What is said about an input that the guard does not allow. */
  refusal(path: string): Diagnostic {
    return {
      severity: "error",
      code: "input_outside_root",
      message: `This path leaves the search root ${this.root}, by its name or through a link; it was not read.`,
      file: path,
    };
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
  return path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function isInside(root: string, path: string): boolean {
  return path === root || isBelow(path, root);
}

function realOr(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

function realRoot(root: string): string {
  let why: string;
  try {
    const real = realpathSync(root);
    if (statSync(real).isDirectory()) return real;
    why = "is not a directory";
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    why = code === "ENOENT" ? "does not exist" : `cannot be read (${code ?? String(error)})`;
  }
  throw new AtomsmithError("usage", `the search root ${why}: ${root}`, {
    where: root,
    hint: "set paths.search_root or --search-root to the folder that holds the logs",
  });
}
