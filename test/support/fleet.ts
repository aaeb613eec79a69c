// A fleet for tests: a real PostgreSQL, and workers that are processes of the real program.
import { join } from "node:path";
import { TestPostgres } from "./postgres.ts";
import { PROGRAM, SOURCES } from "./program.ts";

const SHIFTED_CLOCK = join(import.meta.dirname, "shifted-clock.ts");
const PASSWORD = "not-to-be-shown";

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface FleetOptions {
  cwd: string;
  env: Record<string, string>;
  /** The program; by default the sources. */
  program?: readonly string[];
}

export interface WorkerOptions {
  /** The URL of the queue for this worker. */
  url?: string;
  /** The error of its clock: see `shifted-clock.ts`. Only from sources. */
  clock?: string;
}

export class Fleet {
  readonly postgres: TestPostgres;
  readonly url: string;
  readonly workers: FleetWorker[] = [];
  private readonly o: FleetOptions;

  private constructor(postgres: TestPostgres, options: FleetOptions) {
    this.postgres = postgres;
    this.url = postgres.url("postgres", PASSWORD);
    this.o = options;
  }

  static async start(options: FleetOptions): Promise<Fleet> {
    return new Fleet(await TestPostgres.start(), options);
  }

  /** Starts a worker with these flags in addition to `--queue`. */
  worker(args: readonly string[] = [], { url = this.url, clock }: WorkerOptions = {}): FleetWorker {
    const line = ["worker", "--queue", url, ...args];
    const worker = new FleetWorker(() =>
      clock === undefined ? this.spawn(line) : this.spawnShifted(line, clock),
    );
    this.workers.push(worker);
    return worker;
  }

  /** Runs a command with `--queue` to its end. */
  run(args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
    return endOf(this.spawn([...args, "--queue", this.url], env));
  }

  /** Runs a command without the queue. */
  runAlone(args: readonly string[]): Promise<Ended> {
    return endOf(this.spawn([...args]));
  }

  spawn(args: readonly string[], env: Record<string, string> = {}) {
    return this.launch(this.o.program ?? PROGRAM, args, env);
  }

  private spawnShifted(args: readonly string[], clock: string) {
    const [bun = "", main = ""] = SOURCES;
    return this.launch([bun, "--preload", SHIFTED_CLOCK, main], args, { ATOMSMITH_TEST_CLOCK: clock });
  }

  private launch(program: readonly string[], args: readonly string[], env: Record<string, string>) {
    return Bun.spawn([...program, ...args], {
      cwd: this.o.cwd,
      env: { ...this.o.env, ...env },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
  }

  async stop(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.kill()));
    await this.postgres.stop();
  }
}

type Process = ReturnType<Fleet["spawn"]>;

/** A worker that can be killed, stopped past its lease, and restarted. */
export class FleetWorker {
  private process: Process;
  private readonly start: () => Process;
  /** Everything that its processes wrote to stderr. */
  errors = "";

  constructor(start: () => Process) {
    this.start = start;
    this.process = this.watched();
  }

  get exited(): Promise<number> {
    return this.process.exited;
  }

  get isRunning(): boolean {
    return this.process.exitCode === null && this.process.signalCode === null;
  }

  /** `kill -9`. */
  async kill(): Promise<void> {
    this.process.kill("SIGCONT");
    this.process.kill("SIGKILL");
    await this.process.exited;
  }

  /** Starts a new process if the old one has ended. */
  restart(): void {
    if (!this.isRunning) this.process = this.watched();
  }

  signal(name: "SIGSTOP" | "SIGCONT" | "SIGTERM"): void {
    this.process.kill(name);
  }

  private watched(): Process {
    const started = this.start();
    void new Response(started.stderr).text().then((text) => {
      this.errors += text;
    });
    void new Response(started.stdout).text();
    return started;
  }
}

async function endOf(child: Process): Promise<Ended> {
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, stdout, stderr };
}
