// The sandbox: runs atoms in isolates, in disposable processes, in a jail. `createSandbox` is its whole interface;
// the types are in types.ts. Design: docs/sandbox.md.
import { AtomsmithError } from "../src/core/errors.ts";
import type { Emit } from "../src/core/events.ts";
import { Child, type Launch } from "./parent/child.ts";
import { Pool } from "./parent/pool.ts";
import { type EndedSessionRegister, Session } from "./parent/session.ts";
import { jailedLaunch, levelOf, plainLaunch, prepareRuntime, requireLevel } from "./runtime/launch.ts";
import { DEFAULT_CALL_LIMITS, type Sandbox, type SandboxInfo, type SandboxOptions } from "./types.ts";

/** Starts a sandbox with one warm child. Throws AtomsmithError of kind `sandbox` when no child can be started, or the
 * jail level is below `options.require`. */
export async function createSandbox(options: SandboxOptions, emit: Emit): Promise<Sandbox> {
  const files = await prepareRuntime(emit);
  const missing: string[] = [];
  const jailed = jailedLaunch(files);
  let started: Started | string = "";
  if (jailed === undefined) missing.push(`no jail for ${process.platform}-${process.arch}`);
  else {
    started = await start(jailed, options.children, emit);
    if (typeof started === "string") missing.push(`the jail could not be used: ${started}`);
  }
  // A plain process is the fallback; `info.level` reports it.
  if (typeof started === "string") started = await start(plainLaunch(files), options.children, emit);
  if (typeof started === "string") {
    throw new AtomsmithError("sandbox", `the sandbox could not be started: ${started}`, {
      hint: "`atomsmith doctor` shows what is missing.",
    });
  }
  const { pool, first } = started;
  missing.push(...(first.jail?.missing ?? []));
  const info: SandboxInfo = {
    level: levelOf(first.jail),
    missing,
    node: first.hello?.node ?? "",
    runtimeDir: files.dir,
  };
  emit({ type: "sandbox", what: "level", detail: info.level });
  try {
    requireLevel(info.level, options.require, missing);
  } catch (error) {
    await pool.close();
    throw error;
  }
  const limits = { ...DEFAULT_CALL_LIMITS, ...options.limits };
  const sessions = new EndedSessions();
  return {
    info,
    open: async (program) => new Session(program, pool, limits, sessions),
    close: () => pool.close(),
  };
}

interface Started {
  pool: Pool;
  first: Child;
}

/** Starts a pool with one ready child, or returns the reason of the failure. */
async function start(launch: Launch, children: number, emit: Emit): Promise<Started | string> {
  const pool = new Pool(launch, children, emit);
  const first = await pool.warm();
  if (first instanceof Child) return { pool, first };
  await pool.close();
  return first.message;
}

/** Sessions that have ended while children may still have their state; the next request to a child releases it. */
class EndedSessions implements EndedSessionRegister {
  private readonly ended = new Set<number>();

  add(session: number): void {
    this.ended.add(session);
  }

  /** Ended sessions that this child still has; they are removed from its list. */
  forgetEnded(child: Child): number[] {
    const drop = [...child.sessions].filter((session) => this.ended.has(session));
    for (const session of drop) child.forget(session);
    return drop;
  }
}
