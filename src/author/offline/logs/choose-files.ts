// Which of the files that a pattern finds are meant: those in the folders that section 4.1 names ("`a.log` in mx1"), and
// none in a folder that it rules out ("the one in mx2 is not used"); and patterns that find these files alone.

import { escapeRegex } from "../escape.ts";
import type { FileClause } from "../page/page.ts";

interface Listed {
  path: string;
  glob: string;
}

/** The files that are meant, in their order. A folder that all of them lie in chooses nothing. */
export function inNamedFolders<T extends Listed>(files: readonly T[], clauses: readonly FileClause[]): T[] {
  const folders = new Set(files.flatMap(({ path }) => foldersOf(path)));
  let kept = [...files];
  for (const [index, clause] of clauses.entries()) {
    const named = [...folders].filter((folder) => names(clause, folder));
    if (named.length === 0) continue;
    const inside = ({ path }: Listed): boolean => foldersOf(path).some((folder) => named.includes(folder));
    if (!clause.wanted || takesBack(clauses[index + 1])) {
      const left = kept.filter((file) => !inside(file));
      if (left.length > 0) kept = left;
      continue;
    }
    for (const name of clause.globs) {
      const only = named.filter((folder) => isTheirPlace(clause, name, folder));
      const own = kept.filter(({ glob }) => glob === name || glob === `**/${name}`);
      const chosen = own.filter(({ path }) => foldersOf(path).some((folder) => only.includes(folder)));
      if (chosen.length > 0) kept = kept.filter((file) => !own.includes(file) || chosen.includes(file));
    }
  }
  return kept;
}

/** "`a.log` in mx1", "in mx1, `a.log`", "mx1 has `a.log`": one folder, in which the files of the clause lie. Not "of the
 * laptop and the devices", "of the bastion hosts", "one per mode directory (func, scan)". */
function isTheirPlace({ text }: FileClause, glob: string, folder: string): boolean {
  if (/\b(?:e\.g|for example|for instance|such as|like)\b/i.test(text)) return false;
  const file = escapeRegex(glob);
  const place = `(?:the )?(?:director(?:y|ies) |folders? |host |machine |run )?${escapeRegex(folder)}(?: (?:directory|folder|host|machine|run))?`;
  return [
    `${file},? (?:in|of|from|below|under|inside) ${place}(?=\\s*[.,;()]|$| of (?:each|every)\\b| only\\b)(?!,? and\\b|, [\\w-]+ and\\b)`,
    `^(?:only )?(?:in|below|under) ${place},? (?:the )?(?:file )?${file}`,
    `^${place} has (?:the )?(?:file )?${file}`,
    `^(?:the )?${escapeRegex(folder)}'s ${file}`,
    `${file},? (?:but )?only (?:in|of|from|below|under) ${place}`,
  ].some((one) => new RegExp(one, "i").test(text));
}

/** "`attempt1` has such a file too, but that run failed and is not wanted". */
function takesBack(next: FileClause | undefined): boolean {
  return (
    next !== undefined &&
    !next.wanted &&
    /^(?:but |and |so )?(?:that|this|it|they|these|those|the latter|which)\b/i.test(next.text)
  );
}

function foldersOf(path: string): string[] {
  return path.split("/").slice(0, -1);
}

/** Does the clause name the folder as a word of its own, beside the paths of its files? */
function names(clause: FileClause, folder: string): boolean {
  if (folder.length < 2) return false;
  const text = clause.globs.reduce(
    (rest, glob) => (glob === folder ? rest : rest.replaceAll(glob, " ")),
    clause.text,
  );
  const found = new RegExp(`(?<![\\w./-])${escapeRegex(folder)}(?![\\w-]|\\.\\w)`).exec(text);
  if (found === null) return false;
  const before = text.slice(0, found.index);
  const behind = text.slice(found.index + folder.length);
  return (
    /(?:^|\b(?:in|of|from|under|below|inside|for|on|by|only|and|or|the|director(?:y|ies)|folders?|host|run|machine)\s+|,\s+)$/i.test(
      before,
    ) && !/^\s+(?:files?|logs?|reports?|output|format|run|tool|build)\b/i.test(behind)
  );
}

/** Patterns that find the kept files and none of the dropped ones: by the pattern itself, the names, the folders, or the
 * whole paths. */
export function patternsFor(
  glob: string,
  kept: readonly string[],
  dropped: readonly string[],
  matches: (glob: string, path: string) => boolean,
): string[] {
  const tail = (path: string, parts: number): string => `**/${path.split("/").slice(-parts).join("/")}`;
  const tries: string[][] = [
    [glob],
    ...[1, 2, 3].map((parts) => [...new Set(kept.map((path) => tail(path, parts)))]),
  ];
  return tries.find((globs) => !dropped.some((path) => globs.some((one) => matches(one, path)))) ?? [...kept];
}
