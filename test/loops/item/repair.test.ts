// Which stage repairs which error, and what is written again after a repair.
import { afterAll, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { verifyAtomSet } from "../../../src/runtime/atom-set.ts";
import { manifestOf, removeRunningProjects, stagesOf, startProject } from "./project.ts";
import { ALL_STAGES, AT_ONCE, GOOD_A, GOOD_B, scriptedModel, WRONG_A, WRONG_B } from "./scripted.ts";

afterAll(removeRunningProjects);

test("a repair of Atom A that changes the fields of records is followed by new logic; all stages run", async () => {
  const project = startProject(scriptedModel(ALL_STAGES));
  const { code, document } = await project.run("generate", project.spec);
  expect([code, document.status, document.iterations]).toEqual([0, "accepted", 3]);
  expect(stagesOf(project)).toEqual([
    "load_spec/1",
    "preprocess/1",
    "agent_a/1",
    "agent_b/1",
    "validate/1",
    "reflect_a/2",
    "agent_b/2",
    "validate/2",
    "reflect_b/3",
    "validate/3",
    "done/3",
  ]);
  const set = await verifyAtomSet(project.set);
  expect(set.state).toBe("accepted");
  expect(set.sources.atom_a).toContain("period: match[2]");
  expect(readdirSync(join(project.root, "cache", "item", "CLK-1", "error_logs")).sort()).toEqual([
    "iteration_1.json",
    "iteration_2.json",
    "iteration_3.json",
  ]);
  expect(readdirSync(join(project.root, "cache", "item", "CLK-1", "stage_outputs")).sort()).toEqual([
    "agent_a_output.json",
    "agent_b_output.json",
    "discover_logs.json",
    "extraction.json",
    "load_spec.json",
    "preprocess.json",
    "reflect_a_output.json",
    "reflect_b_output.json",
    "validation_result.json",
  ]);
}, 30_000);

test("a repair of Atom A that keeps the fields of records keeps the logic", async () => {
  const wrong = WRONG_A.replace("ns: match[2]", "period: match[2]");
  const project = startProject(scriptedModel({ a: [wrong, GOOD_A], b: [GOOD_B, GOOD_B] }));
  const { code } = await project.run("generate", project.spec);
  expect(code).toBe(0);
  expect(stagesOf(project).filter((stage) => stage.startsWith("agent_b"))).toEqual(["agent_b/1"]);
  expect(stagesOf(project).slice(-3)).toEqual(["reflect_a/2", "validate/2", "done/2"]);
}, 30_000);

test("an error in the logic only is repaired by reflect_b", async () => {
  const project = startProject(scriptedModel({ a: [GOOD_A, GOOD_A], b: [WRONG_B, GOOD_B] }));
  expect((await project.run("generate", project.spec)).code).toBe(0);
  expect(stagesOf(project).slice(-3)).toEqual(["reflect_b/2", "validate/2", "done/2"]);
}, 30_000);

test("a wrong witness is repaired by Agent A with the same code, and never shown to Agent B", async () => {
  const witnesses: [string[], string[]] = [["Clock report"], ["regex:^end of report$"]];
  const project = startProject(scriptedModel({ ...AT_ONCE, witnesses }));
  expect((await project.run("generate", project.spec)).code).toBe(0);
  expect(stagesOf(project).slice(-3)).toEqual(["reflect_a/2", "validate/2", "done/2"]);
  const { sources } = await verifyAtomSet(project.set);
  expect(sources.config).toContain("witnesses:\n  - regex:^end of report$\n");
  expect(manifestOf(project).witnesses).toEqual({ patterns: ["regex:^end of report$"], from_page: false });
  const texts = project.requests.map(({ body }) => JSON.stringify(body));
  expect(texts.filter((text) => text.includes("still occurs in")).length).toBe(1);
  // The author of the logic does not see witnesses.
  const logic = texts.filter((text) => text.includes("submit_logic"));
  expect(logic.length).toBeGreaterThan(0);
  expect(logic.filter((text) => text.includes("end of report"))).toEqual([]);
}, 30_000);
