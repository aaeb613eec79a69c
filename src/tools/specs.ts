// The specifications of the four tools, as sent to a model.
import type { ToolSpec } from "../contract/tool-spec.ts";
import { MAX_KEYWORD_LENGTH, MAX_KEYWORDS } from "./arguments.ts";

const filePath = { type: "string", description: "Path exactly as list_available_files returned it." };

export const TOOL_SPECS: ToolSpec[] = [
  {
    name: "list_available_files",
    description:
      "Finds files below the search root by glob patterns and returns path, size and type, without reading them. " +
      "Must be called first: only files it returned can be read. A pattern without a slash that matches nothing at " +
      "the root is looked for at any depth, and the answer says so; `**`, `{a,b}`, `[abc]`, `?` work. `total_found` is the true number; each pattern is counted for itself.",
    parameters: {
      type: "object",
      properties: {
        patterns: {
          type: "array",
          items: { type: "string" },
          description: 'Glob patterns, the most telling first, e.g. ["*sta*.log", "*.spef*"].',
        },
        max_files: { type: "integer", minimum: 1, description: "Return at most this many files." },
        stop_early: {
          type: "boolean",
          description: "Stop once max_files were found; no true total then.",
        },
      },
      required: ["patterns"],
      additionalProperties: false,
    },
  },
  {
    name: "read_file_header",
    description:
      "Returns the first lines of a file (compressed files are decompressed). Says encoding and line ends and whether more follows.",
    parameters: {
      type: "object",
      properties: { file_path: filePath, max_lines: { type: "integer", minimum: 1 } },
      required: ["file_path"],
      additionalProperties: false,
    },
  },
  {
    name: "search_in_file",
    description:
      "Searches a whole file for several keywords and returns for each the number of matching lines " +
      "(`count`) and the first of them with the lines around. Matches whose context overlaps share one excerpt (`also`). " +
      "Case does not matter for keywords; for regular expressions it does, unless `(?i)` stands in front.",
    parameters: {
      type: "object",
      properties: {
        file_path: filePath,
        keywords: {
          type: "array",
          items: { type: "string", maxLength: MAX_KEYWORD_LENGTH },
          maxItems: MAX_KEYWORDS,
        },
        context_lines: { type: "integer", minimum: 0, description: "Lines before and after a match." },
        max_matches_per_keyword: { type: "integer", minimum: 1 },
        regex: {
          type: "boolean",
          description:
            "Keywords are regular expressions (RE2: no back references, no look-around), tried on each line.",
        },
        case_sensitive: { type: "boolean", description: "Whether case matters, for all keywords." },
        exclude: {
          type: "array",
          items: { type: "string", maxLength: MAX_KEYWORD_LENGTH },
          maxItems: MAX_KEYWORDS,
          description: "Lines with one of these do not count as matches; read like the keywords.",
        },
      },
      required: ["file_path", "keywords"],
      additionalProperties: false,
    },
  },
  {
    name: "read_file_range",
    description: "Returns the lines from start_line to end_line, both inclusive, counted from 1.",
    parameters: {
      type: "object",
      properties: {
        file_path: filePath,
        start_line: { type: "integer", minimum: 1 },
        end_line: { type: "integer", minimum: 1 },
      },
      required: ["file_path", "start_line", "end_line"],
      additionalProperties: false,
    },
  },
];
