// Acceptance of a submission: conditions that the program checks independently of the model, and the files it then
// writes. Writing is idempotent, since a killed process repeats it.
import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { verifyAtomSetSync } from "../../../../runtime/atom-set.ts";
import { jsonText, writeFilesAtomic } from "../../../../store/index.ts";
import type { Submission } from "../../jobs/submissions.ts";
import type { ToolContext } from "../types.ts";
import { creatorOf, itemPath, logPlaces, trialFolder } from "./context.ts";
import { lookAt, pageFaults, readPage } from "./page.ts";

/** Why the submission cannot be accepted; empty when it can. */
export async function acceptanceFaults(submission: Submission, context: ToolContext): Promise<string[]> {
  const { item_id, page } = submission;
  const creator = { ...creatorOf(submission.creator_job, context), citations: submission.citations };
  const looked = await lookAt(readPage(`${item_id}_ItemSpec.md`, page), creator, logPlaces(context));
  return [...pageFaults(looked), ...setFaults(submission, context), ...placeFaults(submission, context)];
}

/** Accepts as proof only a set that an author created from exactly this text and that passed all gates on real
 * logs. */
function setFaults({ item_id, page, sha256 }: Submission, { workspace }: ToolContext): string[] {
  const set = verifyAtomSetSync(setDir(workspace.root, page, item_id));
  if (set === undefined) return ["try_item was not called with this text in this job."];
  if (set.state !== "accepted") return ["The last try_item of this text was not accepted by all gates."];
  const { manifest } = set;
  const failed = Object.entries(manifest.gates).flatMap(([name, passed]) => (passed === false ? [name] : []));
  return [
    ...(manifest.spec.sha256 === sha256 ? [] : ["The set of try_item was created from another text."]),
    ...(failed.length === 0 ? [] : [`Gates failed: ${failed.join(", ")}.`]),
    ...(manifest.evidence.length === 0 ? ["The set was not proved on any log."] : []),
  ];
}

function setDir(root: string, page: string, itemId: string): string {
  return join(root, trialFolder(page), "output", itemId);
}

function placeFaults({ item_id, page }: Submission, context: ToolContext): string[] {
  const path = itemPath(context, item_id);
  if (!existsSync(path) || readFileSync(path, "utf8") === page) return [];
  return [`The project already has another page of ${item_id} (items/${basename(path)}).`];
}

/** Copies set, page and proof into the project. Throws kind `usage` when another set exists there. */
export async function takeOver(
  submission: Submission,
  reasons: string,
  context: ToolContext,
): Promise<{ page: string }> {
  const { workspace, trials, state } = context;
  const { item_id, page } = submission;
  const path = itemPath(context, item_id);
  const folder = join(workspace.root, trialFolder(page));
  const set = verifyAtomSetSync(setDir(workspace.root, page, item_id));
  await trials.adopt(folder, item_id, path);
  const proof = {
    item_id,
    page_sha256: submission.sha256,
    submission: submission.id,
    creator_job: submission.creator_job,
    validator_job: state.job_id,
    reasons,
    citations: submission.citations,
    ...(set?.state === "accepted"
      ? {
          set: {
            created_at: set.manifest.created_at,
            author: set.manifest.author.provider,
            gates: set.manifest.gates,
            evidence: set.manifest.evidence,
            files: set.manifest.files,
          },
        }
      : {}),
  };
  await writeFilesAtomic([
    { path: path.replace(/\.md$/, ".proof.json"), data: jsonText(proof) },
    { path, data: page },
  ]);
  return { page: path };
}
