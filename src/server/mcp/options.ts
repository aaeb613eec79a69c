// Options of an MCP server.
import type { Config } from "../../config/schema.ts";
import type { ProgramRunner } from "../program.ts";

export interface McpOptions {
  config: Config;
  cwd: string;
  ownFiles: readonly string[];
  run: ProgramRunner;
  signal: AbortSignal;
  /** JSON Schemas of the documents that commands print. */
  schemas: { names: readonly string[]; of(name: string): object };
}
