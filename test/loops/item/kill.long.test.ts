// A real process killed with SIGKILL after each stage in turn and resumed gives the same output as an undisturbed
// one, and no request is repeated.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { ItemReader } from "../../../src/loops/item/item-store.ts";
import { startModelServer } from "../../support/model-server.ts";
import { bundled } from "../../support/program.ts";
import { randomNumbers, repeats } from "../../support/random-moments.ts";
import {
  ALL_STAGES,
  atomsmith,
  ENV,
  makeProject,
  type Project,
  removeProjects,
  scriptedModel,
} from "./scripted.ts";

const server = startModelServer(scriptedModel(ALL_STAGES));
afterAll(async () => {
  await server.stop();
  removeProjects();
});

const SCRIPT = await bundled(join(import.meta.dir, "kill-after.ts"));

function folders(project: Project, name: string): { out: string; cache: string; flags: string[] } {
  const out = join(project.root, name, "out");
  const cache = join(project.root, name, "cache");
  return {
    out,
    cache,
    flags: [
      "--config",
      project.config,
      "--search-root",
      project.logs,
      "--out",
      out,
      "--cache",
      cache,
      "--seed",
      "7",
    ],
  };
}

/** All files of a set; times and paths are left out. */
function contentOf(out: string): Record<string, unknown> {
  const dir = join(out, "CLK-1");
  const content: Record<string, unknown> = {};
  for (const name of readdirSync(dir)) {
    if (statSync(join(dir, name)).isDirectory()) continue;
    const text = readFileSync(join(dir, name), "utf8");
    content[name] = name === "manifest.json" ? { ...JSON.parse(text), created_at: "" } : text;
  }
  return content;
}

/** Bodies of the requests since the last call of this function. */
function newRequests(): string[] {
  return server.requests.splice(0).map((arrival) => JSON.stringify(arrival.body));
}

async function killAfter(
  project: Project,
  out: string,
  cache: string,
  type: string,
  n: number,
): Promise<number | null> {
  const child = Bun.spawn(
    [process.execPath, SCRIPT, project.config, project.spec, project.logs, out, cache, type, String(n)],
    { env: ENV, cwd: project.root, stdout: "inherit", stderr: "inherit" },
  );
  await child.exited;
  return child.signalCode === "SIGKILL" ? null : child.exitCode;
}

let project: Project;
let wanted: Record<string, unknown>;
let asked: string[];
let events: { type: string; stage?: string }[];

beforeAll(async () => {
  project = makeProject(server.url);
  const whole = folders(project, "whole");
  const undisturbed = await atomsmith(["generate", project.spec, ...whole.flags], project.root);
  expect([undisturbed.code, undisturbed.stderr]).toEqual([0, expect.any(String)]);
  wanted = contentOf(whole.out);
  asked = newRequests();
  expect(new Set(asked).size).toBe(asked.length);
  const journal = readFileSync(join(whole.cache, "item", "CLK-1", "journal.jsonl"), "utf8");
  events = journal
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}, 60_000);

test("an item killed after each stage and resumed has the same output and repeats no request", async () => {
  const stages = events.filter((event) => event.type === "stage_started").map((event) => event.stage);
  // Every stage that leads to acceptance occurs.
  expect(new Set(stages)).toEqual(
    new Set(["load_spec", "preprocess", "agent_a", "agent_b", "validate", "reflect_a", "reflect_b", "done"]),
  );
  const { out, cache, flags } = folders(project, "chain");
  const reached: (string | undefined)[] = [];
  for (const _ of stages.slice(1)) {
    // The first checkpoint of a process is its start, the second the end of its first stage.
    expect(await killAfter(project, out, cache, "checkpoint", 2)).toBeNull();
    reached.push((await new ItemReader(cache, "CLK-1").loadCheckpoint())?.stage);
  }
  expect(reached).toEqual(stages.slice(1));
  const resumed = await atomsmith(["resume", "CLK-1", ...flags], project.root);
  expect([resumed.code, resumed.stderr]).toEqual([0, expect.any(String)]);
  expect(contentOf(out)).toEqual(wanted);
  expect(newRequests()).toEqual(asked);
}, 120_000);

test("an item killed after a stored reply was used does not request that reply again", async () => {
  const { out, cache, flags } = folders(project, "within");
  expect(await killAfter(project, out, cache, "tool_called", 2)).toBeNull();
  const resumed = await atomsmith(["resume", "CLK-1", ...flags], project.root);
  expect([resumed.code, resumed.stderr]).toEqual([0, expect.any(String)]);
  expect(contentOf(out)).toEqual(wanted);
  expect(newRequests()).toEqual(asked);
}, 60_000);

test("after a power cut that loses unflushed files no request is repeated", async () => {
  const { out, cache, flags } = folders(project, "power");
  expect(await killAfter(project, out, cache, "checkpoint", 5)).toBeNull();
  const dir = join(cache, "item", "CLK-1");
  const checkpoints = await new ItemReader(cache, "CLK-1").listCheckpoints();
  expect(checkpoints.length).toBe(5);
  const views = readdirSync(join(dir, "stage_outputs")).map((name) => join(dir, "stage_outputs", name));
  expect(views.length).toBeGreaterThan(2);
  // The latest checkpoint is the same file as the newest of these.
  const lost = [...checkpoints.slice(1).map((entry) => entry.path), ...views, join(dir, "journal.jsonl")];
  for (const path of lost) truncateSync(path);
  expect((await new ItemReader(cache, "CLK-1").loadCheckpoint())?.stage).toBe("load_spec");
  const resumed = await atomsmith(["resume", "CLK-1", ...flags], project.root);
  expect([resumed.code, resumed.stderr]).toEqual([0, expect.any(String)]);
  expect(contentOf(out)).toEqual(wanted);
  expect(newRequests()).toEqual(asked);
}, 60_000);

test("an item killed at checkpoints and tool calls has the same output (ATOMSMITH_KILLS=100 for all)", async () => {
  const random = randomNumbers("item kills");
  for (const type of ["checkpoint", "tool_called"]) {
    const count = events.filter((event) => event.type === type).length;
    const moments = Array.from({ length: count }, (_, i) => i + 1);
    while (moments.length > repeats(2)) moments.splice(Math.floor(random() * moments.length), 1);
    for (const n of moments) {
      const name = `${type}-${n}`;
      const { out, cache, flags } = folders(project, name);
      expect(await killAfter(project, out, cache, type, n)).toBeNull();
      const resumed = await atomsmith(["resume", "CLK-1", ...flags], project.root);
      expect([name, resumed.code, resumed.stderr]).toEqual([name, 0, expect.any(String)]);
      expect(contentOf(out)).toEqual(wanted);
      expect([name, newRequests()]).toEqual([name, asked]);
    }
  }
}, 300_000);
