// The port of the author's four file tools, used by the commands, the model and the offline author.
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
  /** Maximum bytes of all answers to the author of one item. */
  maxTotalBytes: number;
  maxFilesPerDiscovery: number;
  maxMatchesPerKeyword: number;
  requireDiscovery: boolean;
  headerLines: number;
  /** Default number of lines before and after a match. */
  contextLines: number;
}

/** The answer of a tool. A refusal is an answer too (`ok: false`), never an error. */
export interface ToolResult {
  ok: boolean;
  tool: string;
  /** The exact text for the author, JSON; it counts towards the quota. */
  content: string;
  /** UTF-8 bytes of `content`, already charged. 0 for a cached answer. */
  bytes: number;
  /** The content as data. */
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
  /** Links: path as shown to the author, to the absolute path of the file. */
  aliases?: Record<string, string>;
  /** Cached answers, so that a repeated call is free after a restart too. */
  answers?: { key: string; ok: boolean; content: string; summary: string }[];
}

export interface FileTools {
  readonly limits: ToolLimits;
  /** Calls a tool by name with unvalidated arguments. Unknown tools and malformed arguments are refusals. */
  call(name: string, args: unknown): Promise<ToolResult>;
  bytesLeft(): number;
  snapshot(): ToolsSnapshot;
}
