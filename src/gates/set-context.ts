// The context of an atom set in a folder: its page, declarations and logs.

import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parse } from "yaml";
import { type Declarations, readDeclarations } from "../contract/declarations.ts";
import { isFindingCode } from "../contract/finding-codes.ts";
import type { KnownFinding } from "../contract/gates.ts";
import { AtomsmithError } from "../core/errors.ts";
import { sha256 } from "../core/hash.ts";
import { PathGuard } from "../files/guard.ts";
import { expandVariables, variablesOf } from "../files/variables.ts";
import type { LoadedText } from "../logio/text.ts";
import { checkProblems, findInputs, type LogPool, readItemConfig } from "../runtime/index.ts";
import type { FoundInputs } from "../runtime/inputs.ts";
import { parseItemSpec } from "../spec/index.ts";
import type { ItemSpec } from "../spec/types.ts";

/** The page: beside the atoms, at the path in the manifest (relative to the folder of the set, if it is unchanged), or in
 * the folder of pages. Undefined if there is none or it is not valid; the gates then prove less. */
export async function findSpec(
  dir: string,
  itemId: string,
  specsDir: string,
  recorded: { path: string; sha256: string } | undefined,
): Promise<ItemSpec | undefined> {
  const beside = (await readdir(dir).catch(() => [])).filter((name) => /_?ItemSpec\.md$/i.test(name));
  const candidates = [
    ...beside.map((name) => ({ path: join(dir, name) })),
    ...(recorded ? [{ ...recorded, path: resolve(dir, recorded.path) }] : []),
    { path: join(specsDir, `${itemId}_ItemSpec.md`) },
  ];
  for (const candidate of candidates) {
    const bytes = await readFile(candidate.path).catch(() => undefined);
    if (!bytes) continue;
    if ("sha256" in candidate && sha256(bytes) !== candidate.sha256) continue;
    try {
      return parseItemSpec(bytes, candidate.path, checkProblems);
    } catch (error) {
      if (!(error instanceof AtomsmithError)) throw error;
    }
  }
  return undefined;
}

/** The declarations in `declarations.yaml` beside the atoms, for manually written sets; a manifest takes precedence.
 * Undefined without such a file, or if it is not valid. */
export async function findDeclarations(dir: string): Promise<Declarations | undefined> {
  const text = await readFile(join(dir, "declarations.yaml"), "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    return readDeclarations(parse(text));
  } catch {
    return undefined;
  }
}

function guardOf(searchRoot: string): PathGuard | undefined {
  try {
    return new PathGuard(searchRoot);
  } catch {
    return undefined;
  }
}

/** The files below the search root that the globs of a config match, as absolute paths, and problems of the globs; empty if
 * the config or the search root is not valid. A path that does not exist is reported like a glob without a match. */
export async function inputsOfConfig(
  config: string,
  searchRoot: string,
  variables: Readonly<Record<string, string>>,
): Promise<FoundInputs> {
  const none: FoundInputs = { files: [], diagnostics: [] };
  const reading = readItemConfig(config, "handwritten");
  if (!reading.ok || reading.config.input_files.length === 0) return none;
  const guard = guardOf(searchRoot);
  if (!guard) return none;
  const known = variablesOf(guard.root, variables);
  const globs = reading.config.input_files.flatMap((glob) => {
    const expansion = expandVariables(glob, known);
    return expansion.ok ? [expansion.glob] : [];
  });
  const { files, diagnostics } = await findInputs(globs, guard);
  const missing = files.filter((path) => !existsSync(path));
  return {
    files: files.filter((path) => !missing.includes(path)),
    diagnostics: [
      ...diagnostics,
      ...missing.map((path): FoundInputs["diagnostics"][number] => ({
        severity: "error",
        code: "input_missing",
        message: `No such file: ${JSON.stringify(path)}.`,
        file: path,
      })),
    ],
  };
}

/** Reads logs. An unreadable log is an error of gate4_evidence; a missing one only if the user named it, since `check`
 * reports it otherwise. */
export async function readLogs(
  paths: readonly string[],
  pool: LogPool,
  named: boolean,
): Promise<{ logs: LoadedText[]; problems: KnownFinding[] }> {
  const logs: LoadedText[] = [];
  const problems: KnownFinding[] = [];
  for (const path of paths) {
    const reading = await pool.read(path);
    if (reading.ok) logs.push(reading.input);
    else if (named || reading.diagnostic.code !== "input_missing") {
      const message = `A log cannot be used as evidence: ${reading.diagnostic.message}`;
      const code = isFindingCode(reading.diagnostic.code) ? reading.diagnostic.code : "input_unreadable";
      problems.push({ gate: "gate4_evidence", atom: "atom_a", code, message });
    }
  }
  return { logs, problems };
}
