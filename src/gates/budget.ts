// Time for the gates of one set. Also with an atom that loops, drips or answers slowly, all gates together end within the
// budget with a finding that names the atom and its slowest input, and never by the limit of a stage. The sandbox is
// wrapped, so that every call of every gate counts; the time of a call is the atom's own, not that of a busy machine.
import type { Argument, AtomSession, CallOptions, Outcome, Sandbox } from "../../sandbox/types.ts";

/** Milliseconds for one set where nothing else is configured. */
export const GATE_BUDGET_MS = 60_000;

/** Calls of a first request, and of any; milliseconds that one request should take at most. */
const FIRST_CALLS = 4;
const MAX_CALLS = 1_024;
const PART_MS = 1_000;

/** Thrown out of the gates when the budget is spent. */
export class BudgetSpent extends Error {
  constructor() {
    super("the time for the gates is spent");
  }
}

interface Spent {
  ms: number;
  slowest: { ms: number; args: Argument[] } | undefined;
}

/** One budget per set. */
export class Budget {
  readonly ms: number;
  private readonly deadline: number;
  private readonly spent = new Map<string, Spent>();
  private readonly over: Promise<never>;
  private readonly timer: NodeJS.Timeout;

  constructor(ms: number) {
    this.ms = ms;
    this.deadline = performance.now() + ms;
    const { promise, reject } = Promise.withResolvers<never>();
    this.over = promise;
    // The rejection may have no listener.
    this.over.catch(() => {});
    this.timer = setTimeout(() => reject(new BudgetSpent()), ms);
  }

  /** Ends the clock. */
  close(): void {
    clearTimeout(this.timer);
  }

  /** The program that took most of the time, and the arguments of its slowest call. */
  worst(): { name: string; ms: number; args: Argument[] } | undefined {
    const [first] = [...this.spent].sort(([, a], [, b]) => b.ms - a.ms);
    return first && { name: first[0], ms: first[1].ms, args: first[1].slowest?.args ?? [] };
  }

  /** A sandbox whose calls count, and fail with `BudgetSpent` when there is no time left. */
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
        const part = lists.slice(outcomes.length, outcomes.length + size);
        const started = performance.now();
        const done = await this.request(name, inner, fn, part, options);
        const ended = done.findIndex((one) => !one.ok && one.error.kind === "not_run");
        const ran = ended < 0 ? done : done.slice(0, ended);
        outcomes.push(...(options.halt ? done : ran));
        const each = (performance.now() - started) / Math.max(1, ran.length);
        size = Math.min(MAX_CALLS, Math.max(1, Math.min(size * 4, Math.floor(PART_MS / Math.max(each, 1)))));
        if (options.halt && ended >= 0) outcomes.push(...notRun(lists.length - outcomes.length));
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

  /** One request. It halts at the first call that does not end, so that no work continues long after the deadline. */
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
    // A failure of what is still under way when the time is over is of no interest.
    work.catch(() => {});
    try {
      const outcomes = await Promise.race([work, this.over]);
      outcomes.forEach(({ ms }, i) => {
        this.count(name, ms, lists[i] ?? []);
      });
      return outcomes;
    } catch (error) {
      if (error instanceof BudgetSpent) this.count(name, performance.now() - started, lists[0] ?? []);
      throw error;
    }
  }

  private count(name: string, ms: number, args: Argument[]): void {
    const entry = this.spent.get(name) ?? { ms: 0, slowest: undefined };
    entry.ms += ms;
    if (entry.slowest === undefined || ms > entry.slowest.ms) entry.slowest = { ms, args };
    this.spent.set(name, entry);
  }
}

function notRun(count: number): Outcome[] {
  return Array.from({ length: count }, () => ({
    ok: false,
    error: { kind: "not_run", message: "an earlier call did not end" },
    ms: 0,
  }));
}
