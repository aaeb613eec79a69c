// Shared by the tools for items: paths of a submission, and the trial of a page.
import { join } from "node:path";
import { sha256 } from "../../../../core/hash.ts";
import { jobFolder } from "../../jobs/folder.ts";
import { Workspace } from "../../workspace/workspace.ts";
import { citationsOf } from "../citations/store.ts";
import type { ToolContext } from "../types.ts";
import type { LogPlaces } from "./page.ts";

/** Search root of a job, and files below it that are not logs. */
export function logPlaces({ searchRoot, config, jobsFolder, signal }: ToolContext): LogPlaces {
  const { output_dir, cache_dir, item_specs_dir, variables } = config.paths;
  return { searchRoot, hidden: [jobsFolder, output_dir, cache_dir, item_specs_dir], variables, signal };
}

/** Folder of the trial of a text, relative to the job's: the program's own, and one for each text. */
export function trialFolder(page: string): string {
  return `.agent/trials/${sha256(page).slice(0, 16)}`;
}

/** Citations and folder of a job. */
export function creatorOf(
  job: string,
  { jobsFolder, workspace, state }: Pick<ToolContext, "jobsFolder" | "workspace" | "state">,
): { citations: ReturnType<typeof citationsOf>; workspace: Workspace } {
  const own = job === state.job_id ? workspace : new Workspace(jobFolder(jobsFolder, job));
  return { citations: citationsOf(own), workspace: own };
}

/** Path of the page of an item in the project. */
export function itemPath({ config }: Pick<ToolContext, "config">, itemId: string): string {
  return join(config.paths.item_specs_dir, `${itemId}_ItemSpec.md`);
}
