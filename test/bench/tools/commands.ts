// Whole commands on small files, start included, beside each program one would use otherwise. All programs of a row
// run in turn, so that a change of load hits them alike, and write to a file: grep stops early at /dev/null.
import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

interface Row {
  title: string;
  ours: string[];
  peers: [name: string, argv: string[]][];
}

interface Timed {
  name: string;
  argv: string[];
  wall: number[];
  cpu: number[];
}

const MISSING = "no such thing";

/** Prints for each tool the medians of ours and of every peer, and what ours takes of each peer's time.
 * @param executable the built program
 * @param dir folder for the data; `small` a log of 1 MB in it */
export function benchCommands(executable: string, dir: string, small: string, runs: number): void {
  const interpreter = pythonItself();
  const gzip = `${small}.gz`;
  const text = readFileSync(small);
  writeFileSync(gzip, gzipSync(text));
  const lines = text.toString("latin1").split("\n").length - 1;
  const [from, to] = [Math.floor(lines * 0.9), Math.floor(lines * 0.9) + 50];
  const tools = (...argv: string[]) => [executable, "tools", ...argv, "--search-root", dir];
  const python = (code: string): Row["peers"][number] => ["python3", [interpreter, "-c", code]];
  const sh = (script: string) => ["sh", "-c", script];
  const plain = `open(${JSON.stringify(small)},errors='ignore')`;
  const packed = `gzip.open(${JSON.stringify(gzip)},'rt',errors='ignore')`;
  const find = (opener: string) =>
    `import gzip,sys\nfor l in ${opener}.readlines():\n  if '${MISSING}' in l.lower(): sys.stdout.write(l)`;
  const rows: Row[] = [
    { title: "start alone", ours: [executable, "--version"], peers: [python("pass")] },
    {
      title: "search, 1 MB",
      ours: tools("search", small, MISSING),
      peers: [
        ["grep -i -F", ["grep", "-i", "-F", MISSING, small]],
        ["rg -i -F", ["rg", "-i", "-F", MISSING, small]],
        python(find(plain)),
      ],
    },
    {
      title: "search, 1 MB, gzip",
      ours: tools("search", gzip, MISSING),
      peers: [
        ["zgrep -i -F", ["zgrep", "-i", "-F", MISSING, gzip]],
        ["rg -z -i -F", ["rg", "-z", "-i", "-F", MISSING, gzip]],
        python(find(packed)),
      ],
    },
    {
      title: "header, 1 MB",
      ours: tools("header", small),
      peers: [["head", ["head", "-n", "100", small]], python(`print(''.join(${plain}.readlines()[:100]))`)],
    },
    {
      title: "header, 1 MB, gzip",
      ours: tools("header", gzip),
      peers: [
        ["zcat | head", sh(`zcat ${gzip} | head -n 100`)],
        python(`import gzip;print(''.join(${packed}.readlines()[:100]))`),
      ],
    },
    {
      title: "range at 90 %, 1 MB",
      ours: tools("range", small, String(from), String(to)),
      peers: [
        ["sed", ["sed", "-n", `${from},${to}p;${to}q`, small]],
        python(`print(''.join(${plain}.readlines()[${from}:${to}]))`),
      ],
    },
  ];
  console.log(`\nwhole commands, start included: medians of ${runs} runs each, in turn`);
  const sink = join(dir, "commands.out");
  for (const row of rows) printRow(row, time(row, sink, runs));
  rmSync(sink, { force: true });
}

/** The interpreter itself: `python3` may be a script of a version manager that takes longer than Python does. */
export function pythonItself(): string {
  if (Bun.which("python3") === null) return "python3";
  const asked = Bun.spawnSync(["python3", "-c", "import sys; print(sys.executable)"]);
  return asked.stdout.toString().trim() || "python3";
}

function time(row: Row, sink: string, runs: number): Timed[] {
  const mine: Timed = { name: "ours", argv: row.ours, wall: [], cpu: [] };
  const peers = row.peers.map(([name, argv]): Timed => ({ name, argv, wall: [], cpu: [] }));
  const present = [mine, ...peers.filter(({ argv }) => Bun.which(argv[0] ?? "") !== null)];
  // The first round warms the caches and is not counted.
  for (let i = 0; i <= runs; i += 1) {
    for (const program of present) {
      const fd = openSync(sink, "w");
      const started = performance.now();
      const done = Bun.spawnSync(program.argv, { stdout: fd, stderr: fd, stdin: "ignore" });
      const wall = performance.now() - started;
      closeSync(fd);
      if (done.exitCode !== 0 && done.exitCode !== 1) {
        throw new Error(`${program.argv.join(" ")} ended with ${done.exitCode}`);
      }
      if (i === 0) continue;
      program.wall.push(wall);
      program.cpu.push(Number(done.resourceUsage?.cpuTime.total ?? 0) / 1000);
    }
  }
  return present;
}

function printRow({ title, peers }: Row, timed: Timed[]): void {
  const [mine, ...others] = timed;
  if (mine === undefined) return;
  const show = ({ wall, cpu }: Timed) => `${median(wall).toFixed(1)} ms (${median(cpu).toFixed(1)} cpu)`;
  console.log(`  ${title.padEnd(22)} ours ${show(mine)}`);
  for (const other of others) {
    const ratio = median(mine.wall) / median(other.wall);
    const busy = median(mine.cpu) / median(other.cpu);
    const verdict = ratio <= 1.5 ? "reached" : "missed";
    console.log(
      `    ${other.name.padEnd(20)} ${show(other).padEnd(26)} ours / it ${ratio.toFixed(2)} (${busy.toFixed(2)} cpu) ${verdict}`,
    );
  }
  const missing = peers.filter(([name]) => !others.some((other) => other.name === name));
  for (const [name] of missing) console.log(`    ${name.padEnd(20)} not installed`);
}

const median = (numbers: number[]) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? 0;
