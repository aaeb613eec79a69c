// Recovery when a project is opened: a turn or run that a killed process did not finish, and a spec that was edited
// by hand.
import { join } from "node:path";
import { canonicalHash } from "../../core/canonical.ts";
import { AtomsmithError } from "../../core/errors.ts";
import type { JsonValue } from "../../core/json.ts";
import { type Change, type ProjectReader, REPORTS, runPath } from "./folder.ts";
import { interruptedRun } from "./state.ts";
import { file } from "./versions.ts";

const HINT = "the file was edited: fix it, or restore the spec of the last version from spec_history";

/** The files that mark an unfinished turn or run as interrupted; none if there is none. */
export function interruptedFiles(reader: ProjectReader, now: Date): Change["files"] {
  const { state } = reader;
  if (state.state !== "PROCESSING" && state.state !== "RUNNING") return [];
  const runs = reader.runIds().flatMap((id) => {
    const run = reader.run(id);
    return run.status === "running" ? [file(runPath(id), interruptedRun(run, now))] : [];
  });
  return [...runs, file("state.json", { ...state, state: "ERROR" })];
}

/** The spec in `spec.json` if it differs from the latest version. Throws kind `spec` for invalid JSON. */
export function editedSpec(reader: ProjectReader): JsonValue | undefined {
  const where = join(reader.dir, "spec.json");
  let spec: JsonValue;
  try {
    spec = JSON.parse(reader.text("spec.json") ?? "") as JsonValue;
  } catch {
    throw new AtomsmithError("spec", `${where} is not valid JSON`, { where, hint: HINT });
  }
  return canonicalHash(spec) === reader.latestVersion().hash ? undefined : spec;
}

/** The report and the error of an edited spec that is not valid. */
export function invalidEdit(
  reader: ProjectReader,
  problems: readonly string[],
): { report: Change["files"][number]; error: AtomsmithError } {
  const where = join(reader.dir, "spec.json");
  const report = { ok: false, version: reader.latestVersion().version, errors: [...problems] };
  const message = `${where} does not match its schema: ${problems.slice(0, 5).join("; ")}`;
  return {
    report: file(join(REPORTS, "compile_report.json"), report),
    error: new AtomsmithError("spec", message, { where, hint: HINT }),
  };
}
