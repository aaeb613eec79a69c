// `tools list|header|search|range`: runs the author's four file tools with the same limits and answers.
import { existsSync } from "node:fs";
import { isAbsolute, relative } from "node:path";
import { AtomsmithError, EXIT, type ExitCode } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import { count } from "../../core/words.ts";
import { createFileTools, type ToolName, toolLimits } from "../../tools/index.ts";
import { COMMON_ARGS, type CommandGroup, defineCommand } from "../command.ts";
import type { CommandContext } from "../context.ts";
import type { Style } from "../style.ts";

const rootArg = { "search-root": COMMON_ARGS["search-root"] } as const;
const fileArg = {
  file: { type: "positional", valueHint: "FILE", required: true, description: "file below the search root" },
} as const;
const whole = { integer: true, min: 1 } as const;
const EXITS = { 2: "the tool refused the request; the message names the rule" };

type Show = (data: JsonObject, style: Style) => string;

/** Calls one tool as the author would; a refusal is a usage error. */
async function call(
  context: CommandContext,
  tool: ToolName,
  args: JsonObject,
  show: Show,
): Promise<ExitCode> {
  const { paths, tool_constraints } = context.config;
  const tools = createFileTools({
    searchRoot: paths.search_root,
    // A single call has no discovery call before it.
    limits: { ...toolLimits(tool_constraints), requireDiscovery: false },
    hidden: hiddenFrom(paths.search_root, [paths.item_specs_dir, paths.output_dir, paths.cache_dir]),
    emit: context.emit,
    scope: "tools",
    variables: paths.variables,
    signal: context.signal,
  });
  const result = await tools.call(tool, args);
  context.signal.throwIfAborted();
  if (!result.ok) {
    const { message, instead } = result.data;
    throw new AtomsmithError("usage", String(message), {
      ...(instead === undefined ? {} : { hint: String(instead) }),
      ...(typeof args["file_path"] === "string" ? { where: args["file_path"] } : {}),
    });
  }
  for (const note of listOf(result.data["notes"])) context.output.note(String(note));
  context.output.result(result.data, (style) => show(result.data, style));
  return EXIT.ok;
}

/** Folders hidden from the author; a folder that contains the search root hides nothing. */
function hiddenFrom(root: string, folders: string[]): string[] {
  return folders.filter((folder) => relative(folder, root).startsWith(".."));
}

