// Runs the built executable as a user does: in another folder, with an empty environment, without Node or Bun.
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";

export const PROJECT = join(import.meta.dir, "../..");

/** Path of the executable under test: ATOMSMITH_BIN, else dist/atomsmith. A missing one is an error, not a skip. */
export function executable(): string {
  const path = resolve(PROJECT, process.env["ATOMSMITH_BIN"] ?? "dist/atomsmith");
  if (!existsSync(path)) {
    throw new Error(`${path} is missing: build it first (npm run build), or set ATOMSMITH_BIN to one`);
  }
  return path;
}

export interface ExecutableOptions {
  cwd: string;
  env?: Record<string, string>;
  stdin?: string;
}

export interface ExecutableRun {
  code: number;
  signal: string | number | null;
  out: string;
  err: string;
}

/** What `npm test` sets for every process of the program: where its runtime is unpacked (with a HOME of its own, each test
 * would unpack it again) and the compilers it uses. */
export function runSettings(): Record<string, string> {
  const names = Object.keys(process.env).filter(
    (name) => name === "XDG_CACHE_HOME" || name.startsWith("BUN_JSC_"),
  );
  return Object.fromEntries(names.map((name) => [name, process.env[name] ?? ""]));
}

/** An environment without keys and without Node or Bun in PATH. */
export function emptyEnv(home: string): Record<string, string> {
  return { HOME: home, PATH: "/nonexistent", ...runSettings() };
}

/** Runs the executable to its end. */
export async function atomsmith(args: readonly string[], options: ExecutableOptions): Promise<ExecutableRun> {
  const child = start(args, options);
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  const code = await child.exited;
  return { code, signal: child.signalCode, out, err };
}

/** Starts the executable without waiting for it. */
export function start(args: readonly string[], { cwd, env, stdin }: ExecutableOptions) {
  return Bun.spawn([executable(), ...args], {
    cwd,
    env: { ...emptyEnv(cwd), ...env },
    stdin: stdin === undefined ? "ignore" : Buffer.from(stdin),
    stdout: "pipe",
    stderr: "pipe",
  });
}
