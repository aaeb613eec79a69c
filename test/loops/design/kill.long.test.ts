// Real processes: killed at random moments, cancelled, interrupted, and two at once.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { canonicalHash } from "../../../src/core/canonical.ts";
import { ProjectReader } from "../../../src/loops/design/folder.ts";
import { runSettings } from "../../support/executable.ts";
import { folders } from "../../support/folder.ts";
import { PROGRAM } from "../../support/program.ts";
import { randomNumbers, repeats } from "../../support/random-moments.ts";
import { type Bench, design, PIPELINE } from "./support.ts";

setDefaultTimeout(600_000);
const folder = folders("design-kill");
const KILLS = repeats(24);
let bench: Bench;
beforeAll(() => {
  bench = design(folder());
});
afterAll(() => bench.stop());

/** Starts a separate process. */
function start(dir: string, args: readonly string[], stdin = "") {
  const model = [
    "-c",
    "llm.design.model=scripted",
    "-c",
    `llm.design.base_url=${bench.server.url}`,
    "-c",
    "llm.design.api_key_env=KEY",
  ];
  return Bun.spawn([...PROGRAM, "design", ...args, "--project-dir", dir, ...model], {
    env: {
      PATH: process.env["PATH"] ?? "",
      ...runSettings(),
      HOME: dir,
      KEY: "sk-kill-0123456789abcdef",
      ATOMSMITH_PERSON: "Killer",
    },
    stdin: Buffer.from(stdin),
    stdout: "pipe",
    stderr: "pipe",
  });
}

interface Seen {
  versions: number;
  runs: number;
}

/** Checks what must be true after any kill, read as the next command reads it. */
function checkProject(dir: string): Seen {
  const reader = new ProjectReader(dir);
  const latest = reader.latestVersion();
  expect(canonicalHash(JSON.parse(reader.text("spec.json") ?? ""))).toBe(latest.hash);
  reader.versions().forEach((number, index) => {
    expect(number).toBe(index + 1);
    const version = reader.version(number);
    expect(canonicalHash(version.spec)).toBe(version.hash);
    // Only approved patches became versions.
    if (version.patch_id !== null) expect(reader.patch(version.patch_id).status).toBe("approved");
  });
  const proposed = reader.patchIds().filter((id) => reader.patch(id).status === "proposed");
  expect(reader.state.pending_patch_ids).toEqual(proposed);
  for (const id of reader.runIds()) reader.run(id);
  return { versions: reader.versions().length, runs: reader.runIds().length };
}

test(`after ${KILLS} kills the folder is valid, the state is correct, and nothing ran or changed without approval`, async () => {
  const { dir } = bench;
  const random = randomNumbers("design kills");
  await bench.run("--create", "net", "--pipeline", PIPELINE);
  let radius = 2;
  const next = (): object => {
    radius = radius === 2 ? 2.5 : 2;
    return { op: "replace", path: "/components/outlet/radius", value: radius };
  };
  // The server answers slowly enough for kills during a request.
  const server = Bun.serve({
    port: 0,
    fetch: async () => {
      await Bun.sleep(30);
      const content = JSON.stringify({
        assistant_message: "ok",
        proposed_patches: [next()],
        run_request: { run: true, run_until: "compile_policies" },
      });
      return Response.json({
        id: "1",
        object: "chat.completion",
        created: 1,
        model: "scripted",
        choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content } }],
        usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
      });
    },
  });
  const url = `llm.design.base_url=http://127.0.0.1:${server.port}/v1`;
  const model = ["-c", url, "-c", "execution.enable_streaming=false"];
  const rounds: Record<string, { args: () => string[]; stdin?: () => string; may: Partial<Seen> }> = {
    say: { args: () => ["--message", `change it, ${random()}`, ...model], may: {} },
    approve: {
      args: () => ["approve", new ProjectReader(dir).state.pending_patch_ids[0] ?? "1"],
      may: { versions: 1 },
    },
    reject: { args: () => ["reject", new ProjectReader(dir).state.pending_patch_ids[0] ?? "1"], may: {} },
    patch: { args: () => ["patch", "-"], stdin: () => JSON.stringify([next()]), may: { versions: 1 } },
    undo: { args: () => ["undo"], may: { versions: 1 } },
    run: { args: () => ["run", "--until", "compile_domains"], may: { runs: 1 } },
  };
  // Later after a kill, sooner after a command that finished first: about half are killed, near their end.
  let patience = 500;
  const names = Object.keys(rounds);
  let killed = 0;
  let before = checkProject(dir);
  // Some more rounds when not all kinds of ends have occurred yet.
  const seenAll = (): boolean => killed > KILLS / 4 && before.versions > 1 && before.runs > 0;
  for (let kill = 0; kill < KILLS || (!seenAll() && kill < 4 * KILLS); kill += 1) {
    const name = names[kill % names.length] ?? "say";
    const { args, stdin, may } = rounds[name] as (typeof rounds)[string];
    const child = start(dir, args(), stdin?.());
    const timer = setTimeout(() => child.kill("SIGKILL"), patience * (0.5 + random()));
    await child.exited;
    clearTimeout(timer);
    const wasKilled = child.signalCode === "SIGKILL";
    if (wasKilled) killed += 1;
    patience *= wasKilled ? 1.15 : 0.87;
    const after = checkProject(dir);
    expect(after.versions - before.versions).toBeLessThanOrEqual(may.versions ?? 0);
    expect(after.runs - before.runs).toBeLessThanOrEqual(may.runs ?? 0);
    expect(after.versions).toBeGreaterThanOrEqual(before.versions);
    const { state } = (await bench.run("show", "state")).document;
    expect(["IDLE", "ERROR", "WAITING_PATCH_APPROVAL", "WAITING_RUN_APPROVAL"]).toContain(state.state);
    // The next command continues: it finishes what was started, and changes nothing by itself.
    expect((await bench.run("reject", "9999")).code).toBe(2);
    expect(checkProject(dir)).toEqual(after);
    expect(existsSync(join(dir, ".atomsmith/commit.json"))).toBe(false);
    const reader = new ProjectReader(dir);
    expect(reader.runIds().map((id) => reader.run(id).status)).not.toContain("running");
    expect(["PROCESSING", "RUNNING"]).not.toContain(reader.state.state);
    const leftovers = readdirSync(dir, { recursive: true, encoding: "utf8" }).filter(
      (path) => path.includes(".atomsmith-tmp-") && !path.startsWith("runs"),
    );
    expect(leftovers).toEqual([]);
    before = after;
  }
  await server.stop(true);
  // Some commands finished before their kill: versions and runs exist.
  expect(killed).toBeGreaterThan(KILLS / 4);
  expect(before.versions).toBeGreaterThan(1);
  expect(before.runs).toBeGreaterThan(0);
});

