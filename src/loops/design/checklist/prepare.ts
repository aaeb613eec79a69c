// The first stages: `lint` parses the pages, `discover` lists the logs by content.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { canonicalHash } from "../../../core/canonical.ts";
import { AtomsmithError } from "../../../core/errors.ts";
import { sha256 } from "../../../core/hash.ts";
import { allFiles } from "../../../files/all-files.ts";
import { PathGuard } from "../../../files/guard.ts";
import { checkProblems } from "../../../runtime/index.ts";
import { lintItemSpec } from "../../../spec/index.ts";
import { hashFile } from "../../../store/index.ts";
import type { Stage } from "../pipeline/types.ts";
import type { Failure } from "../schemas.ts";
import { type Checklist, enabledItems } from "./services.ts";
import { readSpec } from "./spec.ts";
import { outcome, writeStage } from "./stage-files.ts";

/** Lints the pages; an item fails if its page has an error or belongs to another item. */
export function lintStage(checklist: Checklist): Stage {
  return {
    name: "lint",
    inputsHash: async ({ spec }) => {
      const pages = enabledItems(readSpec(spec)).map(([id, item]) => [
        id,
        item.page,
        pageHash(checklist.pageOf(item)),
      ]);
      return canonicalHash({ stage: "lint", pages });
    },
    run: async ({ spec, out }) => {
      const failures: Failure[] = [];
      const pages: object[] = [];
      for (const [id, item] of enabledItems(readSpec(spec))) {
        const page = lintPage(id, checklist.pageOf(item));
        pages.push({ item: id, page: item.page, ...page });
        if (page.errors.length > 0) failures.push({ name: id, reason: page.errors.slice(0, 3).join("; ") });
      }
      return writeStage(out, outcome(failures, { pages: pages.length, failed: failures.length }), {
        "pages.json": { pages },
      });
    },
  };
}

function lintPage(id: string, path: string): { title: string; errors: string[]; warnings: string[] } {
  try {
    const { spec, findings } = lintItemSpec(readFileSync(path), path, checkProblems);
    const messagesOf = (severity: string): string[] =>
      findings.filter((finding) => finding.severity === severity).map(({ message }) => message);
    const other = spec !== undefined && spec.id !== id ? [`the page ${path} belongs to item ${spec.id}`] : [];
    return {
      title: spec?.title ?? "",
      errors: [...messagesOf("error"), ...other],
      warnings: messagesOf("warning"),
    };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (!(error instanceof AtomsmithError) && code === undefined) throw error;
    const why = code === "ENOENT" ? "does not exist" : `cannot be read (${code ?? (error as Error).message})`;
    return { title: "", errors: [`the page ${path} ${why}`], warnings: [] };
  }
}

function pageHash(path: string): string | null {
  try {
    return sha256(readFileSync(path));
  } catch {
    return null;
  }
}

export const LOGS_FILE = "logs.json";

/** Everything below the search root by content, except the program's own files. */
export function discoverStage(checklist: Checklist): Stage {
  return {
    name: "discover",
    inputsHash: async ({ spec, before }) => {
      const read = readSpec(spec);
      const { files, problem } = await listLogs(checklist, checklist.searchRoot(read));
      return canonicalHash({
        stage: "discover",
        root: read.search_root,
        variables: checklist.variables(read),
        problem,
        files: files.map(({ path, sha256: hash }) => [path, hash]),
        before: [...before],
      });
    },
    run: async ({ spec, out }) => {
      const { files, problem } = await listLogs(checklist, checklist.searchRoot(readSpec(spec)));
      const failures = problem === null ? [] : [{ name: "search_root", reason: problem }];
      const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
      return writeStage(out, outcome(failures, { logs: files.length, bytes }), {
        [LOGS_FILE]: {
          root: readSpec(spec).search_root,
          variables: checklist.variables(readSpec(spec)),
          files,
        },
      });
    },
  };
}

/** Maximum number of files to hash below the search root; a larger tree is an error. */
const MAX_LOGS = 100_000;

interface LogFile {
  path: string;
  bytes: number;
  sha256: string;
}

async function listLogs(
  checklist: Checklist,
  root: string,
): Promise<{ files: LogFile[]; problem: string | null }> {
  let guard: PathGuard;
  const { outputDir, cacheDir } = checklist.services;
  const hidden = [outputDir, cacheDir, ...checklist.ownFiles];
  try {
    guard = new PathGuard(root, { hidden });
  } catch (error) {
    return { files: [], problem: (error as Error).message };
  }
  const { paths } = allFiles(root, { skip: (entry) => guard.hides(join(entry.folder, entry.name)) });
  if (paths.length > MAX_LOGS)
    return {
      files: [],
      problem: `${paths.length} files below the search root; the limit is ${MAX_LOGS}`,
    };
  const files: LogFile[] = [];
  for (const path of paths) {
    const place = guard.resolve(path);
    const hash = place.inside && place.exists ? await hashFile(place.path) : undefined;
    files.push({ path: guard.shown(path), bytes: hash?.bytes ?? 0, sha256: hash?.sha256 ?? "" });
  }
  return { files, problem: null };
}
