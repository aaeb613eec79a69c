// Creates a design project.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { AtomsmithError } from "../../core/errors.ts";
import { takeLock } from "../../store/index.ts";
import { type Change, OWN_FOLDER, ProjectWriter } from "./folder.ts";
import type { Pipeline } from "./pipeline/types.ts";
import type { ProjectState } from "./schemas.ts";
import { type Author, file, newVersion, versionFiles } from "./versions.ts";

/** Creates a project. Throws kind `usage` if it already exists, or if its first spec is invalid. */
export async function createProject(
  dir: string,
  project: { name: string; pipeline: string; pipeline_dir?: string },
  pipeline: Pipeline,
  services: Author,
  copies: Change["files"] = [],
): Promise<void> {
  if (existsSync(join(dir, "project.json"))) {
    throw new AtomsmithError("usage", `a design project already exists in ${dir}`, { where: dir });
  }
  const spec = pipeline.firstSpec(project.name);
  const problems = pipeline.problems(spec);
  if (problems.length > 0) {
    throw new AtomsmithError(
      "usage",
      `the first spec of ${project.name} does not match its schema: ${problems.join("; ")}`,
    );
  }
  const state: ProjectState = { state: "IDLE", pending_patch_ids: [], pending_run: null, turn: 0 };
  const lock = await takeLock(join(dir, OWN_FOLDER, "create.lock"), `the project ${dir}`);
  try {
    await new ProjectWriter(dir).write({
      files: [
        ...copies,
        ...versionFiles(newVersion(1, spec, null, services)),
        file("state.json", state),
        file("project.json", { schema: 1, ...project, created_at: services.now().toISOString() }),
      ],
    });
  } finally {
    await lock.release();
  }
}
