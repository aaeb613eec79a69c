// A design project under its lock, and the user's decisions about patches, runs and versions. Every decision is one
// change of the folder, and only a decision changes the spec or starts a run. Works without a model.
import { join, resolve } from "node:path";
import type { Config } from "../../config/schema.ts";
import { AtomsmithError } from "../../core/errors.ts";
import type { JsonValue } from "../../core/json.ts";
import { type Redact, redactDeep } from "../../core/redact/index.ts";
import { RunStore } from "../../store/index.ts";
import type { DesignEmit } from "./events.ts";
import { type Change, OWN_FOLDER, ProjectReader, ProjectWriter, padNumber, patchPath } from "./folder.ts";
import { applyPatch, differenceOf } from "./patches.ts";
import { NO_PREVIEW, type Pipeline, type Preview } from "./pipeline/types.ts";
import { editedSpec, interruptedFiles, invalidEdit } from "./recovery.ts";
import type { Difference, Operation, PatchFile, PendingRun, ProjectState, Version } from "./schemas.ts";
import { pendingRunAfter, restingState } from "./state.ts";
import { file, newVersion, versionFiles } from "./versions.ts";

export interface ProjectServices {
  config: Config;
  redact: Redact;
  /** The user who decides; stored with every decision. */
  userName: string;
  emit: DesignEmit;
  signal: AbortSignal;
  now(): Date;
}

/** Result of applying a set of operations. */
export type Trial = { ok: true; spec: JsonValue; difference: Difference[] } | { ok: false; problem: string };

export class DesignProject {
  readonly dir: string;
  readonly pipeline: Pipeline;
  readonly services: ProjectServices;
  readonly store: RunStore;
  private readonly writer: ProjectWriter;

  private constructor(dir: string, pipeline: Pipeline, services: ProjectServices, store: RunStore) {
    this.dir = dir;
    this.pipeline = pipeline;
    this.services = services;
    this.store = store;
    this.writer = new ProjectWriter(dir);
  }