/** Resolves a path from the command line: relative to the working directory, or to the search root. */
function fileOf(context: CommandContext, path: string): string {
  const here = context.resolve(path);
  return isAbsolute(path) || existsSync(here) ? here : path;
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Replaces control characters in log text, so that it cannot control the terminal. */
function escapeControls(text: string): string {
  return text.replace(
    /[\0-\x08\x0b-\x1f\x7f-\x9f]/g,
    (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`,
  );
}

const showLines: Show = (data) => escapeControls(String(data["content"]));

const showFiles: Show = (data, style) => {
  const files = listOf(data["files"]) as { path: string; size: number; type: string; compression?: string }[];
  const width = Math.max(0, ...files.map((file) => String(file.size).length));
  const rows = files.map((file) => {
    const kind = file.compression === undefined ? file.type : `${file.type}, ${file.compression}`;
    return `${String(file.size).padStart(width)}  ${escapeControls(file.path.replaceAll("\n", "\\n"))}  ${style.dim(kind)}`;
  });
  const total = Number(data["total_found"]);
  if (files.length < total) rows.push(style.dim(`${files.length} of ${count(total, "file")}`));
  return rows.join("\n");
};

const showMatches: Show = (data, style) => {
  const matches = listOf(data["matches"]) as {
    line_number: number;
    start_line: number;
    content: string;
    also?: { line_number: number }[];
  }[];
  return matches
    .map((match) => {
      const hits = new Set([match.line_number, ...(match.also ?? []).map((other) => other.line_number)]);
      return match.content
        .split("\n")
        .map((text, i) => {
          const line = match.start_line + i;
          const shown = escapeControls(text);
          return hits.has(line) ? `${style.green(String(line))}:${shown}` : style.dim(`${line}-${shown}`);
        })
        .join("\n");
    })
    .join("\n--\n");
};

const listCommand = defineCommand({
  name: "list",
  summary: "find files below the search root by glob patterns",
  args: {
    pattern: {
      type: "positional",
      valueHint: "PATTERN",
      required: true,
      multiple: true,
      description: "glob; one without a slash that matches nothing in the root is searched at any depth",
    },
    max: { type: "string", valueHint: "N", number: whole, description: "list at most N files" },
    "stop-early": { type: "boolean", description: "stop after N files; the total is then unknown" },
    ...rootArg,
  },
  exits: EXITS,
  examples: [
    { command: "atomsmith tools list '*.rpt' '**/sta*.log*'", does: "find reports and timing logs" },
  ],
  run: (args, context) => {
    const toolArgs = {
      patterns: args.pattern,
      ...(args.max === undefined ? {} : { max_files: args.max }),
      ...(args["stop-early"] ? { stop_early: true } : {}),
    };
    return call(context, "list_available_files", toolArgs, showFiles);
  },
});

const headerCommand = defineCommand({
  name: "header",
  summary: "show the first lines of a log",
  args: {
    ...fileArg,
    lines: { type: "string", valueHint: "N", number: whole, description: "number of lines" },
    ...rootArg,
  },
  exits: EXITS,
  examples: [
    { command: "atomsmith tools header run.log.gz --lines 20", does: "show 20 lines of a compressed log" },
  ],
  run: (args, context) => {
    const toolArgs = {
      file_path: fileOf(context, args.file),
      ...(args.lines === undefined ? {} : { max_lines: args.lines }),
    };
    return call(context, "read_file_header", toolArgs, showLines);
  },
});

const searchCommand = defineCommand({
  name: "search",
  summary: "search a log for several keywords at once",
  args: {
    ...fileArg,
    keyword: {
      type: "positional",
      valueHint: "KEYWORD",
      required: true,
      multiple: true,
      description: "text to search for, ignoring case",
    },
    context: {
      type: "string",
      valueHint: "N",
      number: { integer: true, min: 0, max: 1000 },
      description: "lines before and after a match",
    },
    max: { type: "string", valueHint: "N", number: whole, description: "matches per keyword" },
    regex: {
      type: "boolean",
      description: "treat keywords as regular expressions, case-sensitive unless they contain (?i)",
    },
    "case-sensitive": { type: "boolean", description: "match case" },
    exclude: {
      type: "string",
      valueHint: "TEXT",
      multiple: true,
      description: "skip lines with this text; may be repeated",
    },
    ...rootArg,
  },
  exits: EXITS,
  examples: [
    {
      command: "atomsmith tools search sta.log.gz 'slack (VIOLATED)' WARNING --context 1",
      does: "search for two keywords in one pass",
    },
  ],
  run: (args, context) => {
    const toolArgs = {
      file_path: fileOf(context, args.file),
      keywords: args.keyword,
      ...(args.context === undefined ? {} : { context_lines: args.context }),
      ...(args.max === undefined ? {} : { max_matches_per_keyword: args.max }),
      ...(args.regex ? { regex: true } : {}),
      ...(args["case-sensitive"] ? { case_sensitive: true } : {}),
      ...(args.exclude === undefined || args.exclude.length === 0 ? {} : { exclude: args.exclude }),
    };
    return call(context, "search_in_file", toolArgs, showMatches);
  },
});

const lineArg = (description: string) =>
  ({ type: "positional", valueHint: "LINE", required: true, description }) as const;

const rangeCommand = defineCommand({
  name: "range",
  summary: "show lines of a log by number",
  args: {
    ...fileArg,
    first: lineArg("first line, counted from 1"),
    last: lineArg("last line (inclusive)"),
    ...rootArg,
  },
  exits: EXITS,
  examples: [{ command: "atomsmith tools range run.log 1000 1020", does: "21 lines" }],
  run: (args, context) => {
    const toolArgs = { file_path: fileOf(context, args.file), start_line: args.first, end_line: args.last };
    return call(context, "read_file_range", toolArgs, showLines);
  },
});

export const toolsGroup: CommandGroup = {
  kind: "group",
  name: "tools",
  summary: "run the author's four file tools",
  details:
    "Limits and answers are those of the author. --json prints the answer exactly as the author receives it.",
  commands: [
    { name: "list", summary: listCommand.summary, load: async () => listCommand },
    { name: "header", summary: headerCommand.summary, load: async () => headerCommand },
    { name: "search", summary: searchCommand.summary, load: async () => searchCommand },
    { name: "range", summary: rangeCommand.summary, load: async () => rangeCommand },
  ],
};
