// The author's file tools.
import type { ToolLimits } from "./types.ts";

export { TOOL_SPECS } from "./specs.ts";
export { createFileTools } from "./tools.ts";
export type { FileTools, ToolLimits, ToolName, ToolsSnapshot } from "./types.ts";

/** `tool_constraints` of the configuration. */
interface ToolConstraints {
  max_read_lines_per_call: number;
  max_total_read_bytes: number;
  max_files_per_discovery: number;
  max_search_matches_per_keyword: number;
  require_discovery_before_read: boolean;
  header_lines_default: number;
  search_context_lines: number;
}

/** The limits of the configuration's `tool_constraints`. */
export function toolLimits(constraints: ToolConstraints): ToolLimits {
  return {
    maxLinesPerCall: constraints.max_read_lines_per_call,
    maxTotalBytes: constraints.max_total_read_bytes,
    maxFilesPerDiscovery: constraints.max_files_per_discovery,
    maxMatchesPerKeyword: constraints.max_search_matches_per_keyword,
    requireDiscovery: constraints.require_discovery_before_read,
    headerLines: constraints.header_lines_default,
    contextLines: constraints.search_context_lines,
  };
}
