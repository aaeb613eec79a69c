// Paths of the machine in sets and in prompts.
import { afterAll, expect, test } from "bun:test";
import { cpSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { verifyAtomSet } from "../../../src/runtime/atom-set.ts";
import { manifestOf, removeRunningProjects, startProject } from "./project.ts";
import { AT_ONCE, pageOf, scriptedModel } from "./scripted.ts";

afterAll(removeRunningProjects);

test("a set contains no path of its machine and verifies in another folder", async () => {
  const project = startProject(scriptedModel(AT_ONCE));
  expect((await project.run("generate", project.spec)).code).toBe(0);
  const text = readFileSync(join(project.set, "manifest.json"), "utf8");
  expect(text).not.toContain(dirname(project.spec));
  const { spec } = manifestOf(project);
  expect(realpathSync(join(project.set, spec.path))).toBe(realpathSync(project.spec));
  const moved = join(dirname(project.spec), "elsewhere/CLK-1");
  cpSync(project.set, moved, { recursive: true });
  expect((await verifyAtomSet(moved)).state).toBe("accepted");
  // As older programs wrote it.
  writeFileSync(
    join(moved, "manifest.json"),
    text.replace(JSON.stringify(spec.path), JSON.stringify(project.spec)),
  );
  expect((await verifyAtomSet(moved)).state).toBe("accepted");
}, 30_000);

test("path variables are resolved for Agent A and not for Agent B", async () => {
  const project = startProject(scriptedModel(AT_ONCE));
  const page = pageOf("CLK-1")
    .replace("The report is `clocks.rpt`", "The report is `${LOG_ROOT}/clocks.rpt`")
    .replace("### 4.2 Special Scenarios\nNone.", "### 4.2 Special Scenarios\nAlso under ${DESIGN_ROOT}.");
  writeFileSync(project.spec, page);
  mkdirSync(join(project.logs, "logs"));
  expect((await project.run("generate", project.spec)).code).toBe(0);
  const [first, last] = [project.requests[0], project.requests.at(-1)];
  expect(JSON.stringify(first?.body)).toContain(`${project.logs}/logs/clocks.rpt`);
  expect(JSON.stringify(last?.body)).toContain("${DESIGN_ROOT}");
}, 30_000);
