// Starts of sandbox children: runtime, command line, jail level.
import { AtomsmithError } from "../../src/core/errors.ts";
import type { Emit } from "../../src/core/events.ts";
import { JAIL_FLAG } from "../jail/entry.ts";
import type { JailOrder, JailPart } from "../jail/order.ts";
import type { Launch } from "../parent/child.ts";
import { limitAddressSpace } from "../parent/process-info.ts";
import type { JailReport } from "../parent/replies.ts";
import type { JailLevel } from "../types.ts";
import { ATOM_LIMITS, atomRules } from "./atom-rights.ts";
import { developmentRuntime } from "./development.ts";
import { embeddedRuntime } from "./embedded.ts";
import type { RuntimeFiles } from "./files.ts";
import { hasJail, jailCommand } from "./jail-command.ts";
import { unpackRuntime } from "./unpack.ts";

/** Flags of the runtime. `--jitless`: no executable memory and no WebAssembly; it slows regular expressions by 10-30 %
 * and character loops by up to 12 times (docs/measurements/sandbox.md). One worker thread: all work is in isolates on
 * the main thread. */
export const NODE_FLAGS = [
  "--jitless",
  "--no-warnings",
  "--disallow-code-generation-from-strings",
  "--stack-size=900",
  "--v8-pool-size=1",
];

/** The runtime on disk: unpacked from the executable, or that of the checkout. */
export async function prepareRuntime(emit: Emit): Promise<RuntimeFiles> {
  const embedded = embeddedRuntime();
  if (embedded === undefined) return developmentRuntime();
  return unpackRuntime(embedded, {
    onUnpacked: (dir, ms) =>
      emit({ type: "sandbox", what: "unpacked", detail: `${dir} in ${Math.round(ms)} ms` }),
  });
}

/** The launch of the child program in a plain process. */
export function plainLaunch(files: RuntimeFiles): Launch {
  return {
    command: [files.node, ...NODE_FLAGS, files.child, files.addon],
    env: { OPENSSL_CONF: files.openssl },
    cwd: files.dir,
    restrict: limitAddressSpace,
  };
}

/** The launch of `program` (the child program, or another one in tests) in the jail; undefined on platforms without it. */
export function jailedLaunch(
  files: RuntimeFiles,
  program: string[] = [files.child, files.addon],
  without: JailPart[] = [],
  flags: string[] = NODE_FLAGS,
): Launch | undefined {
  if (!hasJail()) return undefined;
  const order: JailOrder = {
    profile: "atoms",
    program: files.node,
    argv: [files.node, ...flags, ...program],
    env: { OPENSSL_CONF: files.openssl },
    rules: atomRules(files.node, [files.addon, files.child, files.openssl, ...program]),
    network: false,
    limits: ATOM_LIMITS,
    parent: process.pid,
    noticeFd: 1,
    demand: [],
    without,
  };
  return {
    command: jailCommand(JAIL_FLAG, JSON.stringify(order)),
    env: {},
    cwd: files.dir,
    restrict: limitAddressSpace,
  };
}

/** The jail level for a launcher's report. Anything that could not be applied makes it less than `full`. */
export function levelOf(report: JailReport | undefined): JailLevel {
  if (report === undefined) return "process";
  if (report.landlock > 0 && report.seccomp && report.missing.length === 0) return "full";
  return report.landlock > 0 || report.seccomp ? "partial" : "process";
}

const RANK: Record<JailLevel, number> = { process: 0, partial: 1, full: 2 };

/** Throws a `sandbox` error when the level is lower than required. */
export function requireLevel(level: JailLevel, required: JailLevel, missing: string[]): void {
  if (RANK[level] >= RANK[required]) return;
  const reasons = missing.length > 0 ? ` (${missing.join("; ")})` : "";
  throw new AtomsmithError(
    "sandbox",
    `the sandbox has level ${level}, but ${required} is required${reasons}`,
    {
      hint: "Run on Linux with Landlock and seccomp, or lower sandbox.require.",
    },
  );
}
