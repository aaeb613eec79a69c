// A small project for tests of the pipeline, and a scripted model that writes its atoms: first a wrong Atom A, then
// wrong logic, then correct parts, so that every stage of the graph runs.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ATOM_B, ATOM_C } from "../../../src/author/standard-atoms.ts";
import { type Declarations, declarationsOf } from "../../../src/contract/declarations.ts";
import { runSettings } from "../../support/executable.ts";
import { TEST_KEY } from "../../support/llm.ts";
import type { Script, ScriptedReply, WireRequestIn } from "../../support/model-server.ts";
import { PROGRAM } from "../../support/program.ts";

export const ENV = { TEST_KEY, PATH: process.env["PATH"] ?? "", ...runSettings() };

export interface Project {
  root: string;
  specs: string;
  spec: string;
  logs: string;
  config: string;
}

const folders: string[] = [];

/** Removes all projects. Call in `afterAll`. */
export function removeProjects(): void {
  for (const dir of folders.splice(0)) rmSync(dir, { recursive: true, force: true });
}

export function pageOf(id: string): string {
  return `# ItemSpec: ${id}

## 1. Parsing Logic
Read the clock report. Each line \`CLOCK <name> period <ns> ns\` is one record.
- **value**: the name of the clock.
- **Fields**: \`period\`, the period in nanoseconds as text.

## 2. Check Logic
Type 2, two patterns on the value:
1. \`core\`
2. \`bus\`

## 3. Waiver Logic
No waivers.

## 4. Implementation Guide
### 4.1 Data Source
The report is \`clocks.rpt\`.
### 4.2 Special Scenarios
None.
### 4.3 Test Data
None.
`;
}

export const LOG = [
  "Clock report of block soc_top",
  "=============================",
  "CLOCK core period 1.25 ns",
  "some other line",
  "CLOCK bus period 2.50 ns",
  "end of report",
  "",
].join("\n");

/** Creates a project with the given items, a log, and a configuration for the model at `url` (or no model). */
export function makeProject(
  url: string | undefined,
  ids: readonly string[] = ["CLK-1"],
  extra = "",
): Project {
  const root = mkdtempSync(join(tmpdir(), "atomsmith-pipeline-"));
  folders.push(root);
  const specs = join(root, "specs");
  const logs = join(root, "logs");
  mkdirSync(specs);
  mkdirSync(logs);
  for (const id of ids) writeFileSync(join(specs, `${id}_ItemSpec.md`), pageOf(id));
  writeFileSync(join(logs, "clocks.rpt"), LOG);
  const config = join(root, "atomsmith.yaml");
  const role = `{provider: openai, model: test-model, base_url: "${url}", api_key_env: TEST_KEY, max_retries: 0}`;
  const llm =
    url === undefined
      ? ""
      : `llm:\n  agent_a: ${role}\n  agent_b: ${role}\n  reflect: ${role}\n  universal_atoms: author\n`;
  writeFileSync(config, `${llm}${extra}`);
  return { root, specs, spec: join(specs, `${ids[0]}_ItemSpec.md`), logs, config };
}

export const GOOD_A = `function extract_context(text, source_file) {
  const items = [];
  const lines = text.split(/\\r?\\n/);
  for (let i = 0; i < lines.length; i++) {
    const match = /^CLOCK (\\S+) period (\\d+\\.\\d+) ns$/.exec(lines[i]);
    if (match === null) continue;
    items.push({
      value: match[1],
      source_file: source_file,
      line_number: i + 1,
      matched_content: lines[i],
      parsed_fields: { period: match[2] },
    });
  }
  return items;
}
`;
/** Wrong line numbers and a wrong field name. */
export const WRONG_A = GOOD_A.replace("line_number: i + 1", "line_number: i + 2").replace(
  "period: match[2]",
  "ns: match[2]",
);
export const GOOD_B = ATOM_B;
/** Matches anything. */
export const WRONG_B = `// WRONG
function validate_logic(text, pattern, parsed_fields = null, default_match = "contains", regex_mode = "search") {
  return { is_match: true, reason: "whatever you say", kind: "contains" };
}
`;
export const GOOD_C = ATOM_C;
export const GOOD_CONFIG = `description: clocks of the block
input_files: ["clocks.rpt"]
requirements:
  value: 2
  pattern_items: ["core", "bus"]
waivers:
  value: N/A
  waive_items: []
  waive_reasons: []
`;

