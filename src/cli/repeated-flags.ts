// Flags to repeat in a printed command, so that it runs unchanged from the current folder.
import { relative } from "node:path";
import type { CommandContext } from "./context.ts";

/** Common flags of the commands about items. */
export interface CommonValues {
  "search-root"?: string | undefined;
  out?: string | undefined;
  cache?: string | undefined;
  provider?: string | undefined;
  model?: string | undefined;
}

/** The flags that the next command about the same item needs, as given. */
export function repeatedFlags(context: CommandContext, args: CommonValues): string[] {
  const flags: string[] = [];
  if (context.loaded.file !== null) {
    const file = relative(context.cwd, context.loaded.file);
    if (file !== "atomsmith.yaml") flags.push("--config", file);
  }
  for (const name of ["search-root", "out", "cache", "provider", "model"] as const) {
    const value = args[name];
    if (value !== undefined) flags.push(`--${name}`, value);
  }
  for (const setting of context.loaded.settings) flags.push("-c", setting);
  return flags;
}
