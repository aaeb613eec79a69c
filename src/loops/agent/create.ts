// Makes a job: its folder with instructions, documents and pages of tools, then its line in the store, so that no
// worker finds half of one.
import { mkdirSync, statSync } from "node:fs";
import { copyFile, mkdir } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { AtomsmithError } from "../../core/errors.ts";
import { allFiles } from "../../files/all-files.ts";
import { takeLock, writeFileAtomic } from "../../store/index.ts";
import type { LoadedAgent } from "./config/load.ts";
import { jobFolder, storeFolder } from "./jobs/folder.ts";
import { checkJobId, newJobId } from "./jobs/ids.ts";
import type { JobStore } from "./jobs/types.ts";
import { toolSet } from "./tools/registry.ts";
import { Refused, Workspace } from "./workspace/workspace.ts";

export interface NewJob {
  agent: LoadedAgent;
  /** Folder of all jobs, absolute. */
  workspace: string;
  jobs: JobStore;
  description: string;
  /** Absolute files, copied to `documents/`. */
  documents: readonly string[];
  /** Absolute folders whose files are copied to `documents/`. */
  documentDirs: readonly string[];
  /** Absolute; empty when there are no logs. */
  searchRoot: string;
  /** Drawn when absent. */
  id?: string;
}

/** Folders that every job has. */
const FOLDERS = ["archive/", "documents/", "notes/", "tools/", "output/"];

const FIRST_MEMORY = "# Memory\n\nNothing yet.\n";

/** Makes a job and returns its id. Throws kind `usage` for an id that exists, and for documents that cannot be read. */
export async function createJob(job: NewJob): Promise<string> {
  const id = job.id === undefined ? newJobId() : checkJobId(job.id);
  const taken = new AtomsmithError("usage", `there is a job ${id} already`, {
    where: id,
    hint: `go on with it: atomsmith agent resume ${id}; or choose another --job-id`,
  });
  if (job.jobs.get(id) !== undefined) throw taken;
  if (job.description.trim() === "") throw new AtomsmithError("usage", "--description is empty");
  const lock = await takeLock(join(storeFolder(job.workspace, id), "lock"), `job ${id}`);
  try {
    await fill(job, id);
    const { agent_id } = job.agent.config;
    const request = {
      agent_id,
      config_ref: job.agent.ref,
      description: job.description,
      search_root: job.searchRoot,
    };
    if (!job.jobs.create(id, request)) throw taken;
    return id;
  } finally {
    await lock.release();
  }
}

async function fill(job: NewJob, id: string): Promise<void> {
  const { config, template } = job.agent;
  const workspace = new Workspace(jobFolder(job.workspace, id));
  for (const folder of [...FOLDERS, ...config.workspace.structure])
    mkdirSync(join(workspace.root, placeOf(workspace, folder)), { recursive: true });
  const write = (path: string, text: string): Promise<void> =>
    writeFileAtomic(join(workspace.root, path), text);
  await write("instructions.md", instructions(template, job.description));
  if (workspace.page("workspace.md") === "") await write("workspace.md", FIRST_MEMORY);
  for (const tool of toolSet(config).all) await write(`tools/${tool.name}.md`, tool.page);
  await copyDocuments(job, workspace.root);
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

/** The template with the task in its place, or below it. */
function instructions(template: string, description: string): string {
  const place = "{{description}}";
  if (template.includes(place)) return template.replaceAll(place, () => description);
  const head = template.trim() === "" ? "" : `${template.trim()}\n\n`;
  return `${head}# The task\n\n${description.trim()}\n`;
}

async function copyDocuments(job: NewJob, root: string): Promise<void> {
  const taken = new Map<string, string>();
  for (const { path, place, flag } of documentFiles(job)) {
    const other = taken.get(place);
    if (other !== undefined) {
      throw new AtomsmithError(
        "usage",
        `${flag}: ${path} and ${other} would both become documents/${place}`,
        {
          where: path,
          hint: "give one of them another name",
        },
      );
    }
    taken.set(place, path);
    const target = join(root, "documents", place);
    await mkdir(dirname(target), { recursive: true });
    await copyFile(path, target);
  }
}

/** The files to copy and their places in `documents/`. Links, devices and what git keeps for itself are left out. */
function documentFiles({ documents, documentDirs }: NewJob): { path: string; place: string; flag: string }[] {
  const single = documents.map((path) => {
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) throw unreadable(path, "--document");
    return { path, place: basename(path), flag: "--document" };
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
