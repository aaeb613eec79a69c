// The time budget for the gates of one set. If an atom loops or is slow, all gates together end within the budget, with a
// finding that names the atom and its slowest input, before the time limit of the stage. The sandbox is wrapped, so that
// all calls of all gates are counted; the time of a call is measured in the sandbox.
import type { Argument, AtomSession, CallOptions, Outcome, Sandbox } from "../../sandbox/types.ts";

/** Default budget for one set, in milliseconds. */
export const GATE_BUDGET_MS = 60_000;

/** Calls in the first request, and limit for later ones, whose size is chosen for this duration. */
const FIRST_CALLS = 4;
const MAX_CALLS = 1_024;
const REQUEST_MS = 1_000;

/** Ends the gates when the budget is spent. */
export class BudgetSpent extends Error {
  constructor() {
    super("the time budget of the gates is spent");
  }
}

interface Usage {
  ms: number;
  slowest: { ms: number; args: Argument[] } | undefined;
}

/** One budget per set. */
export class Budget {
  readonly ms: number;
  private readonly deadline: number;
  private readonly usage = new Map<string, Usage>();
  private readonly end: Promise<never>;
  private readonly timer: NodeJS.Timeout;

  constructor(ms: number) {
    this.ms = ms;
    this.deadline = performance.now() + ms;
    const { promise, reject } = Promise.withResolvers<never>();
    this.end = promise;
    // Without a request there is no other handler.
    this.end.catch(() => {});
    this.timer = setTimeout(() => reject(new BudgetSpent()), ms);
  }

  /** Stops the timer. */
  close(): void {
    clearTimeout(this.timer);
  }

  /** The program that used most of the time, and the arguments of its slowest call. */
  worst(): { name: string; ms: number; args: Argument[] } | undefined {
    const [first] = [...this.usage].sort(([, a], [, b]) => b.ms - a.ms);
    return first && { name: first[0], ms: first[1].ms, args: first[1].slowest?.args ?? [] };
  }

  /** A sandbox whose calls are counted and fail with `BudgetSpent` after the deadline. */
  wrap(sandbox: Sandbox): Sandbox {
    return {
      info: sandbox.info,
      close: () => sandbox.close(),
      open: async (program) => this.session(program.name, await sandbox.open(program)),
    };
  }

  private session(name: string, inner: AtomSession): AtomSession {
    let size = FIRST_CALLS;
    const callMany = async (
      fn: string,
      lists: Argument[][],
      options: CallOptions = {},
    ): Promise<Outcome[]> => {
      const outcomes: Outcome[] = [];
      while (outcomes.length < lists.length) {
        const batch = lists.slice(outcomes.length, outcomes.length + size);
        const started = performance.now();
        const results = await this.request(name, inner, fn, batch, options);
        const firstNotRun = results.findIndex((result) => !result.ok && result.error.kind === "not_run");
        const ran = firstNotRun < 0 ? results : results.slice(0, firstNotRun);
        outcomes.push(...(options.halt ? results : ran));
        const msPerCall = Math.max((performance.now() - started) / Math.max(1, ran.length), 1);
        const fitting = Math.floor(REQUEST_MS / msPerCall);
        size = Math.min(MAX_CALLS, Math.max(1, Math.min(size * 4, fitting)));
        if (options.halt && firstNotRun >= 0) outcomes.push(...notRun(lists.length - outcomes.length));
      }
      return outcomes;
    };
    return {
      callMany,
      call: async (fn, args, options) => {
        const [outcome] = await callMany(fn, [args], options);
        if (outcome === undefined) throw new BudgetSpent();
        return outcome;
      },
      close: () => inner.close(),
    };
  }

  /** Sends one request. It halts at the first call that hangs, so that little work continues after the deadline. */
  private async request(
    name: string,
    inner: AtomSession,
    fn: string,
    lists: Argument[][],
    options: CallOptions,
  ): Promise<Outcome[]> {
    if (performance.now() >= this.deadline) throw new BudgetSpent();
    const started = performance.now();
    const work = inner.callMany(fn, lists, { ...options, halt: true });
    // The failure of a request after the deadline is ignored.
    work.catch(() => {});
    try {
      const outcomes = await Promise.race([work, this.end]);
      outcomes.forEach(({ ms }, i) => {
        this.addUsage(name, ms, lists[i] ?? []);
      });
      return outcomes;
    } catch (error) {
      if (error instanceof BudgetSpent) this.addUsage(name, performance.now() - started, lists[0] ?? []);
      throw error;
    }
  }

  private addUsage(name: string, ms: number, args: Argument[]): void {
    const entry = this.usage.get(name) ?? { ms: 0, slowest: undefined };
    entry.ms += ms;
    if (entry.slowest === undefined || ms > entry.slowest.ms) entry.slowest = { ms, args };
    this.usage.set(name, entry);
  }
}

function notRun(count: number): Outcome[] {
  return Array.from({ length: count }, () => ({
    ok: false,
    error: { kind: "not_run", message: "an earlier call did not end" },
    ms: 0,
  }));
}
