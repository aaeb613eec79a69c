// Runs requests: finds or creates the isolate of a session and calls the atom in batches; after a timeout or memory
// failure it continues call by call in a new isolate. Every outcome is a line of text; nothing is thrown.
import type IsolatedVm from "isolated-vm";
import type { PartReply, RunRequest } from "../protocol.ts";
import type { CallLimits } from "../types.ts";
import { GuestIsolate, GuestProgram, type GuestResult } from "./guest-program.ts";

/** Contexts kept for sessions; the least recently used one is evicted first. */
const MAX_PROGRAMS = 8;
/** Maximum isolates without a session that are kept for the next session of the same source. */
const MAX_SPARE = 4;
/** An isolate that served this many sessions, or whose heap grew beyond this size, is not reused. */
const MAX_CONTEXTS = 64;
const MAX_SPARE_BYTES = 24 * 1024 * 1024;
/** Result text per entry into an isolate, after which the batch ends early. */
const SOFT_BYTES = 4 * 1024 * 1024;
/** Bytes of results that are buffered before they are sent. */
const FLUSH_BYTES = 1024 * 1024;
const FLUSH_MS = 200;
/** Time limit of a batch; when it is exceeded, the calls are made one by one, each with its full time limit. */
const BATCH_MS = 500;

/** A call that got less than this share of its time limit as CPU time was delayed by other work of the machine. */
const STARVED_SHARE = 0.5;
const MAX_TIME_FACTOR = 4;

const NOT_RUN_LINE = `e0 ${JSON.stringify({ kind: "not_run", message: "an earlier call did not end" })}`;

type Send = (header: object, body?: Uint8Array[]) => void;

export class Runner {
  private readonly programs = new Map<number, GuestProgram>();
  /** Isolates that can serve further sessions of the same source; those without a session are spare. */
  private readonly isolates = new Set<GuestIsolate>();
  /** Sources by session; they outlive the isolates and stay until the session ends. */
  readonly sources = new Map<number, string>();
  private disposed = false;
  private readonly ivm: typeof IsolatedVm;
  private readonly send: Send;

  constructor(ivm: typeof IsolatedVm, send: Send) {
    this.ivm = ivm;
    this.send = send;
  }

  /** Whether an isolate was discarded since the last call; resets the flag. */
  clearDisposedFlag(): boolean {
    const { disposed } = this;
    this.disposed = false;
    return disposed;
  }

  /** Releases sessions that have ended. */
  drop(sessions: readonly number[]): void {
    for (const session of sessions) {
      this.end(session);
      this.sources.delete(session);
    }
  }

  run(request: RunRequest, body: Uint8Array): void {
    new Run(this, this.send, request, body).execute();
  }

  /** The session's program, moved to the end of the queue of eviction. */
  findProgram(session: number): GuestProgram | undefined {
    const program = this.programs.get(session);
    if (program === undefined) return undefined;
    this.programs.delete(session);
    // Another session may have caused its isolate to be disposed.
    if (program.host.isolate.isDisposed) return undefined;
    this.programs.set(session, program);
    return program;
  }

  /** An isolate for this source: a new one when `fresh`, otherwise preferably one of the same source. */
  isolateFor(name: string, source: string, memoryMb: number, baseMb: number, fresh: boolean): GuestIsolate {
    if (!fresh) {
      for (const isolate of this.isolates) {
        if (isolate.isFor(name, source) && isolate.fits(memoryMb, baseMb) && isolate.created < MAX_CONTEXTS)
          return isolate;
      }
    }
    const isolate = new GuestIsolate(this.ivm, name, source, memoryMb, baseMb);
    if (!fresh) this.isolates.add(isolate);
    return isolate;
  }

  keep(session: number, program: GuestProgram): void {
    this.programs.set(session, program);
    for (const oldest of this.programs.keys()) {
      if (this.programs.size <= MAX_PROGRAMS) break;
      this.end(oldest);
    }
  }

  /** Releases the context of a session; its isolate may stay for another session of the same source. */
  end(session: number): void {
    const program = this.programs.get(session);
    if (program === undefined) return;
    this.programs.delete(session);
    program.release();
    const { host } = program;
    if (host.inUse > 0) return;
    if (host.isolate.isDisposed || host.created >= MAX_CONTEXTS || host.heapBytes() > MAX_SPARE_BYTES) {
      this.discard(host);
      return;
    }
    // Most recently used last.
    this.isolates.delete(host);
    this.isolates.add(host);
    const spare = [...this.isolates].filter((isolate) => isolate.inUse === 0);
    for (const old of spare.slice(0, Math.max(0, spare.length - MAX_SPARE))) this.discard(old);
  }

  /** Disposes of an isolate and the contexts in it; the next call of their sessions gets another isolate. */
  discard(host: GuestIsolate): void {
    this.isolates.delete(host);
    for (const [session, program] of this.programs) if (program.host === host) this.programs.delete(session);
    host.dispose();
    this.disposed = true;
  }
}

const NEWLINE = Buffer.from("\n");

/** Encodes outcome lines. The isolate counts the characters of a result; one that has too many bytes becomes
 * a failure here. */
function encodeLines(text: string, maxResultBytes: number): Buffer {
  if (Buffer.byteLength(text, "utf8") <= maxResultBytes) return Buffer.from(text, "utf8");
  const lines = text.split("\n").map((line) => {
    const space = line.indexOf(" ");
    const size = Buffer.byteLength(line, "utf8") - space - 1;
    if (size <= maxResultBytes) return line;
    const message = `the result has ${size} bytes, more than ${maxResultBytes}`;
    return `e${line.slice(1, space)} ${JSON.stringify({ kind: "result_too_large", message })}`;
  });
  return Buffer.from(lines.join("\n"), "utf8");
}

