// Runs that were interrupted or sent back to an earlier stage.
import { afterAll, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { removeRunningProjects, startProject } from "./project.ts";
import { ALL_STAGES, AT_ONCE, ENV, LOG, scriptedModel } from "./scripted.ts";

afterAll(removeRunningProjects);

test("a server failure exits with 4, and resume continues in the same stage without repeated requests", async () => {
  let broken = true;
  const model = scriptedModel(AT_ONCE);
  const project = startProject((request, number) => {
    const logic = request.tools?.some((tool) => tool.function.name === "submit_logic") === true;
    if (logic && broken) return { http: { status: 500, body: "{}" } };
    return model(request, number);
  });
  const failed = await project.run("generate", project.spec);
  expect([failed.code, failed.document.status, failed.document.error?.kind]).toEqual([
    4,
    "error",
    "provider",
  ]);
  expect(existsSync(project.set)).toBe(false);
  const status = await project.run("status", "CLK-1");
  expect(status.document).toMatchObject({ state: "unfinished", stage: "agent_b" });
  broken = false;
  project.requests.length = 0;
  const resumed = await project.run("resume", "CLK-1");
  expect(resumed.code).toBe(0);
  expect(project.requests).toHaveLength(1);
  // Earlier calls count.
  expect(resumed.document.usage.calls).toBe(4);
}, 30_000);

test("--from and --checkpoint choose where to start, and unusable values are refused", async () => {
  const project = startProject(scriptedModel(ALL_STAGES));
  expect((await project.run("generate", project.spec)).code).toBe(0);
  const from = await project.run("resume", "CLK-1", "--from", "validate");
  expect([from.code, from.document.iterations]).toEqual([0, 4]);
  for (const [flag, value, words] of [
    ["--from", "somewhere", "no stage"],
    ["--from", "done", "no stage"],
    ["--checkpoint", "2020010101_010101", "no readable checkpoint"],
  ] as const) {
    const refused = await project.run("resume", "CLK-1", flag, value);
    expect([refused.code, refused.document.error?.message]).toEqual([2, expect.stringContaining(words)]);
  }
  const { document } = await project.run("status", "CLK-1");
  const { checkpoints } = document as unknown as { checkpoints: string[] };
  const early = await project.run("resume", "CLK-1", "--checkpoint", checkpoints[0] ?? "");
  expect([early.code, early.document.status]).toEqual([0, "accepted"]);
}, 40_000);

test("secrets of logs and API keys are not stored, and a run with masked text can be resumed", async () => {
  const project = startProject(scriptedModel(ALL_STAGES));
  const secret = "hunter2-Very-Secret";
  writeFileSync(
    join(project.logs, "clocks.rpt"),
    LOG.replace("some other line", `login password=${secret} ok`),
  );
  expect((await project.run("generate", project.spec)).code).toBe(0);
  const files = readdirSync(project.root, { recursive: true, withFileTypes: true }).filter((file) =>
    file.isFile(),
  );
  const holding = files
    .map((file) => join(file.parentPath, file.name))
    .filter((path) => {
      const text = readFileSync(path, "utf8");
      return text.includes(secret) || text.includes(ENV.TEST_KEY);
    });
  expect(holding).toEqual([join(project.logs, "clocks.rpt")]);
  expect(files.some((file) => file.name === "agent_turns.jsonl")).toBe(true);
  expect((await project.run("resume", "CLK-1", "--from", "agent_b")).code).toBe(0);
}, 30_000);
