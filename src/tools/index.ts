// The author's file tools.
import type { Config } from "../config/schema.ts";
import type { ToolLimits } from "./types.ts";

export { TOOL_SPECS } from "./specs.ts";
export { createFileTools } from "./tools.ts";
export type { FileTools, ToolLimits, ToolName, ToolsSnapshot } from "./types.ts";

/** The limits of the configuration's `tool_constraints`. */
export function toolLimits(constraints: Config["tool_constraints"]): ToolLimits {
  return {
    maxLinesPerCall: constraints.max_read_lines_per_call,
    maxTotalBytes: constraints.max_total_read_bytes,
    maxFilesPerDiscovery: constraints.max_files_per_discovery,
    maxMatchesPerKeyword: constraints.max_search_matches_per_keyword,
    requireDiscovery: constraints.require_discovery_before_read,
    headerLines: constraints.header_lines_default,
  };
}
