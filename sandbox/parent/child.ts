// One sandbox child as the parent sees it: a process that may die at any moment. States: starting, idle, busy,
// dead. A frame that the state does not expect, a wrong id or a malformed line makes the child dead. The wall
// clock is here: whatever happens inside, a call ends when its time is over.
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
import { limitProcessorTime, processorMs, residentBytes } from "./process-info.ts";

const GREETING_MS = 10_000;
/** Time beyond the limit of a call before its child is killed: transport, compilation, collection. */
const GRACE_MS = 600;
/** Less processor time than this share of a call's limit means that the machine was busy with other things. */
const STARVED_SHARE = 0.5;
const MAX_EXTENSIONS = 4;
/** Processors that the threads of a child keep busy at most, and processor time that is always left to it. */
const PROCESSORS = 3;
const PROCESSOR_ROOM_MS = 30_000;
/** Transport is given a second for this many bytes. */
const TRANSPORT_BYTES_PER_SECOND = 50 * 1024 * 1024;
const STDERR_CHARS = 8_000;
/** Sources of which a child may still have a compiled one. */
const MAX_SOURCES = 6;
const WATCH_MS = 100;
const SHORT_MS = 10 * WATCH_MS;
/** A request up to this size is written in one piece. */
const ONE_PIECE_BYTES = 256 * 1024;
/** Resident memory of a child beside the heaps of its isolates and the request. */
const BASE_BYTES = 512 * 1024 * 1024;

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

