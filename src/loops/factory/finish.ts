// Ends an attempt or a run: rolled back, accepted, or failed. The summary is written last.
import { join } from "node:path";
import { toAtomsmithError } from "../../core/errors.ts";
import { writeFileAtomic } from "../../store/atomic.ts";
import { Artifacts, SUMMARY_FILE } from "./artifacts.ts";
import { failureBrief } from "./prompt.ts";
import { makeCommit } from "./repo/branch.ts";
import { type Change, takeSnapshot, textOf, treeHash } from "./repo/snapshot.ts";
import type { Drift, RunSummary } from "./schemas.ts";
import type { FactoryServices } from "./services.ts";
import { type FactoryState, failed } from "./state.ts";
import { brokenConditions } from "./verify.ts";

/** Checks the preconditions before the model is called. */
export async function check(
  state: FactoryState,
  { order, repository }: FactoryServices,
): Promise<FactoryState> {
  const broken = brokenConditions(repository.root, order.preconditions ?? []);
  return broken.length === 0 ? state : { ...state, failure: failureBrief("preflight", broken.join("\n")) };
}

/** Rolls back the attempt. An incomplete rollback ends the run; its marker is kept. */
export async function rollBack(before: FactoryState, services: FactoryServices): Promise<FactoryState> {
  let state = before;
  const { emit, transaction, artifacts } = services;
  const { attempt, failure } = state;
  if (failure) {
    emit({
      type: "attempt_failed",
      attempt,
      stage: failure.stage,
      reason: firstLine(failure.primary_error_excerpt),
    });
  }
  if (transaction.isOpen) {
    try {
      const left = await transaction.rollBack();
      state = { ...state, drift: toDrift(left) };
      emit({ type: "rolled_back", attempt, drift: left.length });
    } catch (error) {
      const { message, details } = toAtomsmithError(error);
      state = failed(state, failureBrief("exception", `${message}\nto fix it: ${details.hint ?? ""}`));
    }
  }
  await artifacts.json(Artifacts.inAttempt(attempt, "failure_brief.json"), state.failure);
  return { ...state, proposal: null };
}

/** PASS: creates the commit if requested, writes the summary, then removes the marker. */
export async function accept(state: FactoryState, services: FactoryServices): Promise<FactoryState> {
  const { transaction, branch, repository, baseline, order } = services;
  const { changes, now } = await transaction.drift();
  const drift = toDrift(changes);
  const commit =
    branch === null
      ? null
      : {
          branch,
          id: await makeCommit(repository, {
            baseline: baseline.commit,
            message: commitMessage(order.title, order.id, state.run_id),
            paths: transaction.paths,
          }),
        };
  const removed = commit !== null && services.removeDrift;
  if (removed) await transaction.removeDrift(commit.id);
  const hash = treeHash(repository.root, removed ? takeSnapshot(repository.root, baseline.snapshot) : now);
  const final: FactoryState = { ...state, proposal: null, drift, ended_stage: "success" };
  await transaction.accept(summaryOf(final, services, hash), commit);
  return final;
}

/** FAIL: the repository is restored. */
export async function fail(state: FactoryState, services: FactoryServices): Promise<FactoryState> {
  const final: FactoryState = { ...state, proposal: null, ended_stage: state.failure?.stage ?? "exception" };
  const text = `${JSON.stringify(summaryOf(final, services, null), null, 2)}\n`;
  await writeFileAtomic(join(services.artifacts.dir, SUMMARY_FILE), text);
  return final;
}

function summaryOf(state: FactoryState, services: FactoryServices, hashAfter: string | null): RunSummary {
  const passed = state.ended_stage === "success";
  const facts = services.facts();
  return {
    run_id: state.run_id,
    repo_path: facts.repo_path,
    work_order_path: facts.work_order_path,
    work_order_hash: facts.work_order_hash,
    repo_baseline_commit: services.baseline.commit,
    repo_tree_hash_before: facts.repo_tree_hash_before,
    repo_tree_hash_after: hashAfter,
    max_attempts: facts.max_attempts,
    attempts: state.attempts,
    verdict: passed ? "PASS" : "FAIL",
    ended_stage: state.ended_stage ?? "exception",
    started_utc: state.started_utc,
    ended_utc: services.now(),
    jail: facts.jail,
    drift: state.drift,
    usage: facts.usage,
  };
}

function commitMessage(title: string, order: string, run: string): string {
  const subject = title.replace(/\s+/g, " ").trim();
  return `${subject}\n\nWork order: ${order.replace(/\s+/g, " ")}\nRun: ${run}\n`;
}

function toDrift(changes: readonly Change[]): Drift[] {
  return changes.map(({ path, change }) => ({ path: textOf(path), change }));
}

function firstLine(text: string): string {
  return text.split("\n").find((line) => line.trim() !== "") ?? "";
}
