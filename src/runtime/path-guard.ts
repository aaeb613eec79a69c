// The border that no input may cross: only what lies under the search root after all links are resolved is read.
import { realpath } from "node:fs/promises";
import { isAbsolute, relative, resolve, sep } from "node:path";
import type { Diagnostic } from "../contract/results.ts";
import { AtomsmithError } from "../core/errors.ts";

export class PathGuard {
  /** Absolute, links resolved. */
  readonly root: string;
  /** As it was given, absolute; paths that do not exist are compared with it. */
  private readonly named: string;
  private readonly also: ReadonlySet<string>;

  private constructor(root: string, named: string, also: ReadonlySet<string>) {
    this.root = root;
    this.named = named;
    this.also = also;
  }

  /** `also`: files that a person named on the command line, allowed wherever they lie. Throws kind `usage` when
   * the root is no folder. */
  static async of(searchRoot: string, also: readonly string[] = []): Promise<PathGuard> {
    const named = resolve(searchRoot);
    let root: string;
    try {
      root = await realpath(named);
    } catch (error) {
      const why = (error as NodeJS.ErrnoException).code === "EACCES" ? "cannot be entered" : "does not exist";
      throw new AtomsmithError("usage", `the search root ${named} ${why}`, {
        where: named,
        hint: "give the folder of the logs with --search-root",
      });
    }
    const allowed = await Promise.all(also.map((path) => realpath(path).catch(() => resolve(path))));
    return new PathGuard(root, named, new Set(allowed));
  }

  /** Is a path with all links resolved inside? */
  holds(realPath: string): boolean {
    return isInside(this.root, realPath) || this.also.has(realPath);
  }

  /** The real path of a candidate; `outside` when it leaves the root. A path that does not resolve (missing, a
   * link loop, no permission) is judged by its name and left to the reader to diagnose. */
  async resolve(
    path: string,
  ): Promise<{ inside: true; path: string } | { inside: false; diagnostic: Diagnostic }> {
    let real: string;
    try {
      real = await realpath(path);
    } catch {
      const lexical = resolve(path);
      const inside = isInside(this.root, lexical) || isInside(this.named, lexical) || this.also.has(lexical);
      return inside ? { inside, path: lexical } : { inside: false, diagnostic: this.refusal(path) };
    }
    return this.holds(real)
      ? { inside: true, path: real }
      : { inside: false, diagnostic: this.refusal(path) };
  }

  refusal(path: string): Diagnostic {
    return {
      severity: "error",
      code: "input_outside_root",
      message: `This path leaves the search root ${this.root}, by its name or through a link; it was not read.`,
      file: path,
    };
  }
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === "" || !(way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way));
}
