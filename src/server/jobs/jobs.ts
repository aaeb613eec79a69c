// The jobs of the server: started, watched, stopped, and loaded after a restart. Each is a command of this program.
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../../config/schema.ts";
import { AtomsmithError } from "../../core/errors.ts";
import { randomHex } from "../../core/random.ts";
import { writeFileAtomic } from "../../store/index.ts";
import type { Hub } from "../events/hub.ts";
import { refusal } from "../http/problem.ts";
import type { Items } from "../items/items.ts";
import type { ProgramRunner } from "../program.ts";
import type { JobKind, KindContext, NextJob } from "./kinds.ts";
import { type Job, type StoredJob, stateOfExit, storedJobSchema, usageSchema } from "./record.ts";
import { WatchedJob } from "./watched.ts";

/** Maximum number of ended jobs kept, and of waiting jobs. */
const LIMITS = { kept: 300, queued: 100 };
/** A command saves its checkpoints on SIGTERM; it is killed after this time. */
const STOP_MS = 15_000;

export interface JobsOptions {
  /** Folder of the server in the cache. */
  dir: string;
  kinds: readonly JobKind[];
  items: Items;
  config: Config;
  hub: Hub;
  run: ProgramRunner;
  concurrency: number;
}

interface Held {
  stored: StoredJob;
  /** Set while its command runs. */
  watched?: WatchedJob;
  /** Cancellation was requested. */
  cancelled?: boolean;
}

export class Jobs {
  readonly kinds: ReadonlyMap<string, JobKind>;
  private readonly options: JobsOptions;
  private readonly jobs = new Map<string, Held>();
  private readonly queue: Held[] = [];
  private running = 0;
  private closing = false;

  constructor(options: JobsOptions) {
    this.options = options;
    this.kinds = new Map(options.kinds.map((kind) => [kind.name, kind]));
  }

  /** Loads the jobs of earlier starts. Jobs that were running when the server was killed become interrupted. */
  async load(): Promise<void> {
    const names = await readdir(this.options.dir).catch(() => [] as string[]);
    for (const name of names.sort()) {
      const text = await readFile(join(this.options.dir, name, "job.json"), "utf8").catch(() => "null");
      const stored = storedJobSchema.safeParse(parse(text)).data;
      if (stored === undefined || stored.id !== name) continue;
      const held: Held = { stored };
      this.jobs.set(name, held);
      if (stored.state === "running" || stored.state === "queued") {
        Object.assign(stored, { state: "interrupted", finished_at: new Date().toISOString(), pid: null });
        await this.save(held);
      }
    }
  }

  /** Newest first. */
  list(): Job[] {
    return [...this.jobs.values()].map((held) => this.shown(held)).reverse();
  }

  get(id: string): Job | undefined {
    const held = this.jobs.get(id);
    return held === undefined ? undefined : this.shown(held);
  }

  /** Throws a 404. */
  need(id: string): Job {
    return this.shown(this.held(id));
  }

  /** Absolute path of a file that belongs to a job. Throws a 404 when it has no such file. */
  filePath(id: string, name: string): string {
    const { stored } = this.held(id);
    const path = join(this.options.dir, stored.id, name);
    if (this.fileNames(stored).includes(name) && existsSync(path)) return path;
    throw refusal(404, `job ${id} has no file ${JSON.stringify(name)}`);
  }

  mediaType(id: string, name: string): string {
    const own = this.kinds.get(this.held(id).stored.kind)?.files?.[name];
    return own ?? (name === "result.json" ? "application/json" : "text/plain");
  }

  eventsPath(id: string): string {
    return join(this.options.dir, this.held(id).stored.id, "events.jsonl");
  }

  isOver(id: string): boolean {
    const state = this.jobs.get(id)?.stored.state;
    return state !== "queued" && state !== "running";
  }

