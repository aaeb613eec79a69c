// A full disk at several moments: one clear message, exit 4, nothing stored is lost or half-written, and the item
// continues once there is room. The limit is a real one of the system (ulimit -f).
import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { developmentRuntime } from "../../../sandbox/runtime/development.ts";
import { verifyAtomSet } from "../../../src/runtime/atom-set.ts";
import { startModelServer } from "../../support/model-server.ts";
import { ALL_STAGES, atomsmith, makeProject, removeProjects, scriptedModel } from "./scripted.ts";

const server = startModelServer(scriptedModel(ALL_STAGES));
// Created before, so that the limits affect the writes of the item and not the first ones of a new checkout.
beforeAll(() => developmentRuntime());
afterAll(async () => {
  await server.stop();
  removeProjects();
});

test("a full disk at any moment exits with 4 and loses nothing, and the item continues later", async () => {
  const project = makeProject(server.url);
  const flags = ["--config", project.config, "--search-root", project.logs, "--seed", "7", "--json"];
  let failures = 0;
  // Maximum file size in blocks of 512 bytes: checkpoints, replies and the journal exceed it one after another.
  for (const blocks of [4, 40, 60]) {
    const run = await atomsmith(["generate", project.spec, ...flags], project.root, `ulimit -f ${blocks}`);
    if (run.code === 0) continue;
    failures += 1;
    expect([blocks, run.code]).toEqual([blocks, 4]);
    const document = JSON.parse(run.stdout) as { error: { kind: string; message: string; hint?: string } };
    expect([document.error.kind, document.error.message]).toEqual([
      "store",
      expect.stringContaining("limit"),
    ]);
    expect(document.error.hint).toContain("nothing stored before was changed");
    const cache = join(project.root, "cache", "item", "CLK-1");
    for (const entry of existsSync(cache)
      ? readdirSync(cache, { recursive: true, withFileTypes: true })
      : []) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isFile() && entry.name.endsWith(".json")) JSON.parse(readFileSync(path, "utf8"));
      if (entry.isFile() && entry.name.endsWith(".jsonl")) expect(readFileSync(path, "utf8")).toEndWith("\n");
    }
  }
  expect(failures).toBeGreaterThan(1);
  const asked = server.requests.length;
  const last = await atomsmith(["generate", project.spec, ...flags], project.root);
  expect(last.code).toBe(0);
  expect((await verifyAtomSet(join(project.root, "output", "CLK-1"))).state).toBe("accepted");
  const bodies = server.requests.map((arrival) => JSON.stringify(arrival.body));
  // Only calls whose reply could not be stored were repeated.
  expect(bodies.length - new Set(bodies).size).toBeLessThanOrEqual(failures);
  expect(asked).toBeGreaterThan(0);
}, 60_000);
