// The pool of children: a bounded number, each with one request at a time and replaced after bounded use. Requests are
// served in order. A request prefers a free child that has its atom compiled, and waits briefly for a busy one that has:
// compiling an atom in another child costs more than most requests.
import type { Emit } from "../../src/core/events.ts";
import { Child, type Launch } from "./child.ts";
import type { ExitReason } from "./exit-reason.ts";

/** Calls, sessions and request bytes after which a child is replaced, so that garbage cannot accumulate: after MAX_BYTES a
 * child uses twice the memory of a new one. */
const MAX_CALLS = 50_000;
const MAX_SESSIONS = 400;
const MAX_BYTES = 192 * 1024 * 1024;
/** Consecutive failed starts after which waiting requests fail. */
const MAX_FAILED_STARTS = 3;

/** Time a request waits for a busy child that has its atom ready while another child is free, milliseconds. */
const PATIENCE_MS = 25;
/** A larger request runs longer than compiling its atom takes, so it goes to any free child. Parts of a log are larger,
 * requests of gates are smaller. */
const HEAVY_BYTES = 256 * 1024;

/** The properties of a request that decide which child serves it best. */
export interface RequestProfile {
  session: number;
  source: string;
  /** Rough size of its arguments. */
  bytes: number;
  /** Requires a child that has served no call yet. */
  unused?: boolean;
}

interface Waiter extends RequestProfile {
  since: number;
  resolve: (result: Child | ExitReason) => void;
}

export class Pool {
  private readonly launch: Launch;
  private readonly size: number;
  private readonly emit: Emit;
  private readonly children = new Set<Child>();
  private readonly idle = new Set<Child>();
  private readonly retiring = new Set<Promise<void>>();
  private waiters: Waiter[] = [];
  private failedStarts = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private closed = false;

  constructor(launch: Launch, size: number, emit: Emit) {
    this.launch = launch;
    this.size = Math.max(1, size);
    this.emit = emit;
  }

  /** Starts the first child and waits until it is ready, so that a broken sandbox fails at once. */
  async warm(): Promise<Child | ExitReason> {
    const child = await this.acquire({ session: -1, source: "", bytes: 0 });
    if (child instanceof Child) this.release(child);
    return child;
  }

  /** Waits for a free child. Resolves with an exit reason when no child can be started. */
  acquire(wanted: RequestProfile): Promise<Child | ExitReason> {
    if (this.closed) {
      return Promise.resolve({ kind: "unavailable", message: "the sandbox is closed", external: false });
    }
    return new Promise((resolve) => {
      this.waiters.push({ ...wanted, since: performance.now(), resolve });
      this.serve();
    });
  }

  /** Returns a child to the pool; a dead or worn-out one is replaced. */
  release(child: Child): void {
    if (child.dead) {
      this.remove(child, "child_killed");
      // Start the replacement now, while the caller handles the outcome.
      if (!this.closed && this.children.size < this.size) this.start();
    } else if (isWornOut(child)) {
      this.remove(child, "child_retired");
      this.track(child.retire());
    } else this.idle.add(child);
    this.serve();
  }

  /** Ends all children; waiting requests fail. */
  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    for (const waiter of this.waiters) {
      waiter.resolve({ kind: "unavailable", message: "the sandbox was closed", external: false });
    }
    this.waiters = [];
    const all = [...this.children];
    this.children.clear();
    this.idle.clear();
    for (const child of all) this.track(child.busy ? this.stop(child) : child.retire());
    await Promise.all(this.retiring);
  }

  private async stop(child: Child): Promise<void> {
    child.kill();
    await child.exited;
  }

  private track(retiring: Promise<void>): void {
    const tracked = retiring.finally(() => this.retiring.delete(tracked));
    this.retiring.add(tracked);
  }

  private remove(child: Child, what: "child_killed" | "child_retired"): void {
    this.idle.delete(child);
    if (!this.children.delete(child)) return;
    if (child.dead) this.track(child.exited);
    this.emit({ type: "sandbox", what, detail: `process ${child.pid} after ${child.calls} calls` });
  }

  private serve(): void {
    for (const child of this.idle) if (child.dead) this.remove(child, "child_killed");
    const stillWaiting: Waiter[] = [];
    for (const waiter of this.waiters) {
      const chosen = this.choose(waiter);
      if (chosen === undefined) {
        stillWaiting.push(waiter);
        continue;
      }
      this.idle.delete(chosen);
      waiter.resolve(chosen);
    }
    this.waiters = stillWaiting;
    if (stillWaiting.length > 0 && this.idle.size > 0) {
      this.timer ??= setTimeout(() => {
        this.timer = undefined;
        this.serve();
      }, PATIENCE_MS);
    }
    const starting = [...this.children].filter((child) => child.hello === undefined && !child.dead).length;
    if (starting === 0 && this.waiters.some((waiter) => waiter.unused)) this.makeRoom();
    let wanted = Math.min(this.waiters.length - starting, this.size - this.children.size);
    for (; wanted > 0; wanted -= 1) this.start();
  }

  /** Retires a free child when a request needs a new one and the pool is full. */
  private makeRoom(): void {
    const [used] = this.idle;
    if (used === undefined || this.children.size < this.size) return;
    this.remove(used, "child_retired");
    this.track(used.retire());
  }

  /** The free child that serves a request best; undefined when there is none, or a busy one is worth waiting for. */
  private choose(waiter: Waiter): Child | undefined {
    if (waiter.unused) return [...this.idle].find((child) => child.calls === 0);
    const best = mostReady(this.idle, waiter);
    if (best === undefined || waiter.bytes > HEAVY_BYTES || best.readiness(waiter) > 0) return best;
    const busy = [...this.children].filter((child) => !child.dead && !this.idle.has(child));
    const ready = mostReady(busy, waiter);
    const worthwhile = ready !== undefined && ready.readiness(waiter) > 0;
    return worthwhile && performance.now() - waiter.since < PATIENCE_MS ? undefined : best;
  }

  private start(): void {
    let child: Child;
    try {
      child = new Child(this.launch);
    } catch (error) {
      this.startFailed({
        kind: "unavailable",
        message: `the runtime could not be started: ${error instanceof Error ? error.message : String(error)}`,
        external: false,
      });
      return;
    }
    this.children.add(child);
    void child.ready.then((exitReason) => {
      if (exitReason !== undefined) {
        this.remove(child, "child_killed");
        this.startFailed(exitReason);
        return;
      }
      this.failedStarts = 0;
      this.emit({ type: "sandbox", what: "child_started", detail: `process ${child.pid}` });
      if (this.closed) return;
      this.idle.add(child);
      this.serve();
    });
  }

  private startFailed(exitReason: ExitReason): void {
    this.failedStarts += 1;
    if (this.failedStarts < MAX_FAILED_STARTS) {
      this.serve();
      return;
    }
    this.failedStarts = 0;
    const waiting = this.waiters;
    this.waiters = [];
    for (const waiter of waiting) waiter.resolve({ ...exitReason, kind: "unavailable" });
  }
}

function mostReady(children: Iterable<Child>, wanted: RequestProfile): Child | undefined {
  let best: Child | undefined;
  for (const child of children) {
    if (best === undefined || child.readiness(wanted) > best.readiness(wanted)) best = child;
  }
  return best;
}

function isWornOut(child: Child): boolean {
  return (
    child.retired ||
    child.calls >= MAX_CALLS ||
    child.sessions.size >= MAX_SESSIONS ||
    child.bytes >= MAX_BYTES
  );
}