  /** Queues a job. Throws a refusal for an unknown kind, wrong parameters, or a full queue. */
  async start({ kind: name, params: given }: NextJob, continues: string | null = null): Promise<Job> {
    if (this.closing) throw new AtomsmithError("interrupted", "the server is stopping");
    const kind = this.kinds.get(name);
    if (kind === undefined) {
      throw refusal(
        400,
        `unknown kind of job ${JSON.stringify(name)}`,
        `kinds: ${[...this.kinds.keys()].join(", ")}`,
      );
    }
    const params = kind.params.parse(given);
    if (this.queue.length >= LIMITS.queued) {
      throw new AtomsmithError("limit", `${LIMITS.queued} jobs are waiting; try again later`);
    }
    const created = new Date().toISOString();
    const stored: StoredJob = {
      format: 1,
      id: `${created.slice(0, 19).replace(/[-:]/g, "").replace("T", "-")}-${randomHex(3)}`,
      kind: name,
      title: kind.title(params),
      params: (kind.kept?.(params) ?? params) as StoredJob["params"],
      state: "queued",
      exit_code: null,
      waits_for_person: false,
      message: null,
      totals: {},
      usage: usageSchema.parse(undefined),
      created_at: created,
      started_at: null,
      finished_at: null,
      continues,
      pid: null,
    };
    // Invalid parameters are reported now, not when the job is started.
    kind.command(params, this.kindContext(stored.id));
    const held: Held = { stored };
    await mkdir(join(this.options.dir, stored.id), { recursive: true });
    for (const [file, text] of Object.entries(kind.inputs?.(params) ?? {})) {
      await writeFileAtomic(join(this.options.dir, stored.id, file), text);
    }
    this.jobs.set(stored.id, held);
    await this.save(held);
    await this.settle(continues);
    this.queue.push(held);
    await this.dropOld();
    this.next();
    return this.shown(held);
  }

  /** Stops a job; its command saves its progress. */
  async cancel(id: string): Promise<Job> {
    const held = this.held(id);
    const { state } = held.stored;
    if (state !== "queued" && state !== "running") throw refusal(409, `job ${id} has already ended`);
    held.cancelled = true;
    const at = this.queue.indexOf(held);
    if (at >= 0) {
      this.queue.splice(at, 1);
      Object.assign(held.stored, { state: "cancelled", finished_at: new Date().toISOString() });
      await this.save(held);
    } else void held.watched?.stop(STOP_MS);
    return this.shown(held);
  }

  /** Resumes a job that has ended, as a new job. */
  resume(id: string): Promise<Job> {
    const { stored, kind, params } = this.over(id, "resume");
    return this.start(kind.resume?.(params, id) ?? { kind: stored.kind, params }, id);
  }

  /** Continues a job with an answer, as a new job. */
  async reply(id: string, how: "answer" | "approve", body: unknown): Promise<Job> {
    const { kind, params } = this.over(id, how);
    const continuation = kind[how];
    if (continuation === undefined) throw refusal(409, `a ${kind.name} job does not support ${how}`);
    return this.start(continuation.next(params, continuation.body.parse(body), id), id);
  }

  /** Stops all jobs and waits until their commands have ended. */
  async close(): Promise<void> {
    this.closing = true;
    for (const held of this.queue.splice(0)) {
      Object.assign(held.stored, { state: "interrupted", finished_at: new Date().toISOString() });
      await this.save(held);
    }
    await Promise.all([...this.jobs.values()].map((held) => held.watched?.stop(STOP_MS)));
  }

  /** Marks the continued job as answered by the job that continues it. */
  private async settle(id: string | null): Promise<void> {
    const before = id === null ? undefined : this.jobs.get(id);
    if (before?.stored.waits_for_person !== true) return;
    before.stored.waits_for_person = false;
    await this.save(before);
  }

  private held(id: string): Held {
    const held = this.jobs.get(id);
    if (held === undefined) throw refusal(404, `job ${JSON.stringify(id)} not found`);
    return held;
  }

