// `npm run bench -- batch [items] [up-to-date items]`: items a second with a scripted model at zero latency, the
// time to decide about items that are up to date, and the memory both need. The program runs as a process of its
// own, as a build server would run it; memory is the largest resident size of that process (VmHWM) without the
// sandbox children.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../src/core/hash.ts";
import {
  AT_ONCE,
  ENV,
  MAIN,
  makeProject,
  pageOf,
  removeProjects,
  scriptedModel,
} from "../pipeline/scripted.ts";
import { startModelServer } from "../support/model-server.ts";

const items = Number(process.argv[2] ?? 200);
const settled = Number(process.argv[3] ?? 10_000);
const executable = process.env["ATOMSMITH"];
const program = executable === undefined ? [process.execPath, MAIN] : [executable];
const server = startModelServer(scriptedModel(AT_ONCE));
const ids = Array.from({ length: items }, (_, n) => `CLK-${String(n).padStart(5, "0")}`);
const project = makeProject(server.url, ids);

interface Timed {
  seconds: number;
  peakMb: number;
  totals: Record<string, number>;
}

async function batch(...args: string[]): Promise<Timed> {
  const began = performance.now();
  const child = Bun.spawn(
    [
      ...program,
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
  const watch = setInterval(() => {
    try {
      const text = readFileSync(`/proc/${child.pid}/status`, "utf8");
      peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(text)?.[1] ?? 0));
    } catch {
      // it has ended
    }
  }, 20);
  const text = await new Response(child.stdout).text();
  await child.exited;
  clearInterval(watch);
  const totals = (JSON.parse(text) as { totals: Record<string, number> }).totals;
  return { seconds: (performance.now() - began) / 1000, peakMb: peak / 1024, totals };
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

const made = await batch("--concurrency", "8");
console.log(
  `${items} items made in ${made.seconds.toFixed(1)} s: ${(items / made.seconds).toFixed(1)} items/s, ` +
    `${made.totals["accepted"]} accepted, ${server.requests.length} model calls, peak ${made.peakMb.toFixed(0)} MB`,
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
