// Items from the queue: each attempt runs in a scratch folder of its own, with the store and the output that the queue's
// lease gives it. What it leaves is stored with the completion, in one transaction.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { z } from "zod";
import { type Config, configSchema } from "../config/schema.ts";
import { AtomsmithError, EXIT, toAtomsmithError } from "../core/errors.ts";
import { EventBus } from "../core/event-bus.ts";
import { normalizer } from "../llm/normal-request.ts";
import {
  createRunServices,
  Hidden,
  type ItemResult,
  type RunServices,
  runItem,
} from "../loops/item/index.ts";
import { listOutput } from "../loops/item/output-store.ts";
import { FleetLimits, leaseOf, loadFiles, replaceFiles, type StoredFile } from "../queue/index.ts";
import { RunStore } from "../store/index.ts";
import { PostgresRunStore } from "../store/postgres/run-store.ts";
import { Places } from "./places.ts";
import type { Held, Outcome, Prepare, Prepared, PrepareInput, WorkerContext } from "./types.ts";

const LOOP = "item";

/** What a job of kind `item` says; the page travels with it. */
export const itemPayloadSchema = z.object({
  spec_path: z.string(),
  spec_sha256: z.string(),
  /** Base64. */
  page: z.string(),
  reason: z.string(),
});

export const prepareItems: Prepare = async (input, context) => new PreparedItems(input, context);

class PreparedItems implements Prepared {
  private readonly input: PrepareInput;
  private readonly context: WorkerContext;
  private readonly theirs: Config;
  private readonly ownFiles: string[];
  private readonly run: RunServices;
  /** Stores of the items under way, by id: the lease is asked before each model call. */
  private readonly stores = new Map<string, PostgresRunStore>();

  constructor(input: PrepareInput, context: WorkerContext) {
    this.input = input;
    this.context = context;
    const { submission, root, id } = input;
    this.theirs = configSchema.parse(submission.config);
    this.ownFiles = submission.own_files.map((path) => join(root, path));
    const { max_cost_usd: _, max_tokens_total: __, record: ___, ...llm } = this.theirs.llm;
    this.run = createRunServices({
      // Limits of the whole submission are the fleet's; how many processes the sandbox has is this machine's.
      config: {
        ...this.theirs,
        llm,
        paths: this.pathsBelow(join(context.scratch, id), this.theirs.paths.variables),
        sandbox: { ...this.theirs.sandbox, children: context.config.sandbox.children },
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
        hold: async (subject, query) => this.stores.get(subject)?.hold(query),
      }),
    });
  }

  close(): Promise<void> {
    return this.run.close();
  }

  async work(held: Held): Promise<Outcome> {
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

  private async workIn(scratch: string, { job, signal, pause }: Held): Promise<Outcome> {
    const { queue, config: ours } = this.context;
    const { submission, root } = this.input;
    const payload = itemPayloadSchema.parse(JSON.parse(job.payload));
    const shared = submission.store === "files";
    const { output_dir } = this.theirs.paths;
    const places = new Places({
      scratch,
      root,
      theirRoot: this.theirs.paths.search_root,
      mirrored: [this.theirs.paths.cache_dir, payload.spec_path, ...(shared ? [] : [output_dir])],
    });
    writeFile(places.here(payload.spec_path), Buffer.from(payload.page, "base64"));
    const paths = {
      ...this.pathsBelow(scratch, this.run.config.paths.variables),
      ...(shared ? { output_dir: ours.paths.output_dir } : {}),
    };
    const set = join(paths.output_dir, job.subject);
    const place = { space: submission.project, loop: LOOP, id: job.subject };
    if (!shared) {
      for (const file of await loadFiles(queue.db, place)) {
        writeFile(
          join(set, file.path),
          isProved(file.path) ? file.body : mapped(file.body, (t) => places.toLocal(t)),
        );
      }
    }
    let store: PostgresRunStore | undefined;
    const run: RunServices = { ...this.run, config: { ...this.run.config, paths }, signal, pause };
    const result = await runItem(
      {
        itemId: job.subject,
        specPath: places.here(payload.spec_path),
        specSha256: payload.spec_sha256,
        reason: payload.reason,
        mode: "continue",
        hidden: new Hidden(run.config, this.ownFiles),
        fleet: {
          lease: leaseOf(job),
          portable: normalizer(root),
          openStore: async (retention, redact) => {
            const run = { loop: LOOP, id: job.subject };
            if (shared) return RunStore.open(ours.paths.cache_dir, run, retention, redact, leaseOf(job));
            const at = { db: queue.db, space: submission.project, paths: places };
            store = await PostgresRunStore.open(at, run, retention, redact, leaseOf(job));
            this.stores.set(job.subject, store);
            return store;
          },
        },
      },
      run,
    ).finally(() => {
      if (store !== undefined && this.stores.get(job.subject) === store) this.stores.delete(job.subject);
    });
    const files = shared ? [] : readSet(set, places);
    return outcomeOf(result, places, async (query) => {
      if (!shared) await replaceFiles(query, place, files);
    });
  }

  /** The folders of a run below a scratch folder, and the search root of this machine. */
  private pathsBelow(scratch: string, variables: Record<string, string>): Config["paths"] {
    const { paths } = this.theirs;
    const { root } = this.input;
    const translate = new Places({ scratch, root, theirRoot: paths.search_root, mirrored: [] });
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

/** Files whose hashes are in the manifest: never changed. */
function isProved(path: string): boolean {
  return /(^|\/)(atom_[abc]\.js|config\.yaml)$/.test(path);
}

function readSet(dir: string, places: Places): StoredFile[] {
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

/** A result for the submitter; what failed for a reason of this machine or of the moment is left to another attempt. */
function outcomeOf(
  result: ItemResult,
  places: Places,
  store: Extract<Outcome, { end: "result" }>["store"],
): Outcome {
  const { error } = result;
  if (error?.kind === "interrupted") return { end: "back", reason: "the worker was stopped" };
  if (error?.kind === "store" || error?.kind === "sandbox" || error?.busy === true) {
    return failed(new AtomsmithError(error.kind, error.message));
  }
  const stored = JSON.parse(places.toStored(JSON.stringify(result))) as unknown;
  return {
    end: "result",
    result: stored,
    ...(store === undefined ? {} : { store }),
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
  const way = relative(root, path);
  if (way === "" || way === ".." || way.startsWith(`..${sep}`)) return undefined;
  return way.split(sep).join("/");
}
