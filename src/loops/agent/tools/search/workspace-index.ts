// The search index of a job: a file of the program in the job's folder.
import { join } from "node:path";
import { WorkspaceIndex } from "../../../../documents/search/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** Opens the index for one call. */
export async function withIndex<T>(
  workspace: Workspace,
  use: (index: WorkspaceIndex) => T | Promise<T>,
): Promise<T> {
  const index = new WorkspaceIndex(join(workspace.root, ".agent/search.db"), workspace.root);
  try {
    return await use(index);
  } finally {
    index.close();
  }
}
