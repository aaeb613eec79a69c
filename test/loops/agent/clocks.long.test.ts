// Machines that share a workspace and whose clocks are an hour apart: a worker that lives keeps its job, a dead one loses
// it after three heartbeats. The other machine is a real process whose clock is shifted and whose lock names another
// host.
import { afterAll, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cliJson } from "../../support/cli.ts";
import { runSettings } from "../../support/executable.ts";
import { folders } from "../../support/folder.ts";
import { type ModelServer, startModelServer } from "../../support/model-server.ts";
import { SOURCES } from "../../support/program.ts";
import { jobScript } from "./script.ts";

const SHIFTED_CLOCK = join(import.meta.dirname, "../../support/shifted-clock.ts");
const HOUR_MS = 3_600_000;
const BEAT_MS = 700;
const TEST_MS = 120_000;

const folder = folders("agent-clocks");
const servers: ModelServer[] = [];
afterAll(async () => {
  for (const server of servers) await server.stop();
}, 30_000);

/** A model; with `stuck` its answers do not come, so that the worker has the job until it is killed. */
function model(stuck: boolean): ModelServer {
  const script = jobScript({ phases: [5] });
  const server = startModelServer((request) => ({
    ...script(request),
    ...(stuck ? { delayMs: TEST_MS } : {}),
  }));
  servers.push(server);
  return server;
}

function settings(url: string): string[] {
  const values = [
    `llm.agent.base_url=${url}`,
    "llm.agent.model=test-model",
    `loops.agent.heartbeat_seconds=${BEAT_MS / 1000}`,
  ];
  return values.flatMap((value) => ["-c", value]);
}

/** A worker of another machine that has begun job `far`. */
async function far(cwd: string, clock: string): Promise<Bun.Subprocess> {
  const server = model(true);
  const [bun = "", main = ""] = SOURCES;
  const line = ["agent", "run", "--config", "tidy", "--description", "x", "--job-id", "far"];
  const worker = Bun.spawn([bun, "--preload", SHIFTED_CLOCK, main, ...line, ...settings(server.url)], {
    cwd,
    env: { ATOMSMITH_TEST_CLOCK: clock, PATH: process.env["PATH"] ?? "", ...runSettings() },
    stdout: "ignore",
    stderr: "ignore",
  });
  const limit = performance.now() + 60_000;
  while (server.requests.length === 0) {
    if (performance.now() > limit) throw new Error("the worker asked nothing within 60 s");
    await Bun.sleep(50);
  }
  const lock = join(cwd, "workspace/job_far/.agent/lock");
  writeFileSync(lock, JSON.stringify({ ...JSON.parse(readFileSync(lock, "utf8")), host: "elsewhere" }));
  return worker;
}

for (const [clock, what] of [
  [String(HOUR_MS), "an hour ahead"],
  [String(-HOUR_MS), "an hour behind"],
  ["jumping", "jumping by two hours"],
] as const) {
  test(
    `the clock of the other machine is ${what}: its worker keeps the job while it lives, and loses it when it is dead`,
    async () => {
      const cwd = folder();
      const worker = await far(cwd, clock);
      const server = model(false);
      const resumed = await cliJson(["agent", "resume", "far", ...settings(server.url)], { cwd });
      expect([resumed.code, JSON.stringify(resumed.document)]).toEqual([
        2,
        expect.stringContaining("on elsewhere"),
      ]);
      const poll = ["agent", "poll", "--config", "tidy", "--once", ...settings(server.url)];
      expect((await cliJson(poll, { cwd })).document).toEqual({ jobs: [] });
      expect(server.requests).toHaveLength(0);

      worker.kill("SIGKILL");
      await worker.exited;
      const began = performance.now();
      expect((await cliJson(poll, { cwd })).document).toMatchObject({
        jobs: [{ job_id: "far", status: "completed" }],
      });
      expect(performance.now() - began).toBeGreaterThan(2 * BEAT_MS);
    },
    TEST_MS,
  );
}

test(
  "a cancelled job of another machine: its worker is asked to stop while it lives, and the job ends when it is dead",
  async () => {
    const cwd = folder();
    const worker = await far(cwd, String(HOUR_MS));
    const line = ["agent", "cancel", "far", "-c", `loops.agent.heartbeat_seconds=${BEAT_MS / 1000}`];
    expect((await cliJson(line, { cwd })).document).toMatchObject({ status: "processing" });
    worker.kill("SIGKILL");
    await worker.exited;
    expect((await cliJson(line, { cwd })).document).toMatchObject({ status: "cancelled" });
  },
  TEST_MS,
);

test(
  "a worker of this machine that is stopped loses its job after three heartbeats; one that works never does",
  async () => {
    const cwd = folder();
    const worker = await far(cwd, "0");
    const lock = join(cwd, "workspace/job_far/.agent/lock");
    const { hostname } = await import("node:os");
    writeFileSync(lock, JSON.stringify({ ...JSON.parse(readFileSync(lock, "utf8")), host: hostname() }));
    const server = model(false);
    const resume = ["agent", "resume", "far", ...settings(server.url)];
    expect((await cliJson(resume, { cwd })).code).toBe(2);
    worker.kill("SIGSTOP");
    expect((await cliJson(resume, { cwd })).document).toMatchObject({ status: "completed" });
    worker.kill("SIGKILL");
    await worker.exited;
  },
  TEST_MS,
);
