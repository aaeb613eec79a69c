// Connection to the queue of the fleet named by the environment variable ATOMSMITH_QUEUE: one for all requests,
// opened on first use and reopened after a failure.
import { AtomsmithError, toAtomsmithError } from "../core/errors.ts";
import type { Queue } from "../queue/index.ts";
import type { Database } from "../store/postgres/database.ts";
import { refusal } from "./http/problem.ts";

/** How long a request waits for an unreachable database, milliseconds. */
const PATIENCE_MS = 3_000;
/** After a failure, requests fail at once for this long, milliseconds. */
const RETRY_MS = 5_000;

export class Fleet {
  private readonly url: string;
  private readonly maxAttempts: number;
  private readonly warn: (message: string) => void;
  private queue: Promise<Queue> | undefined;
  private failed: { error: AtomsmithError; at: number } | undefined;
  private closed = false;

  constructor(options: { url: string | undefined; maxAttempts: number; warn(message: string): void }) {
    this.url = options.url ?? "";
    this.maxAttempts = options.maxAttempts;
    this.warn = options.warn;
  }

  get isConfigured(): boolean {
    return this.url !== "";
  }

  /** The database of the queue. Throws a 404 when none is configured, and kind `store` when it cannot be used. */
  async database(): Promise<Database> {
    if (!this.isConfigured) {
      throw refusal(404, "no queue is configured", "start the server with ATOMSMITH_QUEUE=postgres://…");
    }
    if (this.failed !== undefined && performance.now() - this.failed.at < RETRY_MS) throw this.failed.error;
    if (this.closed) throw new AtomsmithError("interrupted", "the server is stopping");
    this.queue ??= this.open();
    return (await this.queue).db;
  }

  async close(): Promise<void> {
    this.closed = true;
    const queue = await this.queue?.catch(() => undefined);
    await queue?.close();
  }

  private async open(): Promise<Queue> {
    try {
      const { Queue } = await import("../queue/index.ts");
      const queue = await Queue.open(this.url, {
        application: "atomsmith serve",
        connections: 4,
        connectMs: PATIENCE_MS,
        maxAttempts: this.maxAttempts,
        warn: this.warn,
      });
      queue.db.patience = PATIENCE_MS;
      this.failed = undefined;
      return queue;
    } catch (thrown) {
      this.queue = undefined;
      this.failed = { error: toAtomsmithError(thrown), at: performance.now() };
      throw thrown;
    }
  }
}
