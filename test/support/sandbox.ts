// One sandbox for a whole test process, since starting one is slow. Ends with the process.
import { createSandbox } from "../../sandbox/index.ts";
import type { Sandbox } from "../../sandbox/types.ts";

let shared: Promise<Sandbox> | undefined;

/** The shared sandbox: two children, default limits. Do not close it. */
export function sharedSandbox(): Promise<Sandbox> {
  shared ??= createSandbox({ require: "process", children: 2 }, () => {});
  return shared;
}
