// Items from the queue: each attempt runs in its own scratch folder, with store and output under the lease of the
// queue. Its results are stored with the completion, in one transaction.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { z } from "zod";
import { type Config, configSchema } from "../config/schema.ts";
import { AtomsmithError, EXIT, toAtomsmithError } from "../core/errors.ts";
import { EventBus } from "../core/event-bus.ts";
import type { Redact } from "../core/redact/index.ts";
import { normalizer } from "../llm/normal-request.ts";
import {
  createRunServices,
  HiddenPaths,
  type ItemResult,
  type RunServices,
  runItem,
} from "../loops/item/index.ts";
import { listOutput, OutputStore } from "../loops/item/output-store.ts";
import {
  type ClaimedJob,
  FleetLimits,
  leaseOf,
  loadFiles,
  replaceFiles,
  type StoredFile,
} from "../queue/index.ts";
import { type Retention, RunStore, type RunWriter } from "../store/index.ts";
import type { Query } from "../store/postgres/database.ts";
import { PostgresRunStore } from "../store/postgres/run-store.ts";
import type { Outcome, Prepare, Prepared, PrepareInput, RunningJob, WorkerContext } from "./types.ts";
import { WorkerPaths } from "./worker-paths.ts";

const LOOP = "item";

/** Payload of a job of kind `item`, including the page. */
export const itemPayloadSchema = z.object({
  spec_path: z.string(),
  spec_sha256: z.string(),
  /** Base64. */
  page: z.string(),
  reason: z.string(),
  /** Hash of the manifest on the submitting machine; null without one. */
  had: z.string().nullable(),
});

export const prepareItems: Prepare = async (input, context) => new PreparedItems(input, context);

class PreparedItems implements Prepared {
  private readonly input: PrepareInput;
  private readonly context: WorkerContext;
  private readonly submitted: Config;
  private readonly ownFiles: string[];
  private readonly run: RunServices;
  /** Stores of the running items, by id: the lease is checked before each model call. */
  private readonly stores = new Map<string, { job: ClaimedJob; store: PostgresRunStore }>();

  constructor(input: PrepareInput, context: WorkerContext) {
    this.input = input;
    this.context = context;
    const { submission, root, id } = input;
    this.submitted = configSchema.parse(submission.config);
    this.ownFiles = submission.own_files.map((path) => join(root, path));
    const { max_cost_usd: _, max_tokens_total: __, record: ___, ...llm } = this.submitted.llm;
    this.run = createRunServices({
      // Cost limits apply to the whole submission; the number of sandbox processes is that of this machine.
      config: {
        ...this.submitted,
        llm,
        paths: this.pathsBelow(join(context.scratch, id), this.submitted.paths.variables),
        sandbox: { ...this.submitted.sandbox, children: context.config.sandbox.children },
      },
      bus: new EventBus(id),
      env: context.env,
      signal: context.signal,
      seed: submission.seed,
      commandFlags: submission.command_flags,
      ownFiles: this.ownFiles,
      shared: new FleetLimits({
        queue: context.queue,
        submission: id,
        worker: context.name,
        hold: async (subject, query) => this.stores.get(subject)?.store.hold(query),
      }),
    });
  }

  close(): Promise<void> {
    return this.run.close();
  }

