// Runs many items: plans what changed, runs some of them concurrently in the given order, stops starting items when
// none can succeed, and collects one small result per item. Only running items use memory.
import { noGateResults } from "../contract/gates.ts";
import { AtomsmithError, EXIT, type ExitCode, toAtomsmithError } from "../core/errors.ts";
import { createItemEmit } from "../loops/item/events.ts";
import {
  failedResult,
  HiddenPaths,
  type ItemResult,
  NO_USAGE,
  type RunServices,
  runItem,
} from "../loops/item/index.ts";
import { OutputStore } from "../loops/item/output-store.ts";
import { reportPath } from "../runtime/atom-set.ts";
import type { Discovery, FoundSpec } from "./discover.ts";
import { batchExit } from "./exit.ts";
import { type Decision, Planner } from "./plan.ts";

export interface BatchOptions {
  force: boolean;
  failFast: boolean;
  /** Do everything except accepting; nothing is written below the output directory. */
  dryRun: boolean;
  /** Number of concurrent items. */
  concurrency: number;
  /** Runs an item elsewhere; by default, items run in this process. */
  perform?: (decision: Decision) => Promise<ItemResult | NotPerformed>;
  /** Called once when no further item may start. */
  onStop?: (reason: string) => void;
}

/** An item that was not started elsewhere, and the exit code for it. */
export interface NotPerformed {
  notStarted: string;
  exit: ExitCode | null;
}

/** One item of a batch: its result, and whether it ran. */
export interface BatchItem extends ItemResult {
  spec_path: string;
  /** Why it ran or was skipped. */
  reason: string;
  up_to_date: boolean;
}

export interface NotStarted {
  item_id: string;
  reason: string;
}

export interface BatchTotals extends Record<string, number | null | ItemResult["usage"]> {
  items: number;
  accepted: number;
  human_required: number;
  error: number;
  interrupted: number;
  up_to_date: number;
  not_started: number;
  usage: ItemResult["usage"];
  duration_ms: number;
}

export interface BatchResult {
  items: BatchItem[];
  not_started: NotStarted[];
  totals: BatchTotals;
  exit: ExitCode;
}

export interface PlanEntry {
  item_id: string;
  spec_path: string;
  would_run: boolean;
  reason: string;
}

/** Decides which items would run, without running them. */
export async function planBatch(
  discovery: Discovery,
  run: RunServices,
  force: boolean,
): Promise<PlanEntry[]> {
  const planner = new Planner(run, { force });
  const entries: PlanEntry[] = [];
  for (const spec of discovery.specs) {
    run.signal.throwIfAborted();
    const decision = await planner.decide(spec);
    entries.push({
      item_id: spec.itemId,
      spec_path: spec.path,
      would_run: decision.run,
      reason: decision.reason,
    });
  }
  return entries;
}

/** Never throws for a single item; throws errors that stop the whole batch. */
export async function runBatch(
  discovery: Discovery,
  run: RunServices,
  options: BatchOptions,
): Promise<BatchResult> {
  const batch = new Batch(discovery, run, options);
  await batch.runAll();
  return batch.result();
}

class Batch {
  private readonly startedAt = performance.now();
  private readonly items: BatchItem[] = [];
  private readonly notStarted: NotStarted[] = [];
  private readonly codes = new Set<ExitCode>();
  private readonly hidden: HiddenPaths;
  private readonly planner: Planner;
  private readonly specs: FoundSpec[];
  private next = 0;
  private done = 0;
  /** Why no further items are started. */
  private stopped: { reason: string; code?: ExitCode } | undefined;
  private readonly discovery: Discovery;
  private readonly run: RunServices;
  private readonly options: BatchOptions;

  constructor(discovery: Discovery, run: RunServices, options: BatchOptions) {
    this.discovery = discovery;
    this.run = run;
    this.options = options;
    this.planner = new Planner(run, { force: options.force });
    this.specs = discovery.specs;
    this.hidden = new HiddenPaths(run.config, [
      ...this.specs.map((spec) => spec.path),
      ...(run.ownFiles ?? []),
    ]);
  }

  async runAll(): Promise<void> {
    this.progress();
    for (const problem of this.discovery.problems) {
      const failed = failedResult(problem.itemId, problem.error, this.outputDir(problem.itemId), { ms: 0 });
      this.record(failed, problem.path, "unusable", problem.error.exitCode);
    }
    const workers = Array.from({ length: Math.max(1, this.options.concurrency) }, () => this.worker());
    await Promise.all(workers);
  }

  private async worker(): Promise<void> {
    for (let spec = this.specs[this.next]; spec !== undefined; spec = this.specs[this.next]) {
      this.next += 1;
      this.checkForStop();
      if (this.stopped) {
        this.recordNotStarted(spec, this.stopped.reason);
        continue;
      }
      await this.runItem(spec);
    }
  }

  /** Checks for reasons outside the items to start no more of them. */
  private checkForStop(): void {
    if (this.stopped) return;
    const { run } = this;
    if (run.signal.aborted || run.pause?.aborted)
      this.stopped = { reason: "interrupted", code: EXIT.interrupted };
    else if (run.llm.budget.exhausted())
      this.stopped = { reason: "the budget is exhausted", code: EXIT.budget };
  }

