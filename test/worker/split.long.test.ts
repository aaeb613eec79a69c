// A huge log checked in ranges by several workers: the document is that of one machine, also when workers die within a
// range, and when a range is odd.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { ENV, makeProject, type Project, removeProjects } from "../loops/item/scripted.ts";
import { sources, writeSet } from "../runtime/sets.ts";
import { Fleet } from "../support/fleet.ts";
import { until } from "./scene.ts";

const MB = 2 ** 20;
const CONFIG = `description: d
input_files: ["big/*.log", "small.log"]
requirements: {value: 3, pattern_items: ["first", "middle", "nowhere"]}
waivers: {value: N/A, waive_items: [], waive_reasons: []}
witnesses: ["end of run"]
`;

let fleet: Fleet;
let at: Project;
let set: string;
beforeAll(async () => {
  at = makeProject(undefined, ["X-1"], "queue: {split_mb: 64}\n");
  mkdirSync(join(at.logs, "big"));
  writeFileSync(join(at.logs, "small.log"), "item: first small\nend of run\n");
  set = await writeSet(join(at.root, "sets"), "S-1", sources(CONFIG), { lineLocal: true });
  fleet = await Fleet.start({ cwd: at.root, env: ENV });
  expect((await fleet.run(["queue", "ls"])).code).toBe(0);
}, 60_000);
afterAll(async () => {
  await fleet?.stop();
  removeProjects();
});

/** A log of this size, with a record now and then. */
function writeLog(path: string, megabytes: number, last: string): void {
  const noise = "2026-01-01 12:00:00 INFO nothing to be seen in this line of the log\n".repeat(1_000);
  const fd = openSync(path, "w");
  writeSync(fd, "item: first\n");
  for (let bytes = 0, n = 0; bytes < megabytes * MB; n += 1) {
    bytes += writeSync(fd, `${noise}item: middle ${n}\n`);
  }
  writeSync(fd, last);
  closeSync(fd);
}

function check(more: readonly string[] = []): string[] {
  const flags = ["--search-root", at.logs, "--config", at.config, "--json", "--items"];
  return ["check", set, ...flags, ...more];
}

const plain = (text: string): unknown =>
  JSON.parse(text.replaceAll(/"duration_ms": \d+/g, '"duration_ms": 0'));

function boss(where: string): Promise<unknown[]> {
  return fleet.postgres.query(`SELECT 1 FROM atomsmith_queue.job WHERE ${where}`);
}

function ranges(): Promise<{ result: string; state: string }[]> {
  return fleet.postgres.query(
    "SELECT result, state FROM atomsmith.job WHERE payload LIKE '%\"range\":%' ORDER BY at",
  );
}

async function expectNothingLeft(): Promise<void> {
  expect(await fleet.postgres.query("SELECT 1 FROM atomsmith.file WHERE path LIKE 'range-%'")).toEqual([]);
}

test("ranges of a log by two workers that are killed: the document of one machine, and nothing is left", async () => {
  writeLog(join(at.logs, "big/run.log"), 200, "item: last\nend of run\n");
  const here = await fleet.runAlone(check());
  const flags = ["--config", at.config, "--concurrency", "1"];
  const workers = [fleet.worker(flags), fleet.worker(flags)];
  const running = fleet.run(check());
  await until(async () => (await boss("state = 'active'")).length > 0);
  for (const worker of workers) {
    await worker.kill();
    worker.restart();
  }
  const there = await running;
  expect([there.code, there.stderr]).toEqual([here.code, here.stderr]);
  expect(plain(there.stdout)).toEqual(plain(here.stdout));
  await expectNothingLeft();
  const done = await ranges();
  expect(done.map(({ state, result }) => `${state} ${result}`)).toEqual(
    Array.from({ length: 4 }, () => 'done {"odd":null}'),
  );
  expect((await boss("retry_count > 0")).length).toBeGreaterThan(0);
}, 120_000);

test("a range that is odd: the log is read as a whole, with the words of one machine", async () => {
  writeLog(join(at.logs, "big/run.log"), 70, "item: \0 no text\nend of run\n");
  const here = await fleet.runAlone(check());
  const there = await fleet.run(check());
  expect(here.stdout).toContain("input_binary");
  expect([there.code, plain(there.stdout)]).toEqual([here.code, plain(here.stdout)]);
  await expectNothingLeft();
  const results = (await ranges()).map(({ result }) => result);
  expect(results.filter((result) => result.includes("NUL byte"))).toHaveLength(1);
}, 120_000);
