// Shared by the tests of the model author: an item's context over real log files, and an author over a local server.
import { afterEach } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createAuthor } from "../../src/author/index.ts";
import type { RoundMemory } from "../../src/author/memory.ts";
import type { Author, AuthorContext } from "../../src/author/types.ts";
import type { EventBody } from "../../src/core/events.ts";
import { memoryTurnLog, type TurnLog } from "../../src/llm/index.ts";
import type { LogicSlice, ParsingSlice } from "../../src/spec/types.ts";
import { createFileTools } from "../../src/tools/index.ts";
import type { ToolsSnapshot } from "../../src/tools/types.ts";
import { fastClock, llmConfig, servicesFor } from "./llm.ts";
import type { DialectName } from "./model-dialects.ts";
import { type ModelServer, type Script, type ScriptedReply, startModelServer } from "./model-server.ts";
import { programAccess } from "./program-access.ts";
import { GOOD_ATOM_B, GOOD_ATOM_C } from "./scripted-author.ts";

/** The memory of a repair in the first round. */
export const NO_MEMORY: RoundMemory = { decisions: [], iteration: { based_on: 1, dropped: [] } };

export const STA_LOG = `Static timing report
Startpoint: u1/q   Endpoint: u9/d   slack -0.012 (VIOLATED)
Startpoint: u2/q   Endpoint: u8/d   slack 0.310 (MET)
done
`;

export const PARSING: ParsingSlice = {
  item_id: "STA-99",
  section_1: "Paths of the timing report. value: the endpoint. Fields: slack. MARK-SECTION-1",
  section_4_1: "The file sta.log. MARK-SECTION-4-1",
  examples: [],
  witnesses: [],
};

export const LOGIC: LogicSlice = {
  item_id: "STA-99",
  section_2: "Type 2: `u9/d` and `u8/d` must be reported. MARK-SECTION-2",
  section_3: "N/A. MARK-SECTION-3",
  section_4_2: "Paths may be MET. MARK-SECTION-4-2",
  check: null,
};

export const GOOD_A = `function extract_context(text, source_file) {
  const records = [];
  text.split(/\\r?\\n/).forEach((line, index) => {
    const found = /Endpoint:\\s+(\\S+)\\s+slack\\s+(-?\\d+\\.\\d+)/.exec(line);
    if (!found) return;
    records.push({ value: found[1], source_file, line_number: index + 1, matched_content: line, parsed_fields: { slack: found[2] } });
  });
  return records;
}
`;

export const GOOD_CONFIG = `description: endpoints reported
requirements:
  value: 2
  pattern_items: ['u9/d', 'u8/d']
waivers:
  value: N/A
  waive_items: []
  waive_reasons: []
`;

/** A complete answer of Agent B. */
export const GOOD_LOGIC = { atom_b: GOOD_ATOM_B, atom_c: GOOD_ATOM_C, config: GOOD_CONFIG };

/** A reply that submits the logic. */
export function submitLogic(args: object = GOOD_LOGIC): ScriptedReply {
  return { tool_calls: [{ name: "submit_logic", arguments: args }] };
}

/** Summary of Agent A's records for Agent B. */
export const EXTRACTION = {
  records: 2,
  files: 1,
  fields: {},
  value_shapes: [] as string[],
  input_files: ["sta.log"],
};

export interface Bench {
  server: ModelServer;
  author: Author;
  context: AuthorContext;
  turns: TurnLog;
  events: EventBody[];
  root: string;
  /** Same server and log tree with a new author and new tools, as after a restart. */
  again(options?: BenchOptions): { author: Author; context: AuthorContext; events: EventBody[] };
  stop(): Promise<void>;
}

export interface BenchOptions {
  turns?: TurnLog;
  restore?: ToolsSnapshot;
  config?: Record<string, unknown>;
  role?: object;
  signal?: AbortSignal;
  deadline?: number;
  context?: Partial<AuthorContext>;
  dialect?: DialectName;
}

/** Starts an author of one item over a scripted server and a tree of log files. */
export function authorBench(
  script: Script,
  files: Record<string, string> = { "sta.log": STA_LOG },
  options: BenchOptions = {},
): Bench {
  const root = mkdtempSync(join(tmpdir(), "atomsmith-author-"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  const server = startModelServer(script, options.dialect);
  const turns = options.turns ?? memoryTurnLog();
  const make = (own: BenchOptions) => {
    const config = llmConfig(server.url, { paths: { search_root: root }, ...own.config }, own.role);
    const { services, events } = servicesFor(config, fastClock());
    const limits = config.tool_constraints;
    const tools = createFileTools({
      searchRoot: root,
      limits: {
        maxLinesPerCall: limits.max_read_lines_per_call,
        maxTotalBytes: limits.max_total_read_bytes,
        maxFilesPerDiscovery: limits.max_files_per_discovery,
        maxMatchesPerKeyword: limits.max_search_matches_per_keyword,
        requireDiscovery: limits.require_discovery_before_read,
        headerLines: limits.header_lines_default,
        contextLines: limits.search_context_lines,
      },
      hidden: [],
      emit: (event) => events.push(event),
      scope: "item",
      ...(own.restore === undefined ? {} : { restore: own.restore }),
    });
    const author = createAuthor(config, { turns: own.turns ?? turns, services, searchRoot: root });
    const context: AuthorContext = {
      tools,
      emit: (event) => events.push(event),
      signal: own.signal ?? new AbortController().signal,
      deadline: own.deadline ?? Number.POSITIVE_INFINITY,
      hints: [],
      item_id: "STA-99",
      iteration: 1,
      ...programAccess(root),
      ...own.context,
    };
    return { author, context, events };
  };
  return {
    server,
    turns,
    root,
    ...make(options),
    again: (own = {}) => make({ ...options, ...own }),
    stop: async () => {
      await server.stop();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** Starts author benches, each stopped after the test that started it. Call at the top of a test file. */
export function benchPerTest(): typeof authorBench {
  const running: Bench[] = [];
  afterEach(async () => {
    for (const bench of running.splice(0)) await bench.stop();
  });
  return (...args) => {
    const bench = authorBench(...args);
    running.push(bench);
    return bench;
  };
}