  private async runItem(spec: FoundSpec): Promise<void> {
    let decision: Decision;
    try {
      decision = await this.planner.decide(spec);
    } catch (thrown) {
      const error = toAtomsmithError(thrown);
      this.record(
        failedResult(spec.itemId, error, this.outputDir(spec.itemId), { ms: 0 }),
        spec.path,
        "",
        error.exitCode,
      );
      return;
    }
    try {
      if (!decision.run) {
        await this.recordUpToDate(decision);
        return;
      }
      const result = await (this.options.perform?.(decision) ?? this.perform(decision));
      if ("notStarted" in result) {
        this.notStarted.push({ item_id: spec.itemId, reason: result.notStarted });
        if (result.exit !== null) this.codes.add(result.exit);
        return;
      }
      const code = exitOf(result);
      this.record(result, spec.path, decision.reason, code);
      this.stopAfter(result);
    } catch (thrown) {
      // The item could not be opened: another process has its lock, or its directory is not writable.
      const error = toAtomsmithError(thrown);
      const failed = failedResult(spec.itemId, error, this.outputDir(spec.itemId), { ms: 0 });
      this.record(failed, spec.path, decision.reason, error.exitCode);
      this.stopAfter(failed);
    }
  }

  private perform({ spec, reason }: Decision): Promise<ItemResult> {
    const { itemId, path: specPath, sha256: specSha256 } = spec;
    const { force, dryRun } = this.options;
    const mode = force ? "restart" : "continue";
    return runItem({ itemId, specPath, specSha256, reason, mode, dryRun, hidden: this.hidden }, this.run);
  }

  /** Stops after an error that every further item would meet, or a failure with --fail-fast. */
  private stopAfter(result: ItemResult): void {
    if (this.stopped || result.status === "accepted") return;
    const kind = result.error?.kind;
    if (kind === "sandbox" || kind === "store" || kind === "internal") {
      this.stopped = { reason: `stopped after ${result.item_id}: ${result.error?.message}` };
    } else if (result.fatal) {
      this.stopped = { reason: `no further item can succeed: ${result.error?.message}` };
    } else if (this.options.failFast && kind !== "interrupted") {
      this.stopped = { reason: `--fail-fast after ${result.item_id}` };
    }
    if (this.stopped) this.options.onStop?.(this.stopped.reason);
  }

  private recordNotStarted(spec: FoundSpec, reason: string): void {
    this.notStarted.push({ item_id: spec.itemId, reason });
    if (this.stopped?.code !== undefined) this.codes.add(this.stopped.code);
  }

  private record(result: ItemResult, specPath: string, reason: string, code: ExitCode): void {
    this.items.push({ ...result, spec_path: specPath, reason, up_to_date: false });
    this.codes.add(code);
    this.done += 1;
    this.progress();
  }

  private async recordUpToDate(decision: Decision): Promise<void> {
    const { spec, manifest, reason } = decision;
    if (!manifest) return;
    if (manifest.outdated !== undefined && !this.options.dryRun) await this.unmark(spec);
    this.items.push({
      item_id: spec.itemId,
      status: manifest.status,
      iterations: manifest.iterations,
      gates: { ...noGateResults(), ...manifest.gates },
      errors: [],
      output_dir: this.outputDir(spec.itemId),
      ...(manifest.status === "human_required" ? { report: reportPath(this.outputDir(spec.itemId)) } : {}),
      usage: NO_USAGE,
      duration_ms: 0,
      spec_path: spec.path,
      reason,
      up_to_date: true,
    });
    this.codes.add(manifest.status === "accepted" ? EXIT.ok : EXIT.human);
    createItemEmit(this.run.bus, spec.itemId)({ type: "item_skipped", reason });
    this.done += 1;
    this.progress();
  }

  /** Removes the outdated mark: the page is again the one of the set. */
  private async unmark(spec: FoundSpec): Promise<void> {
    const output = await OutputStore.open(this.run.config.paths.output_dir, spec.itemId);
    try {
      await output.markOutdated({ path: spec.path, sha256: spec.sha256 }, new Date().toISOString());
    } finally {
      await output.close();
    }
  }

  private outputDir(itemId: string): string {
    return `${this.run.config.paths.output_dir}/${itemId}`;
  }

  private progress(): void {
    const total = this.specs.length + this.discovery.problems.length;
    this.run.bus.emit({ type: "progress", what: "items", done: this.done, total });
  }

  result(): BatchResult {
    const order = (a: { item_id: string }, b: { item_id: string }): number =>
      a.item_id < b.item_id ? -1 : 1;
    const items = this.items.sort(order);
    const count = (status: ItemResult["status"]): number =>
      items.filter((item) => item.status === status).length;
    const interrupted = items.filter((item) => item.error?.kind === "interrupted").length;
    return {
      items,
      not_started: this.notStarted.sort(order),
      totals: {
        items: this.specs.length + this.discovery.problems.length,
        accepted: count("accepted"),
        human_required: count("human_required"),
        error: count("error") - interrupted,
        interrupted,
        up_to_date: items.filter((item) => item.up_to_date).length,
        not_started: this.notStarted.length,
        usage: items.reduce((sum, item) => addUsage(sum, item.usage), NO_USAGE),
        duration_ms: Math.round(performance.now() - this.startedAt),
      },
      exit: batchExit(this.codes),
    };
  }
}

/** Exit code of one item, the same as that of `generate`. */
export function exitOf(result: ItemResult): ExitCode {
  if (result.status === "accepted") return EXIT.ok;
  if (result.status === "human_required") return EXIT.human;
  return result.error ? new AtomsmithError(result.error.kind, "").exitCode : EXIT.bug;
}

function addUsage(a: ItemResult["usage"], b: ItemResult["usage"]): ItemResult["usage"] {
  return {
    calls: a.calls + b.calls,
    input_tokens: a.input_tokens + b.input_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
    cost_usd: a.cost_usd === null || b.cost_usd === null ? null : a.cost_usd + b.cost_usd,
  };
}
