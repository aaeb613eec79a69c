// Shared by the git tools: they only read, and pass no options of the model to git.
import { z } from "zod";
import type { History } from "../../workspace/git.ts";
import { data, type Outcome, refused } from "../types.ts";

/** Name of a commit or tag that cannot be mistaken for an option. */
export const revision = z
  .string()
  .regex(/^[A-Za-z0-9_.~^][A-Za-z0-9_./~^-]*$/, "is not the name of a commit or tag");

export async function gitAnswer(history: History | undefined, args: readonly string[]): Promise<Outcome> {
  if (history === undefined)
    return refused("This workspace has no history: workspace.git_versioning is not set.");
  const { code, out, err } = await history.try(...args);
  if (code !== 0) return refused(`git says: ${err.trim().split("\n")[0] ?? "nothing"}`);
  return data(out.trim() === "" ? "(nothing)" : out);
}
