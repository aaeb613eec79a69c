// Creates the job of a polling validator from waiting pages.
import type { LoadedAgent } from "../config/load.ts";
import { createJob } from "../create.ts";
import type { JobStore } from "../jobs/types.ts";
import { say } from "../prompts.ts";

/** Creates a job for the waiting pages and returns its id. Undefined when no page waits, when the agent does not
 * validate pages, when a job of the agent is open, or when the newest waiting page already had a job. */
export async function proofJob(
  agent: LoadedAgent,
  jobs: JobStore,
  workspace: string,
): Promise<string | undefined> {
  if (!(agent.config.tools.items ?? []).includes("next_item_spec")) return undefined;
  const newest = jobs.submissions.newestFree();
  if (newest === undefined || jobs.claimable(agent.config.agent_id).length > 0) return undefined;
  const id = `prove-${newest.id}`;
  if (jobs.get(id) !== undefined) return undefined;
  return createJob({
    agent,
    workspace,
    jobs,
    id,
    description: say("prove"),
    documents: [],
    documentDirs: [],
    searchRoot: newest.search_root,
  });
}
