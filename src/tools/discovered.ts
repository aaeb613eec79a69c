// The files that an author may read: those that the path guard allows and, if configured, only those that a discovery has
// returned.
import type { PathGuard } from "../files/guard.ts";
import { type Refusal, refuse } from "./answer.ts";

export type Readable = { ok: true; real: string; shown: string } | Refusal;

export class DiscoveredFiles {
  private readonly guard: PathGuard;
  private readonly required: boolean;
  /** Path below the root as shown to the author, to the path with links resolved. */
  private readonly known = new Map<string, string>();

  /** @param required a file is readable only after a discovery has returned it */
  constructor(guard: PathGuard, required: boolean) {
    this.guard = guard;
    this.required = required;
  }

  /** Files that discoveries have returned, links resolved. */
  get paths(): string[] {
    return [...new Set(this.known.values())];
  }

  /** Shown paths that are links to a discovered file. */
  get aliases(): Record<string, string> {
    return Object.fromEntries([...this.known].filter(([shown, real]) => shown !== this.guard.shown(real)));
  }

  add(shown: string, real: string): void {
    this.known.set(shown, real);
  }

  /** Resolves the path of a file that the author may read, or refuses. Reveals nothing about files outside. */
  resolve(path: string): Readable {
    if (path === "" || path.length > 4096 || path.includes("\0")) {
      return refuse("bad_path", "This cannot be a path.", this.advice());
    }
    const absolute = this.guard.below(path);
    if (absolute === undefined) {
      return refuse("outside_root", "Only files below the search root may be read.", this.advice());
    }
    const shown = this.guard.shown(absolute);
    const known = this.known.get(shown) ?? this.paths.find((real) => real === absolute);
    if (known === undefined && this.required) {
      return refuse("not_discovered", `No discovery has returned "${shown}" yet.`, this.advice());
    }
    const place = this.guard.resolve(absolute);
    if (!place.inside) {
      return refuse("outside_root", `"${shown}" does not lead to a file that may be read.`, this.advice());
    }
    if (!place.exists) {
      return refuse("input_missing", `There is no file "${shown}" (any more).`, this.advice());
    }
    return { ok: true, real: place.path, shown };
  }

  private advice(): string {
    return this.required
      ? "Call list_available_files first and use a path exactly as it was returned."
      : "Use a path relative to the search root, as list_available_files returns it.";
  }
}
