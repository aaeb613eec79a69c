// The one path guard: only files below the search root, after resolving links, may be read, and no hidden ones.
import { realpathSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import type { Diagnostic } from "../contract/results.ts";
import { AtomsmithError } from "../core/errors.ts";

export interface GuardOptions {
  /** Files named on the command line, allowed anywhere. */
  also?: readonly string[];
  /** Absolute paths of files and directories that must not be read, existing or not. */
  hidden?: readonly string[];
}

/** The location of a path. `exists` is false when it does not resolve: missing, a link loop, no permission. */
export type Place = { inside: true; path: string; exists: boolean } | { inside: false };

export class PathGuard {
  /** Absolute, links resolved. */
  readonly root: string;
  /** As given, absolute; for comparison with paths that do not exist. */
  private readonly givenRoot: string;
  private readonly also: ReadonlySet<string>;
  private readonly hidden: readonly string[];

  /** Throws kind `usage` when the search root is not a readable directory. */
  constructor(searchRoot: string, options: GuardOptions = {}) {
    this.givenRoot = resolve(searchRoot);
    this.root = resolveRoot(this.givenRoot);
    this.also = new Set((options.also ?? []).map(resolveLinks));
    this.hidden = resolveHidden(options.hidden ?? []);
  }

  /** May a path with all links resolved be read? */
  allows(realPath: string): boolean {
    return (isInside(this.root, realPath) && !this.hides(realPath)) || this.also.has(realPath);
  }

  /** Is a path, or a directory that contains it, hidden? */
  hides(path: string): boolean {
    return this.hidden.some((place) => path === place || isBelow(path, place));
  }

  /** Locates a path. One that does not resolve is judged by its name; the reader reports why. */
  resolve(path: string): Place {
    let real: string;
    try {
      real = realpathSync(path);
    } catch {
      const lexical = resolve(path);
      const below = isInside(this.root, lexical) || isInside(this.givenRoot, lexical);
      const inside = (below && !this.hides(lexical)) || this.also.has(lexical);
      return inside ? { inside, path: lexical, exists: false } : { inside };
    }
    return this.allows(real) ? { inside: true, path: real, exists: true } : { inside: false };
  }

  /** A path relative to the root, with forward slashes. */
  shown(path: string): string {
    return relative(this.root, path).split(sep).join("/");
  }

  /** The absolute path below the root for a name, without resolving it. An absolute name may reach the root through a
   * link. Undefined when it leads outside. */
  below(path: string): string | undefined {
    const absolute = isAbsolute(path) ? this.viaRoot(resolve(path)) : resolve(this.root, path);
    return isBelow(absolute, this.root) ? absolute : undefined;
  }

  private viaRoot(path: string): string {
    if (isBelow(path, this.root)) return path;
    for (let parent = dirname(path), rest = basename(path); ; ) {
      if (resolveLinks(parent) === this.root) return join(this.root, rest);
      const above = dirname(parent);
      if (above === parent) return path;
      rest = join(basename(parent), rest);
      parent = above;
    }
  }

  /** The diagnostic for an input that is not allowed. */
  refusal(path: string): Diagnostic {
    return {
      severity: "error",
      code: "input_outside_root",
      message: `This path is outside the search root ${this.root}, by its name or through a link; it was not read.`,
      file: path,
    };
  }
}

/** Resolved lists of hidden paths; cached, since many items share one list that may be long. */
const resolvedLists = new WeakMap<readonly string[], string[]>();

function resolveHidden(hidden: readonly string[]): string[] {
  const known = resolvedLists.get(hidden);
  if (known) return known;
  const paths = [...new Set(hidden.flatMap((path) => [resolve(path), resolveExistingPart(path)]))];
  resolvedLists.set(hidden, paths);
  return paths;
}

/** Resolves the links of the existing part of a path, so that a file created there later is covered too. */
function resolveExistingPart(path: string): string {
  const absolute = resolve(path);
  const above = dirname(absolute);
  try {
    return realpathSync(absolute);
  } catch {
    return above === absolute ? absolute : join(resolveExistingPart(above), basename(absolute));
  }
}

function isBelow(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function isInside(root: string, path: string): boolean {
  return path === root || isBelow(path, root);
}

function resolveLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

function resolveRoot(root: string): string {
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
    hint: "set paths.search_root or --search-root to the directory of the logs",
  });
}
