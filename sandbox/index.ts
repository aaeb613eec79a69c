// The sandbox: runs atoms in isolates, in processes that can be thrown away. Everything the rest of the program
// needs is `createSandbox`; types are in types.ts. Design and numbers: docs/sandbox.md.
import { AtomsmithError } from "../src/core/errors.ts";
import type { Emit } from "../src/core/events.ts";
import { Child } from "./parent/child.ts";
import { Pool } from "./parent/pool.ts";
import { Session } from "./parent/session.ts";
import { planLaunch } from "./runtime/launch.ts";
import { DEFAULT_CALL_LIMITS, type Sandbox, type SandboxOptions } from "./types.ts";

/** Starts a sandbox with one warm child. Throws AtomsmithError of kind `sandbox` when none can be had, or only
 * one below `options.require`. */
export async function createSandbox(options: SandboxOptions, emit: Emit): Promise<Sandbox> {
  const plan = await planLaunch(options.require);
  const pool = new Pool(plan.launch, options.children, emit);
  const first = await pool.warm();
  if (!(first instanceof Child)) {
    await pool.close();
    throw new AtomsmithError("sandbox", `no sandbox: ${first.message}`, {
      hint: "`atomsmith doctor` shows what is missing.",
    });
  }
  const info = plan.describe(first);
  emit({ type: "sandbox", what: "level", detail: info.level });
  const limits = { ...DEFAULT_CALL_LIMITS, ...options.limits };
  // Sessions that ended, per child that still holds something of them.
  const ended = new Set<number>();
  const takeEnded = (child: Child): number[] => {
    const drop: number[] = [];
    for (const session of child.sessions) {
      if (!ended.has(session)) continue;
      child.sessions.delete(session);
      drop.push(session);
    }
    return drop;
  };
  return {
    info,
    open: async (program) => new Session(program, pool, limits, { ended: (id) => ended.add(id), takeEnded }),
    close: () => pool.close(),
  };
}
