// A real process killed with SIGKILL after each stage in turn and resumed gives the same output as one that was
// left alone, and the model is asked nothing twice.
import { afterAll, expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { startModelServer } from "../support/model-server.ts";
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

const LONG = process.env["ATOMSMITH_LONG_TESTS"] === "1";
const SCRIPT = join(import.meta.dir, "kill-after.ts");

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

/** All files of a set; times and paths are not part of what was made. */
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

test("killed after each stage and resumed: same output, no call repeated", async () => {
  const project = makeProject(server.url);
  const whole = folders(project, "whole");
  const undisturbed = await atomsmith(["generate", project.spec, ...whole.flags, "--json"], project.root);
  expect(undisturbed.stderr + undisturbed.stdout).toContain("accepted");
  expect(undisturbed.code).toBe(0);
  const asked = newRequests();
  expect(new Set(asked).size).toBe(asked.length);
  const journal = readFileSync(join(whole.cache, "CLK-1", "journal.jsonl"), "utf8")
    .trim()
    .split("\n");
  const events = journal.map((line) => JSON.parse(line) as { type: string; stage?: string });
  const stages = events.filter((event) => event.type === "stage_started").map((event) => event.stage);
  // Every stage that leads to acceptance has run.
  expect(new Set(stages)).toEqual(
    new Set(["load_spec", "preprocess", "agent_a", "agent_b", "validate", "reflect_a", "reflect_b", "done"]),
  );
  for (const type of ["checkpoint", "tool_called"]) {
    const all = events.filter((event) => event.type === type);
    const count = all.length;
    for (let n = 1; n <= count; n++) {
      // The first time each stage is reached; every checkpoint and tool call with ATOMSMITH_LONG_TESTS=1.
      const before = all.slice(0, n - 1).some((event) => event.stage === all[n - 1]?.stage);
      if (!LONG && before && n < count) continue;
      const name = `${type}-${n}`;
      const { out, cache, flags } = folders(project, name);
      expect(await killAfter(project, out, cache, type, n)).toBeNull();
      const resumed = await atomsmith(["resume", "CLK-1", ...flags], project.root);
      // The last checkpoint is the final one: nothing is left to do then.
      if (type === "checkpoint" && n === count) expect(resumed.code).toBe(2);
      else expect([name, resumed.code, resumed.stderr]).toEqual([name, 0, expect.any(String)]);
      expect(contentOf(out)).toEqual(contentOf(whole.out));
      expect([name, newRequests()]).toEqual([name, asked]);
    }
  }
}, 120_000);
