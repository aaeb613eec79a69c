// Offers the model's proposal to the user: a patch with its effect, a run, or only text. One change of the project
// folder; applies and runs nothing.
import { patchPath } from "../folder.ts";
import type { PatchFile, PendingRun } from "../schemas.ts";
import { restingState } from "../state.ts";
import { turnLine } from "../turn-line.ts";
import type { TurnDeps, TurnState } from "../turn-state.ts";
import { file } from "../versions.ts";

export async function offer(state: TurnState, { project }: TurnDeps): Promise<TurnState> {
  const { directive } = state;
  if (directive === null) return state;
  const patch = await proposal(state, project);
  const { run, run_until, reason, expected_signal } = directive.run_request;
  const before = project.state;
  const pending_run: PendingRun | null = run
    ? { run_until, reason, expected_signal, turn: state.turn, patch_id: patch?.patch_id ?? null }
    : before.pending_run;
  const pending_patch_ids = [...before.pending_patch_ids, ...(patch === null ? [] : [patch.patch_id])];
  const next = restingState({ ...before, turn: state.turn, pending_patch_ids, pending_run });
  await project.write({
    files: [...(patch === null ? [] : [file(patchPath(patch.patch_id), patch)]), file("state.json", next)],
    lines: [turnLine(state)],
  });
  if (patch !== null)
    project.services.emit({ type: "design_patch", patch_id: patch.patch_id, status: "proposed" });
  return { ...state, patch_id: patch?.patch_id ?? null };
}

async function proposal(
  { directive, turn }: TurnState,
  project: TurnDeps["project"],
): Promise<PatchFile | null> {
  if (directive === null || directive.proposed_patches.length === 0) return null;
  const base = project.reader.latestVersion();
  const trial = project.tryPatch(base.spec, directive.proposed_patches);
  if (!trial.ok) return null;
  const preview = await project.preview(base.spec, trial.spec, trial.difference);
  return project.newPatch(directive.proposed_patches, directive.assistant_message, base.hash, turn, preview);
}
