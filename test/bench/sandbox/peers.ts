// What people would use instead of this sandbox. Each runs the same atom; none of them contains it as well, and
// some not at all (docs/measurements/sandbox.md says which).
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createContext, Script } from "node:vm";
import { residentBytes } from "../../../sandbox/parent/process-info.ts";
import { prepareRuntime } from "../../../sandbox/runtime/launch.ts";
import { ATOM, LOG_LINE, PYTHON_ATOM } from "./workload.ts";

export type Scan = "lines" | "columns" | "whole";
const SCANS = ["lines", "columns", "whole"] as const;
const FUNCTIONS: Record<Scan, string> = {
  lines: "count_lines",
  columns: "count_columns",
  whole: "count_native",
};

export interface Peer {
  name: string;
  /** From nothing to the records of one line; returns their number. */
  firstResult: () => Promise<number>;
  fresh?: () => Promise<unknown>;
  hot?: () => Promise<unknown>;
  memoryMb?: () => Promise<number>;
  /** Number of matches in a long text, line by line or in one scan. */
  scan: (text: string, how: Scan) => Promise<number>;
  close: () => Promise<void>;
}

type Extract = (text: string, file: string) => unknown[];

/** No boundary at all: same process, same heap, no limit of memory. */
export async function nodeVmPeer(): Promise<Peer> {
  type Count = (text: string) => number;
  const make = (): { extract: Extract; lines: Count; columns: Count; whole: Count } => {
    const context = createContext({});
    new Script(ATOM).runInContext(context);
    const exported =
      "({ extract: extract_context, lines: count_lines, columns: count_columns, whole: count_native })";
    return new Script(exported).runInContext(context) as ReturnType<typeof make>;
  };
  const warm = make();
  return {
    name: "node:vm in Bun (no boundary)",
    firstResult: async () => make().extract(LOG_LINE, "a.log").length,
    fresh: async () => make().extract(LOG_LINE, "a.log"),
    hot: async () => warm.extract(LOG_LINE, "a.log"),
    scan: async (text, how) => warm[how](text),
    close: async () => {},
  };
}

interface QuickHandle {
  dispose(): void;
}
interface QuickContext {
  evalCode(code: string): unknown;
  unwrapResult(result: unknown): QuickHandle;
  getProp(handle: QuickHandle, name: string): QuickHandle;
  callFunction(fn: QuickHandle, self: QuickHandle, ...args: QuickHandle[]): unknown;
  newString(text: string): QuickHandle;
  dump(handle: QuickHandle): unknown;
  readonly global: QuickHandle;
  readonly undefined: QuickHandle;
  dispose(): void;
}
interface QuickModule {
  newContext(): QuickContext;
}

/** An interpreter in WebAssembly, inside this process. */
export async function quickjsPeer(): Promise<Peer | string> {
  const folder = process.env["ATOMSMITH_BENCH_MODULES"];
  if (folder === undefined) return "quickjs-emscripten (ATOMSMITH_BENCH_MODULES is not set)";
  const load = createRequire(join(folder, "package.json"));
  const library = load("quickjs-emscripten") as { getQuickJS(): Promise<QuickModule> };
  const quick = await library.getQuickJS();
  const make = (): QuickContext => {
    const context = quick.newContext();
    context.unwrapResult(context.evalCode(ATOM)).dispose();
    return context;
  };
  const call = (context: QuickContext, name: string, ...texts: string[]): unknown => {
    const fn = context.getProp(context.global, name);
    const args = texts.map((text) => context.newString(text));
    const result = context.unwrapResult(context.callFunction(fn, context.undefined, ...args));
    const value = context.dump(result);
    for (const handle of [result, fn, ...args]) handle.dispose();
    return value;
  };
  const once = (): unknown[] => {
    const context = make();
    const records = call(context, "extract_context", LOG_LINE, "a.log") as unknown[];
    context.dispose();
    return records;
  };
  const warm = make();
  return {
    name: "quickjs-emscripten in Bun",
    // The library is loaded by then; its own start is not counted, in its favour.
    firstResult: async () => once().length,
    fresh: async () => once(),
    hot: async () => call(warm, "extract_context", LOG_LINE, "a.log"),
    scan: async (text, how) => call(warm, FUNCTIONS[how], text) as number,
    close: async () => warm.dispose(),
  };
}

