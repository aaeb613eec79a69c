// Arguments as a model sends them: checked, with the small slips forgiven that models make (a string for a list
// of one, a number as text), and refused with the schema in plain words otherwise.
import { z } from "zod";
import { type Refusal, refuse } from "./answer.ts";
import type { ToolName } from "./types.ts";

const count = (max: number) =>
  z.preprocess(
    (value) => (typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value),
    z.int().min(0).max(max),
  );
const positive = z.preprocess(
  (value) => (typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value),
  z.int().min(1),
);
const oneOrMany = (item: z.ZodString, max: number) =>
  z.preprocess((value) => (typeof value === "string" ? [value] : value), z.array(item).min(1).max(max));
const flag = z.preprocess(
  (value) => (value === "true" ? true : value === "false" ? false : value),
  z.boolean(),
);

/** One search holds so many keywords of so many characters; more would not be a summary. */
export const MAX_KEYWORDS = 64;
export const MAX_KEYWORD_LENGTH = 500;
const MAX_PATTERNS = 32;

const keyword = z
  .string()
  .min(1, "is empty")
  .max(MAX_KEYWORD_LENGTH)
  .refine((text) => !/[\n\r\0]/.test(text), "has a line end: every keyword must stand on one line");

const file = z.string().min(1).max(4096);

const schemas = {
  list_available_files: z.object({
    patterns: oneOrMany(z.string().min(1).max(1000), MAX_PATTERNS),
    max_files: positive.optional(),
    stop_early: flag.optional(),
  }),
  read_file_header: z.object({ file_path: file, max_lines: positive.optional() }),
  search_in_file: z.object({
    file_path: file,
    keywords: oneOrMany(keyword, MAX_KEYWORDS),
    context_lines: count(1000).optional(),
    max_matches_per_keyword: positive.optional(),
    regex: flag.optional(),
  }),
  read_file_range: z.object({ file_path: file, start_line: positive, end_line: positive }),
} satisfies Record<ToolName, z.ZodType>;

export type ToolArguments = { [K in ToolName]: z.infer<(typeof schemas)[K]> };

/** Checked arguments, or the refusal that says what is wrong. Unknown keys are ignored. */
export function readArguments<K extends ToolName>(
  tool: K,
  args: unknown,
): { ok: true; args: ToolArguments[K] } | Refusal {
  const value = typeof args === "string" ? parse(args) : (args ?? {});
  if (value === undefined) return refuse("bad_arguments", "The arguments are not valid JSON.", usage(tool));
  const read = schemas[tool].safeParse(value);
  if (read.success) return { ok: true, args: read.data as ToolArguments[K] };
  const issues = read.error.issues
    .slice(0, 5)
    .map((issue) => `${issue.path.join(".") || "arguments"}: ${issue.message}`);
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