/** A `part` header; there are dozens of them in a second, so it is looked at without a schema. */
function readPart(header: unknown): PartReply {
  const { type, id, from, count, last } = header as Record<string, unknown>;
  const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
  if (type !== "part" || !isCount(id) || !isCount(from) || !isCount(count) || typeof last !== "boolean") {
    throw new Error("an answer of another form");
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
  /** Called with the process id once it runs the runtime: limits from outside. */
  restrict?: (pid: number) => void;
}

/** Why a child is no more. `external`: killed by a signal that the parent did not send. */
export interface Death {
  kind: Extract<FailureKind, "timeout" | "memory" | "crashed" | "protocol" | "unavailable">;
  message: string;
  external: boolean;
}

interface Job {
  id: number;
  request: RunRequest;
  received: number;
  onLines: (lines: string[]) => void;
  resolve: (death: Death | undefined) => void;
  deadline: ReturnType<typeof setTimeout> | undefined;
  watch: ReturnType<typeof setInterval> | undefined;
  /** When the clock of the call was started, and the child's processor time then; undefined until the first look. */
  used: { since: number; before: number | undefined };
}

export class Child {
  /** Sessions whose source this child holds. */
  readonly sessions = new Set<number>();
  /** Sessions that have a context in there, and the sources that were compiled there last, as far as is known. */
  private readonly contexts = new Set<number>();
  private readonly sources = new Set<string>();
  calls = 0;
  /** Bytes of the requests it was given. */
  bytes = 0;
  hello: Hello | undefined;
  jail: JailReport | undefined;
  /** Settles when the child has greeted or is dead. */
  readonly ready: Promise<Death | undefined>;
  /** Settles when the process is gone. */
  readonly gone: Promise<void>;

  private death: Death | undefined;
  private job: Job | undefined;
  private readonly process: Subprocess<"pipe", "pipe", "pipe">;
  private readonly frames: FrameReader;
  private stderr = "";
  private greeted: (death: Death | undefined) => void = () => {};
  private readonly greetingTimer: ReturnType<typeof setTimeout>;
  private readonly launch: Launch;
  /** Processor time that was allowed, and when. */
  private allowed = { at: 0, ms: 0 };

  constructor(launch: Launch) {
    this.launch = launch;
    this.frames = new FrameReader(() => this.bodyLimit());
    this.ready = new Promise((resolve) => {
      this.greeted = resolve;
    });
    this.process = Bun.spawn(launch.command, {
      env: launch.env,
      cwd: launch.cwd,
      stdin: "pipe",
      stdout: "pipe",
      stderr: "pipe",
    });
    this.process.unref();
    this.greetingTimer = setTimeout(() => {
      this.die({ kind: "unavailable", message: this.withStderr("the child did not greet"), external: false });
    }, GREETING_MS);
    this.gone = this.live();
  }

  get pid(): number {
    return this.process.pid;
  }

  get dead(): boolean {
    return this.death !== undefined;
  }

  get busy(): boolean {
    return this.job !== undefined;
  }

  /** How much of a session is in there already: 2 for its context, 1 for its source, compiled. */
  readiness(wanted: { session: number; source: string }): number {
    if (this.contexts.has(wanted.session)) return 2;
    return this.sources.has(wanted.source) ? 1 : 0;
  }

  /** The session has a context in there from now on. */
  remember(wanted: { session: number; source: string }): void {
    this.contexts.add(wanted.session);
    this.sources.delete(wanted.source);
    this.sources.add(wanted.source);
    const [oldest] = this.sources;
    if (this.sources.size > MAX_SOURCES && oldest !== undefined) this.sources.delete(oldest);
  }

  /** The session is over. */
  forget(session: number): void {
    this.sessions.delete(session);
    this.contexts.delete(session);
  }

  /** Sends a request; `onLines` gets outcome lines in order. Resolves with the death that ended it, if any. */
  run(
    request: RunRequest,
    body: readonly Uint8Array[],
    onLines: (lines: string[]) => void,
  ): Promise<Death | undefined> {
    if (this.death !== undefined) return Promise.resolve(this.death);
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
      this.startClock(job, (bytes / TRANSPORT_BYTES_PER_SECOND) * 1000);
      try {
        // Writing and flushing answer with a promise when the pipe is full; a pipe that broke rejects it.
        const { stdin } = this.process;
        const chunks = encodeFrame(request, body);
        const pieces = bytes <= ONE_PIECE_BYTES ? [Buffer.concat(chunks)] : chunks;
        for (const piece of pieces) this.whenBroken(stdin.write(piece));
        this.whenBroken(stdin.flush());
      } catch {
        this.broken();
      }
    });
  }

  private whenBroken(written: number | Promise<unknown>): void {
    if (typeof written !== "number") written.catch(() => this.broken());
  }

  /** Ends the process now. */
  kill(death: Death = { kind: "crashed", message: "the child was stopped", external: false }): void {
    this.die(death);
  }

  /** Asks the child to end by closing its input, and makes sure that it does. */
  async retire(): Promise<void> {
    try {
      await this.process.stdin.end();
    } catch {
      // It is gone already.
    }
    const timer = setTimeout(() => this.process.kill("SIGKILL"), 1000);
    await this.gone;
    clearTimeout(timer);
  }

  private bodyLimit(): number {
    const job = this.job;
    if (job === undefined) return 0;
    // A line in UTF-8 has at most three bytes per character; a part holds what was gathered and one batch.
    return 3 * job.request.limits.maxResultBytes + 64 * 1024 * 1024;
  }

  /** The wall clock of a call. A child that was hardly given a processor has not had its time yet: it is given
   * more, a bounded number of times. A child that computes is never given more. */
  private startClock(job: Job, extraMs: number, extensions = 0): void {
    clearTimeout(job.deadline);
    const { timeoutMs } = job.request.limits;
    const ms = timeoutMs + GRACE_MS + extraMs;
    this.allowProcessorTime(ms);
    // For a short limit the time until the first look would be too much to be left open.
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
      this.die({ kind: "timeout", message, external: false });
    }, ms);
  }

  /** Sees to it that the system lets the child use what `ms` on the clock may take, and not much more. The limit is
   * moved only when what is left of it might not do: most calls cost nothing here. */
  private allowProcessorTime(ms: number): void {
    const now = performance.now();
    const wanted = PROCESSORS * ms;
    if (this.allowed.ms - PROCESSORS * (now - this.allowed.at) >= wanted) return;
    const used = processorMs(this.pid);
    if (used === undefined) return;
    this.allowed = { at: now, ms: 2 * wanted + PROCESSOR_ROOM_MS };
    limitProcessorTime(this.pid, used, this.allowed.ms);
  }

  /** Looks at the child while a call lasts. Most calls end before the first look, and cost nothing here. */
  private watch(request: RunRequest, bytes: number): ReturnType<typeof setInterval> {
    const limit = BASE_BYTES + 2 * request.limits.memoryMb * 1024 * 1024 + 6 * bytes;
    return setInterval(() => {
      const used = this.job?.used;
      if (used && used.before === undefined) {
        // What was used until now is not known; at most all of the time that went by, so that is what counts.
        const now = processorMs(this.pid);
        if (now !== undefined) used.before = now - (performance.now() - used.since);
      }
      if ((residentBytes(this.pid) ?? 0) < limit) return;
      const message = `more than ${request.limits.memoryMb} MiB of memory; the child was killed`;
      this.die({ kind: "memory", message, external: false });
    }, WATCH_MS);
  }

  private async live(): Promise<void> {
    const errors = this.drainErrors();
    try {
      for await (const chunk of this.process.stdout) {
        if (this.death !== undefined) continue;
        for (const frame of this.frames.push(chunk)) this.receive(frame);
      }
    } catch (error) {
      const message = `the child broke the protocol: ${error instanceof Error ? error.message : String(error)}`;
      this.die({ kind: "protocol", message, external: false });
    }
    await this.process.exited;
    await errors;
    this.die(this.obituary());
    clearTimeout(this.greetingTimer);
  }

  private async drainErrors(): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of this.process.stderr) {
      this.stderr = (this.stderr + decoder.decode(chunk, { stream: true })).slice(-STDERR_CHARS);
    }
  }

  private obituary(): Death {
    const signal = this.process.signalCode;
    if (/out of memory|allocation fail|Allocation failed|bad_alloc|memory limit/i.test(this.stderr)) {
      return { kind: "memory", message: "the child ran out of memory", external: false };
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
    const said = this.stderr.trim().split("\n").slice(0, 6).join(" | ");
    return said === "" ? message : `${message}: ${said.slice(0, 600)}`;
  }

  private broken(): void {
    // The pipe is closed: the end of the process says why; give it a moment to be noticed.
    setTimeout(() => this.die(this.obituary()), 500);
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
        throw new Error(`the child speaks protocol ${hello.protocol}, this program ${PROTOCOL}`);
      }
      this.hello = hello;
      clearTimeout(this.greetingTimer);
      this.launch.restrict?.(this.pid);
      this.greeted(undefined);
      return;
    }
    const job = this.job;
    if (job === undefined) throw new Error("an answer to no request");
    const part = readPart(frame.header);
    if (part.id !== job.id) throw new Error("an answer to another request");
    if (part.from !== job.received) throw new Error("answers out of order");
    job.received += part.count;
    if (job.received > job.request.count || (part.last && job.received !== job.request.count)) {
      throw new Error("a wrong number of answers");
    }
    if (part.count > 0) {
      const lines = new TextDecoder().decode(frame.body).split("\n");
      if (lines.length !== part.count) throw new Error("a wrong number of lines");
      job.onLines(lines);
    }
    if (part.last) this.finish(undefined);
    // Only outcomes give time for the next ones: a part without any would hold the clock for ever.
    else if (part.count > 0) this.startClock(job, 0);
  }

  private finish(death: Death | undefined): void {
    const job = this.job;
    if (job === undefined) return;
    this.job = undefined;
    clearTimeout(job.deadline);
    clearInterval(job.watch);
    job.resolve(death);
  }

  private die(death: Death): void {
    if (this.death !== undefined) return;
    this.death = death;
    this.process.kill("SIGKILL");
    clearTimeout(this.greetingTimer);
    this.greeted(death);
    this.finish(death);
  }
}
