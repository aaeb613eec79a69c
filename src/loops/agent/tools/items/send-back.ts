// Returns a submission to its creator as a new job: with the page, the reasons of the validator, and the documents and
// citations of the job that wrote it.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fenceData } from "../../../../conversation/fence.ts";
import { sha256 } from "../../../../core/hash.ts";
import { textPath } from "../../../../documents/text-page.ts";
import { loadAgentConfig } from "../../config/load.ts";
import { givenDocuments } from "../../items/given.ts";
import { jobFolder } from "../../jobs/folder.ts";
import type { JobRequest } from "../../jobs/request.ts";
import type { Submission } from "../../jobs/submissions.ts";
import { prepareJob } from "../../prepare.ts";
import { type FileOp, Workspace } from "../../workspace/workspace.ts";
import { CITATIONS, storeOps } from "../citations/store.ts";
import { recordPath } from "../documents/document.ts";
import type { ToolContext } from "../types.ts";

/** Prepares the folder of the creator's next job and returns its row, which is stored with the decision. Throws kinds
 * `config` and `usage` when the creator's agent or documents are gone. */
export async function prepareReturn(
  submission: Submission,
  reasons: string,
  { config, jobs, jobsFolder, say, toolsOf }: ToolContext,
): Promise<{ id: string; request: JobRequest } | undefined> {
  const creator = jobs.get(submission.creator_job);
  if (creator === undefined) return undefined;
  const agent = loadAgentConfig(creator.config_ref, config.loops.agent.configs, jobsFolder);
  const id = `redo-${submission.id}`;
  const page = `output/${submission.item_id}_ItemSpec.md`;
  const description = say("returned", {
    item: submission.item_id,
    submission: submission.id,
    page,
    reasons: fenceData("reasons", reasons),
    task: creator.description,
  });
  const from = new Workspace(jobFolder(jobsFolder, creator.id));
  const given = documentsOf(from);
  let request: JobRequest | undefined;
  const job = {
    agent,
    workspace: jobsFolder,
    jobs,
    description,
    documents: given.map((path) => ({
      from: join(from.root, path),
      place: path.replace(/^documents\//, ""),
    })),
    documentDirs: [],
    searchRoot: creator.search_root,
    ops: [
      { op: "write" as const, path: page, text: submission.page },
      ...given.flatMap((path) => textOps(path, from)),
      ...storeOps(from.page(CITATIONS)),
    ],
  };
  await prepareJob(job, toolsOf(agent.config), id, (line) => {
    request = line;
    return true;
  });
  return request === undefined ? undefined : { id, request };
}

/** Unchanged documents of the creator's job. */
function documentsOf(creator: Workspace): string[] {
  return Object.entries(givenDocuments(creator)).flatMap(([path, hash]) => {
    const absolute = join(creator.root, path);
    return existsSync(absolute) && sha256(readFileSync(absolute)) === hash ? [path] : [];
  });
}

/** The extracted text of a document with its record, so that citations stay valid in the new job. */
function textOps(document: string, creator: Workspace): FileOp[] {
  const text = textPath(document);
  return [text, recordPath(text)].flatMap((path): FileOp[] => {
    const content = creator.page(path);
    return content === "" ? [] : [{ op: "write", path, text: content }];
  });
}
