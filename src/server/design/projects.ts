// The design projects of a server: the directories of one directory. Read for every request, without a lock.
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Config } from "../../config/schema.ts";
import { AtomsmithError } from "../../core/errors.ts";
import { ProjectView } from "../../loops/design/index.ts";
import { refusal } from "../http/problem.ts";
import { markOf } from "../watches.ts";
import type { DesignRowWire } from "../wire/design.ts";

const ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

export const projectIdSchema = z.string().regex(ID).describe("name of the project's folder");
export const personSchema = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .describe("who decides; default: the user who started the server");

/** Environment of a command that names the person who decides. */
export function personEnv({ person }: { person?: string | undefined }): Record<string, string> {
  return person === undefined ? {} : { ATOMSMITH_PERSON: person };
}

/** Directory of a project, whether it exists or not. */
export function projectDir(config: Config, id: string): string {
  if (!ID.test(id)) throw refusal(404, `design project ${JSON.stringify(id)} not found`);
  return join(config.loops.design.projects, id);
}

/** Throws a 404 when the project does not exist. */
export async function openProject(config: Config, id: string): Promise<ProjectView> {
  const dir = projectDir(config, id);
  if (statSync(join(dir, "project.json"), { throwIfNoEntry: false }) === undefined) {
    throw refusal(404, `design project ${id} not found`, "projects are directories in loops.design.projects");
  }
  return ProjectView.open(dir);
}

/** Ids of all projects, sorted. */
export function projectIds(config: Config): string[] {
  const folder = config.loops.design.projects;
  try {
    return readdirSync(folder)
      .filter(
        (name) => ID.test(name) && statSync(join(folder, name, "project.json"), { throwIfNoEntry: false }),
      )
      .sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw new AtomsmithError("store", "cannot read the directory of design projects", { where: folder });
  }
}

/** A project in a list; with the error when it cannot be read. */
export async function projectRow(config: Config, id: string): Promise<DesignRowWire> {
  try {
    return rowOf(id, await openProject(config, id));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { ...NOTHING, id, name: id, error: why };
  }
}

export function rowOf(id: string, view: ProjectView): DesignRowWire {
  const { reader, state } = view;
  const { name, pipeline } = reader.project;
  const last = view.runs().at(-1);
  return {
    id,
    name,
    pipeline,
    state: state.state,
    version: reader.latestVersion().version,
    turn: state.turn,
    waiting_patches: state.pending_patch_ids.length,
    waiting_run: state.pending_run !== null,
    last_run: last === undefined ? null : { run_id: last.run_id, status: last.status, until: last.until },
    error: null,
  };
}

const NOTHING = {
  pipeline: "",
  state: "ERROR" as const,
  version: 0,
  turn: 0,
  waiting_patches: 0,
  waiting_run: false,
  last_run: null,
};

/** Changes with every decision, turn and stage of a project. */
export function projectMarks(config: Config): ReadonlyMap<string, string> {
  return new Map(
    projectIds(config).map((id) => {
      const dir = projectDir(config, id);
      const last = namesIn(join(dir, "runs")).sort().at(-1) ?? "";
      const files = ["state.json", "spec.json", "logs/agent_turns.jsonl", join("runs", last, "run.json")];
      return [id, markOf(files.map((file) => join(dir, file)))];
    }),
  );
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
