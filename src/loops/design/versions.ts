// Versions of the spec, and the files that a new version writes.
import { join } from "node:path";
import { canonicalHash } from "../../core/canonical.ts";
import type { JsonValue } from "../../core/json.ts";
import { type Change, REPORTS, versionPath } from "./folder.ts";
import type { Version } from "./schemas.ts";

/** The author of a version, and the clock. */
export interface Author {
  userName: string;
  now(): Date;
}

/** One JSON file of a change. @param path relative to the project */
export function file(path: string, value: object | JsonValue): Change["files"][number] {
  return { path, value };
}

/** @param undoes the patch that the version undoes */
export function newVersion(
  version: number,
  spec: JsonValue,
  patch_id: string | null,
  { now, userName: person }: Author,
  undoes?: string,
): Version {
  return {
    version,
    hash: canonicalHash(spec),
    spec,
    patch_id,
    created_at: now().toISOString(),
    created_by: person,
    ...(undoes === undefined ? {} : { undoes }),
  };
}

/** The files of a version: its history entry, the current spec, and the report that it is valid. */
export function versionFiles(version: Version): Change["files"] {
  return [
    file(versionPath(version.version), version),
    file("spec.json", version.spec),
    file(join(REPORTS, "compile_report.json"), { ok: true, version: version.version, errors: [] }),
  ];
}
