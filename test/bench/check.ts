// `npm run bench -- check [--mb 1024] [--items 300] [--runs 3]`: a large log through a line-local atom beside the
// same extraction in Python (re, one process) and ripgrep counting the same alternation as the limit; many small
// items; and whether the number of children changes anything. Prints medians and the memory of the process tree.
import {
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { sha256 } from "../../src/core/hash.ts";
import { sources, writeSet, writeTree } from "../runtime/sets.ts";

const option = (name: string, fallback: number) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : Number(process.argv[at + 1]);
};
const MB = option("mb", 1024);
const ITEMS = option("items", 300);
const RUNS = option("runs", 3);
const root = join(import.meta.dir, "../..");
const built = join(root, "dist/atomsmith");
const program = existsSync(built) ? [built] : [process.execPath, join(root, "src/main.ts")];
const dir = mkdtempSync(join(tmpdir(), "atomsmith-bench-"));

/** Two extractions: what the words of a checklist become, and a line start that decides at once. */
const CASES = [
  {
    name: "any case, six words",
    js: String.raw`/\b(error|fatal|violat\w*|latch|timeout|unresolved)\b/i`,
    py: String.raw`(?i)\b(error|fatal|violat\w*|latch|timeout|unresolved)\b`,
    rg: ["-c", "-i", String.raw`\b(error|fatal|violat\w*|latch|timeout|unresolved)\b`],
  },
  {
    name: "anchored line start",
    js: String.raw`/^\[[^\]]*\] (ERROR|WARN) +[A-Z]+-\d+: /`,
    py: String.raw`^\[[^\]]*\] (ERROR|WARN) +[A-Z]+-\d+: `,
    rg: ["-c", String.raw`^\[[^\]]*\] (ERROR|WARN) +[A-Z]+-\d+: `],
  },
];

try {
  console.log(
    `${program.join(" ")}, ${navigator.hardwareConcurrency} processors, load ${loadavg()[0]?.toFixed(1)}, medians of ${RUNS}`,
  );
  await largeLog();
  await manyItems();
} finally {
  rmSync(dir, { recursive: true, force: true });
}

async function largeLog(): Promise<void> {
  const log = join(dir, "big/run.log");
  writeTree(join(dir, "big"), { "run.log": "" });
  const bytes = generate(log, MB * 2 ** 20);
  console.log(`\nA log of ${(bytes / 1e9).toFixed(2)} GB, 1 line in 250 is wanted`);
  for (const [i, one] of CASES.entries()) {
    const atom = `function extract_context(text, source_file) {
  const items = [];
  const wanted = ${one.js};
  const lines = text.split("\\n");
  for (let i = 0; i < lines.length; i++) {
    const m = wanted.exec(lines[i]);
    if (m) items.push({ value: m[1], source_file, line_number: i + 1, matched_content: lines[i], parsed_fields: { word: m[1] } });
  }
  return items;
}
`;
    const config = `description: bench\ninput_files: [run.log]\nrequirements: {value: N/A}\nwaivers: {value: N/A}\n`;
    const out = join(dir, `out${i}`);
    await writeSet(out, "BENCH", sources(config, { atom_a: atom }), { lineLocal: true });
    const script = join(dir, `ref${i}.py`);
    writeFileSync(script, python(one.py));
    const ours = await repeat(() => check(out, join(dir, "big")));
    const records = (JSON.parse(ours.last.out) as { results: { result: { found_items: unknown[] } }[] })
      .results[0];
    const py = await repeat(() => measure(["python3", script, log]));
    const rg = Bun.which("rg") === null ? null : await repeat(() => measure(["rg", ...one.rg, log]));
    const rate = ({ ms, cpuMs }: { ms: number; cpuMs: number }) =>
      `${(ms / 1000).toFixed(2)} s, ${(bytes / 1e3 / ms).toFixed(0)} MB/s, ${(cpuMs / 1000).toFixed(1)} s of processor`;
    console.log(`\n  ${one.name}`);
    console.log(
      `    atomsmith check   ${rate(ours)}, peak ${ours.peakMb} MB in the whole tree, ${records?.result.found_items.length} records`,
    );
    console.log(`    python re         ${rate(py)}, ${py.last.out.trim()} records`);
    console.log(
      `    ripgrep -c        ${rg === null ? "not installed" : `${rate(rg)}, ${rg.last.out.trim()} lines`}`,
    );
    console.log(`    python / ours     ${(py.ms / ours.ms).toFixed(1)}`);
    if (i > 0) continue;
    const hashes = new Set<string>();
    for (const children of [1, 2, 3]) {
      const { out: text } = await check(out, join(dir, "big"), ["-c", `sandbox.children=${children}`]);
      hashes.add(sha256(text.replace(/"duration_ms": \d+/g, "")));
    }
    console.log(`    1, 2, 3 children  ${hashes.size === 1 ? "identical output" : "OUTPUT DIFFERS"}`);
  }
}

