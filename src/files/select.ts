// Finds the files that match globs, in one walk for all globs.
import { lstatSync, statSync } from "node:fs";
import { parse, resolve } from "node:path";
import { escapeGlob, type ParsedGlob, parseGlob, type Segment } from "./glob.ts";
import { pathOf, type TreeEntry, TreeWalk, type WalkLimits } from "./walk.ts";

export interface FoundFile {
  /** Absolute; links are not resolved. */
  path: string;
  /** Type of its target: `dead` is a broken or circular link. */
  kind: "file" | "special" | "dead";
  /** It, or a directory on the path to it, is a link; the target may be anywhere. */
  linked: boolean;
  /** Indexes of the matching globs, ascending. */
  globs: number[];
}

export interface SelectRequest {
  /** Absolute directory that relative globs start from. */
  root: string;
  globs: readonly ParsedGlob[];
  limits: WalkLimits;
  found(file: FoundFile): void;
  /** Called for a path that the globs may match but that cannot be read, with the error code. */
  unreadable(path: string, code: string): void;
  /** Excludes paths. */
  hides?(path: string): boolean;
  enough?(): boolean;
}

/** Parses a glob; one with an absolute path below the root becomes relative to it. */
export function parseBelow(glob: string, root: string): ParsedGlob {
  for (const prefix of [root, escapeGlob(root)]) {
    if (glob.startsWith(`${prefix}/`)) {
      return { ...parseGlob(`./${glob.slice(prefix.length + 1)}`), written: glob };
    }
  }
  return parseGlob(glob);
}

/** Finds the files. Directories are never reported; links to directories are followed where a glob names them, but not
 * by `**`. */
export async function selectFiles(request: SelectRequest): Promise<TreeWalk<State>> {
  const selection = new Selection(request);
  await selection.walk.run();
  selection.findLiteralNames();
  return selection.walk;
}

/** The synchronous form of `selectFiles`. */
export function selectFilesSync(request: SelectRequest): TreeWalk<State> {
  const selection = new Selection(request);
  selection.walk.runSync();
  selection.findLiteralNames();
  return selection.walk;
}

/** A position in a glob: the segments before `at` have matched. */
interface Position {
  glob: number;
  segments: readonly Segment[];
  at: number;
}
interface State {
  positions: readonly Position[];
  linked: boolean;
}

class Selection {
  readonly walk: TreeWalk<State>;
  private readonly request: SelectRequest;
  private readonly matched = new Set<number>();

  constructor(request: SelectRequest) {
    this.request = request;
    const { enough } = request;
    this.walk = new TreeWalk<State>(
      {
        visit: (entry, state) => this.visit(entry, state),
        only: namesOnly,
        unreadable: (folder, code) => request.unreadable(folder, code),
        ...(enough === undefined ? {} : { enough }),
      },
      request.limits,
    );
    for (const absolute of [true, false]) {
      const positions = request.globs.flatMap((glob, number) =>
        glob.absolute === absolute
          ? glob.alternatives.map((segments) => ({ glob: number, segments, at: 0 }))
          : [],
      );
      const start = absolute ? parse(request.root).root : request.root;
      if (positions.length > 0) this.walk.from(start, { positions: expandDeep(positions), linked: false });
    }
  }

  private visit(entry: TreeEntry, state: State): State | undefined {
    const { kind } = entry;
    const steps = advance(state.positions, entry);
    if (steps === undefined) return undefined;
    const { next, found } = steps;
    const entersDirectory = (kind === "folder" || kind === "link") && next.length > 0;
    if (!entersDirectory && (found.length === 0 || kind === "folder")) return undefined;
    const path = pathOf(entry);
    if (this.request.hides?.(path)) return undefined;
    if (!entry.named) {
      this.request.unreadable(path, "EILSEQ");
      return undefined;
    }
    if (found.length > 0 && kind !== "folder") this.report(path, kind, state.linked, found);
    return entersDirectory
      ? { positions: expandDeep(next), linked: state.linked || kind === "link" }
      : undefined;
  }

  private report(path: string, kind: "file" | "link" | "special", linked: boolean, globs: number[]): void {
    const target = kind === "link" ? targetOf(path) : kind;
    if (target === "folder") return;
    const numbers = globs.length === 1 ? globs : [...new Set(globs)].sort((a, b) => a - b);
    for (const number of numbers) this.matched.add(number);
    this.request.found({ path, kind: target, linked: linked || kind === "link", globs: numbers });
  }

  /** A glob without matches may be the literal name of a file: `run[1].log`. */
  findLiteralNames(): void {
    this.request.globs.forEach((glob, number) => {
      if (this.matched.has(number) || glob.literal) return;
      const path = resolve(this.request.root, glob.written);
      if (this.request.hides?.(path)) return;
      try {
        const stats = lstatSync(path);
        if (stats.isDirectory()) return;
        // A directory on the path may be a link, so the guard must check the target.
        this.report(path, stats.isSymbolicLink() ? "link" : stats.isFile() ? "file" : "special", true, [
          number,
        ]);
      } catch {
        // No file of this name.
      }
    });
  }
}

/** The positions inside an entry, in case it is entered, and the globs that match it. */
function advance(
  positions: readonly Position[],
  { name, kind }: TreeEntry,
): { next: Position[]; found: number[] } | undefined {
  let steps: { next: Position[]; found: number[] } | undefined;
  for (const position of positions) {
    const { segments, at, glob } = position;
    const segment = segments[at];
    if (segment === undefined) continue;
    if (segment.kind === "deep") {
      if (kind !== "folder" || name.startsWith(".")) continue;
    } else if (!(segment.kind === "name" ? segment.name === name : segment.match(name))) continue;
    // Allocated lazily: most entries match nothing.
    steps ??= { next: [], found: [] };
    if (segment.kind === "deep") steps.next.push(position);
    else if (at < segments.length - 1) steps.next.push({ glob, segments, at: at + 1 });
    else steps.found.push(glob);
  }
  return steps;
}

/** `**` may match no directory at all, so the position after it is added too. */
function expandDeep(positions: readonly Position[]): Position[] {
  const all: Position[] = [];
  const add = (position: Position): void => {
    if (all.some(({ segments, at }) => segments === position.segments && at === position.at)) return;
    all.push(position);
    if (position.segments[position.at]?.kind === "deep") add({ ...position, at: position.at + 1 });
  };
  for (const position of positions) add(position);
  return all;
}

/** The only possible names in a directory, when no wildcard applies there. */
function namesOnly({ positions }: State): readonly string[] | undefined {
  const names = new Set<string>();
  for (const { segments, at } of positions) {
    const segment = segments[at];
    if (segment?.kind !== "name") return undefined;
    names.add(segment.name);
  }
  return [...names];
}

function targetOf(path: string): FoundFile["kind"] | "folder" {
  try {
    const stats = statSync(path);
    return stats.isDirectory() ? "folder" : stats.isFile() ? "file" : "special";
  } catch {
    return "dead";
  }
}
