// Part of the gate consistency: the `input_files` of a config match the logs that the set was proved on, also on another
// machine. Proves that no path leaves the search root, that every glob currently matches a file, and that they match an
// observed log. Cannot prove that later files have the same format.
// Targets configs without inputs, absolute paths, paths outside the search root, globs for files that the author did not
// read.
import { basename, isAbsolute } from "node:path";
import type { NormalizedConfig } from "../contract/config.ts";
import type { LoadedText } from "../logio/text.ts";
import type { FoundInputs } from "../runtime/inputs.ts";
import type { Findings } from "./findings.ts";
import { show } from "./show.ts";

const GATE = "consistency";

export interface InputFilesAim {
  /** The files that the globs currently match. */
  found: FoundInputs;
  logs: readonly LoadedText[];
  /** The logs are those that the author of this config read; otherwise the user named them. */
  observed: boolean;
}

/** Checks the globs. A problem is an error if the author can repair it, and a warning if the user named the logs. */
export function checkInputFiles(
  { input_files: globs }: NormalizedConfig,
  { found, logs, observed }: InputFilesAim,
  findings: Findings,
): void {
  const strict = observed && logs.length > 0 ? "error" : "warn";
  if (globs.length === 0) {
    const message =
      "The config has no `input_files`: `check` reads no log then, unless inputs are given with --input.";
    findings[strict](GATE, "config", "input_files_missing", message);
    return;
  }
  for (const glob of globs.filter((path) => isAbsolute(path) || /^[A-Za-z]:[\\/]/.test(path))) {
    const message = `\`input_files\`: ${show(glob)} is an absolute path; write it relative to the search root, so that the set can be moved.`;
    findings.warn(GATE, "config", "input_files_absolute", message);
  }
  for (const { code, message } of found.diagnostics) {
    const text = `\`input_files\`: ${message}`;
    if (code === "input_outside_root") findings.error(GATE, "config", "input_files_outside", text);
    else findings[strict](GATE, "config", "input_files_unmatched", text);
  }
  const matched = new Set(found.files);
  if (logs.length === 0 || matched.size === 0) return;
  if (!logs.some(({ path }) => matched.has(path))) {
    const message = `\`input_files\` ${show([...globs])} match none of the observed logs, first ${show(logs[0]?.path)}; they match ${show(found.files.slice(0, 3))}. Name the logs of the records.`;
    findings[strict](GATE, "config", "input_files_unobserved", message);
    return;
  }
  const kinds = new Set(logs.map(({ path }) => kindOf(path)));
  const other = found.files.filter((path) => !kinds.has(kindOf(path)));
  if (other.length === 0) return;
  const message = `\`input_files\` also match ${other.length} file${other.length === 1 ? "" : "s"} of another kind than the observed logs (${[...kinds].map((kind) => show(kind)).join(", ")}): ${show(other.slice(0, 3))}. Nothing is proved about them; use more specific globs.`;
  findings.warn(GATE, "config", "input_files_other_kind", message);
}

/** The extension of a name without those of compression and rotation; empty without one. */
function kindOf(path: string): string {
  const name = basename(path)
    .toLowerCase()
    .replace(/(?:\.(?:gz|bz2|xz|zst|z|\d+))+$/, "");
  const dot = name.lastIndexOf(".");
  return dot <= 0 ? "" : name.slice(dot);
}
