// The author's four file tools: one port for the commands, the model and the offline author.
import type { JsonObject } from "../core/json.ts";

export const TOOL_NAMES = [
  "list_available_files",
  "read_file_header",
  "search_in_file",
  "read_file_range",
] as const;
export type ToolName = (typeof TOOL_NAMES)[number];

export interface ToolLimits {
  /** Lines one call may return. */
  maxLinesPerCall: number;
  /** Bytes all calls of one item may return together, as the author receives them. */
  maxTotalBytes: number;
  maxFilesPerDiscovery: number;
  maxMatchesPerKeyword: number;
  requireDiscovery: boolean;
  headerLines: number;
  /** Lines before and after a match when a search asks for none. */
  contextLines: number;
}

/** What a tool answers. A refusal is an answer too (`ok: false`) that says which rule, what is left and what
 * may be done instead; it is never thrown. */
export interface ToolResult {
  ok: boolean;
  tool: string;
  /** The text the author receives, exactly; this is what counts against the quota. JSON. */
  content: string;
  /** UTF-8 bytes of `content`, already counted (`bytesLeft` says what is left). 0 for an answer repeated from memory. */
  bytes: number;
  /** The same answer for the program. */
  data: JsonObject;
}

/** Log text that a tool showed to the author. */
export interface ObservedText {
  /** Absolute path. */
  path: string;
  /** 1-based number of the first line. */
  startLine: number;
  lines: string[];
}

/** State to resume from after a restart, with the quota already spent. JSON. */
export interface ToolsSnapshot {
  bytes_used: number;
  calls: number;
  discovered: string[];
  observed: ObservedText[];
  /** Names that differ from the file they lead to (links): path as shown to the author, to the absolute path. */
  aliases?: Record<string, string>;
  /** Answers given, so that the same call costs nothing after a restart either. */
  answers?: { key: string; ok: boolean; content: string; summary: string }[];
}

export interface FileTools {
  readonly limits: ToolLimits;
  /** Calls a tool by name with unchecked arguments, as a model does. Unknown tools and malformed arguments are
   * refusals. */
  call(name: string, args: unknown): Promise<ToolResult>;
  bytesLeft(): number;
  snapshot(): ToolsSnapshot;
}