const WORKER = `
const { readFileSync } = require("node:fs");
const line = readFileSync(0, "utf8");
`;

/** A process per call, without any jail. */
function processPeer(name: string, runtime: string): Peer {
  const folder = mkdtempSync(join(tmpdir(), "atomsmith-bench-"));
  const first = join(folder, "first.cjs");
  writeFileSync(
    first,
    `${WORKER}${ATOM}\nprocess.stdout.write(String(extract_context(line, "a.log").length));`,
  );
  for (const how of SCANS) {
    const program = `${WORKER}${ATOM}
process.stdout.write(String(${FUNCTIONS[how]}(line)));`;
    writeFileSync(join(folder, `${how}.cjs`), program);
  }
  const run = async (script: string, text: string): Promise<number> => {
    const child = Bun.spawn([runtime, script], { stdin: "pipe", stdout: "pipe", stderr: "inherit", env: {} });
    child.stdin.write(text);
    await child.stdin.end();
    return Number(await new Response(child.stdout).text());
  };
  return {
    name,
    firstResult: () => run(first, LOG_LINE),
    fresh: () => run(first, LOG_LINE),
    scan: (text, how) => run(join(folder, `${how}.cjs`), text),
    close: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

export async function bunProcessPeer(): Promise<Peer> {
  return processPeer("Bun process per call (JIT, no jail)", process.execPath);
}

export async function nodeProcessPeer(): Promise<Peer> {
  const { node } = await prepareRuntime(() => {});
  return processPeer("Node process per call (JIT, no jail)", node);
}

const PYTHON_LOOP = `
import sys, json
scope = {}
exec(json.loads(sys.stdin.readline()), scope)
for line in sys.stdin:
    request = json.loads(line)
    if request["fn"] == "extract": result = len(scope["extract_context"](request["text"], "a.log"))
    else:
        with open(request["path"], encoding="utf-8") as f: result = scope[request["fn"]](f.read())
    print(result, flush=True)
`;

/** Python's exec in a process of its own that stays: no boundary inside it. */
export async function pythonPeer(): Promise<Peer | string> {
  if (Bun.which("python3") === null) return "python3 (not on this machine)";
  const folder = mkdtempSync(join(tmpdir(), "atomsmith-bench-"));
  const start = () => {
    const child = Bun.spawn(["python3", "-c", PYTHON_LOOP], {
      stdin: "pipe",
      stdout: "pipe",
      stderr: "inherit",
    });
    const reader = child.stdout.getReader();
    child.stdin.write(`${JSON.stringify(PYTHON_ATOM)}\n`);
    const ask = async (request: object): Promise<number> => {
      child.stdin.write(`${JSON.stringify(request)}\n`);
      await child.stdin.flush();
      let answer = "";
      while (!answer.endsWith("\n")) answer += new TextDecoder().decode((await reader.read()).value);
      return Number(answer);
    };
    const end = async (): Promise<void> => {
      await child.stdin.end();
      await child.exited;
    };
    return { ask, end, pid: child.pid };
  };
  const once = async (): Promise<number> => {
    const one = start();
    const count = await one.ask({ fn: "extract", text: LOG_LINE });
    await one.end();
    return count;
  };
  const warm = start();
  return {
    name: "python3 exec (no boundary inside)",
    firstResult: once,
    fresh: once,
    hot: () => warm.ask({ fn: "extract", text: LOG_LINE }),
    memoryMb: async () => (residentBytes(warm.pid) ?? Number.NaN) / 1e6,
    scan: async (text, how) => {
      const path = join(folder, "log.txt");
      writeFileSync(path, text);
      return warm.ask({ fn: how === "whole" ? "count" : FUNCTIONS[how], path });
    },
    close: async () => {
      await warm.end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
