// Speed and memory of the file tools on a 1 GB log, its gzip, and a tree of 100,000 files, beside the programs
// one would use otherwise, in one run with warm caches. `npm run bench -- tools [--mb N] [--files N] [--dir D] [--runs N]
// [--only list,search]`.
// The data is made once and kept in the folder; delete it by hand.
import {
  closeSync,
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  openSync,
  renameSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { parseArgs } from "node:util";
import { createGzip } from "node:zlib";
import { createFileTools, type ToolName } from "../../src/tools/index.ts";
import { benchCommands, pythonItself } from "./tools/commands.ts";

const { values } = parseArgs({
  options: {
    mb: { type: "string", default: "1024" },
    files: { type: "string", default: "100000" },
    dir: { type: "string", default: join(tmpdir(), "atomsmith-bench-tools") },
    runs: { type: "string", default: "5" },
    only: { type: "string", default: "list,header,search,range,commands" },
    child: { type: "string" },
    make: { type: "boolean", default: false },
  },
});
const megabytes = Number(values.mb);
const fileCount = Number(values.files);
const runs = Number(values.runs);
const dir = resolve(values.dir);

interface Job {
  root: string;
  /** Calls in order; the last one is measured. `fresh`: new tools (and no line index) for each run. */
  before: [ToolName, object][];
  call: [ToolName, object][];
  fresh: boolean;
  runs: number;
}
interface Measured {
  ms: number[];
  /** Processor time of one run, ms. */
  cpu: number[];
  rss: number;
}

/** Runs one job of ours in a process of its own, so that its memory can be told. */
async function runChild(job: Job): Promise<void> {
  const make = () =>
    createFileTools({
      searchRoot: job.root,
      limits: {
        maxLinesPerCall: 200,
        maxTotalBytes: 1e9,
        maxFilesPerDiscovery: 20,
        maxMatchesPerKeyword: 3,
        requireDiscovery: false,
        headerLines: 100,
        contextLines: 10,
      },
      hidden: [],
      emit: () => undefined,
      scope: "item",
    });
  const ms: number[] = [];
  const cpu: number[] = [];
  let tools = make();
  for (const [name, args] of job.before) await tools.call(name, args);
  for (let i = 0; i < job.runs; i += 1) {
    if (job.fresh) tools = make();
    const [name, args] = job.call[i % job.call.length] as [ToolName, object];
    const busy = process.cpuUsage();
    const started = performance.now();
    const result = await tools.call(name, args);
    ms.push(performance.now() - started);
    const { user, system } = process.cpuUsage(busy);
    cpu.push((user + system) / 1000);
    if (!result.ok) throw new Error(result.content);
  }
  const measured: Measured = { ms, cpu, rss: process.resourceUsage().maxRSS * 1024 };
  process.stdout.write(JSON.stringify(measured));
}

function ours(job: Job): Measured {
  const argv = [process.execPath, import.meta.path, "--child", JSON.stringify(job)];
  const done = Bun.spawnSync(argv, { stderr: "inherit" });
  if (done.exitCode !== 0) throw new Error("the measured process failed");
  return JSON.parse(done.stdout.toString()) as Measured;
}

function peer(argv: string[], times = runs): Measured {
  const ms: number[] = [];
  const cpu: number[] = [];
  let rss = 0;
  for (let i = 0; i < times; i += 1) {
    const started = performance.now();
    const done = Bun.spawnSync(argv, { stdout: "ignore", stderr: "ignore", cwd: dir });
    ms.push(performance.now() - started);
    rss = Math.max(rss, done.resourceUsage?.maxRSS ?? 0);
    cpu.push(Number(done.resourceUsage?.cpuTime.total ?? 0) / 1000);
    if (done.exitCode !== 0 && done.exitCode !== 1)
      throw new Error(`${argv.join(" ")} ended with ${done.exitCode}`);
  }
  return { ms, cpu, rss };
}

const median = (numbers: number[]) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? 0;
const milliseconds = (ms: number) => (ms >= 100 ? ms.toFixed(0) : ms >= 10 ? ms.toFixed(1) : ms.toFixed(2));

/** Prints a block: ours first, then the peers; the ratio is ours to the best peer. */
function report(
  title: string,
  bytes: number | undefined,
  mine: [string, Measured],
  peers: [string, Measured][],
): void {
  const best = Math.min(...peers.map(([, measured]) => median(measured.ms)));
  console.log(`\n${title}`);
  for (const [name, measured] of [mine, ...peers]) {
    const ms = median(measured.ms);
    const speed = bytes === undefined ? "" : `${(bytes / 1e6 / (ms / 1000)).toFixed(0)} MB/s`;
    const cpu = `${milliseconds(median(measured.cpu))} cpu`;
    const rss = `${(measured.rss / 2 ** 20).toFixed(0)} MB`;
    console.log(
      `  ${name.padEnd(34)} ${milliseconds(ms).padStart(8)} ms ${cpu.padStart(12)} ${speed.padStart(11)} ${rss.padStart(8)}`,
    );
  }
  if (peers.length === 0) return;
  const bestCpu = Math.min(...peers.map(([, measured]) => median(measured.cpu)));
  const ratios = [median(mine[1].ms) / best, median(mine[1].cpu) / bestCpu].map((ratio) => ratio.toFixed(2));
  console.log(`  ours / best peer: ${ratios[0]} of the time, ${ratios[1]} of the processor time`);
}

interface Data {
  log: string;
  gzip: string;
  small: string;
  tree: string;
}
const KINDS = ["plain", "gzip"] as const;
const fileOf = (data: Data, kind: (typeof KINDS)[number]) => (kind === "plain" ? data.log : data.gzip);
const fd = Bun.which("fd") === null ? "fdfind" : "fd";

/** A peer if it is installed. */
const only = (name: string, argv: string[], times?: number): [string, Measured][] =>
  Bun.which(argv[0] ?? "") === null ? [] : [[name, peer(argv, times)]];
const python = (name: string, code: string, times = 2) => only(name, [pythonItself(), "-c", code], times);
const quoted = (text: string) => JSON.stringify(text);

async function main(): Promise<void> {
  // In a process of its own: what this one takes counts as memory of every process it starts.
  const made = Bun.spawnSync([process.execPath, import.meta.path, "--make", ...process.argv.slice(2)], {
    stdout: "inherit",
    stderr: "inherit",
  });
  if (made.exitCode !== 0) throw new Error("the data could not be made");
  const data = paths();
  const peers = ["rg", "grep", "zgrep", fd, "find", "sed", "head", "zcat", "python3"];
  const missing = peers.filter((name) => Bun.which(name) === null);
  console.log(
    `${cpus().length} × ${cpus()[0]?.model.trim()}, ${process.platform} ${process.arch}, Bun ${Bun.version}`,
  );
  const size = statSync(data.log).size;
  console.log(`log ${size} bytes, its gzip ${statSync(data.gzip).size} bytes, tree of ${fileCount} files`);
  console.log(`medians of ${runs} runs; memory is the highest resident set of the process`);
  if (missing.length > 0) console.log(`MISSING peers (not measured): ${missing.join(", ")}`);
  const parts: Record<string, () => void> = {
    list: () => benchList(data),
    header: () => benchHeader(data),
    search: () => benchSearch(data, size),
    range: () => benchRange(data, Math.floor(size / 56)),
    commands: () => wholeCommands(data),
  };
  for (const part of values.only.split(",")) parts[part]?.();
}

function benchList({ tree }: Data): void {
  const list: Job = {
    root: tree,
    before: [],
    call: [["list_available_files", { patterns: ["*.rpt"] }]],
    fresh: true,
    runs,
  };
  report(
    `list: *.rpt among ${fileCount} files`,
    undefined,
    ["list_available_files", ours(list)],
    [
      ...only("fd -u -e rpt", [fd, "-u", "-e", "rpt", ".", tree]),
      ...only("find -name", ["find", tree, "-name", "*.rpt"]),
      ...only("rg --files -u -g", ["rg", "--files", "-u", "-g", "*.rpt", tree]),
      ...python("python glob", `import glob;glob.glob(${quoted(`${tree}/**/*.rpt`)},recursive=True)`),
    ],
  );
}

function benchHeader(data: Data): void {
  for (const kind of KINDS) {
    const path = fileOf(data, kind);
    const header: Job = {
      root: dir,
      before: [],
      call: [["read_file_header", { file_path: path }]],
      fresh: true,
      runs,
    };
    const opener = kind === "plain" ? "open(p,'rb')" : "gzip.open(p,'rb')";
    const head = kind === "plain" ? ["head", "-n", "100", path] : ["sh", "-c", `zcat ${path} | head -n 100`];
    report(
      `header: 100 lines, ${kind}`,
      undefined,
      ["read_file_header", ours(header)],
      [
        ...only(kind === "plain" ? "head" : "zcat | head", head),
        ...python("python readlines", `import gzip;p=${quoted(path)};${opener}.readlines()[:100]`, 1),
      ],
    );
  }
}

/** All absent, so that every program passes over the whole file. */
const KEYWORDS = [
  ["UNRESOLVED REFERENCE", "no such cell", "unconstrained endpoint"],
  ["FATAL", "segmentation", "license checkout failed"],
];

function benchSearch(data: Data, size: number): void {
  for (const kind of KINDS) {
    for (const keywords of kind === "plain" ? KEYWORDS : KEYWORDS.slice(0, 1)) {
      const path = fileOf(data, kind);
      const search: Job = {
        root: dir,
        before: [],
        call: [["search_in_file", { file_path: path, keywords }]],
        fresh: true,
        runs,
      };
      const each = ["-i", "-F", ...keywords.flatMap((keyword) => ["-e", keyword]), path];
      const opener = kind === "plain" ? "open(p,errors='ignore')" : "gzip.open(p,'rt',errors='ignore')";
      const code = `import gzip;p=${quoted(path)};ks=${quoted(keywords.join("|").toLowerCase())}.split('|')
ls=${opener}.readlines()
[[l for l in ls if k in l.lower()] for k in ks]`;
      const title = `search: ${keywords.map(quoted).join(", ")} (all absent), ${kind}`;
      report(
        title,
        size,
        ["search_in_file", ours(search)],
        [
          ...(kind === "plain"
            ? only("rg -i -F", ["rg", ...each])
            : only("rg -z -i -F", ["rg", "-z", ...each])),
          ...(kind === "plain"
            ? only("grep -i -F", ["grep", ...each], 2)
            : only("zgrep -i -F", ["zgrep", ...each], 2)),
          ...(keywords === KEYWORDS[0] ? python("python readlines", code, 1) : []),
        ],
      );
    }
  }
}

function benchRange(data: Data, lines: number): void {
  const places = [0.9, 0.1, 0.5, 0.99, 0.3].map((part) => Math.floor(lines * part));
  const to = places[0] ?? 1;
  const sed = `sed -n '${to},${to + 50}p;${to + 50}q'`;
  for (const kind of KINDS) {
    const path = fileOf(data, kind);
    const range = (line: number): [ToolName, object] => [
      "read_file_range",
      { file_path: path, start_line: line, end_line: line + 50 },
    ];
    const first: Job = { root: dir, before: [], call: [range(to)], fresh: true, runs: 3 };
    const scan: [ToolName, object] = [
      "search_in_file",
      { file_path: path, keywords: ["no such thing at all"] },
    ];
    const later: Job = {
      root: dir,
      before: [scan],
      call: places.map(range),
      fresh: false,
      runs: places.length,
    };
    const script = kind === "plain" ? `${sed} ${path}` : `zcat ${path} | ${sed}`;
    const peers = only(kind === "plain" ? "sed" : "zcat | sed", ["sh", "-c", script], 2);
    report(
      `range: 50 lines at 90 %, first time, ${kind}`,
      undefined,
      ["read_file_range", ours(first)],
      peers,
    );
    const after = ours(later);
    report(`range: anywhere, after one scan, ${kind}`, undefined, ["read_file_range", after], []);
    console.log(`  slowest of ${after.ms.length}: ${milliseconds(Math.max(...after.ms))} ms`);
  }
}

function wholeCommands({ small }: Data): void {
  const executable = join(import.meta.dir, "../../dist/atomsmith");
  if (existsSync(executable)) benchCommands(executable, dir, small, Math.max(runs, 20));
  else console.log("\nwhole commands: NOT measured, dist/atomsmith is not there (npm run build)");
}

function paths(): Data {
  const log = join(dir, `log-${megabytes}.log`);
  return { log, gzip: `${log}.gz`, small: join(dir, "small.log"), tree: join(dir, `tree-${fileCount}`) };
}

async function makeData(): Promise<void> {
  mkdirSync(dir, { recursive: true });
  const { log, gzip, small, tree } = paths();
  if (!existsSync(log) || !existsSync(gzip) || !existsSync(tree))
    console.log(`making the data in ${dir} ...`);
  const block = Buffer.from(logBlock(16 * 2 ** 20));
  if (!existsSync(log)) {
    const fd = openSync(`${log}.part`, "w");
    for (let written = 0; written < megabytes * 2 ** 20; written += block.byteLength) writeSync(fd, block);
    closeSync(fd);
    renameSync(`${log}.part`, log);
  }
  if (!existsSync(gzip)) {
    await pipeline(
      createReadStream(log, { highWaterMark: 1 << 20 }),
      createGzip({ chunkSize: 1 << 20 }),
      createWriteStream(`${gzip}.part`),
    );
    renameSync(`${gzip}.part`, gzip);
  }
  writeFileSync(small, block.subarray(0, 2 ** 20));
  if (!existsSync(tree)) {
    const kinds = ["log", "rpt", "v", "spef", "txt", "yaml"];
    for (let i = 0; i < fileCount; i += 1) {
      const folder = join(`${tree}.part`, `block_${Math.floor(i / 1000)}`, `run_${Math.floor(i / 100) % 10}`);
      if (i % 100 === 0) mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, `step_${i % 100}.${kinds[i % kinds.length]}`), "x\n");
    }
    renameSync(`${tree}.part`, tree);
  }
  // Warm caches for everybody.
  for (const path of [log, gzip]) for await (const _ of createReadStream(path, { highWaterMark: 4 << 20 }));
}

