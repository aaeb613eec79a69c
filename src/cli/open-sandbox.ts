// The sandbox of a command: as configured, closed after the command, and said when it is a weak one.
import { availableParallelism } from "node:os";
import { createSandbox } from "../../sandbox/index.ts";
import type { CallLimits, Sandbox } from "../../sandbox/types.ts";
import type { CommandContext } from "./context.ts";

export interface OpenSandbox {
  sandbox: Sandbox;
  /** Processes at most. */
  children: number;
  limits: Pick<CallLimits, "timeoutMs" | "memoryMb">;
}

/** Starts the sandbox of `sandbox.*`. Throws `sandbox` errors. */
export async function openSandbox(context: CommandContext): Promise<OpenSandbox> {
  const { require, timeout, memory_mb, children: wanted } = context.config.sandbox;
  const children = wanted ?? Math.min(4, availableParallelism());
  const limits = { timeoutMs: timeout * 1000, memoryMb: memory_mb };
  const sandbox = await createSandbox({ require, children, limits }, context.emit);
  context.onCleanup(() => sandbox.close());
  // Whatever an atom is doing, an interruption ends it now.
  context.signal.addEventListener("abort", () => void sandbox.close(), { once: true });
  const { level, missing } = sandbox.info;
  if (level !== "full") {
    const message = `the sandbox has level ${level}: ${missing[0] ?? ""} (atomsmith doctor says more)`;
    context.emit({ type: "log", level: "warning", message });
  }
  return { sandbox, children, limits };
}
