// The parent's view of one sandbox child: a process that may end at any moment. States: starting, idle, busy, dead. An
// unexpected frame, a wrong id or a malformed line kills the child. The wall clock is enforced here: whatever happens
// inside, a call ends when its time is up.
import type { Subprocess } from "bun";
import { z } from "zod";
import {
  encodeFrame,
  type Frame,
  FrameReader,
  type PartReply,
  PROTOCOL,
  type RunRequest,
} from "../protocol.ts";
import type { FailureKind } from "../types.ts";
import { ChildLimits } from "./child-limits.ts";
import { processorMs } from "./process-info.ts";

const HELLO_MS = 10_000;
/** Time beyond the limit of a call before its child is killed: transport, compilation, garbage collection. */
const GRACE_MS = 600;
/** Less processor time than this share of a call's limit means that the machine was busy with other work. */
const STARVED_SHARE = 0.5;
const MAX_EXTENSIONS = 4;
/** Assumed transport rate, for the time limit of large requests. */
const TRANSPORT_BYTES_PER_SECOND = 50 * 1024 * 1024;
const STDERR_CHARS = 8_000;
/** Number of sources that a child is assumed to keep compiled. */
const MAX_SOURCES = 6;
const WATCH_MS = 100;
const SHORT_MS = 10 * WATCH_MS;
/** A request up to this size is written at once. */
const SINGLE_WRITE_BYTES = 256 * 1024;
/** After a larger reply the child is ended before the reply is parsed, so that its memory and the parsed result never
 * exist at the same time. Starting another child takes less time than parsing. */
const LARGE_REPLY_BYTES = 16 * 1024 * 1024;
/** Room in a reply beside the largest result: buffered outcomes and one batch, three bytes per character. */
const REPLY_ROOM_BYTES = 32 * 1024 * 1024;

const helloSchema = z.object({
  type: z.literal("hello"),
  protocol: z.int(),
  node: z.string().max(100),
  v8: z.string().max(100),
  isolatedVm: z.boolean(),
});
const jailSchema = z.object({
  type: z.literal("jail"),
  landlock: z.int(),
  seccomp: z.boolean(),
  missing: z.array(z.string().max(1000)).max(50),
});

/** Checks a `part` header; dozens arrive per second, so this avoids the cost of a schema. */
function readPart(header: unknown): PartReply {
  const { type, id, from, count, last } = header as Record<string, unknown>;
  const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
  if (type !== "part" || !isCount(id) || !isCount(from) || !isCount(count) || typeof last !== "boolean") {
    throw new Error("malformed reply header");
  }
  return { type, id, from, count, last };
}

export type Hello = z.infer<typeof helloSchema>;
export type JailReport = z.infer<typeof jailSchema>;

/** How to start a child. */
export interface Launch {
  command: string[];
  env: Record<string, string>;
  cwd: string;
  /** Called with the process id once the runtime has started, to set limits from outside. */
  restrict?: (pid: number) => void;
}

/** Why a child ended. `external`: killed by a signal that the parent did not send. */
export interface ExitReason {
  kind: Extract<FailureKind, "timeout" | "memory" | "crashed" | "protocol" | "unavailable">;
  message: string;
  external: boolean;
}

interface Job {
  id: number;
  request: RunRequest;
  received: number;
  onLines: (lines: string[]) => void;
  resolve: (exitReason: ExitReason | undefined) => void;
  deadline: ReturnType<typeof setTimeout> | undefined;
  watch: ReturnType<typeof setInterval> | undefined;
  /** When the clock of the call was started, and the child's CPU time then; undefined until the first sample. */
  used: { since: number; before: number | undefined };
}

function memoryMessage(memoryMb: number): string {
  return `more than ${memoryMb} MiB of memory; the child was ended`;
}

export class Child {
  /** Sessions whose source this child holds. */
  readonly sessions = new Set<number>();
  /** Sessions that have a context in the child, and the sources it compiled last; an estimate. */
  private readonly contexts = new Set<number>();
  private readonly sources = new Set<string>();
  calls = 0;
  /** Total size of its requests. */
  bytes = 0;
  hello: Hello | undefined;
  jail: JailReport | undefined;
  /** Settles when the child has sent its hello frame or is dead. */
  readonly ready: Promise<ExitReason | undefined>;
  /** Settles when the process has ended. */
  readonly exited: Promise<void>;

  private exitReason: ExitReason | undefined;
  private job: Job | undefined;
  private readonly process: Subprocess<"pipe", "pipe", "pipe">;
  private readonly frames: FrameReader;
  private stderr = "";
  private resolveReady: (exitReason: ExitReason | undefined) => void = () => {};
  private readonly helloTimer: ReturnType<typeof setTimeout>;
  private readonly launch: Launch;
  private readonly limits: ChildLimits;
  private spent = false;

