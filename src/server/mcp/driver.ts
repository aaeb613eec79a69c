// Loads the SDK on first use: the executable embeds it as a separate script.
import { join } from "node:path";
import { loadScript } from "../../core/embedded-script.ts";
import type * as libraries from "./libraries.ts";

export type McpLibrary = typeof libraries;

let loaded: Promise<McpLibrary> | undefined;

export function mcpLibrary(): Promise<McpLibrary> {
  loaded ??= loadScript<McpLibrary>("mcp", join(import.meta.dirname, ["libraries", "ts"].join(".")));
  return loaded;
}
