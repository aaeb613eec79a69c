// The supervisor of one command: a process between the program and the jail. It starts the launcher, captures bounded
// output, enforces the limits, and kills the whole process tree: at a limit, on cancellation, when the command ends,
// and when its parent ends in any way, SIGKILL included (its standard input then closes).
import {
  closeSync,
  createReadStream,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { FrameReader } from "../protocol.ts";
import { callTable, PR_SET_CHILD_SUBREAPER } from "./calls.ts";
import { Capture } from "./capture.ts";
import { addressOf, type Libc, openLibc } from "./libc.ts";
import type { JailNotice, JailRefusal } from "./order.ts";
import { descendants, privateBytes } from "./process-tree.ts";
import type { StopReason, SupervisorOrder, SupervisorReport } from "./supervision.ts";

const WATCH_MS = 50;
/** Time to wait for the output streams to end after all processes have ended. */
const DRAIN_MS = 2000;
/** Maximum time of killing, which is repeated until no process is left: a process may hang in the kernel (disk failure). */
const KILL_MS = 10_000;
const KILL_PAUSE_MS = 5;
const O_CLOEXEC = 0o2000000;
const WNOHANG = 1;
const EXIT_FAILED = 71;

type Child = ReturnType<typeof Bun.spawn>;

/** Runs the command of the order in the file and ends the process. */
export async function supervise(orderPath: string): Promise<never> {
  try {
    const order = JSON.parse(readFileSync(orderPath, "utf8")) as SupervisorOrder;
    await new Supervisor(order).run();
    process.exit(0);
  } catch (error) {
    writeSync(2, `${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(EXIT_FAILED);
  }
}

class Supervisor {
  private readonly order: SupervisorOrder;
  private readonly system = systemCalls();
  private readonly subreaper: boolean;
  private child: Child | undefined;
  private stopped: StopReason | null = null;
  private parentEnded = false;
  private notice: JailNotice | null = null;
  private refused: JailRefusal | null = null;
  /** The command has ended; only cleanup is left. */
  private ended = false;
  private leftBehind = 0;
  private readonly captures: [Capture, Capture];

  constructor(order: SupervisorOrder) {
    this.order = order;
    const { outputBytes } = order.limits;
    this.captures = [new Capture(order.stdout, outputBytes), new Capture(order.stderr, outputBytes)];
    this.subreaper = this.system?.becomeSubreaper() ?? false;
  }

  async run(): Promise<void> {
    const started = performance.now();
    const { order } = this;
    void this.listenToParent();
    const clock = setTimeout(() => this.stop("timeout"), order.limits.timeMs);
    const watch = setInterval(() => this.watch(), WATCH_MS);
    const [code, signal] = await this.runCommand();
    clearTimeout(clock);
    clearInterval(watch);
    const durationMs = performance.now() - started;
    const [stdout, stderr] = this.captures;
    const report: SupervisorReport = {
      stopped: this.stopped,
      code,
      signal,
      notice: this.notice,
      refused: this.refused,
      subreaper: this.subreaper,
      leftBehind: this.leftBehind,
      stdout: stdout.finish(),
      stderr: stderr.finish(),
      durationMs,
    };
    writeFileSync(`${order.report}.partial`, JSON.stringify(report), { mode: 0o600 });
    renameSync(`${order.report}.partial`, order.report);
    for (const path of [...order.temporary, ...(this.parentEnded ? order.orphaned : [])]) remove(path);
  }

  /** Any input is a cancellation; the end of the stream means that the parent has ended. */
  private async listenToParent(): Promise<void> {
    for await (const _ of Bun.stdin.stream()) return this.stop("cancelled");
    this.parentEnded = true;
    this.stop("cancelled");
  }

  /** Starts the command in the jail; without a jail when there is no launcher, or it fails and `plainAllowed` is set. */
  private async runCommand(): Promise<[code: number | null, signal: string | null]> {
    const { jail, launcher, launcherOrder, plainAllowed } = this.order;
    if (launcher.length > 0 && this.system !== undefined) {
      const noticeFd = 3;
      writeFileSync(launcherOrder, JSON.stringify({ ...jail, parent: process.pid, noticeFd }), {
        mode: 0o600,
      });
      const ended = await this.spawn([...launcher, launcherOrder], {}, process.cwd(), launcher[0] ?? "");
      const failed = this.notice === null || this.refused?.what === "launcher";
      if (!failed || !plainAllowed || this.stopped !== null) return ended;
    }
    return this.spawn(jail.argv, jail.env, jail.cwd ?? process.cwd(), jail.program);
  }

  private async spawn(
    argv: string[],
    env: Record<string, string>,
    cwd: string,
    program: string,
  ): Promise<[number | null, string | null]> {
    this.ended = false;
    const [name = "", ...rest] = argv;
    const pipes = [1, 2, 3].map(() => this.system?.pipe());
    const stdin = openSync(this.order.stdin ?? "/dev/null", "r");
    const ends = pipes.map((pipe) => pipe?.write ?? ("pipe" as const));
    // Real pipes: Bun's are sockets, which cannot be opened as /dev/stdout.
    let child: Child;
    try {
      child = Bun.spawn([program, ...rest], {
        argv0: name,
        env,
        cwd,
        stdio: [stdin, ends[0], ends[1], ends[2]] as never,
        detached: true,
      });
    } catch (error) {
      const { errno = 0, message } = error as NodeJS.ErrnoException;
      this.refused = { type: "refused", what: "exec", errno: Math.abs(errno), message };
      return [null, null];
    } finally {
      for (const fd of [stdin, ...pipes.map((pipe) => pipe?.write)]) if (fd !== undefined) closeSync(fd);
    }
    this.child = child;
    const [out, err, notice] = pipes;
    const drained = Promise.all([
      this.captureStream(0, out === undefined ? child.stdout : createReadStream("", { fd: out.read })),
      this.captureStream(1, err === undefined ? child.stderr : createReadStream("", { fd: err.read })),
      notice === undefined ? undefined : this.readNotice(createReadStream("", { fd: notice.read })),
    ]);
    if (this.stopped !== null) void this.killTree();
    await child.exited;
    this.ended = true;
    // Background processes of the command end with it.
    const killed = await this.killTree();
    if (this.stopped === null) this.leftBehind = killed;
    await Promise.race([drained, Bun.sleep(DRAIN_MS)]);
    return [child.exitCode, child.signalCode === null ? null : String(child.signalCode)];
  }

  private async captureStream(index: 0 | 1, stream: unknown): Promise<void> {
    const capture = this.captures[index];
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      capture.add(chunk);
      if (capture.totalBytes > this.order.limits.stopBytes) this.stop("output");
    }
  }

  private async readNotice(stream: AsyncIterable<Uint8Array>): Promise<void> {
    const reader = new FrameReader(() => 0);
    for await (const chunk of stream) {
      for (const { header } of reader.push(chunk)) {
        const message = header as JailNotice | JailRefusal;
        if (message.type === "jail") this.notice = message;
        else this.refused = message;
      }
    }
  }

  private watch(): void {
    const { memoryMb, processes } = this.order.limits;
    const pids = descendants(process.pid);
    this.system?.reap(pids, this.child?.pid);
    if (pids.length > processes) this.stop("processes");
    else if (memoryMb !== undefined && privateBytes(pids) > memoryMb * 1024 * 1024) this.stop("memory");
  }

  private stop(reason: StopReason): void {
    if (!this.ended) this.stopped ??= reason;
    void this.killTree();
  }

  private killing: Promise<number> | undefined;

  /** Kills until no descendant is left; returns the number of killed processes. */
  private killTree(): Promise<number> {
    this.killing ??= this.killAll().finally(() => {
      this.killing = undefined;
    });
    return this.killing;
  }

  private async killAll(): Promise<number> {
    const seen = new Set<number>();
    const main = this.child?.pid;
    for (const deadline = performance.now() + KILL_MS; performance.now() < deadline; ) {
      // The group first: the kernel signals it atomically, so that no member can fork meanwhile.
      if (main !== undefined && (!this.ended || this.system === undefined)) kill(-main);
      const pids = descendants(process.pid, kill);
      this.system?.reap(pids, main);
      if (pids.length === 0) break;
      const seenBefore = seen.size;
      for (const pid of pids) if (pid !== main) seen.add(pid);
      // No pause while the tree is still growing.
      if (seen.size === seenBefore) await Bun.sleep(KILL_PAUSE_MS);
    }
    return seen.size;
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended already.
  }
}

function remove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // The report is complete; a directory that cannot be removed is left to the system's cleanup.
  }
}

interface SystemCalls {
  becomeSubreaper(): boolean;
  /** Reaps ended children that this process inherited; Bun reaps the one it started. */
  reap(pids: number[], except: number | undefined): void;
  pipe(): { read: number; write: number };
}

/** undefined on systems other than Linux, and when the C library cannot be opened. */
function systemCalls(): SystemCalls | undefined {
  if (process.platform !== "linux") return undefined;
  let libc: Libc;
  try {
    libc = openLibc();
  } catch {
    return undefined;
  }
  const { numbers } = callTable();
  return {
    becomeSubreaper: () => libc.syscall(numbers.prctl, PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) >= 0,
    reap: (pids, except) => {
      for (const pid of pids) if (pid !== except) libc.syscall(numbers.wait4, pid, 0, WNOHANG, 0);
    },
    pipe: () => {
      const pair = new Int32Array(2);
      const done = libc.syscall(numbers.pipe2, addressOf(pair), O_CLOEXEC);
      const [read = -1, write = -1] = pair;
      if (done < 0) throw new Error(`a pipe could not be created (error ${-done})`);
      return { read, write };
    },
  };
}