  constructor(launch: Launch) {
    this.launch = launch;
    this.frames = new FrameReader(() => this.bodyLimit());
    this.ready = new Promise((resolve) => {
      this.resolveReady = resolve;
    });
    this.process = Bun.spawn(launch.command, {
      env: launch.env,
      cwd: launch.cwd,
      stdin: "pipe",
      stdout: "pipe",
      stderr: "pipe",
    });
    this.process.unref();
    this.limits = new ChildLimits(this.process.pid);
    this.helloTimer = setTimeout(() => {
      this.terminate({
        kind: "unavailable",
        message: this.withStderr(`the child sent no hello frame within ${HELLO_MS} ms`),
        external: false,
      });
    }, HELLO_MS);
    this.exited = this.readUntilExit();
  }

  get pid(): number {
    return this.process.pid;
  }

  get dead(): boolean {
    return this.exitReason !== undefined;
  }

  get busy(): boolean {
    return this.job !== undefined;
  }

  /** Was the process ended after a large reply? It takes no further request. */
  get retired(): boolean {
    return this.spent;
  }

  /** How ready the child is for a session: 2 if it holds the context, 1 if it holds the compiled source, else 0. */
  readiness(wanted: { session: number; source: string }): number {
    if (this.contexts.has(wanted.session)) return 2;
    return this.sources.has(wanted.source) ? 1 : 0;
  }

  /** Records that the child holds a context of the session. */
  remember(wanted: { session: number; source: string }): void {
    this.contexts.add(wanted.session);
    this.sources.delete(wanted.source);
    this.sources.add(wanted.source);
    const [oldest] = this.sources;
    if (this.sources.size > MAX_SOURCES && oldest !== undefined) this.sources.delete(oldest);
  }

  /** Records that the session has ended. */
  forget(session: number): void {
    this.sessions.delete(session);
    this.contexts.delete(session);
  }

  /** Sends a request; `onLines` receives outcome lines in order. Resolves with the exit reason if the child ended. */
  run(
    request: RunRequest,
    body: readonly Uint8Array[],
    onLines: (lines: string[]) => void,
  ): Promise<ExitReason | undefined> {
    if (this.exitReason !== undefined) return Promise.resolve(this.exitReason);
    if (this.job !== undefined) throw new Error("a sandbox child got a second request");
    this.calls += request.count;
    return new Promise((resolve) => {
      const bytes = body.reduce((sum, part) => sum + part.byteLength, 0);
      this.bytes += bytes;
      const job: Job = {
        id: request.id,
        request,
        received: 0,
        onLines,
        resolve,
        deadline: undefined,
        watch: this.watch(request, bytes),
        used: { since: 0, before: undefined },
      };
      this.job = job;
      this.limits.limitMemory(request, bytes);
      this.startClock(job, (bytes / TRANSPORT_BYTES_PER_SECOND) * 1000);
      try {
        // Writes and flushes return a promise when the pipe is full; it rejects when the pipe breaks.
        const { stdin } = this.process;
        const chunks = encodeFrame(request, body);
        const pieces = bytes <= SINGLE_WRITE_BYTES ? [Buffer.concat(chunks)] : chunks;
        for (const piece of pieces) this.watchWrite(stdin.write(piece));
        this.watchWrite(stdin.flush());
      } catch {
        this.onBrokenPipe();
      }
    });
  }

  private watchWrite(written: number | Promise<unknown>): void {
    if (typeof written !== "number") written.catch(() => this.onBrokenPipe());
  }

  /** Ends the process now. */
  kill(
    exitReason: ExitReason = { kind: "crashed", message: "the child was stopped", external: false },
  ): void {
    this.terminate(exitReason);
  }

  /** Asks the child to end by closing its input, and makes sure that it does. */
  async retire(): Promise<void> {
    try {
      await this.process.stdin.end();
    } catch {
      // It has ended already.
    }
    const timer = setTimeout(() => this.process.kill("SIGKILL"), 1000);
    await this.exited;
    clearTimeout(timer);
  }

  private bodyLimit(): number {
    const job = this.job;
    if (job === undefined) return 0;
    return job.request.limits.maxResultBytes + REPLY_ROOM_BYTES;
  }

  /** Starts the wall clock of a call. A child that got hardly any CPU time gets a bounded number of extensions; a child
   * that computes gets none. */
  private startClock(job: Job, extraMs: number, extensions = 0): void {
    clearTimeout(job.deadline);
    const { timeoutMs } = job.request.limits;
    const ms = timeoutMs + GRACE_MS + extraMs;
    this.limits.extendCpuTime(ms);
    // With a short limit, the time until the first sample would be too large a share of it.
    const before = timeoutMs < SHORT_MS ? processorMs(this.pid) : undefined;
    job.used = { since: performance.now(), before };
    job.deadline = setTimeout(() => {
      const now = processorMs(this.pid);
      const before = job.used.before;
      const starved = before !== undefined && now !== undefined && now - before < timeoutMs * STARVED_SHARE;
      if (starved && extensions < MAX_EXTENSIONS) {
        this.startClock(job, 0, extensions + 1);
        return;
      }
      const message = `no result within ${timeoutMs} ms; the child was killed`;
      this.terminate({ kind: "timeout", message, external: false });
    }, ms);
  }

