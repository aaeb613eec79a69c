// Validates the arguments of a model; a refusal describes the schema with an example.
import { type Refusal, refuse } from "./answer.ts";
import { type Fields, flag, integer, list, optional, readFields, text, type Values } from "./fields.ts";
import type { ToolName } from "./types.ts";

/** Maximum keywords of one search, and characters of a keyword. */
export const MAX_KEYWORDS = 64;
export const MAX_KEYWORD_LENGTH = 500;
const MAX_PATTERNS = 32;
const MAX_PATTERN_LENGTH = 1000;
const MAX_PATH_LENGTH = 4096;

const keyword = text(MAX_KEYWORD_LENGTH, (value) =>
  /[\n\r\0]/.test(value) ? "has a line end: every keyword must stand on one line" : undefined,
);
const file = text(MAX_PATH_LENGTH);
const positive = integer(1);

const FIELDS = {
  list_available_files: {
    patterns: list(text(MAX_PATTERN_LENGTH), MAX_PATTERNS),
    max_files: optional(positive),
    stop_early: optional(flag),
  },
  read_file_header: { file_path: file, max_lines: optional(positive) },
  search_in_file: {
    file_path: file,
    keywords: list(keyword, MAX_KEYWORDS),
    context_lines: optional(integer(0, 1000)),
    max_matches_per_keyword: optional(positive),
    regex: optional(flag),
    case_sensitive: optional(flag),
    exclude: optional(list(keyword, MAX_KEYWORDS)),
  },
  read_file_range: { file_path: file, start_line: positive, end_line: positive },
} satisfies Record<ToolName, Fields>;

export type ToolArguments = { [K in ToolName]: Values<(typeof FIELDS)[K]> };

/** Valid arguments, or a refusal with the problems. Unknown keys are ignored. */
export function readArguments<K extends ToolName>(
  tool: K,
  args: unknown,
): { ok: true; args: ToolArguments[K] } | Refusal {
  const value = typeof args === "string" ? parse(args) : (args ?? {});
  if (value === undefined) return refuse("bad_arguments", "The arguments are not valid JSON.", usage(tool));
  const read = readFields<Fields>(FIELDS[tool], value);
  if (read.ok) return { ok: true, args: read.value as ToolArguments[K] };
  const issues = read.problems.slice(0, 5).map((problem) => `${problem.path} ${problem.message}`);
  return refuse(
    "bad_arguments",
    `The arguments do not fit: ${issues.join("; ").slice(0, 500)}.`,
    usage(tool),
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function usage(tool: ToolName): string {
  const examples: Record<ToolName, string> = {
    list_available_files: '{"patterns": ["*.log", "**/sta*.rpt*"]}',
    read_file_header: '{"file_path": "logs/run.log", "max_lines": 50}',
    search_in_file: `{"file_path": "logs/run.log", "keywords": ["version"], "context_lines": 2}; at most ${MAX_KEYWORDS} keywords of ${MAX_KEYWORD_LENGTH} characters`,
    read_file_range: '{"file_path": "logs/run.log", "start_line": 100, "end_line": 150}',
  };
  return `Call ${tool} with ${examples[tool]}.`;
}
