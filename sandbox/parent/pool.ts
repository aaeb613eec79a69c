// The children: at most so many, each busy with one request at a time, each used a bounded number of times.
// Requests wait in order; whoever waits gets a free child that has its atom ready, and waits a little for a busy one
// that has: compiling an atom in another child costs more than most requests.
import type { Emit } from "../../src/core/events.ts";
import { Child, type Death, type Launch } from "./child.ts";

/** Calls, sessions and bytes of requests after which a child is replaced, so that nothing can pile up in it: after
 * so many parts of a log a child holds twice the memory of a new one. */
const MAX_CALLS = 50_000;
const MAX_SESSIONS = 400;
const MAX_BYTES = 192 * 1024 * 1024;
/** Starts that may fail in a row before those who wait are told. */
const MAX_FAILED_STARTS = 3;

/** Time a request waits for a busy child that has its atom ready while another child is free, milliseconds. */
const PATIENCE_MS = 25;
/** A request with more text than this works longer than compiling its atom takes, so it goes to any free child. Parts of
 * a log are larger, what gates ask is smaller. */
const HEAVY_BYTES = 256 * 1024;

/** What a request is about, to find the child that serves it best. */
export interface Wanted {
  session: number;
  source: string;
  /** Rough size of its arguments. */
  bytes: number;
}

interface Waiter extends Wanted {
  since: number;
  resolve: (got: Child | Death) => void;
}

export class Pool {
  private readonly launch: Launch;
  private readonly size: number;
  private readonly emit: Emit;
  private readonly children = new Set<Child>();
  private readonly idle = new Set<Child>();
  private readonly leaving = new Set<Promise<void>>();
  private waiters: Waiter[] = [];
  private failedStarts = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private closed = false;

  constructor(launch: Launch, size: number, emit: Emit) {
    this.launch = launch;
    this.size = Math.max(1, size);
    this.emit = emit;
  }

  /** Starts the first child and waits for its greeting, so that a sandbox that cannot work says so at once. */
  async warm(): Promise<Child | Death> {
    const child = await this.acquire({ session: -1, source: "", bytes: 0 });
    if (child instanceof Child) this.release(child);
    return child;
  }

  /** A child that is free; waits for one. Resolves with a death when no child can be started. */
  acquire(wanted: Wanted): Promise<Child | Death> {
    if (this.closed) {
      return Promise.resolve({ kind: "unavailable", message: "the sandbox is closed", external: false });
    }
    return new Promise((resolve) => {
      this.waiters.push({ ...wanted, since: performance.now(), resolve });
      this.serve();
    });
  }

  /** Gives a child back; a dead or used-up one is replaced. */
  release(child: Child): void {
    if (child.dead) {
      this.remove(child, "child_killed");
      // The next one warms up while whoever caused this looks at the outcome.
      if (!this.closed && this.children.size < this.size) this.start();
    } else if (isUsedUp(child)) {
      this.remove(child, "child_retired");
      this.track(child.retire());
    } else this.idle.add(child);
    this.serve();
  }

  /** Ends all children; whoever waits is told. */
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
    await Promise.all(this.leaving);
  }

  private async stop(child: Child): Promise<void> {
    child.kill();
    await child.gone;
  }

  private track(leaving: Promise<void>): void {
    const tracked = leaving.finally(() => this.leaving.delete(tracked));
    this.leaving.add(tracked);
  }

  private remove(child: Child, what: "child_killed" | "child_retired"): void {
    this.idle.delete(child);
    if (!this.children.delete(child)) return;
    if (child.dead) this.track(child.gone);
    this.emit({ type: "sandbox", what, detail: `process ${child.pid} after ${child.calls} calls` });
  }

  private serve(): void {
    for (const child of this.idle) if (child.dead) this.remove(child, "child_killed");
    const patient: Waiter[] = [];
    for (const waiter of this.waiters) {
      const chosen = this.choose(waiter);
      if (chosen === undefined) {
        patient.push(waiter);
        continue;
      }
      this.idle.delete(chosen);
      waiter.resolve(chosen);
    }
    this.waiters = patient;
    if (patient.length > 0 && this.idle.size > 0) {
      this.timer ??= setTimeout(() => {
        this.timer = undefined;
        this.serve();
      }, PATIENCE_MS);
    }
    const starting = [...this.children].filter((child) => child.hello === undefined && !child.dead).length;
    let wanted = Math.min(this.waiters.length - starting, this.size - this.children.size);
    for (; wanted > 0; wanted -= 1) this.start();
  }

  /** The free child that serves a request best; undefined when it has to wait, or had better wait a little. */
  private choose(waiter: Waiter): Child | undefined {
    const best = closest(this.idle, waiter);
    if (best === undefined || waiter.bytes > HEAVY_BYTES || best.readiness(waiter) > 0) return best;
    const busy = [...this.children].filter((child) => !child.dead && !this.idle.has(child));
    const ready = closest(busy, waiter);
    const worthwhile = ready !== undefined && ready.readiness(waiter) > 0;
    return worthwhile && performance.now() - waiter.since < PATIENCE_MS ? undefined : best;
  }

  private start(): void {
    let child: Child;
    try {
      child = new Child(this.launch);
    } catch (error) {
      this.failed({
        kind: "unavailable",
        message: `the runtime could not be started: ${error instanceof Error ? error.message : String(error)}`,
        external: false,
      });
      return;
    }
    this.children.add(child);
    void child.ready.then((death) => {
      if (death !== undefined) {
        this.remove(child, "child_killed");
        this.failed(death);
        return;
      }
      this.failedStarts = 0;
      this.emit({ type: "sandbox", what: "child_started", detail: `process ${child.pid}` });
      if (this.closed) return;
      this.idle.add(child);
      this.serve();
    });
  }

  private failed(death: Death): void {
    this.failedStarts += 1;
    if (this.failedStarts < MAX_FAILED_STARTS) {
      this.serve();
      return;
    }
    this.failedStarts = 0;
    const waiting = this.waiters;
    this.waiters = [];
    for (const waiter of waiting) waiter.resolve({ ...death, kind: "unavailable" });
  }
}

function closest(children: Iterable<Child>, wanted: Wanted): Child | undefined {
  let best: Child | undefined;
  for (const child of children) {
    if (best === undefined || child.readiness(wanted) > best.readiness(wanted)) best = child;
  }
  return best;
}

function isUsedUp(child: Child): boolean {
  return child.calls >= MAX_CALLS || child.sessions.size >= MAX_SESSIONS || child.bytes >= MAX_BYTES;
}
