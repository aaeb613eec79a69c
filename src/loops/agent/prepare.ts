// Prepares a job: its folder with instructions, documents and pages of tools, then its row in the store, so that no
// worker finds an incomplete job.
import { mkdirSync, statSync } from "node:fs";
import { copyFile, mkdir } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { AtomsmithError } from "../../core/errors.ts";
import { allFiles } from "../../files/all-files.ts";
import { hashFile, takeLock, writeFileAtomic } from "../../store/index.ts";
import type { LoadedAgent } from "./config/load.ts";
import { givenOp } from "./items/given.ts";
import { jobFolder, storeFolder } from "./jobs/folder.ts";
import type { JobRequest } from "./jobs/request.ts";
import type { JobStore } from "./jobs/types.ts";
import type { ToolSet } from "./tools/types.ts";
import { type FileOp, Refused, Workspace } from "./workspace/workspace.ts";

export interface NewJob {
  agent: LoadedAgent;
  /** Folder of all jobs, absolute. */
  workspace: string;
  jobs: JobStore;
  description: string;
  /** Absolute paths of files, copied to `documents/`. */
  documents: readonly { from: string; place: string }[];
  /** Absolute folders whose files are copied to `documents/`. */
  documentDirs: readonly string[];
  /** Modifies the new folder before any worker can find it. */
  ops?: readonly FileOp[];
  /** Absolute; empty for a job without logs. */
  searchRoot: string;
  /** Generated when absent. */
  id?: string;
}

/** Folders of every job. */
const FOLDERS = ["archive/", "documents/", "notes/", "tools/", "output/"];

const FIRST_MEMORY = "# Memory\n\nNothing yet.\n";

/** Fills the folder of a job, then stores its row. Idempotent.
 * @param tools those of the job's agent
 * @param store false: the row exists already */
export async function prepareJob(
  job: NewJob,
  tools: ToolSet,
  id: string,
  store: (request: JobRequest) => boolean,
): Promise<void> {
  const taken = new AtomsmithError("usage", `job ${id} already exists`, {
    where: id,
    hint: `resume it with: atomsmith agent resume ${id}; or choose another --job-id`,
  });
  if (job.jobs.get(id) !== undefined) throw taken;
  if (job.description.trim() === "") throw new AtomsmithError("usage", "--description is empty");
  const lock = await takeLock(join(storeFolder(job.workspace, id), "lock"), `job ${id}`);
  try {
    await fill(job, tools, id);
    const { agent_id } = job.agent.config;
    const request = {
      agent_id,
      config_ref: job.agent.ref,
      description: job.description,
      search_root: job.searchRoot,
    };
    if (!store(request)) throw taken;
  } finally {
    await lock.release();
  }
}

async function fill(job: NewJob, tools: ToolSet, id: string): Promise<void> {
  const { config, template } = job.agent;
  const workspace = new Workspace(jobFolder(job.workspace, id));
  for (const folder of [...FOLDERS, ...config.workspace.structure])
    mkdirSync(join(workspace.root, placeOf(workspace, folder)), { recursive: true });
  const write = (path: string, text: string): Promise<void> =>
    writeFileAtomic(join(workspace.root, path), text);
  await write("instructions.md", instructions(template, job.description));
  if (workspace.page("workspace.md") === "") await write("workspace.md", FIRST_MEMORY);
  for (const tool of tools.all) await write(`tools/${tool.name}.md`, tool.page);
  const given = await copyDocuments(job, workspace.root);
  await workspace.apply(givenOp(given));
  for (const op of job.ops ?? []) await workspace.apply(op);
}

function placeOf(workspace: Workspace, folder: string): string {
  try {
    return workspace.readable(folder);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    throw new AtomsmithError("config", `workspace.structure: ${error.message}`, {
      where: "workspace.structure",
    });
  }
}

/** The template with the task inserted at its placeholder, or appended. */
function instructions(template: string, description: string): string {
  const place = "{{description}}";
  if (template.includes(place)) return template.replaceAll(place, () => description);
  const head = template.trim() === "" ? "" : `${template.trim()}\n\n`;
  return `${head}# The task\n\n${description.trim()}\n`;
}

/** Copies the documents and returns their hashes by path in the workspace. */
async function copyDocuments(job: NewJob, root: string): Promise<Record<string, string>> {
  const given: Record<string, string> = {};
  const taken = new Map<string, string>();
  for (const { path, place, flag } of documentFiles(job)) {
    const other = taken.get(place);
    if (other !== undefined) {
      throw new AtomsmithError(
        "usage",
        `${flag}: ${path} and ${other} would both become documents/${place}`,
        {
          where: path,
          hint: "rename one of them",
        },
      );
    }
    taken.set(place, path);
    const target = join(root, "documents", place);
    await mkdir(dirname(target), { recursive: true });
    await copyFile(path, target);
    const hashed = await hashFile(target);
    if (hashed !== undefined) given[`documents/${place.split(sep).join("/")}`] = hashed.sha256;
  }
  return given;
}

/** The files to copy and their paths in `documents/`. Skips links, devices and git folders. */
function documentFiles({ documents, documentDirs }: NewJob): { path: string; place: string; flag: string }[] {
  const single = documents.map(({ from, place }) => {
    if (!statSync(from, { throwIfNoEntry: false })?.isFile()) throw unreadable(from, "--document");
    return { path: from, place, flag: "--document" };
  });
  const flag = "--document-dir";
  const inFolders = documentDirs.flatMap((folder) => {
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw unreadable(folder, flag);
    const found = allFiles(folder, {
      skip: ({ kind, name }) => kind === "link" || kind === "special" || name === ".git",
    });
    const missed = found.unreadable[0]?.path;
    if (missed !== undefined) throw unreadable(missed, flag);
    return found.paths.map((path) => ({ path, place: relative(folder, path), flag }));
  });
  return [...single, ...inFolders];
}

function unreadable(path: string, flag: string): AtomsmithError {
  return new AtomsmithError("usage", `${flag}: ${path} does not exist or cannot be copied`, { where: path });
}