/** The submissions of the model: draft and repair. */
export interface Plan {
  a: readonly [draft: string, repair: string];
  b: readonly [draft: string, repair: string];
  /** Witnesses of the draft and of the repair; by default those of LOG. */
  witnesses?: readonly [draft: string[], repair: string[]];
  /** Declarations submitted with code and config; none by default. */
  declares?: Declarations;
}
export const ALL_STAGES: Plan = { a: [WRONG_A, GOOD_A], b: [WRONG_B, GOOD_B] };
export const AT_ONCE: Plan = { a: [GOOD_A, GOOD_A], b: [GOOD_B, GOOD_B] };

/** A model that reads the log first and submits what the plan contains. Its replies depend on the request only, so
 * equal requests get equal replies. */
export function scriptedModel(plan: Plan): Script {
  return (request) => {
    const tools = new Set(request.tools?.map((tool) => tool.function.name) ?? []);
    if (tools.has("submit_extract_context")) return parsing(request, plan);
    return {
      tool_calls: [
        {
          name: "submit_logic",
          arguments: {
            atom_b: isLogicRepair(request) ? plan.b[1] : plan.b[0],
            atom_c: GOOD_C,
            config: GOOD_CONFIG,
            ...(plan.declares && { declarations: declarationsOf("config", plan.declares) }),
          },
        },
      ],
    };
  };
}

/** A model whose submissions of Atom A are all different and all wrong. */
export function alwaysWrong(): Script {
  const model = scriptedModel({ a: [WRONG_A, WRONG_A], b: [GOOD_B, GOOD_B] });
  let attempt = 0;
  return async (request, number) => {
    const reply = await model(request, number);
    const call = reply.tool_calls?.[0];
    if (call?.name !== "submit_extract_context") return reply;
    attempt += 1;
    const code = (call.arguments as { code: string }).code.replace("i + 2", `i + ${attempt + 1}`);
    return { tool_calls: [{ ...call, arguments: { ...(call.arguments as object), code } }] };
  };
}

/** A model that calls `ask_person` until a request contains the hint. */
export function asksUntilHinted(hint: string): Script {
  const model = scriptedModel(AT_ONCE);
  return (request, number) => {
    const hinted = request.messages.some((message) => message.content?.includes(hint) === true);
    const parsing = request.tools?.some((tool) => tool.function.name === "submit_extract_context") === true;
    if (hinted || !parsing) return model(request, number);
    return {
      tool_calls: [
        {
          name: "ask_person",
          arguments: { reasons: ["Two columns could be meant."], questions: ["Which column is the period?"] },
        },
      ],
    };
  };
}

function parsing(request: WireRequestIn, plan: Plan): ScriptedReply {
  const answered = request.messages.filter((message) => message.role === "tool").length;
  const repair = isRepair(request);
  if (!repair && answered === 0) {
    return { tool_calls: [{ name: "list_available_files", arguments: { patterns: ["*.rpt"] } }] };
  }
  if (!repair && answered === 1) {
    const listed = request.messages.findLast((message) => message.role === "tool")?.content ?? "";
    const path = /"([^"]*clocks\.rpt)"/.exec(listed)?.[1] ?? "clocks.rpt";
    return { tool_calls: [{ name: "read_file_header", arguments: { file_path: path } }] };
  }
  const code = repair ? plan.a[1] : plan.a[0];
  return {
    tool_calls: [
      {
        name: "submit_extract_context",
        arguments: {
          code,
          input_files: ["clocks.rpt"],
          log_summary: "One line per clock.",
          witnesses: (repair ? plan.witnesses?.[1] : plan.witnesses?.[0]) ?? ["end of report"],
          ...(plan.declares && { declarations: declarationsOf("atom_a", plan.declares) }),
        },
      },
    ],
  };
}

/** The request of a repair contains the code that failed. */
function isRepair(request: WireRequestIn): boolean {
  return request.messages.some((message) => /const match = /.test(message.content ?? ""));
}

function isLogicRepair(request: WireRequestIn): boolean {
  return request.messages.some((message) => message.content?.includes("whatever you say") === true);
}

export interface ProcessResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs the real program as a separate process; `limits` are shell commands before it, e.g. ulimit. */
export async function atomsmith(
  args: readonly string[],
  cwd: string,
  limits?: string,
): Promise<ProcessResult> {
  const command = [...PROGRAM, ...args];
  const child = Bun.spawn(
    limits === undefined ? command : ["sh", "-c", `${limits}; exec "$@"`, "sh", ...command],
    {
      cwd,
      env: ENV,
      stdout: "pipe",
      stderr: "pipe",
    },
  );
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, stdout, stderr };
}