  /** Samples CPU time and memory of the child during a call. Most calls end before the first sample. */
  private watch(request: RunRequest, bytes: number): ReturnType<typeof setInterval> {
    return setInterval(() => {
      const used = this.job?.used;
      if (used && used.before === undefined) {
        // The CPU time used so far is unknown; assume the maximum, all of the elapsed time.
        const now = processorMs(this.pid);
        if (now !== undefined) used.before = now - (performance.now() - used.since);
      }
      if (!this.limits.exceedsMemory(request, bytes)) return;
      const message = memoryMessage(request.limits.memoryMb);
      this.terminate({ kind: "memory", message, external: false });
    }, WATCH_MS);
  }

  private async readUntilExit(): Promise<void> {
    const errors = this.drainErrors();
    try {
      for await (const chunk of this.process.stdout) {
        if (this.exitReason !== undefined) continue;
        for (const frame of this.frames.push(chunk)) this.receive(frame);
      }
    } catch (error) {
      const message = `the child broke the protocol: ${error instanceof Error ? error.message : String(error)}`;
      this.terminate({ kind: "protocol", message, external: false });
    }
    await this.process.exited;
    await errors;
    this.terminate(this.readExitReason());
    clearTimeout(this.helloTimer);
  }

  private async drainErrors(): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of this.process.stderr) {
      this.stderr = (this.stderr + decoder.decode(chunk, { stream: true })).slice(-STDERR_CHARS);
    }
  }

  private readExitReason(): ExitReason {
    const signal = this.process.signalCode;
    if (
      /out of memory|allocation fail|failed to allocate|is_heap_oom|bad_alloc|system_error|memory limit/i.test(
        this.stderr,
      )
    ) {
      const memoryMb = this.job?.request.limits.memoryMb;
      const message = memoryMb === undefined ? "the child ran out of memory" : memoryMessage(memoryMb);
      return { kind: "memory", message, external: false };
    }
    const how = signal === null ? `ended with code ${this.process.exitCode}` : `died of ${signal}`;
    if (signal === "SIGXCPU") {
      return { kind: "timeout", message: "the child used up its processor time", external: false };
    }
    const external = signal === "SIGKILL" || signal === "SIGTERM" || signal === "SIGINT";
    const kind = this.hello === undefined ? "unavailable" : "crashed";
    return { kind, message: this.withStderr(`the child ${how}`), external };
  }

  private withStderr(message: string): string {
    const lines = this.stderr.trim().split("\n").slice(0, 6).join(" | ");
    return lines === "" ? message : `${message}: ${lines.slice(0, 600)}`;
  }

  private onBrokenPipe(): void {
    // The exit status explains the closed pipe; wait a moment for it.
    setTimeout(() => this.terminate(this.readExitReason()), 500);
  }

  private receive(frame: Frame): void {
    if (this.hello === undefined) {
      const jail = jailSchema.safeParse(frame.header);
      if (jail.success && this.jail === undefined) {
        this.jail = jail.data;
        return;
      }
      const hello = helloSchema.parse(frame.header);
      if (hello.protocol !== PROTOCOL) {
        throw new Error(`the child uses protocol ${hello.protocol}, this program ${PROTOCOL}`);
      }
      this.hello = hello;
      clearTimeout(this.helloTimer);
      this.launch.restrict?.(this.pid);
      this.limits.measureIdle();
      this.resolveReady(undefined);
      return;
    }
    const job = this.job;
    if (job === undefined) throw new Error("a reply without a request");
    const part = readPart(frame.header);
    if (part.id !== job.id) throw new Error("a reply to another request");
    if (part.from !== job.received) throw new Error("outcomes out of order");
    job.received += part.count;
    if (job.received > job.request.count || (part.last && job.received !== job.request.count)) {
      throw new Error("a wrong number of outcomes");
    }
    if (part.last && frame.body.byteLength > LARGE_REPLY_BYTES) {
      this.spent = true;
      this.process.kill("SIGKILL");
    }
    if (part.count > 0) {
      const lines = new TextDecoder().decode(frame.body).split("\n");
      if (lines.length !== part.count) throw new Error("a wrong number of lines");
      job.onLines(lines);
    }
    if (part.last) this.finish(undefined);
    // Only outcomes restart the clock: with empty parts a child could stop it forever.
    else if (part.count > 0) this.startClock(job, 0);
  }

  private finish(exitReason: ExitReason | undefined): void {
    const job = this.job;
    if (job === undefined) return;
    this.job = undefined;
    clearTimeout(job.deadline);
    clearInterval(job.watch);
    job.resolve(exitReason);
  }

  private terminate(exitReason: ExitReason): void {
    if (this.exitReason !== undefined) return;
    this.exitReason = exitReason;
    this.process.kill("SIGKILL");
    clearTimeout(this.helloTimer);
    this.resolveReady(exitReason);
    this.finish(exitReason);
  }
}