const slowPipeline = (dir: string): string => {
  const path = join(dir, "slow.yaml");
  writeFileSync(
    path,
    JSON.stringify({
      name: "slow",
      stages: [
        { name: "quick", run: ["true"] },
        { name: "long", run: ["sleep", "60"] },
      ],
    }),
  );
  return path;
};

async function waitForRun(dir: string): Promise<void> {
  for (let i = 0; i < 400; i += 1) {
    const run = new ProjectReader(dir).lastRun();
    if (run?.status === "running" && run["current"] === "long") return;
    await Bun.sleep(25);
  }
  throw new Error("the run never came to its long stage");
}

test("cancel ends the run of another process, which exits with 130", async () => {
  const home = folder();
  const own = design(join(home, "project"));
  await own.run("--create", "slow", "--pipeline", slowPipeline(home));
  const child = start(own.dir, ["run"]);
  await waitForRun(own.dir);
  expect((await own.run("show", "state")).document.state.state).toBe("RUNNING");
  // Two processes: the second is refused.
  expect(await own.run("patch", "-")).toMatchObject({ code: 2 });
  const startTime = performance.now();
  expect(await own.run("cancel")).toMatchObject({ code: 0, document: { state: "IDLE" } });
  expect(await child.exited).toBe(130);
  expect(performance.now() - startTime).toBeLessThan(10_000);
  const { runs } = (await own.run("show", "runs", "1")).document;
  expect(runs).toMatchObject({
    status: "cancelled",
    stages: [
      { name: "quick", status: "ok" },
      { name: "long", status: "interrupted" },
    ],
  });
  expect((await own.run("cancel")).code).toBe(2);
  await own.stop();
});

test("interrupted and killed runs are marked and never reused", async () => {
  const home = folder();
  const own = design(join(home, "project"));
  await own.run("--create", "slow", "--pipeline", slowPipeline(home));
  const first = start(own.dir, ["run"]);
  await waitForRun(own.dir);
  first.kill("SIGINT");
  expect(await first.exited).toBe(130);
  expect((await own.run("show", "state")).document.state.state).toBe("ERROR");
  const second = start(own.dir, ["run"]);
  await waitForRun(own.dir);
  second.kill("SIGKILL");
  await second.exited;
  expect((await own.run("show", "runs", "2")).document.runs.status).toBe("interrupted");
  expect(await own.run("run", "--until", "quick")).toMatchObject({
    code: 0,
    document: { run_id: "run_0003" },
  });
  const statuses = [1, 2].map((n) =>
    JSON.parse(readFileSync(join(own.dir, `runs/run_000${n}/run.json`), "utf8")).stages.map(
      (one: { status: string }) => one.status,
    ),
  );
  expect(statuses).toEqual([
    ["ok", "interrupted"],
    ["reused", "interrupted"],
  ]);
  await own.stop();
});

test("a run with an unfinished change is listed with its final state", async () => {
  const own = design(join(folder(), "project"));
  await own.run("--create", "net", "--pipeline", PIPELINE);
  await own.run("run", "--until", "compile_domains");
  const path = join(own.dir, "runs/run_0001/run.json");
  const text = readFileSync(path, "utf8");
  rmSync(path);
  const commit = { files: [{ path: "runs/run_0001/run.json", text }], lines: [] };
  writeFileSync(join(own.dir, ".atomsmith/commit.json"), JSON.stringify(commit));
  expect(checkProject(own.dir).runs).toBe(1);
  await own.run("reject", "9999");
  expect(readFileSync(path, "utf8")).toBe(text);
  await own.stop();
});