  private over(id: string, how: "resume" | "answer" | "approve") {
    const { stored } = this.held(id);
    const kind = this.kinds.get(stored.kind);
    if (kind === undefined) throw refusal(409, `unknown kind of job: ${stored.kind}`);
    if (!this.isOver(id))
      throw refusal(409, `job ${id} is still running`, `wait until it has ended to ${how}`);
    return { stored, kind, params: kind.params.parse(stored.params) };
  }

  private kindContext(id: string): KindContext {
    return {
      id,
      items: this.options.items,
      config: this.options.config,
      file: (name) => join(this.options.dir, id, name),
      fileOf: (other, name) => this.filePath(other, name),
    };
  }

  private next(): void {
    while (!this.closing && this.running < this.options.concurrency) {
      const held = this.queue.shift();
      if (held === undefined) return;
      this.running += 1;
      void this.work(held).finally(() => {
        this.running -= 1;
        this.next();
      });
    }
  }

  private async work(held: Held): Promise<void> {
    const { stored } = held;
    const { dir, hub, run, items } = this.options;
    const folder = join(dir, stored.id);
    try {
      const kind = this.kinds.get(stored.kind);
      if (kind === undefined) throw new AtomsmithError("internal", `unknown kind of job: ${stored.kind}`);
      const params = kind.params.parse(stored.params);
      const call = {
        words: kind.command(params, this.kindContext(stored.id)),
        flags: kind.flags ?? ("items" as const),
        env: kind.env?.(params) ?? {},
      };
      const watched = new WatchedJob(stored.id, folder, hub, items, run, call);
      held.watched = watched;
      Object.assign(stored, { state: "running", started_at: new Date().toISOString(), pid: watched.pid });
      await this.save(held);
      const { exit, totals, usage, message } = await watched.ended;
      const state = held.cancelled === true ? "cancelled" : stateOfExit(exit);
      Object.assign(stored, { state, exit_code: exit, totals, usage, message, waits_for_person: exit === 3 });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      Object.assign(stored, { state: "failed", message });
    }
    delete held.watched;
    Object.assign(stored, { finished_at: new Date().toISOString(), pid: null });
    await this.save(held).catch(() => undefined);
    items.refresh();
  }

  private async save(held: Held): Promise<void> {
    const path = join(this.options.dir, held.stored.id, "job.json");
    await writeFileAtomic(path, `${JSON.stringify(held.stored, null, 2)}\n`);
    // Parameters may be large, and no view needs them from events.
    this.options.hub.publish({ type: "job_changed", job: { ...this.shown(held), params: {} } });
  }

  private async dropOld(): Promise<void> {
    for (const [id, { stored }] of this.jobs) {
      if (this.jobs.size <= LIMITS.kept) return;
      if (!this.isOver(id)) continue;
      this.jobs.delete(id);
      await rm(join(this.options.dir, stored.id), { recursive: true, force: true });
    }
  }

  private fileNames(stored: StoredJob): string[] {
    return [
      "result.json",
      "messages.txt",
      "events.jsonl",
      ...Object.keys(this.kinds.get(stored.kind)?.files ?? {}),
    ];
  }

  private shown({ stored, watched }: Held): Job {
    const { format: _, pid: __, ...job } = stored;
    const kind = this.kinds.get(stored.kind);
    const over = this.isOver(stored.id) && stored.state !== "queued";
    const files = over
      ? this.fileNames(stored).filter((name) => existsSync(join(this.options.dir, stored.id, name)))
      : [];
    const can: Job["can"] = over
      ? [
          ...(kind === undefined ? [] : (["resume"] as const)),
          ...(stored.waits_for_person && kind?.answer !== undefined ? (["answer"] as const) : []),
          ...(stored.waits_for_person && kind?.approve !== undefined ? (["approve"] as const) : []),
        ]
      : ["cancel"];
    return { ...job, usage: watched?.usage ?? job.usage, progress: watched?.progress ?? null, files, can };
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
