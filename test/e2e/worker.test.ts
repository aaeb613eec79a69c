// The built executable as a fleet: the database libraries come from its embedded script, away from any checkout.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { AT_ONCE, makeProject, removeProjects, scriptedModel } from "../loops/item/scripted.ts";
import { emptyEnv, executable } from "../support/executable.ts";
import { Fleet } from "../support/fleet.ts";
import { TEST_KEY } from "../support/llm.ts";
import { type ModelServer, startModelServer } from "../support/model-server.ts";
import { contentOf } from "../worker/chaos.ts";

let fleet: Fleet;
let model: ModelServer;
beforeAll(() => {
  model = startModelServer(scriptedModel(AT_ONCE));
});
afterAll(async () => {
  await fleet?.stop();
  await model?.stop();
  removeProjects();
});

test("batch, check and queue ls through workers of the executable", async () => {
  const at = makeProject(model.url, ["CLK-1", "CLK-2"]);
  const env = { ...emptyEnv(at.root), TEST_KEY };
  fleet = await Fleet.start({ cwd: at.root, env, program: [executable()] });
  fleet.worker(["--config", at.config]);
  const common = ["--config", at.config, "--search-root", at.logs];
  const batch = (name: string): string[] => {
    const [out, cache] = [join(at.root, name, "out"), join(at.root, name, "cache")];
    return ["batch", at.specs, ...common, "--seed", "7", "--out", out, "--cache", cache];
  };
  const there = await fleet.run(batch("fleet"));
  expect([there.code, there.stderr]).toEqual([0, ""]);
  expect((await fleet.runAlone(batch("alone"))).code).toBe(0);
  const out = join(at.root, "fleet/out");
  expect(contentOf(out)).toEqual(contentOf(join(at.root, "alone/out")));
  expect((await fleet.run(["check", out, ...common])).code).toBe(0);
  const listed = await fleet.run(["queue", "ls", "--json"]);
  expect(JSON.parse(listed.stdout).totals).toEqual({ done: 4 });
}, 60_000);