function linesIn(text: string): number {
  let count = 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}

/** One request in progress. */
class Run {
  private readonly runner: Runner;
  private readonly send: Send;
  private readonly request: RunRequest;
  private readonly lists: string[];
  private readonly raws: { list: number; arg: number; text: string }[] = [];
  private pending: Buffer[] = [];
  private pendingLines = 0;
  private pendingBytes = 0;
  private sent = 0;
  private lastFlush = Date.now();

  constructor(runner: Runner, send: Send, request: RunRequest, body: Uint8Array) {
    this.runner = runner;
    this.send = send;
    this.request = request;
    const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
    let at = 0;
    const cut = (count: number): Buffer => {
      at += count;
      return bytes.subarray(at - count, at);
    };
    if (!request.known) {
      runner.sources.set(request.session, cut(request.sourceBytes).toString("utf8"));
    }
    this.lists = cut(request.argsBytes).toString("utf8").split("\n");
    for (const raw of request.raws) {
      this.raws.push({ list: raw.list, arg: raw.arg, text: cut(raw.bytes).toString(raw.encoding) });
    }
  }

  execute(): void {
    const { count, limits } = this.request;
    let batch = Math.max(1, this.request.batch);
    let at = 0;
    while (at < count) {
      const size = Math.min(batch, count - at);
      const result = this.enter(at, size, limits);
      if (result.ok) {
        const lines = linesIn(result.text);
        this.push(result.text, lines);
        at += lines;
        // The parent is searching for the call that kills the child: earlier outcomes must arrive before it runs.
        if (this.request.batch === 1 && at < count) this.flush(false);
        continue;
      }
      if (size > 1 && result.retry) {
        // One of these calls failed; run them one by one to find it, each with its own time limit.
        batch = 1;
        this.flush(false);
        continue;
      }
      if (result.retry) {
        this.push(`e${Math.round(result.ms)} ${JSON.stringify(result.error)}`);
        at += 1;
        if (this.request.halt) for (; at < count; at += 1) this.push(NOT_RUN_LINE);
        else this.flush(false);
        continue;
      }
      // The program itself is at fault: every remaining call fails the same way.
      const line = `e${Math.round(result.ms)} ${JSON.stringify(result.error)}`;
      for (; at < count; at += 1) this.push(line);
    }
    this.flush(true);
  }

  /** Calls `size` argument lists from `at` in one entry into the isolate. A single call that timed out because the
   * machine was busy is retried with a longer limit. */
  private enter(at: number, size: number, limits: CallLimits, timeFactor = 1): GuestResult {
    const { session, name, fn, fresh } = this.request;
    const raws = this.raws.filter((raw) => raw.list >= at && raw.list < at + size);
    // Long texts are added to the memory limit of the atom.
    const texts = raws.map((raw) => raw.text);
    const textMb = Math.ceil(texts.reduce((sum, text) => sum + 2 * text.length, 0) / (1024 * 1024));
    const memoryMb = limits.memoryMb + textMb;
    let program = fresh ? undefined : this.runner.findProgram(session);
    if (program !== undefined && !program.host.fits(memoryMb, limits.memoryMb)) {
      this.runner.discard(program.host);
      program = undefined;
    }
    if (program === undefined) {
      const source = this.runner.sources.get(session) ?? "";
      const host = this.runner.isolateFor(name, source, memoryMb, limits.memoryMb, fresh);
      const created = GuestProgram.create(host, limits);
      if (!created.ok) {
        this.runner.discard(host);
        return created.result;
      }
      program = created.program;
      if (!fresh) this.runner.keep(session, program);
    }
    const places = raws.map((raw) => [raw.list - at, raw.arg]);
    const args = `[${this.lists.slice(at, at + size).join(",")}]`;
    const soft = fresh ? 0 : SOFT_BYTES;
    const timeoutMs = (size > 1 ? Math.min(limits.timeoutMs, BATCH_MS) : limits.timeoutMs) * timeFactor;
    const result = program.call(fn, args, JSON.stringify(places), { ...limits, timeoutMs }, soft, texts);
    const starved = !result.ok && result.error.kind === "timeout" && result.cpuMs < timeoutMs * STARVED_SHARE;
    const isShared = program.host.inUse > 1;
    if (fresh || (!result.ok && result.retry)) this.runner.discard(program.host);
    // Other sessions may have used the memory; retry in a new isolate.
    if (!result.ok && result.error.kind === "memory" && isShared && size === 1)
      return this.enter(at, size, limits, timeFactor);
    if (starved && size === 1 && timeFactor < MAX_TIME_FACTOR) {
      if (this.pendingLines > 0) this.flush(false);
      return this.enter(at, size, limits, timeFactor * 2);
    }
    return result;
  }

  /** Buffers outcomes, one per line. */
  private push(text: string, lines = 1): void {
    const bytes = encodeLines(text, this.request.limits.maxResultBytes);
    if (this.pendingLines > 0) this.pending.push(NEWLINE);
    this.pending.push(bytes);
    this.pendingLines += lines;
    this.pendingBytes += bytes.byteLength;
    if (this.pendingBytes > FLUSH_BYTES || Date.now() - this.lastFlush > FLUSH_MS) this.flush(false);
  }

  /** Sends the buffered outcomes. */
  private flush(last: boolean): void {
    const reply: PartReply = {
      type: "part",
      id: this.request.id,
      from: this.sent,
      count: this.pendingLines,
      last,
    };
    this.send(reply, this.pending);
    this.sent += this.pendingLines;
    this.pending = [];
    this.pendingLines = 0;
    this.pendingBytes = 0;
    this.lastFlush = Date.now();
  }
}