/** Lines of a timing tool: paths, slacks, notes and warnings. */
function logBlock(bytes: number): string {
  let state = 20_240_607;
  const next = (below: number) => {
    state = (state * 48271) % 2147483647;
    return state % below;
  };
  const modules = ["u_core/u_alu", "u_core/u_lsu", "u_mem/u_ctl", "u_io/u_pad", "u_dbg"];
  const lines: string[] = [];
  for (let size = 0, n = 0; size < bytes; n += 1) {
    const kind = next(100);
    const at = modules[next(modules.length)];
    let line = `  ${at}/U${next(1e6)}/Z (NAND2X${1 + next(8)})   0.${next(1e4)}  ${next(10)}.${next(1e4)} r`;
    if (kind < 20) line = `[INFO] ${n}: Reading netlist block ${next(1e5)} of ${at}`;
    else if (kind < 39) line = `  slack (MET) 0.${next(1e4)} path ${n} group clk_${next(40)}`;
    else if (kind < 40) line = `**WARN: (IMPSP-${next(9000)}): net n_${next(1e7)} has no driver.`;
    lines.push(line);
    size += line.length + 1;
  }
  return `${lines.join("\n")}\n`;
}

if (values.make) await makeData();
else if (values.child !== undefined) await runChild(JSON.parse(values.child) as Job);
else await main();
