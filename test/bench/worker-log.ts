// `npm run bench -- worker-log [megabytes]`: one huge log, a set proved line-local, and a check of it by one machine and by
// fleets, each process with one child of the sandbox, so that two workers have two processors at most. Prints seconds, the
// load of the machine, and whether the documents are equal.
import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { ENV, makeProject, removeProjects } from "../loops/item/scripted.ts";
import { sources, writeSet } from "../runtime/sets.ts";
import { Fleet } from "../support/fleet.ts";

const MEGABYTES = Number(process.argv[2] ?? 1_024);
const RUNS = 3;
const CONFIG =
  "description: bench\ninput_files: [big/run.log]\nrequirements: {value: N/A}\nwaivers: {value: N/A}\n";
/** What the words of a checklist become, and a line start that decides at once. */
const PATTERNS: [name: string, js: string][] = [
  ["any case, six words", String.raw`/\b(error|fatal|violat\w*|latch|timeout|unresolved)\b/i`],
  ["anchored line start", String.raw`/^\[[^\]]*\] (ERROR|WARN) +[A-Z]+-\d+: /`],
];

const at = makeProject(undefined, ["X-1"], "");
writeLog(join(at.logs, "big"), MEGABYTES);
for (const [i, [name, pattern]] of PATTERNS.entries()) {
  const set = await writeSet(join(at.root, `sets${i}`), "BENCH", sources(CONFIG, { atom_a: atom(pattern) }), {
    lineLocal: true,
  });
  say(`${MEGABYTES} MiB, 1 line in 250 wanted, ${name}; medians of ${RUNS}`);
  const flags = ["-c", "sandbox.children=1"];
  const args = ["check", set, "--search-root", at.logs, "--json", "--items", "--quiet", ...flags];
  const texts = new Set<string>();
  const fleet = await Fleet.start({ cwd: at.root, env: ENV });
  await fleet.run(["queue", "ls"]);
  texts.add(await timed("one machine", () => fleet.runAlone(args)));
  for (const workers of [1, 2]) {
    fleet.worker(["--concurrency", "1", ...flags]);
    while ((await fleet.postgres.query("SELECT 1 FROM atomsmith.worker")).length < workers)
      await Bun.sleep(100);
    texts.add(await timed(`${workers} of the fleet`, () => fleet.run(args)));
  }
  await fleet.stop();
  say(texts.size === 1 ? "  equal documents" : "  DOCUMENTS DIFFER");
  if (texts.size > 1) process.exitCode = 1;
}
removeProjects();

async function timed(
  what: string,
  run: () => Promise<{ code: number | null; stdout: string; stderr: string }>,
): Promise<string> {
  const times: number[] = [];
  let text = "";
  for (let i = 0; i < RUNS; i++) {
    const began = performance.now();
    const ended = await run();
    if (ended.code !== 7 && ended.code !== 0)
      throw new Error(`${what} ended with ${ended.code}: ${ended.stderr}`);
    times.push((performance.now() - began) / 1000);
    text = ended.stdout.replaceAll(/"duration_ms": \d+/g, "");
  }
  const [, median = 0] = times.toSorted((a, b) => a - b);
  const all = times.map((time) => time.toFixed(1)).join(" ");
  say(`  ${what}: ${median.toFixed(1)} s (${all}), load ${loadavg()[0]?.toFixed(1)}`);
  return text;
}

function atom(pattern: string): string {
  return `function extract_context(text, source_file) {
  const items = [];
  const wanted = ${pattern};
  const lines = text.split("\\n");
  for (let i = 0; i < lines.length; i++) {
    const m = wanted.exec(lines[i]);
    if (m) items.push({ value: m[1], source_file, line_number: i + 1, matched_content: lines[i], parsed_fields: {} });
  }
  return items;
}
`;
}

function writeLog(dir: string, megabytes: number): void {
  mkdirSync(dir);
  const fd = openSync(join(dir, "run.log"), "w");
  const line = (n: number): string =>
    n % 250 === 0
      ? `[12:00:${n % 60}] ERROR  ABC-${n}: unresolved reference in module top/u_${n}\n`
      : `[12:00:${n % 60}] INFO   step ${n}: nothing to report about net n_${n * 7919} of the block\n`;
  for (let bytes = 0, n = 1; bytes < megabytes * 2 ** 20; n += 20_000) {
    bytes += writeSync(fd, Array.from({ length: 20_000 }, (_, i) => line(n + i)).join(""));
  }
  closeSync(fd);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
