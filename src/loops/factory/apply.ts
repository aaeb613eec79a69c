// TR: checks scope and base hashes before writing anything, then writes every file atomically.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { toAtomsmithError } from "../../core/errors.ts";
import { sha256 } from "../../core/hash.ts";
import { unifiedDiff } from "../../report/unified-diff.ts";
import { Artifacts } from "./artifacts.ts";
import { forbiddenBy, placeOf } from "./paths.ts";
import { failureBrief } from "./prompt.ts";
import type { PlannedWrite } from "./repo/transaction.ts";
import { DIFF_FILE } from "./report.ts";
import type { FailureBrief, WorkOrder, WriteProposal } from "./schemas.ts";
import type { FactoryServices } from "./services.ts";
import { type FactoryState, failed, withRecord } from "./state.ts";

interface Planned extends PlannedWrite {
  /** The previous text; null for a new file. */
  before: string | null;
}

/** Writes the proposal of the attempt into the work tree. */
export async function apply(state: FactoryState, services: FactoryServices): Promise<FactoryState> {
  const { artifacts, order, repository } = services;
  const writes = state.proposal?.writes ?? [];
  const touched = writes.map(({ path }) => path).sort();
  const planned = plan(writes, order, repository.root);
  if (!("stage" in planned))
    await artifacts.text(Artifacts.inAttempt(state.attempt, DIFF_FILE), diffOf(planned.writes));
  const failure = "stage" in planned ? planned : await write(planned.writes, services);
  const after = withRecord(state, { touched_files: touched, write_ok: failure === null });
  await artifacts.json(Artifacts.inAttempt(state.attempt, "write_result.json"), {
    write_ok: failure === null,
    touched_files: touched,
    errors: failure === null ? [] : [failure.primary_error_excerpt],
  });
  return failure === null ? after : failed(after, failure);
}

function diffOf(writes: readonly Planned[]): string {
  return writes.map(({ path, before, content }) => unifiedDiff(path, before, content)).join("");
}

async function write(writes: PlannedWrite[], services: FactoryServices): Promise<FailureBrief | null> {
  try {
    await services.transaction.write(writes);
    return null;
  } catch (error) {
    return failureBrief("write_failed", services.redact(toAtomsmithError(error).message));
  }
}

/** The target of each file, or the failure. All are checked before anything is written. */
function plan(
  writes: WriteProposal["writes"],
  order: WorkOrder,
  root: string,
): { writes: Planned[] } | FailureBrief {
  const outside: string[] = [];
  const stale: string[] = [];
  const planned: Planned[] = [];
  for (const { path, base_sha256, content } of writes) {
    const place = placeOf(root, path);
    const problem = scopeProblem(path, order) ?? (place.ok ? undefined : place.problem);
    if (problem !== undefined || !place.ok) {
      outside.push(problem ?? path);
      continue;
    }
    const forbidden = forbiddenBy(order.forbidden, place.real);
    if (forbidden !== undefined) outside.push(`${path} is forbidden (${forbidden})`);
    const current = place.exists ? readFileSync(join(root, place.real)) : null;
    const hash = sha256(current ?? "");
    if (hash !== base_sha256)
      stale.push(`${path} has the SHA-256 ${hash}, the proposal was made for ${base_sha256}`);
    planned.push({ path: place.real, content, before: current?.toString("utf8") ?? null });
  }
  if (outside.length > 0) return failureBrief("write_scope_violation", outside.join("\n"));
  if (stale.length > 0) return failureBrief("stale_context", stale.join("\n"));
  return { writes: planned };
}

function scopeProblem(path: string, order: WorkOrder): string | undefined {
  if (!order.allowed_files.includes(path)) return `${path} is not one of the allowed files`;
  const forbidden = forbiddenBy(order.forbidden, path);
  return forbidden === undefined ? undefined : `${path} is forbidden (${forbidden})`;
}
