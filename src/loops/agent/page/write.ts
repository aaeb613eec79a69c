// Reads the stored data of a job and writes its page. Takes no lock, so it works for a running job.
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { VERSION } from "../../../core/version.ts";
import { agentTurnSchema } from "../../../llm/turns.ts";
import { renderPage } from "../../../report/index.ts";
import { readLines, writeFileAtomic } from "../../../store/index.ts";
import { jobDocument, storedState } from "../document.ts";
import { storeFolder } from "../jobs/folder.ts";
import type { Job } from "../jobs/types.ts";
import { readPlan } from "../plan.ts";
import { readCalls } from "../tools/call-log.ts";
import { Workspace } from "../workspace/workspace.ts";
import { jobPage } from "./page.ts";
import { readStory } from "./story.ts";

/** Results larger than this are listed without their text. */
const MAX_RESULT_BYTES = 256 * 1024;

/** Writes one self-contained HTML page of a job in any state. Throws kind `store`.
 * @param workspace folder of all jobs */
export async function writeJobPage(job: Job, workspace: string, target: string): Promise<void> {
  const state = await storedState(workspace, job.id);
  const document = jobDocument(job, state, workspace);
  const store = storeFolder(workspace, job.id);
  const folder = new Workspace(document.workspace);
  const [journal, turns, calls] = await Promise.all([
    readLines(join(store, "journal.jsonl")),
    readLines(join(store, "agent_turns.jsonl")),
    readCalls(join(store, "calls.jsonl")),
  ]);
  const plan = folder.page("main_plan.md");
  const page = jobPage({
    document,
    agent: job.agent_id,
    description: job.description,
    createdAt: job.created_at,
    endedAt: job.completed_at,
    story: readStory(journal.values),
    turns: turns.values.flatMap((line) => {
      const read = agentTurnSchema.safeParse(line);
      return read.success ? [read.data] : [];
    }),
    calls,
    state,
    plan: { text: plan, phases: readPlan(plan) },
    memory: folder.page("workspace.md"),
    deliverables: document.deliverables.map((path) => deliverable(folder, path)),
    version: VERSION,
  });
  await writeFileAtomic(target, renderPage(page));
}

function deliverable(
  folder: Workspace,
  path: string,
): { path: string; bytes: number | null; text: string | undefined } {
  if (!folder.hasFile(path)) return { path, bytes: null, text: undefined };
  const absolute = join(folder.root, path);
  const { size } = statSync(absolute);
  if (size > MAX_RESULT_BYTES) return { path, bytes: size, text: undefined };
  const bytes = readFileSync(absolute);
  return { path, bytes: size, text: bytes.includes(0) ? undefined : bytes.toString("utf8") };
}
