// `npm run bench -- batch [items] [up-to-date items] [at once]`: items a second with a scripted model at zero
// latency, the time to decide about items that are up to date, and the memory both need. The program runs as a
// process of its own, as a build server would run it; memory is the largest resident size of that process (VmHWM)
// without the sandbox children. Processor time an item is printed for the program, its children and the model
// (which runs in here): it says more than the clock where other work shares the machine. Every Atom A and
// its pattern are texts of their own, as from a real author; Atoms B and C, universal as they are, are the same.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../src/core/hash.ts";
import { AT_ONCE, ENV, makeProject, pageOf, removeProjects, scriptedModel } from "../loops/item/scripted.ts";
import { type Script, startModelServer } from "../support/model-server.ts";
import { PROGRAM } from "../support/program.ts";

const items = Number(process.argv[2] ?? 200);
const settled = Number(process.argv[3] ?? 10_000);
const atOnce = process.argv[4] ?? "4";
const server = startModelServer(ownAtoms(scriptedModel(AT_ONCE)));
const ids = Array.from({ length: items }, (_, n) => `CLK-${String(n).padStart(5, "0")}`);
const project = makeProject(server.url, ids);

/** The scripted model with a pattern of its own in every Atom A. */
function ownAtoms(model: Script): Script {
  let drafts = 0;
  return (request, index) => {
    const reply = model(request, index);
    for (const call of "tool_calls" in reply ? (reply.tool_calls ?? []) : []) {
      const given = call.arguments;
      if (typeof given !== "object" || given === null || !("code" in given)) continue;
      given.code = String(given.code).replace(" period ", ` (?:period|draft${++drafts}) `);
    }
    return reply;
  };
}

interface Timed {
  seconds: number;
  peakMb: number;
  /** Processor time in milliseconds: the program itself, its children, and this process. */
  cpu: { program: number; children: number; model: number };
  totals: Record<string, number>;
}

/** Unit of the times in /proc. */
const TICK_MS = 10;

async function batch(...args: string[]): Promise<Timed> {
  const began = performance.now();
  const before = process.cpuUsage();
  const child = Bun.spawn(
    [
      ...PROGRAM,
      "batch",
      "specs",
      "--config",
      project.config,
      "--search-root",
      project.logs,
      "--json",
      ...args,
    ],
    { cwd: project.root, env: ENV, stdout: "pipe", stderr: "ignore" },
  );
  let peak = 0;
  let ownMs = 0;
  const watch = setInterval(() => {
    try {
      const text = readFileSync(`/proc/${child.pid}/status`, "utf8");
      peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(text)?.[1] ?? 0));
      const stat = readFileSync(`/proc/${child.pid}/stat`, "utf8");
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      ownMs = (Number(fields[11]) + Number(fields[12])) * TICK_MS;
    } catch {
      // it has ended
    }
  }, 20);
  const text = await new Response(child.stdout).text();
  await child.exited;
  clearInterval(watch);
  const totals = (JSON.parse(text) as { totals: Record<string, number> }).totals;
  const seconds = (performance.now() - began) / 1000;
  const all = Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1000;
  const own = process.cpuUsage(before);
  const cpu = { program: ownMs, children: all - ownMs, model: (own.user + own.system) / 1000 };
  return { seconds, peakMb: peak / 1024, cpu, totals };
}

/** Copies of one accepted item under other ids: what a store looks like after a long run. */
function copyAccepted(count: number): void {
  const first = ids[0] ?? "";
  const set = join(project.root, "output", first);
  const manifest = JSON.parse(readFileSync(join(set, "manifest.json"), "utf8")) as {
    item_id: string;
    spec: { path: string; sha256: string };
  };
  for (let n = 0; n < count; n++) {
    const id = `CPY-${String(n).padStart(5, "0")}`;
    const page = pageOf(id);
    const path = join(project.specs, `${id}_ItemSpec.md`);
    writeFileSync(path, page);
    const dir = join(project.root, "output", id);
    mkdirSync(dir);
    cpSync(set, dir, { recursive: true });
    const own = { ...manifest, item_id: id, spec: { path, sha256: sha256(page) } };
    writeFileSync(join(dir, "manifest.json"), JSON.stringify(own, null, 2));
  }
}

const made = await batch("--concurrency", atOnce);
console.log(
  `${items} items made in ${made.seconds.toFixed(1)} s: ${(items / made.seconds).toFixed(1)} items/s, ` +
    `${made.totals["accepted"]} accepted, ${server.requests.length} model calls, peak ${made.peakMb.toFixed(0)} MB; processor time an item: program ${(made.cpu.program / items).toFixed(0)} ms, ` +
    `sandbox children ${(made.cpu.children / items).toFixed(0)} ms, model ${(made.cpu.model / items).toFixed(0)} ms`,
);
copyAccepted(settled);
for (let n = 0; n < 3; n++) {
  const decided = await batch();
  console.log(
    `${items + settled} items, ${decided.totals["up_to_date"]} up to date, decided in ` +
      `${decided.seconds.toFixed(2)} s, peak ${decided.peakMb.toFixed(0)} MB`,
  );
}
await server.stop();
removeProjects();
