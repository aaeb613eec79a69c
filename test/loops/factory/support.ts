// Real repositories in temporary folders, a scripted model behind real HTTP, and the command line around them.
import { afterEach } from "bun:test";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { RunSummary, WorkOrder } from "../../../src/loops/factory/schemas.ts";
import { type CliOptions, cli } from "../../support/cli.ts";
import { runSettings } from "../../support/executable.ts";
import { folders } from "../../support/folder.ts";
import { type ModelServer, type Script, startModelServer } from "../../support/model-server.ts";

export const FIXTURES = join(import.meta.dir, "../../../fixtures/factory");

export function sha(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}

export const EMPTY_SHA = sha("");

/** Runs git without the configuration of the user or the system. */
export function git(repo: string, ...args: string[]): string {
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: repo,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_AUTHOR_NAME: "Ada",
    GIT_AUTHOR_EMAIL: "ada@example.org",
    GIT_COMMITTER_NAME: "Ada",
    GIT_COMMITTER_EMAIL: "ada@example.org",
  };
  return execFileSync("git", args, {
    cwd: repo,
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  }).trimEnd();
}

/** Makes a folder a repository with one commit of all its files. */
export function initRepo(dir: string): string {
  git(dir, "init", "-q", "-b", "main");
  git(dir, "add", "-A");
  git(dir, "commit", "-q", "--allow-empty", "-m", "first");
  return dir;
}

export interface Workspace {
  repo: string;
  out: string;
  dir: string;
}

export type MakeWorkspace = (files?: Record<string, string> | "python" | "node") => Workspace;

/** A new repository and output folder for each call. */
export function workspaces(name: string): MakeWorkspace {
  const make = folders(`factory-${name}`);
  return (files = { "a.txt": "one\n", "b.txt": "two\n" }) => {
    const dir = make();
    const repo = join(dir, "repo");
    if (typeof files === "string") cpSync(join(FIXTURES, files), repo, { recursive: true });
    else {
      for (const [path, text] of Object.entries(files)) {
        execFileSync("mkdir", ["-p", join(repo, path, "..")]);
        writeFileSync(join(repo, path), text);
      }
    }
    return { repo: initRepo(repo), out: join(dir, "out"), dir };
  };
}

export function order(change: Partial<WorkOrder> = {}): WorkOrder {
  return {
    id: "WO-01",
    title: "Change a",
    intent: "a.txt says changed.",
    allowed_files: ["a.txt", "new/c.txt"],
    forbidden: [],
    acceptance_commands: ["grep -q changed a.txt"],
    context_files: ["a.txt"],
    ...change,
  };
}

export function writeOrder(workspace: Workspace, document: unknown = order(), name = "order.json"): string {
  const path = join(workspace.dir, name);
  writeFileSync(path, JSON.stringify(document));
  return path;
}

export interface Write {
  path: string;
  base_sha256: string;
  content: string;
}

export function reply(...writes: Write[]): { content: string } {
  return { content: JSON.stringify({ summary: "done", writes }) };
}

/** The reply that satisfies `order()` in a repository of two text files. */
export const GOOD = reply({ path: "a.txt", base_sha256: sha("one\n"), content: "changed\n" });

/** Starts a server that sends these replies in turn and repeats the last one. */
export function replyingServer(...replies: ReturnType<Script>[]): ModelServer {
  return startModelServer((_, number) => replies[Math.min(number, replies.length) - 1] ?? {});
}

/** Starts a server that is stopped after the test. */
export function replyingServers(): (...replies: ReturnType<Script>[]) => ModelServer {
  let running: ModelServer | undefined;
  afterEach(async () => running?.stop());
  return (...replies) => {
    running = replyingServer(...replies);
    return running;
  };
}

export const KEY = "sk-test-0123456789abcdef";

export function env(extra: Record<string, string> = {}): Record<string, string> {
  return {
    ...runSettings(),
    PATH: process.env["PATH"] ?? "",
    LANG: "C.UTF-8",
    OPENAI_API_KEY: KEY,
    ...extra,
  };
}

/** Flags of every run: the server, a quick verification, no waiting between retries. */
export function flags(workspace: Workspace, url: string): string[] {
  return [
    ...["--repo", workspace.repo, "--out", workspace.out, "--llm-model", "scripted"],
    ...["-c", `llm.factory.base_url=${url}`, "-c", "llm.factory.max_retries=0"],
  ];
}

export interface FactoryRun {
  code: number;
  stdout: string;
  stderr: string;
  summary: RunSummary;
}

/** Runs `factory run` inside the test process. */
export async function run(
  workspace: Workspace,
  url: string,
  document: unknown = order(),
  extra: string[] = ["--verify", "true"],
  options: CliOptions = {},
): Promise<FactoryRun> {
  const argv = [
    "factory",
    "run",
    ...flags(workspace, url),
    "--work-order",
    writeOrder(workspace, document),
    ...extra,
    "--json",
  ];
  const result = await cli(argv, { env: env(), cwd: workspace.dir, ...options });
  return { ...result, summary: JSON.parse(result.stdout || "null") as RunSummary };
}

/** Everything that must be unchanged: files with modes, empty folders, HEAD, branches, configuration, hooks. */
export function stateOf(repo: string): Record<string, string> {
  const state: Record<string, string> = {
    HEAD: readFileSync(join(repo, ".git/HEAD"), "utf8"),
    refs: git(repo, "for-each-ref"),
    status: git(repo, "status", "--porcelain", "--untracked-files=all"),
    config: readFileSync(join(repo, ".git/config"), "utf8"),
    hooks: existsSync(join(repo, ".git/hooks")) ? readdirSync(join(repo, ".git/hooks")).sort().join() : "",
    left: existsSync(join(repo, ".git/atomsmith-factory")) ? "state folder" : "",
    locks: readdirSync(join(repo, ".git"))
      .filter((name) => name.endsWith(".lock"))
      .join(),
  };
  const walk = (folder: string): void => {
    for (const name of readdirSync(join(repo, folder)).sort()) {
      if (name === ".git") continue;
      const path = folder === "" ? name : `${folder}/${name}`;
      const info = lstatSync(join(repo, path));
      if (info.isDirectory()) {
        state[`${path}/`] = "folder";
        walk(path);
      } else if (info.isSymbolicLink()) state[path] = `-> ${readlinkSync(join(repo, path))}`;
      else state[path] = `${(info.mode & 0o777).toString(8)} ${sha(readFileSync(join(repo, path)))}`;
    }
  };
  walk("");
  return state;
}