  /**
   * Acquires the project's lock, finishes the change of a killed process, and stores a manually edited spec as a new
   * version. Throws kind `usage` when another process holds the project, kind `spec` for an invalid spec.
   */
  static async open(
    dir: string,
    services: ProjectServices,
    openPipeline: (reader: ProjectReader) => Pipeline,
  ): Promise<DesignProject> {
    const projectDir = resolve(dir);
    new ProjectReader(projectDir);
    const { cache } = services.config;
    const retention = { maxCheckpointsPerHour: cache.max_checkpoints_per_hour, keepHours: cache.keep_hours };
    const run = { loop: "design", id: "project" };
    const store = await RunStore.open(join(projectDir, OWN_FOLDER), run, retention, services.redact);
    try {
      await new ProjectWriter(projectDir).recover();
      const project = new DesignProject(
        projectDir,
        openPipeline(new ProjectReader(projectDir)),
        services,
        store,
      );
      await project.recover();
      return project;
    } catch (error) {
      await store.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.pipeline.close?.();
    await this.store.close();
  }

  /** The current content of the folder. */
  get reader(): ProjectReader {
    return new ProjectReader(this.dir);
  }

  get state(): ProjectState {
    return this.reader.state;
  }

  /** Applies operations to a copy of a spec: they must apply, change something, and result in a valid spec. */
  tryPatch(spec: JsonValue, operations: readonly Operation[]): Trial {
    const applied = applyPatch(spec, operations);
    if (!applied.ok) return applied;
    const difference = differenceOf(spec, applied.value);
    if (difference.length === 0) return { ok: false, problem: "the patch changes nothing" };
    const problems = this.pipeline.problems(applied.value);
    if (problems.length === 0) return { ok: true, spec: applied.value, difference };
    return {
      ok: false,
      problem: `the spec would not fit its schema: ${problems.slice(0, 5).join("; ")}`,
    };
  }

  /** The effect of a difference on the results; empty if the pipeline cannot predict it. */
  async preview(before: JsonValue, after: JsonValue, changes: readonly Difference[]): Promise<Preview> {
    return (await this.pipeline.preview?.(before, after, changes, this.services.signal)) ?? NO_PREVIEW;
  }

  /** Writes files of the project and lines of the turn log as one change. */
  async write(change: Change): Promise<void> {
    const lines = change.lines?.map((line) => redactDeep(line, this.services.redact));
    await this.writer.write({ ...change, ...(lines === undefined ? {} : { lines }) });
    if (!change.files.some(({ path }) => path === "state.json")) return;
    const { state, turn } = this.state;
    this.services.emit({ type: "design_state", state, turn });
  }

  // ---- decisions -------------------------------------------------------------------------------------------------

  async approvePatch(id: string, reason: string | null): Promise<PatchFile> {
    const patch = this.pendingPatch(id);
    const { spec } = this.reader.latestVersion();
    const trial = this.tryPatch(spec, patch.patches);
    if (!trial.ok) {
      await this.commitDecision([{ ...patch, status: "failed", reason: trial.problem }], {});
      throw new AtomsmithError("usage", `patch ${patch.patch_id} no longer applies: ${trial.problem}`);
    }
    const approved = this.withDecision(patch, "approved", reason);
    await this.commitDecision(
      [approved],
      { spec: trial.spec, patchId: patch.patch_id },
      this.decisionLine("approve", patch.patch_id, reason),
    );
    return approved;
  }

  async rejectPatch(id: string, reason: string | null): Promise<PatchFile> {
    const rejected = this.withDecision(this.pendingPatch(id), "rejected", reason);
    await this.commitDecision([rejected], {}, this.decisionLine("reject", rejected.patch_id, reason));
    return rejected;
  }

  async rejectRun(reason: string | null): Promise<void> {
    this.pendingRun();
    const state = restingState({ ...this.state, pending_run: null });
    await this.write({
      files: [file("state.json", state)],
      lines: [this.decisionLine("reject", "run", reason)],
    });
  }

  /** Applies a patch of the user at once, completely or not at all. Throws kind `usage`. */
  async patch(
    operations: readonly Operation[],
    explanation: string,
    reason: string | null,
  ): Promise<PatchFile> {
    const base = this.reader.latestVersion();
    const trial = this.tryPatch(base.spec, operations);
    if (!trial.ok) throw new AtomsmithError("usage", `the patch was not applied: ${trial.problem}`);
    const preview = await this.preview(base.spec, trial.spec, trial.difference);
    const patch = this.withDecision(
      this.newPatch(operations, explanation, base.hash, this.state.turn, preview),
      "approved",
      reason,
    );
    await this.commitDecision(
      [patch],
      { spec: trial.spec, patchId: patch.patch_id },
      this.decisionLine("patch", patch.patch_id, reason),
    );
    return patch;
  }

  /** Restores the spec before the last approved patch that is not undone yet, as a new version. */
  async undo(reason: string | null): Promise<Version> {
    const { reader } = this;
    const versions = reader.versions().map((number) => reader.version(number));
    const undone = new Set(versions.flatMap(({ undoes }) => undoes ?? []));
    const index = versions.findLastIndex(({ patch_id }) => patch_id !== null && !undone.has(patch_id));
    const [before, last] = [versions[index - 1], versions[index]];
    if (before === undefined || last === undefined || last.patch_id === null) {
      throw new AtomsmithError("usage", "no approved patch to undo");
    }
    const undoes = last.patch_id;
    await this.commitDecision(
      [],
      { spec: before.spec, patchId: null, undoes },
      this.decisionLine("undo", undoes, reason),
    );
    return this.reader.latestVersion();
  }

  /** The pending run, if no patch must be decided first. Throws kind `usage`. */
  approvableRun(): PendingRun {
    const run = this.pendingRun();
    const { pending_patch_ids: ids } = this.state;
    if (ids.length === 0) return run;
    throw new AtomsmithError("usage", `pending patches must be decided before the run: ${ids.join(", ")}`, {
      hint: "approve or reject these patches first",
    });
  }

  decisionLine(what: string, of: string, reason: string | null): object {
    const { userName: person, now } = this.services;
    return { turn: this.state.turn, decision: what, of, reason, by: person, at: now().toISOString() };
  }

  newPatch(
    patches: readonly Operation[],
    explanation: string,
    base: string,
    turn: number,
    { judged_anew, verdicts }: Preview,
  ): PatchFile {
    const last = Number(this.reader.patchIds().at(-1) ?? 0);
    return {
      patch_id: padNumber(last + 1),
      status: "proposed",
      patches: [...patches],
      explanation: this.services.redact(explanation),
      base_hash: base,
      turn,
      decided_at: null,
      reason: null,
      decided_by: null,
      judged_anew,
      verdicts,
    };
  }

  // ---- writing decisions ------------------------------------------------------------------------------------------

  /** Writes decided patches, a new version if any, its effect on the pending patches, and the state. */
  private async commitDecision(
    decided: readonly PatchFile[],
    next: { spec?: JsonValue; patchId?: string | null; undoes?: string },
    line?: object,
  ): Promise<void> {
    const { reader } = this;
    const { state } = reader;
    const decidedIds = new Set(decided.map(({ patch_id }) => patch_id));
    const waiting = state.pending_patch_ids.filter((id) => !decidedIds.has(id)).map((id) => reader.patch(id));
    const files = decided.map((patch) => file(patchPath(patch.patch_id), patch));
    let changed = [...decided];
    if (next.spec !== undefined) {
      const version = this.nextVersion(next.spec, next.patchId ?? null, next.undoes);
      const rebased = await this.rebase(waiting, version);
      files.push(...versionFiles(version), ...rebased.map((patch) => file(patchPath(patch.patch_id), patch)));
      changed = [...changed, ...rebased];
    }
    const isStillPending = (id: string): boolean =>
      changed.find((patch) => patch.patch_id === id)?.status !== "failed";
    const ids = waiting.map(({ patch_id }) => patch_id).filter(isStillPending);
    const pending_run = pendingRunAfter(state.pending_run, changed);
    files.push(file("state.json", restingState({ ...state, pending_patch_ids: ids, pending_run })));
    const failed = changed.filter(({ status }) => status === "failed");
    const lines = [
      ...(line === undefined ? [] : [line]),
      ...failed.map(({ patch_id, reason }) => this.decisionLine("failed", patch_id, reason)),
    ];
    await this.write({ files, lines });
    for (const { patch_id, status } of changed)
      this.services.emit({ type: "design_patch", patch_id, status });
  }

  /** Rebases pending patches on a new spec: proposed again on the new base, or failed with the reason. */
  private async rebase(waiting: readonly PatchFile[], version: Version): Promise<PatchFile[]> {
    const rebased: PatchFile[] = [];
    for (const patch of waiting) {
      const trial = this.tryPatch(version.spec, patch.patches);
      if (!trial.ok) {
        const reason = `no longer applies to version ${version.version}: ${trial.problem}`;
        rebased.push({ ...patch, status: "failed", reason, decided_at: this.services.now().toISOString() });
      } else {
        const preview = await this.preview(version.spec, trial.spec, trial.difference);
        rebased.push({ ...patch, base_hash: version.hash, ...preview });
      }
    }
    return rebased;
  }

  private nextVersion(spec: JsonValue, patchId: string | null, undoes?: string): Version {
    return newVersion((this.reader.versions().at(-1) ?? 0) + 1, spec, patchId, this.services, undoes);
  }

  private withDecision(patch: PatchFile, status: "approved" | "rejected", reason: string | null): PatchFile {
    const { userName: person, now } = this.services;
    return { ...patch, status, reason, decided_at: now().toISOString(), decided_by: person };
  }

  private pendingPatch(id: string): PatchFile {
    const { reader } = this;
    const patch = reader.patch(id);
    if (reader.state.pending_patch_ids.includes(patch.patch_id)) return patch;
    throw new AtomsmithError("usage", `patch ${patch.patch_id} is not pending: it is ${patch.status}`);
  }

  private pendingRun(): PendingRun {
    const run = this.state.pending_run;
    if (run === null) throw new AtomsmithError("usage", "no run is pending");
    return run;
  }

  // ---- recovery --------------------------------------------------------------------------------------------------

  /** Records an interrupted turn or run, and a manual edit of the spec. */
  private async recover(): Promise<void> {
    const files = interruptedFiles(this.reader, this.services.now());
    if (files.length > 0) await this.write({ files });
    const spec = editedSpec(this.reader);
    if (spec === undefined) return;
    const problems = this.pipeline.problems(spec);
    if (problems.length > 0) {
      const { report, error } = invalidEdit(this.reader, problems);
      await this.write({ files: [report] });
      throw error;
    }
    await this.commitDecision(
      [],
      { spec, patchId: null },
      this.decisionLine("edited by hand", "spec.json", null),
    );
  }
}
