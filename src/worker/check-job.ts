// Checks from the queue: the files of the set are part of the job; the logs are read from this worker's search root.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { z } from "zod";
import { createSandbox } from "../../sandbox/index.ts";
import type { Sandbox } from "../../sandbox/types.ts";
import { type Config, configSchema } from "../config/schema.ts";
import { ATOM_FILES } from "../contract/atoms.ts";
import { toAtomsmithError } from "../core/errors.ts";
import { EventBus } from "../core/event-bus.ts";
import { PathGuard } from "../files/guard.ts";
import { variablesOf } from "../files/variables.ts";
import { createItemEmit } from "../loops/item/events.ts";
import { loadFiles } from "../queue/index.ts";
import { MANIFEST_FILE } from "../runtime/atom-set.ts";
import {
  type CheckOptions,
  checkAtomSets,
  type FileExtraction,
  LogPool,
  parseOverride,
  type Range,
  type RangeRecords,
  rangeSchema,
  readRange,
} from "../runtime/index.ts";
import { SessionCache } from "../runtime/session-cache.ts";
import { readSet } from "../runtime/set-state.ts";
import { WITNESS_PROGRAM } from "../runtime/witness.ts";
import { dropRanges, type JoinedLog, joinedLogSchema, loadRanges, rangeOutcome } from "./range-job.ts";
import type { Outcome, Prepare, Prepared, PrepareInput, RunningJob, WorkerContext } from "./types.ts";
import { WorkerPaths } from "./worker-paths.ts";

const LOOP = "check";

/** Options shared by all checks of a submission. */
export const checkOptionsSchema = z.object({
  overrides: z.array(z.string()),
  unverified: z.boolean(),
  outdated: z.boolean(),
  /** Absolute on the submitting machine; null: those of the configs. */
  inputs: z.array(z.string()).nullable(),
  /** The day of the check, YYYY-MM-DD. */
  today: z.string(),
});
export type CheckJobOptions = z.infer<typeof checkOptionsSchema>;

/** Payload of a job of kind `check`. */
export const checkPayloadSchema = z.object({
  /** Absolute on the submitting machine. */
  dir: z.string(),
  page: z.object({ path: z.string(), body: z.string() }).nullable(),
  /** Set when the job reads one range of a log instead of checking the set. */
  range: rangeSchema.optional(),
  /** Logs whose ranges were read by other jobs. */
  joined: z.array(joinedLogSchema).optional(),
});
type CheckPayload = z.infer<typeof checkPayloadSchema>;

export const prepareChecks: Prepare = async (input, context) => {
  const config = configSchema.parse(input.submission.config);
  const children = context.config.sandbox.children ?? Math.min(4, availableParallelism());
  const { require, timeout, memory_mb: memoryMb } = config.sandbox;
  const limits = { timeoutMs: timeout * 1000, memoryMb };
  const sandbox = await createSandbox({ require, children, limits }, context.bus.emit);
  return new PreparedChecks(input, context, config, sandbox, children);
};

class PreparedChecks implements Prepared {
  private readonly input: PrepareInput;
  private readonly context: WorkerContext;
  private readonly config: Config;
  private readonly sandbox: Sandbox;
  private readonly children: number;
  private readonly options: CheckJobOptions;
  private readonly bus: EventBus;
  private readonly pool: LogPool;

  constructor(
    input: PrepareInput,
    context: WorkerContext,
    config: Config,
    sandbox: Sandbox,
    children: number,
  ) {
    this.input = input;
    this.context = context;
    this.config = config;
    this.sandbox = sandbox;
    this.children = children;
    this.options = checkOptionsSchema.parse(input.submission.options);
    this.bus = new EventBus(input.id);
    this.pool = new LogPool({ maxTextBytes: config.check.max_text_mb * 2 ** 20, signal: context.signal });
  }

  close(): Promise<void> {
    return this.sandbox.close();
  }

