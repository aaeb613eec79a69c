// An atom session: cuts calls into requests of bounded size, sends them to whatever child is free, and finds
// out which call of a batch was the one that killed a child. Outcomes are values; nothing is thrown.
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
import { Child, type Death } from "./child.ts";
import { ProtocolViolation, readOutcome } from "./outcomes.ts";
import type { Pool } from "./pool.ts";
import { encodeArguments, roughBytes } from "./request.ts";

const MAX_REQUEST_BYTES = 8 * 1024 * 1024;
const MAX_REQUEST_CALLS = 2048;
const BATCH = 64;

/** Register of sessions that are over. */
export interface Ended {
  add(session: number): void;
  take(child: Child): number[];
}

let lastSession = 0;
let lastRequest = 0;

export class Session implements AtomSession {
  private readonly id: number;
  private readonly program: AtomProgram;
  private readonly pool: Pool;
  private readonly limits: CallLimits;
  private readonly ended: Ended;
  private closed = false;

  constructor(program: AtomProgram, pool: Pool, limits: CallLimits, ended: Ended) {
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
    let lookForCulprit = false;
    let externalDeaths = 0;
    while (outcomes.length < argLists.length) {
      if (this.closed) {
        outcomes.push(failed({ kind: "unavailable", message: "the session is closed" }));
        continue;
      }
      const from = outcomes.length;
      const { lists, bytes } = nextLists(argLists, from);
      const batch = options.fresh === true || lookForCulprit ? 1 : BATCH;
      const started = performance.now();
      const death = await this.request(fn, lists, bytes, limits, options, batch, outcomes);
      if (death === undefined) {
        lookForCulprit = false;
        const last = outcomes.at(-1);
        if (options.halt && last?.ok === false && ENDLESS.has(last.error.kind))
          halt(outcomes, argLists.length);
        continue;
      }
      if (death.external && externalDeaths < 2) {
        // Killed from outside (an operator, the system short of memory): not the atom's doing; once more.
        externalDeaths += 1;
        continue;
      }
      if (batch > 1 && lists.length > 1 && death.kind !== "unavailable") {
        lookForCulprit = true;
        continue;
      }
      const ms = performance.now() - started;
      if (death.kind === "unavailable") {
        while (outcomes.length < argLists.length) outcomes.push({ ok: false, error: plain(death), ms });
      } else outcomes.push({ ok: false, error: plain(death), ms });
      if (options.halt) halt(outcomes, argLists.length);
      lookForCulprit = false;
    }
    return outcomes;
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    this.ended.add(this.id);
  }

  /** One request; pushes the outcomes that arrive. Resolves with the death of the child, if it died. */
  private async request(
    fn: string,
    lists: Argument[][],
    bytes: number,
    limits: CallLimits,
    options: CallOptions,
    batch: number,
    outcomes: Outcome[],
  ): Promise<Death | undefined> {
    const wanted = { session: this.id, source: this.program.source, bytes };
    const child = await this.pool.acquire(wanted);
    if (!(child instanceof Child)) return child;
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
      drop: this.ended.take(child),
    };
    child.sessions.add(this.id);
    const single = lists.length === 1;
    const started = performance.now();
    let violation: Death | undefined;
    const death = await child.run(request, [source, ...encoded.body], (lines) => {
      if (violation !== undefined) return;
      try {
        for (const line of lines) {
          const outcome = readOutcome(line, limits);
          // Inside there is only a clock of whole milliseconds; alone, the call is timed from outside.
          outcomes.push(single ? { ...outcome, ms: performance.now() - started } : outcome);
        }
      } catch (error) {
        if (!(error instanceof ProtocolViolation)) throw error;
        violation = { kind: "protocol", message: `the child sent ${error.message}`, external: false };
        child.kill(violation);
      }
    });
    this.pool.release(child);
    return violation ?? death;
  }
}

/** The argument lists of the next request, and their rough size. */
function nextLists(argLists: Argument[][], from: number): { lists: Argument[][]; bytes: number } {
  const lists: Argument[][] = [];
  let bytes = 0;
  for (let i = from; i < argLists.length && lists.length < MAX_REQUEST_CALLS; i++) {
    const args = argLists[i];
    if (args === undefined) break;
    const more = roughBytes(args);
    if (lists.length > 0 && bytes + more > MAX_REQUEST_BYTES) break;
    lists.push(args);
    bytes += more;
  }
  return { lists, bytes };
}

/** Failures after which a list of calls ends that asked to `halt`. */
const ENDLESS: ReadonlySet<string> = new Set(["timeout", "memory", "crashed", "not_run"]);

function halt(outcomes: Outcome[], count: number): void {
  while (outcomes.length < count) {
    outcomes.push(failed({ kind: "not_run", message: "an earlier call did not end" }));
  }
}

function plain(death: Death): SandboxFailure {
  return { kind: death.kind, message: death.message };
}

function failed(error: SandboxFailure): Outcome {
  return { ok: false, error, ms: 0 };
}
