// Read-only view of a project for `design show` and the page, without a lock. An unfinished change of a killed process
// is shown as the next command will complete it.
import { join } from "node:path";
import { AtomsmithError } from "../../core/errors.ts";
import type { JsonValue } from "../../core/json.ts";
import { RunReader } from "../../store/index.ts";
import { CHECKLIST } from "./checklist/index.ts";
import { CHECKLIST_STAGES } from "./checklist/spec.ts";
import { OWN_FOLDER, ProjectReader, REPORTS } from "./folder.ts";
import { applyPatch, differenceOf } from "./patches.ts";
import { readPipelineFile } from "./pipeline/file.ts";
import { readIndex } from "./runs.ts";
import type { ArtifactIndex, Difference, PatchFile, ProjectState, Run, Version } from "./schemas.ts";

export class ProjectView {
  readonly reader: ProjectReader;
  /** A running process has the project's lock. */
  readonly locked: boolean;

  private constructor(reader: ProjectReader, held: boolean) {
    this.reader = reader;
    this.locked = held;
  }

  /** Throws kind `usage` when the folder does not contain a project. */
  static async open(dir: string): Promise<ProjectView> {
    const reader = new ProjectReader(dir);
    const store = new RunReader(join(dir, OWN_FOLDER), { loop: "design", id: "project" });
    return new ProjectView(reader, await store.isLocked());
  }

  get state(): ProjectState {
    const { state } = this.reader;
    const isActive = state.state === "PROCESSING" || state.state === "RUNNING";
    return isActive && !this.locked ? { ...state, state: "ERROR" } : state;
  }

  get spec(): JsonValue {
    return JSON.parse(this.reader.text("spec.json") ?? "null");
  }

  /** Oldest first. */
  patches(): PatchFile[] {
    return this.reader.patchIds().map((id) => this.reader.patch(id));
  }

  /** Oldest first. */
  runs(): Run[] {
    return this.reader.runIds().map((id) => this.withLiveStatus(this.reader.run(id)));
  }

  /** A run by its id or number. Throws kind `usage`. */
  run(text: string): Run {
    return this.withLiveStatus(this.reader.run(this.runId(text)));
  }

  artifacts(): ArtifactIndex {
    return readIndex(this.reader.text(join(REPORTS, "artifact_index.json")));
  }

  /** The artifacts of a run; null if it is not in the index. */
  artifactsOf(text: string): ArtifactIndex["runs"][number] | null {
    const wanted = this.runId(text);
    return this.artifacts().runs.find(({ run_id }) => run_id === wanted) ?? null;
  }

  versions(): Version[] {
    return this.reader.versions().map((number) => this.reader.version(number));
  }

  /** A version by its number. Throws kind `usage`. */
  version(text: string): Version {
    const number = Number(text);
    if (/^\d+$/.test(text) && this.reader.versions().includes(number)) return this.reader.version(number);
    throw new AtomsmithError("usage", `no version ${text} of the spec`);
  }

  /** Names of the stages, in order. Throws kind `usage` for an invalid pipeline file. */
  stages(): string[] {
    const { pipeline } = this.reader.project;
    if (pipeline === CHECKLIST) return [...CHECKLIST_STAGES];
    return readPipelineFile(this.reader.path(pipeline)).file.stages.map(({ name }) => name);
  }

  /** The changes of a patch relative to its base, or to the current spec while it is pending. */
  differenceOf(patch: PatchFile): Difference[] {
    const versions = this.versions();
    const at = versions.findIndex(({ patch_id }) => patch_id === patch.patch_id);
    const [before, after] = [versions[at - 1], versions[at]];
    if (before !== undefined && after !== undefined) return differenceOf(before.spec, after.spec);
    const base = versions.find(({ hash }) => hash === patch.base_hash)?.spec;
    const applied = base === undefined ? undefined : applyPatch(base, patch.patches);
    return base !== undefined && applied?.ok === true ? differenceOf(base, applied.value) : [];
  }

  private withLiveStatus(run: Run): Run {
    return run.status === "running" && !this.locked ? { ...run, status: "interrupted" } : run;
  }

  private runId(text: string): string {
    const number = /^(?:run_)?(\d+)$/.exec(text)?.[1];
    const found = this.reader.runIds().find((id) => Number(id.replace(/\D/g, "")) === Number(number));
    if (found !== undefined) return found;
    throw new AtomsmithError("usage", `no run ${text} in this project`);
  }
}
