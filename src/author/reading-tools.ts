// The four reading tools as a model is told of them. What they do is in src/tools.
import type { ToolSpec } from "../llm/types.ts";

const file = { type: "string", description: "Path as a listing returned it." };

export const READING_TOOLS: ToolSpec[] = [
  {
    name: "list_available_files",
    description: "Lists files below the search root by glob patterns, without reading them. Call this first.",
    parameters: {
      type: "object",
      properties: {
        patterns: {
          type: "array",
          items: { type: "string" },
          description: 'Globs, e.g. ["*sta*.log", "reports/**/*.rpt*"].',
        },
      },
      required: ["patterns"],
    },
  },
  {
    name: "read_file_header",
    description: "Reads the first lines of a file (plain or compressed).",
    parameters: {
      type: "object",
      properties: { file_path: file, max_lines: { type: "integer" } },
      required: ["file_path"],
    },
  },
  {
    name: "search_in_file",
    description: "Finds lines that contain keywords, with lines around them. A few matches per keyword.",
    parameters: {
      type: "object",
      properties: {
        file_path: file,
        keywords: { type: "array", items: { type: "string" } },
        context_lines: { type: "integer", description: "Lines shown before and after a match." },
      },
      required: ["file_path", "keywords"],
    },
  },
  {
    name: "read_file_range",
    description: "Reads lines start_line to end_line (1-based, both included).",
    parameters: {
      type: "object",
      properties: { file_path: file, start_line: { type: "integer" }, end_line: { type: "integer" } },
      required: ["file_path", "start_line", "end_line"],
    },
  },
];