  async work(held: RunningJob): Promise<Outcome> {
    const { job } = held;
    const scratch = join(this.context.scratch, `${job.id}-${job.attempt}`);
    try {
      return await this.workIn(scratch, held);
    } catch (thrown) {
      return failed(toAtomsmithError(thrown));
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  }

  private async workIn(scratch: string, held: RunningJob): Promise<Outcome> {
    const { job } = held;
    const { root } = this.input;
    const payload = itemPayloadSchema.parse(JSON.parse(job.payload));
    const places = new WorkerPaths({
      scratch,
      root,
      theirRoot: this.submitted.paths.search_root,
      mirrored: [this.submitted.paths.cache_dir, this.submitted.paths.output_dir, payload.spec_path],
    });
    const paths = this.pathsBelow(scratch, this.run.config.paths.variables);
    const set = join(paths.output_dir, job.subject);
    const store = this.storeOf(job, places);
    writeFile(places.localPath(payload.spec_path), Buffer.from(payload.page, "base64"));
    for (const { path, body } of await store.load()) {
      writeFile(join(set, path), isProved(path) ? body : mapped(body, (text) => places.toLocal(text)));
    }
    const result = await this.runIn(paths, places.localPath(payload.spec_path), payload, held, store);
    const outcome = outcomeOf(result, places);
    if (outcome.end !== "result") return outcome;
    const files = readSet(set, places);
    return { ...outcome, store: await store.save(files) };
  }

  private async runIn(
    paths: Config["paths"],
    specPath: string,
    payload: z.infer<typeof itemPayloadSchema>,
    { job, signal, pause }: RunningJob,
    store: ItemPlace,
  ): Promise<ItemResult> {
    const run: RunServices = { ...this.run, config: { ...this.run.config, paths }, signal, pause };
    let startedBefore = false;
    try {
      return await runItem(
        {
          itemId: job.subject,
          specPath,
          specSha256: payload.spec_sha256,
          reason: payload.reason,
          mode: "continue",
          hidden: new HiddenPaths(run.config, this.ownFiles),
          fleet: {
            lease: leaseOf(job),
            portable: normalizer(this.input.root),
            startedBefore: () => startedBefore,
            openStore: async (retention, redact) => {
              const opened = await store.open(retention, redact);
              startedBefore = await markStarted(opened, job.id);
              return opened;
            },
          },
        },
        run,
      );
    } finally {
      if (this.stores.get(job.subject)?.job === job) this.stores.delete(job.subject);
    }
  }

  /** Storage of the run and the set between attempts: the database, or shared folders. */
  private storeOf(job: ClaimedJob, paths: WorkerPaths): ItemPlace {
    const { queue, config: ours } = this.context;
    const lease = leaseOf(job);
    const run = { loop: LOOP, id: job.subject };
    const place = { space: this.input.submission.project, ...run };
    if (this.input.submission.store === "files") {
      const { cache_dir, output_dir } = ours.paths;
      const set = join(output_dir, job.subject);
      return {
        open: (retention, redact) => RunStore.open(cache_dir, run, retention, redact, lease),
        load: async () => listOutput(set).map((path) => ({ path, body: readFileSync(join(set, path)) })),
        save: async (files) => {
          const output = await OutputStore.open(output_dir, job.subject, lease);
          try {
            await output.replaceAll(files);
          } finally {
            await output.close();
          }
          return async () => undefined;
        },
      };
    }
    return {
      open: async (retention, redact) => {
        const at = { db: queue.db, space: place.space, paths };
        const store = await PostgresRunStore.open(at, run, retention, redact, lease);
        this.stores.set(job.subject, { job, store });
        return store;
      },
      load: () => loadFiles(queue.db, place),
      save: async (files) => (query) => replaceFiles(query, place, files),
    };
  }

  /** Paths of a run: folders below a scratch folder, and the search root of this machine. */
  private pathsBelow(scratch: string, variables: Record<string, string>): Config["paths"] {
    const { paths } = this.submitted;
    const { root } = this.input;
    const translate = new WorkerPaths({ scratch, root, theirRoot: paths.search_root, mirrored: [] });
    return {
      search_root: root,
      cache_dir: join(scratch, paths.cache_dir),
      output_dir: join(scratch, paths.output_dir),
      item_specs_dir: join(scratch, paths.item_specs_dir),
      variables: Object.fromEntries(
        Object.entries(variables).map(([name, value]) => [name, translate.toLocal(value)]),
      ),
    };
  }
}

interface ItemPlace {
  open(retention: Retention, redact: Redact): Promise<RunWriter>;
  /** Loads the set from before the run. */
  load(): Promise<StoredFile[]>;
  /** Stores the result; returns the writes that must be part of the transaction of the completion. */
  save(files: readonly StoredFile[]): Promise<(query: Query) => Promise<void>>;
}

/** Marks the run as started by this job, with its first write. True when an earlier attempt already did. */
async function markStarted(store: RunWriter, job: string): Promise<boolean> {
  const mark = (await store.loadView("fleet", "job")) as { job?: unknown } | undefined;
  if (mark?.job === job) return true;
  await store.saveView("fleet", "job", { job }, { later: true });
  return false;
}

/** Files whose hashes are in the manifest; never changed. */
function isProved(path: string): boolean {
  return /(^|\/)(atom_[abc]\.js|config\.yaml)$/.test(path);
}

function readSet(dir: string, places: WorkerPaths): StoredFile[] {
  return listOutput(dir).map((path) => {
    const body = readFileSync(join(dir, path));
    return { path, body: isProved(path) ? body : mapped(body, (text) => places.toStored(text)) };
  });
}

function mapped(body: Uint8Array, map: (text: string) => string): Uint8Array {
  return Buffer.from(map(Buffer.from(body).toString("utf8")));
}

function writeFile(path: string, body: Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, body);
}

/** The outcome for the submitter; failures that are specific to this machine or temporary are left to another
 * attempt. */
function outcomeOf(result: ItemResult, places: WorkerPaths): Outcome {
  const { error } = result;
  if (error?.kind === "interrupted") return { end: "back", reason: "the worker was stopped" };
  if (error?.kind === "store" || error?.kind === "sandbox" || error?.busy === true) {
    return failed(new AtomsmithError(error.kind, error.message));
  }
  const stored = JSON.parse(places.toStored(JSON.stringify(result))) as unknown;
  return {
    end: "result",
    result: stored,
    ...(result.fatal === true
      ? { stop: { reason: `no item can succeed: ${error?.message ?? ""}`, exit: EXIT.infrastructure } }
      : {}),
  };
}

function failed(error: AtomsmithError): Outcome {
  if (error.kind === "interrupted") return { end: "back", reason: "the worker was stopped" };
  if (error.kind === "sandbox") return { end: "back", reason: error.message, refuse: true };
  return { end: "failed", reason: error.message };
}

/** A path below the search root, relative to it with `/`; undefined for any other. */
export function belowRoot(root: string, path: string): string | undefined {
  const relativePath = relative(root, path);
  if (relativePath === "" || relativePath === ".." || relativePath.startsWith(`..${sep}`)) return undefined;
  return relativePath.split(sep).join("/");
}