  async work({ job, signal }: RunningJob): Promise<Outcome> {
    const scratch = join(this.context.scratch, `${job.id}-${job.attempt}`);
    try {
      const payload = checkPayloadSchema.parse(JSON.parse(job.payload));
      const { dir, page } = payload;
      const places = new WorkerPaths({
        scratch,
        root: this.input.root,
        theirRoot: this.config.paths.search_root,
        mirrored: [dir, ...(page === null ? [] : [page.path])],
      });
      await this.writeSet(job.subject, places.localPath(dir), places);
      if (page !== null) writeFile(places.localPath(page.path), Buffer.from(page.body, "base64"));
      const { project } = this.input.submission;
      if (payload.range !== undefined) {
        return rangeOutcome(project, job, await this.readLogRange(places, dir, payload.range, signal));
      }
      const result = await this.check(places, payload, signal);
      return { end: "result", result, store: (query) => dropRanges(query, project, payload.joined ?? []) };
    } catch (thrown) {
      const { kind, message } = toAtomsmithError(thrown);
      if (kind === "interrupted") return { end: "back", reason: "the worker was stopped" };
      if (kind === "sandbox") return { end: "back", reason: message, refuse: true };
      return { end: "failed", reason: message };
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  }

  private async writeSet(subject: string, dir: string, places: WorkerPaths): Promise<void> {
    mkdirSync(dir, { recursive: true });
    const place = { space: this.input.submission.project, loop: LOOP, id: subject };
    for (const { path, body } of await loadFiles(this.context.queue.db, place)) {
      // The manifest may name its page by an absolute path.
      const own =
        path === MANIFEST_FILE ? Buffer.from(places.toLocal(Buffer.from(body).toString("utf8"))) : body;
      writeFile(join(dir, path), own);
    }
  }

  /** Reads one range of a log; returns its records, or the reason why the log must be read as a whole. */
  private async readLogRange(
    places: WorkerPaths,
    dir: string,
    range: Range,
    signal: AbortSignal,
  ): Promise<RangeRecords | string> {
    const set = await readSet(places.localPath(dir));
    if (set.state !== "accepted" || set.manifest.line_local !== true)
      return "the set is not proved line-local";
    const { sandbox, pool, root } = this;
    const session = await sandbox.open({ name: ATOM_FILES.atom_a, source: set.sources.atom_a });
    const shared = new SessionCache(sandbox);
    try {
      return await readRange(places.toLocal(range.path), range, {
        session,
        openWitness: () => shared.open(WITNESS_PROGRAM.name, WITNESS_PROGRAM.source),
        pool,
        guard: new PathGuard(root),
        ...this.limits,
        signal,
      });
    } finally {
      await session.close();
      await shared.close();
    }
  }

  /** Joined ranges by local path. A log with missing or unusable ranges is read as a whole. */
  private async joinedLogs(
    places: WorkerPaths,
    logs: readonly JoinedLog[],
  ): Promise<ReadonlyMap<string, FileExtraction>> {
    const joined = new Map<string, FileExtraction>();
    for (const log of logs.filter(({ counts }) => counts)) {
      const here = places.toLocal(log.path);
      const { project } = this.input.submission;
      const found = await loadRanges(this.context.queue, project, log, here);
      if (found !== undefined) joined.set(here, found);
    }
    return joined;
  }

  private get root(): string {
    return this.input.root;
  }

  private get limits(): Pick<CheckOptions, "limits" | "maxRecords" | "parallel"> {
    const { sandbox, check } = this.config;
    return {
      limits: { timeoutMs: sandbox.timeout * 1000, memoryMb: sandbox.memory_mb },
      maxRecords: check.max_records,
      parallel: this.children + 1,
    };
  }

  /** Checks the set; the result has the paths of the submitting machine. */
  private async check(
    places: WorkerPaths,
    { dir, joined }: CheckPayload,
    signal: AbortSignal,
  ): Promise<unknown> {
    const { inputs, overrides, unverified, outdated, today } = this.options;
    const { paths, check } = this.config;
    const { root } = this;
    const local = (path: string): string => places.toLocal(path);
    const variables = Object.entries(paths.variables).map(([name, value]) => [name, local(value)]);
    const [checked] = await checkAtomSets(
      [places.localPath(dir)],
      1,
      {
        variables: variablesOf(root, Object.fromEntries(variables) as Record<string, string>),
        ...(inputs === null ? {} : { inputs: inputs.map(local) }),
        overrides: overrides.map(parseOverride),
        unverified,
        outdated,
        today,
        requireWitness: check.require_witness,
        joined: await this.joinedLogs(places, joined ?? []),
        ...this.limits,
      },
      {
        sandbox: this.sandbox,
        pool: this.pool,
        guard: new PathGuard(root),
        emit: this.bus.emit,
        emitOf: (itemId) => createItemEmit(this.bus, itemId),
        signal,
      },
    );
    return JSON.parse(places.toStored(JSON.stringify({ ...checked, extraction: null }))) as unknown;
  }
}

function writeFile(path: string, body: Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, body);
}
