// Reuses a stage of an earlier run with equal inputs. Its files are copied, so that a run's folder is self-contained
// and old runs can be removed.
import { constants } from "node:fs";
import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { storeError } from "../../../store/index.ts";
import type { Run, StageResult } from "../schemas.ts";

/** The newest finished stage with this name and these inputs. */
export function findReusable(
  earlier: readonly Run[],
  name: string,
  inputsHash: string,
  holds: (runId: string) => boolean,
): { run_id: string; stage: StageResult; jail: Run["jail"] } | undefined {
  for (const { run_id, stages, jail } of earlier) {
    const stage = stages.find((candidate) => candidate.name === name && candidate.inputs_hash === inputsHash);
    const done = stage?.status === "ok" || stage?.status === "reused";
    if (stage !== undefined && done && holds(run_id)) return { run_id, stage, jail };
  }
  return undefined;
}

/** Names of the files with a command's output, next to the stage's folder, which the command can write to. */
export function streamFiles(stage: string): [stdout: string, stderr: string] {
  return [`${stage}.stdout.txt`, `${stage}.stderr.txt`];
}

/** Copies a stage's folder and streams from one run's folder to another's. Links are copied as links. */
export async function copyStage(from: string, to: string, stage: string): Promise<void> {
  try {
    await rm(join(to, stage), { recursive: true, force: true });
    for (const name of [stage, ...streamFiles(stage)]) {
      await cp(join(from, name), join(to, name), {
        recursive: true,
        verbatimSymlinks: true,
        mode: constants.COPYFILE_FICLONE,
      }).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== "ENOENT") throw error;
      });
    }
  } catch (error) {
    throw storeError(error, join(to, stage));
  }
}
