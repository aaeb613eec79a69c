// Decides which items must run, and why. An item is up to date when page, evidence (the content of the files read),
// prompts, author settings, contract and gates are those of its manifest and its files are unchanged since they were
// proved. Runs nothing; a log that several items read is hashed once.
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Manifest } from "../contract/manifest.ts";
import { CONTRACT_VERSION, GATES_VERSION } from "../core/version.ts";
import { limitsHash, type RunServices } from "../loops/item/index.ts";
import { ItemReader } from "../loops/item/item-store.ts";
import { type AtomSetState, pendingManifest, verifyAtomSetSync } from "../runtime/atom-set.ts";
import { hashFile } from "../store/index.ts";
import type { FoundSpec } from "./discover.ts";

export interface Decision {
  spec: FoundSpec;
  run: boolean;
  /** Why it runs or is skipped. */
  reason: string;
  /** Its manifest, if it is skipped. */
  manifest?: Manifest;
}

export interface PlanOptions {
  force: boolean;
}

/** Decides per item; hashes of logs are shared by all items. */
export class Planner {
  private readonly run: RunServices;
  private readonly options: PlanOptions;
  private readonly limits: string;
  private readonly hashes = new Map<string, Promise<string | undefined>>();

  constructor(run: RunServices, options: PlanOptions) {
    this.run = run;
    this.options = options;
    this.limits = limitsHash(run.config);
  }

  async decide(spec: FoundSpec): Promise<Decision> {
    if (this.options.force) return { spec, run: true, reason: "forced" };
    const dir = join(this.run.config.paths.output_dir, spec.itemId);
    const set = verifyAtomSetSync(dir);
    if (set?.state === "accepted" || set?.state === "stub") {
      const change = await this.changed(spec, set.manifest);
      if (change === undefined && set.state === "accepted") {
        return { spec, run: false, reason: "up to date", manifest: set.manifest };
      }
      if (change === undefined) return this.decidePending(spec, set.manifest);
    }
    // A later attempt that was not accepted waits for review as long as its inputs are unchanged.
    const pending = pendingManifest(dir);
    if (pending !== undefined && (await this.changed(spec, pending)) === undefined) {
      return this.decidePending(spec, pending);
    }
    return { spec, run: true, reason: await this.reasonToRun(spec, set) };
  }

  private async decidePending(spec: FoundSpec, manifest: Manifest): Promise<Decision> {
    const unfinished = await this.unfinished(spec);
    if (unfinished !== undefined) return { spec, run: true, reason: unfinished };
    return { spec, run: false, reason: "needs review", manifest };
  }

  private async reasonToRun(spec: FoundSpec, set: AtomSetState | undefined): Promise<string> {
    if (set === undefined || set.state === "no_manifest") return (await this.unfinished(spec)) ?? "new";
    if (set.state === "bad_manifest") return `its manifest ${set.problem}`;
    const change = await this.changed(spec, set.manifest);
    const files = set.state === "modified" ? set.changed.join(", ") : "its manifest";
    return change ?? `changed since acceptance: ${files}`;
  }

  private async changed(spec: FoundSpec, manifest: Manifest): Promise<string | undefined> {
    if (manifest.spec.sha256 !== spec.sha256) return "the page changed";
    if (manifest.author.settings_sha256 !== this.run.authorSettings.settings_sha256) {
      return "the author's settings changed";
    }
    if (manifest.prompts_sha256 !== this.run.promptsSha256) return "the prompts changed";
    if (manifest.contract_version !== CONTRACT_VERSION) return "the contract changed";
    if (manifest.inputs?.gates_version !== GATES_VERSION) return "the gates changed";
    for (const file of manifest.evidence) {
      const sha256 = await this.hash(resolve(this.run.searchRoot, file.path));
      if (sha256 === undefined) return `a log no longer exists: ${file.path}`;
      if (sha256 !== file.sha256) return `a log changed: ${file.path}`;
    }
    if (manifest.status === "accepted") return undefined;
    if (manifest.inputs.limits_sha256 !== this.limits) return "the limits changed since the review request";
    const listing = manifest.inputs.listing_sha256;
    if (listing !== undefined && listing !== (await this.run.listing())) {
      return "files were added or removed since no log was found";
    }
    return undefined;
  }

  private hash(path: string): Promise<string | undefined> {
    let known = this.hashes.get(path);
    if (known === undefined) {
      known = hashFile(path).then((result) => result?.sha256);
      this.hashes.set(path, known);
    }
    return known;
  }

  /** A run that was interrupted, killed or failed for infrastructure reasons is continued. */
  private async unfinished(spec: FoundSpec): Promise<string | undefined> {
    const reader = new ItemReader(this.run.config.paths.cache_dir, spec.itemId);
    if (!existsSync(reader.dir)) return undefined;
    const checkpoint = await reader.loadCheckpoint().catch(() => undefined);
    if (checkpoint === undefined || checkpoint.state["finished"] === true) return undefined;
    return `unfinished, continues at ${checkpoint.stage}`;
  }
}
