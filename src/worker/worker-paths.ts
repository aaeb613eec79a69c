// Paths on a worker. Sets and pages are written below a scratch folder under their path on the submitting machine, so
// that relative paths stay the same; the search root is the one of this worker. Stored and printed texts contain the
// paths of the submitting machine.
import { join } from "node:path";
import type { PathTranslation } from "../store/postgres/reader.ts";

export class WorkerPaths implements PathTranslation {
  /** Search root, here and on the submitting machine. */
  readonly root: string;
  private readonly scratch: string;
  private readonly local: Replacer;
  private readonly stored: Replacer;

  /** @param mirrored folders and files that are mirrored below `scratch` */
  constructor(options: { scratch: string; root: string; theirRoot: string; mirrored: readonly string[] }) {
    const { scratch, root, theirRoot, mirrored } = options;
    this.scratch = scratch;
    this.root = root;
    const pairs = mirrored.map((path): [string, string] => [path, join(scratch, path)]);
    this.local = replacer([
      ...(root === theirRoot ? [] : ([[theirRoot, root]] as [string, string][])),
      ...pairs,
    ]);
    this.stored = replacer([
      ...(root === theirRoot ? [] : ([[root, theirRoot]] as [string, string][])),
      ...pairs.map(([theirs, here]): [string, string] => [here, theirs]),
    ]);
  }

  /** Local path of a mirrored path of the submitting machine. */
  localPath(path: string): string {
    return join(this.scratch, path);
  }

  toLocal(text: string): string {
    return this.local(text);
  }

  toStored(text: string): string {
    return this.stored(text);
  }
}

type Replacer = (text: string) => string;

/** Replaces paths in one pass, the longest first; only complete names, also in JSON spelling. */
function replacer(pairs: readonly [from: string, to: string][]): Replacer {
  const table = new Map<string, string>();
  for (const [from, to] of pairs) {
    table.set(from, to);
    table.set(inJson(from), inJson(to));
  }
  if (table.size === 0) return (text) => text;
  const sorted = [...table.keys()].sort((a, b) => b.length - a.length);
  const pattern = new RegExp(
    `(?<![A-Za-z0-9_.-])(?:${sorted.map(escapeRegex).join("|")})(?![A-Za-z0-9_.-])`,
    "g",
  );
  return (text) => text.replace(pattern, (found) => table.get(found) ?? found);
}

function inJson(path: string): string {
  return JSON.stringify(path).slice(1, -1);
}

function escapeRegex(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
