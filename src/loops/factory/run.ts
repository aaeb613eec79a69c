// Runs one work order: preflight, then the graph. In every case, the repository is either restored or has the accepted
// change; after a kill, the next run completes one of the two.
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import type { RunContext } from "../../run/context.ts";
import { takeLock } from "../../store/index.ts";
import { readSummary } from "./artifacts.ts";
import { carryOut, type FactoryResult } from "./carry-out.ts";
import { configHash } from "./identity.ts";
import { type FactoryRequest, preflight, refuseOutInside, settingsOf } from "./preflight.ts";
import { removeStateDir } from "./repo/marker.ts";
import { openRepository, type Repository } from "./repo/repository.ts";
import { recover } from "./repo/rollback.ts";
import { finishAccepted } from "./repo/transaction.ts";

/** Runs one order. Throws kind `usage` if preflight fails (nothing was changed), and the interruption of the run
 * (everything was rolled back; the same request resumes the run). */
export async function runOrder(request: FactoryRequest, run: RunContext): Promise<FactoryResult> {
  const repository = await openRepository(request.repo, run.env);
  refuseOutInside(repository, request.out);
  const lock = await takeLock(join(repository.stateDir, "lock"), `the repository ${repository.root}`);
  try {
    return await runLocked(request, repository, run);
  } finally {
    await lock.release();
    await removeStateDir(repository);
  }
}

async function runLocked(
  request: FactoryRequest,
  repository: Repository,
  run: RunContext,
): Promise<FactoryResult> {
  const before = await endInterrupted(request, repository, run);
  if (before) return before;
  const prepared = await preflight(request, repository, run);
  const finished = await readSummary(prepared.runDir);
  if (finished) return { summary: finished, runDir: prepared.runDir, shown: true };
  await request.onRunId?.(prepared.id);
  return carryOut(prepared, run);
}

/** Rolls back or finishes a killed run. Returns the result if it was this run and it was accepted. */
async function endInterrupted(
  request: FactoryRequest,
  repository: Repository,
  run: RunContext,
): Promise<FactoryResult | undefined> {
  const recovered = await recover(repository);
  const tell = (message: string): void => run.bus.emit({ type: "log", level: "warning", message });
  if (recovered.found === "rolled_back") {
    const saved = recovered.rescued === null ? "" : `; other changes are saved in ${recovered.rescued}`;
    tell(`the interrupted run ${recovered.runId} was rolled back${saved}`);
  }
  if (recovered.found !== "passed") return undefined;
  const { marker } = recovered;
  await finishAccepted(repository, marker);
  const isThisRun =
    marker.work_order_hash === request.order.hash && marker.config_hash === configHash(settingsOf(run));
  if (
    isThisRun &&
    marker.passed &&
    (await realpath(marker.run_dir)) === (await realpath(join(request.out, marker.run_id)).catch(() => ""))
  ) {
    return { summary: marker.passed.summary, runDir: marker.run_dir, shown: true };
  }
  tell(`the interrupted run ${marker.run_id} had passed and was finished: ${marker.run_dir}`);
  return undefined;
}
