// Opens the configured sandbox of a command, closes it after the command, and warns if its level is weak.
import { availableParallelism } from "node:os";
import { createSandbox } from "../../sandbox/index.ts";
import type { CallLimits, Sandbox } from "../../sandbox/types.ts";
import type { CommandContext } from "./context.ts";

export interface OpenSandbox {
  sandbox: Sandbox;
  /** Most processes. */
  children: number;
  limits: Pick<CallLimits, "timeoutMs" | "memoryMb">;
}

/** Starts the sandbox as configured by `sandbox.*`. Throws `sandbox` errors. */
export async function openSandbox(context: CommandContext): Promise<OpenSandbox> {
  const { require, timeout, memory_mb, children: wanted } = context.config.sandbox;
  const children = wanted ?? Math.min(4, availableParallelism());
  const limits = { timeoutMs: timeout * 1000, memoryMb: memory_mb };
  const sandbox = await createSandbox({ require, children, limits }, context.emit);
  context.onCleanup(() => sandbox.close());
  // An interruption ends running atoms at once.
  context.signal.addEventListener("abort", () => void sandbox.close(), { once: true });
  const { level, missing } = sandbox.info;
  if (level !== "full") {
    const message = `the sandbox level is ${level}: ${missing[0] ?? ""} (details: atomsmith doctor)`;
    context.emit({ type: "log", level: "warning", message });
  }
  return { sandbox, children, limits };
}
