// How a child is started on this machine: which runtime, which command, which level of jail.
import { AtomsmithError } from "../../src/core/errors.ts";
import type { Child, Launch } from "../parent/child.ts";
import type { JailLevel, SandboxInfo } from "../types.ts";
import { developmentRuntime } from "./development.ts";

/** Flags of the runtime. `--jitless`: no executable memory, no WebAssembly, and an address-space limit works. */
export const NODE_FLAGS = [
  "--jitless",
  "--no-warnings",
  "--disallow-code-generation-from-strings",
  "--stack-size=900",
];

const RANK: Record<JailLevel, number> = { process: 0, partial: 1, full: 2 };

export interface LaunchPlan {
  launch: Launch;
  describe(child: Child): SandboxInfo;
}

/** Prepares the runtime. Throws a `sandbox` error when the required level cannot be reached. */
export async function planLaunch(require: JailLevel): Promise<LaunchPlan> {
  const files = await developmentRuntime();
  const command = [files.node, ...NODE_FLAGS, files.child, files.addon];
  const level: JailLevel = "process";
  if (RANK[level] < RANK[require]) {
    throw new AtomsmithError("sandbox", `the sandbox reaches level ${level}, ${require} is required`, {
      hint: "Lower sandbox.require, or run on a Linux with Landlock and seccomp.",
    });
  }
  return {
    launch: { command, env: {}, cwd: files.dir },
    describe: (child) => ({
      level,
      missing: ["the jail is not applied: children run as plain processes"],
      node: child.hello?.node ?? "",
      runtimeDir: files.dir,
    }),
  };
}
