// A real server over a copy of some fixtures, on a free port; its jobs are real processes of this program.
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SCHEMAS } from "../../src/cli/serve-options.ts";
import { loadConfig } from "../../src/config/load.ts";
import { type RunningServer, startServer } from "../../src/server/index.ts";
import type { Job } from "../../src/server/jobs/record.ts";
import { runSettings } from "./executable.ts";
import { PROGRAM } from "./program.ts";

const FIXTURES = join(import.meta.dirname, "../../fixtures");

export interface Served extends RunningServer {
  dir: string;
  /** Warnings of the server. */
  warnings: string[];
  get<T>(path: string, init?: RequestInit): Promise<T>;
  post<T>(path: string, body?: unknown): Promise<T>;
  /** Starts a job and waits for its end. */
  job(kind: string, params?: object): Promise<Job>;
  /** Stops the server and starts another on the same folder. */
  again(): Promise<Served>;
  drop(): Promise<void>;
}

export interface ServeTestOptions {
  items?: readonly string[];
  token?: string;
  host?: string;
  dir?: string;
  /** Further settings, `key=value`. */
  settings?: readonly string[];
  env?: Readonly<Record<string, string>>;
}

/** The folder contains `items/`, `logs/`, and the results of jobs. */
export async function serveFixtures(options: ServeTestOptions = {}): Promise<Served> {
  const dir = options.dir ?? mkdtempSync(join(tmpdir(), "atomsmith-serve-"));
  if (options.dir === undefined) {
    mkdirSync(join(dir, "items"));
    for (const item of options.items ?? []) {
      cpSync(join(FIXTURES, `items/${item}_ItemSpec.md`), join(dir, `items/${item}_ItemSpec.md`));
    }
    cpSync(join(FIXTURES, "project"), join(dir, "logs"), { recursive: true });
  }
  const settings = [
    `paths.item_specs_dir=${join(dir, "items")}`,
    `paths.search_root=${join(dir, "logs")}`,
    ...(options.settings ?? []),
  ];
  const { config } = await loadConfig({ cwd: dir, env: {}, settings });
  const warnings: string[] = [];
  const control = new AbortController();
  const env = {
    PATH: process.env["PATH"],
    HOME: process.env["HOME"],
    TMPDIR: process.env["TMPDIR"],
    ...runSettings(),
    ...options.env,
  };
  const server = await startServer({
    host: options.host ?? "127.0.0.1",
    port: 0,
    allowedHosts: [],
    token: options.token,
    config,
    env,
    cwd: dir,
    program: PROGRAM,
    programFlags: {
      global: settings.flatMap((setting) => ["-c", setting]),
      items: [],
      settings: settings.flatMap((setting) => ["-c", setting]),
    },
    ownFiles: [],
    schemas: SCHEMAS,
    concurrency: 2,
    signal: control.signal,
    warn: (message) => warnings.push(message),
  });
  const ask = async <T>(path: string, init?: RequestInit): Promise<T> => {
    const response = await fetch(new URL(path, server.url), init);
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json() as Promise<T>;
  };
  const post = <T>(path: string, body: unknown = {}): Promise<T> =>
    ask<T>(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const close = async (): Promise<void> => {
    control.abort();
    await server.close();
  };
  return {
    ...server,
    close,
    dir,
    warnings,
    get: ask,
    post,
    job: async (kind, params = {}) => {
      const { id } = await post<Job>("/jobs", { kind, params });
      // The stream of a job ends with the job.
      await (await fetch(new URL(`/api/events?job=${id}`, server.url))).text();
      return ask<Job>(`/jobs/${id}`);
    },
    again: async () => {
      await close();
      return serveFixtures({ ...options, dir });
    },
    drop: async () => {
      await close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
