// Where things lie on a worker. Sets and pages are put below a scratch folder under the path that they have on the machine
// that submitted them, so that relative paths stay the same; the search root lies where this worker has it. Texts that
// are stored or printed name the paths of the submitting machine.
import { join } from "node:path";
import type { PathTranslation } from "../store/postgres/reader.ts";

export class Places implements PathTranslation {
  /** Search root, here and on the submitting machine. */
  readonly root: string;
  private readonly scratch: string;
  private readonly local: Replacer;
  private readonly stored: Replacer;

  /** @param mirrored folders and files that are put below `scratch` */
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

  /** Where a mirrored path of the submitting machine lies here. */
  here(path: string): string {
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

/** Replaces paths in one pass, the longest first; only whole names, and also as they stand inside JSON. */
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
