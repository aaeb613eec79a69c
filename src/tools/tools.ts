// The four tools: validated arguments, the path guard, the quota, cached answers, evidence.
import type { Emit } from "../core/events.ts";
import { hashJson } from "../core/hash.ts";
import type { JsonObject } from "../core/json.ts";
import { PathGuard } from "../files/guard.ts";
import { variablesOf } from "../files/variables.ts";
import { LineIndexes } from "../logio/index.ts";
import { type Answer, type Refusal, refuse } from "./answer.ts";
import { readArguments } from "./arguments.ts";
import { DiscoveredFiles } from "./discovered.ts";
import { listFiles } from "./list.ts";
import { Quota } from "./quota.ts";
import { type ReadContext, readHeader, readRange } from "./read.ts";
import { searchFile } from "./search.ts";
import {
  type FileTools,
  type ObservedText,
  TOOL_NAMES,
  type ToolLimits,
  type ToolName,
  type ToolResult,
  type ToolsSnapshot,
} from "./types.ts";

export interface FileToolsOptions {
  searchRoot: string;
  limits: ToolLimits;
  /** Absolute files and directories that the author must not see: specs, output, cache. */
  hidden: string[];
  emit: Emit;
  /** Name of the loop, for the event of an exhausted quota. */
  scope: string;
  /** Values of `${NAME}` in patterns; unknown ones are refused. */
  variables?: Record<string, string>;
  restore?: ToolsSnapshot;
  /** Line indexes shared with other items of the run. */
  indexes?: LineIndexes;
  signal?: AbortSignal;
}

/** Maximum milliseconds of one call; a longer one stops with a note. */
const MAX_CALL_TIME = 120_000;

/** The author's tools for one subject of a loop. Throws kind `usage` when the search root is not a readable directory. */
export function createFileTools(options: FileToolsOptions): FileTools {
  return new Tools(options);
}

class Tools implements FileTools {
  readonly limits: ToolLimits;
  private readonly guard: PathGuard;
  private readonly files: DiscoveredFiles;
  private readonly quota: Quota;
  private readonly indexes: LineIndexes;
  private readonly options: FileToolsOptions;
  private readonly variables: ReadonlyMap<string, string>;
  private readonly observed: ObservedText[];
  private readonly answers = new Map<string, StoredAnswer>();
  private calls: number;

  constructor(options: FileToolsOptions) {
    const { restore, limits } = options;
    this.options = options;
    this.limits = limits;
    this.guard = new PathGuard(options.searchRoot, { hidden: options.hidden });
    this.files = new DiscoveredFiles(this.guard, limits.requireDiscovery);
    this.quota = new Quota(limits.maxTotalBytes, restore?.bytes_used ?? 0);
    this.indexes = options.indexes ?? new LineIndexes();
    this.variables = variablesOf(this.guard.root, options.variables ?? {});
    this.observed = [...(restore?.observed ?? [])];
    this.calls = restore?.calls ?? 0;
    for (const path of restore?.discovered ?? []) this.files.add(this.guard.shown(path), path);
    for (const [shown, real] of Object.entries(restore?.aliases ?? {})) this.files.add(shown, real);
    for (const answer of restore?.answers ?? []) this.answers.set(answer.key, answer);
  }

  bytesLeft(): number {
    return this.quota.left;
  }

  snapshot(): ToolsSnapshot {
    return {
      bytes_used: this.quota.used,
      calls: this.calls,
      discovered: this.files.paths,
      aliases: this.files.aliases,
      observed: structuredClone(this.observed),
      answers: [...this.answers.values()],
    };
  }

  async call(name: string, args: unknown): Promise<ToolResult> {
    this.calls += 1;
    const key = keyOf(name, args);
    const known = this.answers.get(key);
    if (known !== undefined) {
      this.announce(name, `${known.summary} (from memory)`, known.ok, 0);
      const data = JSON.parse(known.content) as JsonObject;
      return { ok: known.ok, tool: name, content: known.content, bytes: 0, data };
    }
    const outcome = isToolName(name) ? await this.run(name, args) : unknownTool(name);
    return this.deliver(name, key, outcome);
  }

