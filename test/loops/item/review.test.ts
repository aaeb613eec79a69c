// Items that need review: the report, hints, edited atoms, and what resumes them.
import { afterAll, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { verifyAtomSet } from "../../../src/runtime/atom-set.ts";
import { removeRunningProjects, stagesOf, startProject } from "./project.ts";
import {
  alwaysWrong,
  asksUntilHinted,
  GOOD_A,
  GOOD_B,
  GOOD_C,
  GOOD_CONFIG,
  pageOf,
  WRONG_A,
} from "./scripted.ts";

afterAll(removeRunningProjects);

test("the last failed attempt leaves stubs, a report and the best attempt; a higher limit continues the item", async () => {
  const project = startProject(alwaysWrong(), { config: "execution: {max_iterations: 2}\n" });
  const { code, document } = await project.run("generate", project.spec);
  expect([code, document.status, document.iterations]).toEqual([3, "human_required", 2]);
  const set = await verifyAtomSet(project.set);
  expect(set.state).toBe("stub");
  expect(set.sources.atom_a).toContain("Safe stub");
  const report = readFileSync(join(project.set, "human_intervention_report.md"), "utf8");
  expect(report).toContain("No attempt of 2 for CLK-1 passed all gates");
  // The smallest example of a gate consists of lines of the log.
  expect(report).toMatch(/CLOCK (core|bus) period \d/);
  expect(report).toContain("atomsmith resume CLK-1 --hint");
  expect(report).toContain("atomsmith resume CLK-1 --accept-edits");
  expect(report).toMatch(/atomsmith resume CLK-1 .*-c execution\.max_iterations=4$/m);
  const json = JSON.parse(readFileSync(join(project.set, "human_intervention_report.json"), "utf8"));
  expect(json.status).toBe("HUMAN_INTERVENTION_REQUIRED");
  expect(json.total_iterations).toBe(2);
  expect(json.error_history).toHaveLength(2);
  expect(json).toMatchObject({
    error_source: "atom_a",
    last_attempt: { iteration: 2 },
    best_attempt: { iteration: 2 },
  });
  expect(json.last_validation_errors).toEqual(json.last_attempt.validation_errors);
  expect(json.error_history.map((one: { error_source: string }) => one.error_source)).toEqual([
    "atom_a",
    "atom_a",
  ]);
  expect(report).toContain("## Errors of attempt 2, the last and the best");
  expect(json.page_advice.join(" ")).toMatch(
    /Sections 1 and 4\.1 may be ambiguous.*Compare section 4\.1.*Split the item/,
  );
  for (const advice of json.page_advice) expect(report).toContain(advice.slice(0, 40));
  const example: string = json.smallest_failing_example.example;
  expect(example).not.toBe("");
  expect(report).toContain(example);
  expect(readFileSync(join(project.set, "attempt", "atom_a.js"), "utf8")).toContain("extract_context");

  // A final item prints its result again without requests; a raised limit continues it.
  const asked = project.requests.length;
  const again = await project.run("resume", "CLK-1");
  expect([again.code, again.document.status]).toEqual([3, "human_required"]);
  expect(again.document.errors).toEqual(document.errors);
  expect(project.requests).toHaveLength(asked);
  const raised = await project.run("resume", "CLK-1", "-c", "execution.max_iterations=3");
  expect([raised.code, raised.document.iterations]).toEqual([3, 3]);
}, 30_000);

test("a question of the model is answered by --hint, and the item continues in the same stage", async () => {
  const project = startProject(asksUntilHinted("the second column"));
  const first = await project.run("generate", project.spec);
  expect([first.code, first.document.status, first.document.iterations]).toEqual([3, "human_required", 0]);
  const report = readFileSync(join(project.set, "human_intervention_report.md"), "utf8");
  expect(report).toContain("- Which column is the period?");
  expect(report).toContain("- Two columns could be meant.");
  expect(existsSync(join(project.set, "attempt"))).toBe(false);
  const second = await project.run("resume", "CLK-1", "--hint", "it is the second column");
  expect([second.code, second.document.status, second.document.iterations]).toEqual([0, "accepted", 1]);
  // The page was not loaded again, and the report is removed.
  expect(stagesOf(project).filter((stage) => stage.startsWith("load_spec"))).toHaveLength(1);
  expect(existsSync(join(project.set, "human_intervention_report.md"))).toBe(false);
}, 30_000);

test("edited atoms are gated: failing ones stay in attempt/, passing ones are accepted", async () => {
  const project = startProject(alwaysWrong(), { config: "execution: {max_iterations: 1}\n" });
  expect((await project.run("generate", project.spec)).code).toBe(3);
  const file = join(project.set, "attempt", "atom_a.js");
  writeFileSync(file, `${WRONG_A}// mine\n`);
  const rejected = await project.run("resume", "CLK-1", "--accept-edits");
  expect([rejected.code, rejected.document.status]).toEqual([3, "human_required"]);
  expect(rejected.document.errors.length).toBeGreaterThan(0);
  expect(readFileSync(file, "utf8")).toContain("// mine");
  expect((await verifyAtomSet(project.set)).state).toBe("stub");
  writeFileSync(file, `${GOOD_A}// mine\n`);
  const calls = project.requests.length;
  const accepted = await project.run("resume", "CLK-1", "--accept-edits");
  expect([accepted.code, accepted.document.status]).toEqual([0, "accepted"]);
  expect(project.requests.length).toBe(calls);
  const set = await verifyAtomSet(project.set);
  expect(set.state).toBe("accepted");
  expect(set.sources.atom_a).toContain("// mine");
}, 30_000);

test("hand-written atoms without an earlier attempt are proved on the logs of their config", async () => {
  const project = startProject(asksUntilHinted("never said"));
  expect((await project.run("generate", project.spec)).code).toBe(3);
  const write = (name: string, text: string): Promise<number> =>
    Bun.write(join(project.set, "attempt", name), text);
  await write("atom_a.js", GOOD_A);
  await write("atom_b.js", GOOD_B);
  await write("atom_c.js", GOOD_C);
  await write("config.yaml", GOOD_CONFIG);
  const { code } = await project.run("resume", "CLK-1", "--accept-edits");
  expect(code).toBe(0);
  const set = await verifyAtomSet(project.set);
  expect(set.state === "accepted" && set.manifest.evidence.map((file) => file.path)).toEqual(["clocks.rpt"]);
}, 30_000);

test("an edited page restarts the item and keeps the hints", async () => {
  const project = startProject(asksUntilHinted("second column"));
  expect((await project.run("generate", project.spec)).code).toBe(3);
  writeFileSync(
    project.spec,
    pageOf("CLK-1").replace("Read the clock report.", "Read the report of the clocks."),
  );
  const { code } = await project.run("resume", "CLK-1", "--hint", "the second column");
  expect(code).toBe(0);
  expect(stagesOf(project).filter((stage) => stage.startsWith("load_spec"))).toHaveLength(2);
}, 30_000);
