// Globs that Agent A submits: an absolute glob below the search root becomes relative; a glob that matches none of
// the logs it read is refused by a gate and repaired by its author.
import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Script } from "../../support/model-server.ts";
import { type RunningProject, removeRunningProjects, startProject } from "./project.ts";
import { AT_ONCE, atomsmith, type Project, scriptedModel } from "./scripted.ts";

setDefaultTimeout(120_000);
afterAll(removeRunningProjects);

/** The scripted model with these globs in its draft, and correct globs in its repair. */
function submittingGlobs(globs: () => string[]): Script {
  const model = scriptedModel(AT_ONCE);
  return async (request, n) => {
    const reply = await model(request, n);
    const repair = request.messages.some(({ content }) => content?.includes("## What the gates found"));
    const calls = reply.tool_calls?.map((call) =>
      call.name === "submit_extract_context" && !repair
        ? { ...call, arguments: { ...(call.arguments as object), input_files: globs() } }
        : call,
    );
    return { ...reply, ...(calls === undefined ? {} : { tool_calls: calls }) };
  };
}

async function generate(globs: (project: Project) => string[]) {
  const project: RunningProject = startProject(submittingGlobs(() => globs(project)));
  writeFileSync(join(project.logs, "other.rpt"), "nothing here\n");
  const flags = project.flagsFor("generate");
  const { code, stdout } = await atomsmith(["generate", project.spec, ...flags, "--json"], project.root);
  const config = readFileSync(join(project.set, "config.yaml"), "utf8");
  const prompts = project.requests.flatMap(({ body }) => body.messages.map(({ content }) => content ?? ""));
  return { code, iterations: JSON.parse(stdout).iterations, config, prompts: prompts.join("\n") };
}

test("an absolute glob below the search root becomes relative", async () => {
  const { code, config } = await generate(({ logs }) => [`${logs}/clocks.rpt`]);
  expect(code).toBe(0);
  expect(config).toMatch(/input_files:\s*(?:\[ ?|\n\s*- )"?clocks\.rpt/);
});

for (const [what, glob, gate] of [
  ["match none of the observed logs", "other.rpt", "input_files_unobserved"],
  ["find no file", "clock.*.rpt", "input_files_unmatched"],
  ["leave the search root", "../specs/*.md", "input_files_outside"],
] as const) {
  test(`globs that ${what} are refused, and Agent A repairs them with the same code`, async () => {
    const { code, iterations, config, prompts } = await generate(() => [glob]);
    expect(prompts).toContain(gate);
    expect([code, iterations]).toEqual([0, 2]);
    expect(config).toContain("clocks.rpt");
    expect(config).not.toContain(glob);
  });
}