  private async run(name: ToolName, args: unknown): Promise<Answer | Refusal> {
    if (this.quota.leftForAnswers < MIN_ANSWER) return this.exhausted();
    switch (name) {
      case "list_available_files":
        return this.list(args);
      case "read_file_header": {
        const read = readArguments(name, args);
        if (!read.ok) return read;
        const { file_path, max_lines } = read.args;
        return this.withFile(file_path, (file) => readHeader(file, max_lines ?? this.limits.headerLines));
      }
      case "search_in_file": {
        const read = readArguments(name, args);
        if (!read.ok) return read;
        const { file_path, keywords, context_lines, max_matches_per_keyword: asked, regex } = read.args;
        const most = this.limits.maxMatchesPerKeyword;
        return this.withFile(file_path, (file) =>
          searchFile(file, {
            keywords,
            contextLines: context_lines ?? this.limits.contextLines,
            exclude: read.args.exclude ?? [],
            maxMatches: Math.min(asked ?? most, most),
            askedMatches: asked !== undefined && asked > most ? asked : undefined,
            regex: regex ?? false,
            caseSensitive: read.args.case_sensitive ?? regex ?? false,
            maxTime: MAX_CALL_TIME,
          }),
        );
      }
      case "read_file_range": {
        const read = readArguments(name, args);
        if (!read.ok) return read;
        const { file_path, start_line, end_line } = read.args;
        return this.withFile(file_path, (file) => readRange(file, start_line, end_line));
      }
    }
  }

  private async list(args: unknown): Promise<Answer | Refusal> {
    const read = readArguments("list_available_files", args);
    if (!read.ok) return read;
    const { patterns, max_files, stop_early } = read.args;
    const most = this.limits.maxFilesPerDiscovery;
    const { signal } = this.options;
    const request = {
      patterns,
      maxFiles: Math.min(max_files ?? most, most),
      askedFiles: max_files,
      stopEarly: stop_early ?? false,
      variables: this.variables,
      maxTime: MAX_CALL_TIME,
      ...(signal === undefined ? {} : { signal }),
    };
    return listFiles(this.guard, request, this.quota.leftForAnswers);
  }

  /** Runs a reading tool on a file the author may read. */
  private async withFile(
    path: string,
    work: (context: ReadContext) => Promise<Answer | Refusal>,
  ): Promise<Answer | Refusal> {
    const file = this.files.resolve(path);
    if (!file.ok) return file;
    const { signal } = this.options;
    return work({
      real: file.real,
      shown: file.shown,
      budget: this.quota.leftForAnswers,
      maxLines: this.limits.maxLinesPerCall,
      indexes: this.indexes,
      mayRead: (real) => this.guard.allows(real),
      ...(signal === undefined ? {} : { signal }),
    });
  }

  private deliver(name: string, key: string, outcome: Answer | Refusal): ToolResult {
    if (outcome.ok) {
      const content = JSON.stringify(outcome.data);
      const bytes = Buffer.byteLength(content);
      this.quota.charge(bytes);
      for (const [shown, real] of outcome.discovered ?? []) this.files.add(shown, real);
      this.observed.push(...outcome.observed);
      this.answers.set(key, { key, ok: true, content, summary: outcome.summary });
      this.announce(name, outcome.summary, true, bytes);
      return { ok: true, tool: name, content, bytes, data: outcome.data };
    }
    const { rule, message, instead } = outcome;
    const data: JsonObject = { error: rule, message, ...(instead === undefined ? {} : { instead }) };
    const content = JSON.stringify(data);
    const bytes = Buffer.byteLength(content);
    this.quota.charge(bytes);
    this.announce(name, `refused (${rule}): ${message}`, false, bytes);
    return { ok: false, tool: name, content, bytes, data };
  }

  private exhausted(): Refusal {
    const { scope, emit } = this.options;
    emit({
      type: "budget",
      scope,
      what: "tool_bytes",
      used: this.quota.used,
      limit: this.quota.limit,
    });
    emit({ type: "log", level: "warning", message: "The author's reading quota is used up." });
    return refuse(
      "quota_exhausted",
      `All ${this.quota.limit} bytes of reading are used up.`,
      "Write the code from what you have seen. Repeating an earlier call is free.",
    );
  }

  private announce(tool: string, summary: string, ok: boolean, bytes: number): void {
    this.options.emit({ type: "tool_called", tool, summary, ok, bytes, bytes_left: this.quota.left });
  }
}

type StoredAnswer = NonNullable<ToolsSnapshot["answers"]>[number];

/** Minimum bytes of a useful answer. */
const MIN_ANSWER = 200;

function isToolName(name: string): name is ToolName {
  return TOOL_NAMES.some((known) => known === name);
}

function unknownTool(name: string): Refusal {
  return refuse(
    "unknown_tool",
    `There is no tool "${name.slice(0, 80)}".`,
    `The tools are ${TOOL_NAMES.join(", ")}.`,
  );
}

/** The cache key of a call; equal for arguments as text or in another order. */
function keyOf(name: string, args: unknown): string {
  if (typeof args !== "string") return hashJson([name, args ?? {}]);
  try {
    return hashJson([name, JSON.parse(args)]);
  } catch {
    return hashJson([name, "text", args]);
  }
}
