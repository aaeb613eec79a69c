// An atom session: splits calls into requests of bounded size, sends them to any free child, and finds the call of a
// batch that killed a child. Outcomes are values; nothing is thrown.
import type { RunRequest } from "../protocol.ts";
import type {
  Argument,
  AtomProgram,
  AtomSession,
  CallLimits,
  CallOptions,
  Outcome,
  SandboxFailure,
} from "../types.ts";
import { Child } from "./child.ts";
import type { ExitReason } from "./exit-reason.ts";
import { ProtocolViolation, readOutcome } from "./outcomes.ts";
import type { Pool } from "./pool.ts";
import { encodeArguments, estimateBytes } from "./request.ts";

const MAX_REQUEST_BYTES = 8 * 1024 * 1024;
const MAX_REQUEST_CALLS = 2048;
const BATCH = 64;

/** Register of sessions that have ended. */
export interface EndedSessionRegister {
  add(session: number): void;
  forgetEnded(child: Child): number[];
}

/** How a request ended. */
interface Attempt {
  /** Set if the child ended. */
  exitReason: ExitReason | undefined;
  /** The child ended in its first call. */
  first: boolean;
}

let lastSession = 0;
let lastRequest = 0;

export class Session implements AtomSession {
  private readonly id: number;
  private readonly program: AtomProgram;
  private readonly pool: Pool;
  private readonly limits: CallLimits;
  private readonly ended: EndedSessionRegister;
  private closed = false;

  constructor(program: AtomProgram, pool: Pool, limits: CallLimits, ended: EndedSessionRegister) {
    lastSession += 1;
    this.id = lastSession;
    this.program = program;
    this.pool = pool;
    this.limits = limits;
    this.ended = ended;
  }

  async call(fn: string, args: Argument[], options: CallOptions = {}): Promise<Outcome> {
    const [outcome] = await this.callMany(fn, [args], options);
    return outcome ?? failed({ kind: "protocol", message: "no outcome" });
  }

  async callMany(fn: string, argLists: Argument[][], options: CallOptions = {}): Promise<Outcome[]> {
    const limits = { ...this.limits, ...options.limits };
    const outcomes: Outcome[] = [];
    let oneByOne = false;
    let externalKills = 0;
    let unused = false;
    while (outcomes.length < argLists.length) {
      if (this.closed) {
        outcomes.push(failed({ kind: "unavailable", message: "the session is closed" }));
        continue;
      }
      const from = outcomes.length;
      const { lists, bytes } = nextLists(argLists, from);
      const batch = options.fresh === true || oneByOne ? 1 : BATCH;
      const started = performance.now();
      const { exitReason, first } = await this.request(
        fn,
        lists,
        bytes,
        limits,
        options,
        batch,
        unused,
        outcomes,
      );
      unused = false;
      if (exitReason === undefined) {
        oneByOne = false;
        const last = outcomes.at(-1);
        if (options.halt && last?.ok === false && HALTING.has(last.error.kind))
          halt(outcomes, argLists.length);
        continue;
      }
      if (exitReason.external && externalKills < 2) {
        // Killed from outside (by an operator or the OOM killer), not because of the atom: retry.
        externalKills += 1;
        continue;
      }
      if (batch > 1 && lists.length > 1 && exitReason.kind !== "unavailable") {
        oneByOne = true;
        continue;
      }
      if (exitReason.kind === "memory" && !first) {
        // Part of the memory may have been used for earlier calls: repeat this one in a new child.
        unused = true;
        continue;
      }
      const ms = performance.now() - started;
      if (exitReason.kind === "unavailable") {
        while (outcomes.length < argLists.length)
          outcomes.push({ ok: false, error: toFailure(exitReason), ms });
      } else outcomes.push({ ok: false, error: toFailure(exitReason), ms });
      if (options.halt) halt(outcomes, argLists.length);
      oneByOne = false;
    }
    return outcomes;
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    this.ended.add(this.id);
  }

  /** Sends one request to a child (an unused one if `unused`) and appends the outcomes that arrive. */
  private async request(
    fn: string,
    lists: Argument[][],
    bytes: number,
    limits: CallLimits,
    options: CallOptions,
    batch: number,
    unused: boolean,
    outcomes: Outcome[],
  ): Promise<Attempt> {
    const wanted = { session: this.id, source: this.program.source, bytes, unused };
    const child = await this.pool.acquire(wanted);
    if (!(child instanceof Child)) return { exitReason: child, first: true };
    const before = outcomes.length;
    const isNew = child.calls === 0;
    if (!options.fresh) child.remember(wanted);
    const known = child.sessions.has(this.id);
    const source = known ? new Uint8Array(0) : Buffer.from(this.program.source, "utf8");
    const encoded = encodeArguments(lists);
    lastRequest += 1;
    const request: RunRequest = {
      type: "run",
      id: lastRequest,
      session: this.id,
      name: this.program.name,
      fn,
      count: lists.length,
      known,
      sourceBytes: source.byteLength,
      argsBytes: encoded.argsBytes,
      raws: encoded.raws,
      limits,
      fresh: options.fresh === true,
      halt: options.halt === true,
      batch,
      drop: this.ended.forgetEnded(child),
    };
    child.sessions.add(this.id);
    const single = lists.length === 1;
    const started = performance.now();
    let violation: ExitReason | undefined;
    const exitReason = await child.run(request, [source, ...encoded.body], (lines) => {
      if (violation !== undefined) return;
      try {
        for (const line of lines) {
          const outcome = readOutcome(line, limits);
          // The clock inside has whole milliseconds only; a single call is timed from outside.
          outcomes.push(single ? { ...outcome, ms: performance.now() - started } : outcome);
        }
      } catch (error) {
        if (!(error instanceof ProtocolViolation)) throw error;
        violation = { kind: "protocol", message: `the child sent ${error.message}`, external: false };
        child.kill(violation);
      }
    });
    this.pool.release(child);
    return { exitReason: violation ?? exitReason, first: isNew && outcomes.length === before };
  }
}

/** The argument lists of the next request, and their estimated size. */
function nextLists(argLists: Argument[][], from: number): { lists: Argument[][]; bytes: number } {
  const lists: Argument[][] = [];
  let bytes = 0;
  for (let i = from; i < argLists.length && lists.length < MAX_REQUEST_CALLS; i++) {
    const args = argLists[i];
    if (args === undefined) break;
    const more = estimateBytes(args);
    if (lists.length > 0 && bytes + more > MAX_REQUEST_BYTES) break;
    lists.push(args);
    bytes += more;
  }
  return { lists, bytes };
}

/** Failures that end a list of calls with the option `halt`. */
const HALTING: ReadonlySet<string> = new Set(["timeout", "memory", "crashed", "not_run"]);

function halt(outcomes: Outcome[], count: number): void {
  while (outcomes.length < count) {
    outcomes.push(failed({ kind: "not_run", message: "an earlier call did not end" }));
  }
}

function toFailure(exitReason: ExitReason): SandboxFailure {
  return { kind: exitReason.kind, message: exitReason.message };
}

function failed(error: SandboxFailure): Outcome {
  return { ok: false, error, ms: 0 };
}
