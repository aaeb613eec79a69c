// The parent's view of one sandbox child: a process that may end at any moment. States: starting, idle, busy, dead. An
// unexpected frame, a wrong id or a malformed line kills the child.
import type { Subprocess } from "bun";
import { encodeFrame, type Frame, FrameReader, PROTOCOL, type RunRequest } from "../protocol.ts";
import { CallClock } from "./call-clock.ts";
import { ChildLimits } from "./child-limits.ts";
import { type ExitReason, exitReasonOf, withStderr } from "./exit-reason.ts";
import { type Hello, helloSchema, type JailReport, jailSchema, readPart } from "./replies.ts";

const HELLO_MS = 10_000;
const STDERR_CHARS = 8_000;
/** Number of sources that a child is assumed to keep compiled. */
const MAX_SOURCES = 6;
/** A request up to this size is written at once. */
const SINGLE_WRITE_BYTES = 256 * 1024;
/** After a larger reply the child is ended before the reply is parsed, so that its memory and the parsed result never
 * exist at the same time. Starting another child takes less time than parsing. */
const LARGE_REPLY_BYTES = 16 * 1024 * 1024;
/** Maximum size of a reply in addition to the largest result: buffered outcomes and one batch, three bytes per
 * character. */
const REPLY_ROOM_BYTES = 32 * 1024 * 1024;

/** How to start a child. */
export interface Launch {
  command: string[];
  env: Record<string, string>;
  cwd: string;
  /** Called with the process id once the runtime has started, to set limits from outside. */
  restrict?: (pid: number) => void;
}

interface Job {
  id: number;
  request: RunRequest;
  received: number;
  onLines: (lines: string[]) => void;
  resolve: (exitReason: ExitReason | undefined) => void;
  clock: CallClock;
}

export class Child {
  /** Sessions whose source this child has. */
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
        message: withStderr(`the child sent no hello frame within ${HELLO_MS} ms`, this.stderr),
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

  /** The process was ended after a large reply and accepts no further request. */
  get retired(): boolean {
    return this.spent;
  }

  /** How ready the child is for a session: 2 if it has the context, 1 if it has the compiled source, otherwise 0. */
  readiness(wanted: { session: number; source: string }): number {
    if (this.contexts.has(wanted.session)) return 2;
    return this.sources.has(wanted.source) ? 1 : 0;
  }

  /** Records that the child has a context of the session. */
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
    if (this.job !== undefined) throw new Error("a sandbox child received a second request");
    this.calls += request.count;
    return new Promise((resolve) => {
      const bytes = body.reduce((sum, part) => sum + part.byteLength, 0);
      this.bytes += bytes;
      const clock = new CallClock(this.pid, this.limits, request, bytes, (reason) => this.terminate(reason));
      this.job = { id: request.id, request, received: 0, onLines, resolve, clock };
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
    const { signalCode, exitCode } = this.process;
    const memoryMb = this.job?.request.limits.memoryMb;
    const isStarted = this.hello !== undefined;
    return exitReasonOf({ signalCode, exitCode, stderr: this.stderr, memoryMb, isStarted });
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
    else if (part.count > 0) job.clock.restart();
  }

  private finish(exitReason: ExitReason | undefined): void {
    const job = this.job;
    if (job === undefined) return;
    this.job = undefined;
    job.clock.stop();
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