async function manyItems(): Promise<void> {
  const logs: Record<string, string> = {};
  const out = join(dir, "many");
  for (let i = 0; i < ITEMS; i += 1) {
    logs[`run${i}.log`] = `start\n${"noise\n".repeat(200)}item: v${i}\n`;
    const config = `description: d\ninput_files: [run${i}.log, run${(i * 7) % ITEMS}.log]\nrequirements: {value: 1, pattern_items: [v${i}], extra: info}\nwaivers: {value: N/A}\n`;
    await writeSet(out, `ITEM-${String(i).padStart(3, "0")}`, sources(config));
  }
  writeTree(join(dir, "logs"), logs);
  const run = await repeat(() => check(out, join(dir, "logs")));
  const { results } = JSON.parse(run.last.out) as { results: { outcome: string }[] };
  const passed = results.filter((r) => r.outcome === "pass").length;
  console.log(
    `\n${ITEMS} small items: ${(run.ms / 1000).toFixed(2)} s, ${passed} passed, peak ${run.peakMb} MB`,
  );
}

function check(out: string, logs: string, more: string[] = []): Promise<Measured> {
  return measure([...program, "check", out, "--search-root", logs, "--json", "--quiet", ...more]);
}

interface Measured {
  ms: number;
  /** Processor time of the process and all its children. */
  cpuMs: number;
  peakMb: number;
  out: string;
}

/** Wall clock of a process and the largest sum of proportional set sizes of its tree, sampled every 50 ms. */
async function measure(command: string[]): Promise<Measured> {
  const started = performance.now();
  const child = Bun.spawn(command, { cwd: dir, stdout: "pipe", stderr: "inherit", stdin: "ignore" });
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, treeKb(child.pid));
  }, 50);
  const out = await new Response(child.stdout).text();
  const code = await child.exited;
  clearInterval(timer);
  if (![0, 7].includes(code)) throw new Error(`${command.join(" ")} ended with ${code}`);
  const used = child.resourceUsage()?.cpuTime.total ?? 0n;
  const cpuMs = Number(used) / 1000;
  return { ms: performance.now() - started, cpuMs, peakMb: Math.round(peak / 1024), out };
}

async function repeat(
  run: () => Promise<Measured>,
): Promise<{ ms: number; cpuMs: number; peakMb: number; last: Measured }> {
  const all: Measured[] = [];
  for (let i = 0; i < RUNS; i += 1) all.push(await run());
  const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
  return {
    ms: median(all.map((m) => m.ms)),
    cpuMs: median(all.map((m) => m.cpuMs)),
    peakMb: Math.max(...all.map((m) => m.peakMb)),
    last: all[0] as Measured,
  };
}

function treeKb(pid: number): number {
  let sum = 0;
  try {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
    sum += Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0);
    for (const task of readdirSync(`/proc/${pid}/task`)) {
      const children = readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").trim();
      for (const child of children === "" ? [] : children.split(" ")) sum += treeKb(Number(child));
    }
  } catch {
    // It ended meanwhile, or this is not Linux.
  }
  return sum;
}

function python(pattern: string): string {
  return `import re, sys
wanted = re.compile(r"""${pattern}""")
items = []
with open(sys.argv[1], encoding="utf-8") as log:
    for number, line in enumerate(log, 1):
        line = line.rstrip("\\n")
        m = wanted.search(line)
        if m:
            items.append({"value": m.group(1), "source_file": sys.argv[1], "line_number": number,
                          "matched_content": line, "parsed_fields": {"word": m.group(1)}})
print(len(items))
`;
}

/** Writes a log of about so many bytes; returns how many. Deterministic. */
function generate(path: string, size: number): number {
  let seed = 1;
  const next = (n: number) => {
    seed = (seed * 1103515245 + 12345) % 2 ** 31;
    return Math.floor((seed / 2 ** 31) * n);
  };
  const words =
    "clock skew path slack net cell placed routed optimizing iteration buffer timing arrival required hold setup".split(
      " ",
    );
  const lines: string[] = [];
  for (let i = 0; i < 50_000; i += 1) {
    const time = `[2026-01-01 00:${String(i % 60).padStart(2, "0")}:${String(i % 59).padStart(2, "0")}]`;
    if (i % 500 === 3)
      lines.push(
        `${time} ERROR STA-${next(900)}: setup violation on u_core/u_${next(9999)}/D slack -0.${next(999)}`,
      );
    else if (i % 500 === 253) lines.push(`${time} WARN  SYN-${next(900)}: latch inferred for u_${next(999)}`);
    else
      lines.push(
        `${time} INFO  ${Array.from({ length: 9 }, () => words[next(words.length)]).join(" ")} ${next(9999)}`,
      );
  }
  const block = Buffer.from(`${lines.join("\n")}\n`);
  const file = openSync(path, "w");
  let written = 0;
  while (written < size) written += writeSync(file, block);
  return written;
}
