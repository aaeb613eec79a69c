// L1: finds the files that the globs of a config match. A glob without matches and a path outside the search root are
// diagnostics; the other files are still found.
import { isAbsolute, resolve } from "node:path";
import type { Diagnostic } from "../contract/results.ts";
import { MAX_ALTERNATIVES, type ParsedGlob } from "../files/glob.ts";
import type { PathGuard } from "../files/guard.ts";
import { parseBelow, selectFiles } from "../files/select.ts";

export interface FoundInputs {
  /** Absolute paths, links resolved where possible, each once, in the order of the globs and sorted within a glob. */
  files: string[];
  diagnostics: Diagnostic[];
}

/** Maximum directory entries visited and files found for one glob. */
export const INPUT_LIMITS = { names: 2_000_000, files: 100_000 };

/** Finds the files of globs whose variables are already replaced. Relative globs start at the search root. */
export async function findInputs(
  globs: readonly string[],
  guard: PathGuard,
  limits = INPUT_LIMITS,
): Promise<FoundInputs> {
  const files = new Set<string>();
  const diagnostics: Diagnostic[] = [];
  for (const glob of globs) {
    const found = await findByGlob(glob, guard.root, limits);
    diagnostics.push(...found.diagnostics);
    for (const path of found.paths) {
      const place = guard.resolve(path);
      if (place.inside) files.add(place.path);
      else diagnostics.push(guard.refusal(path));
    }
  }
  return { files: [...files], diagnostics };
}

interface Found {
  paths: string[];
  diagnostics: Diagnostic[];
}

async function findByGlob(glob: string, root: string, limits: typeof INPUT_LIMITS): Promise<Found> {
  const parsed = parseBelow(glob, root);
  // A plain path is an input even if it is missing; the reader reports the problem.
  if (parsed.literal) return { paths: [literalPath(parsed, root)], diagnostics: [] };
  const found = new Set<string>();
  const diagnostics: Diagnostic[] = [];
  const shown = JSON.stringify(glob);
  const tooMany = (why: string): void => {
    const message = `${shown}: ${why}; the search was stopped. Use a more specific glob.`;
    diagnostics.push({ severity: "error", code: "input_too_many", message });
  };
  if (parsed.cut) tooMany(`it has more than ${MAX_ALTERNATIVES} alternatives`);
  const walk = await selectFiles({
    root,
    globs: [parsed],
    limits: { names: limits.names },
    found: ({ path }) => void (found.size <= limits.files && found.add(path)),
    unreadable: (path, code) => diagnostics.push(unreadable(path, code, shown)),
    enough: () => found.size > limits.files,
  });
  if (walk.stopped === "names") tooMany(`more than ${limits.names} directory entries were visited`);
  if (found.size > limits.files) tooMany(`more than ${limits.files} files match`);
  const paths = [...found].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)).slice(0, limits.files);
  if (paths.length === 0) {
    diagnostics.push({
      severity: "error",
      code: "input_missing",
      message: `No file matches ${shown} (searched from ${parsed.absolute ? "/" : root}).`,
      file: isAbsolute(glob) ? glob : resolve(root, glob),
    });
  }
  return { paths, diagnostics };
}

function literalPath({ absolute, alternatives }: ParsedGlob, root: string): string {
  const names = (alternatives[0] ?? []).map((segment) => (segment.kind === "name" ? segment.name : ""));
  return resolve(absolute ? "/" : root, ...names);
}

function unreadable(path: string, code: string, glob: string): Diagnostic {
  const what =
    code === "EILSEQ" ? "The name of this input is not valid UTF-8" : "This directory could not be listed";
  const message = `${what} for ${glob} (${code}).`;
  return { severity: "error", code: "input_unreadable", message, file: path };
}
