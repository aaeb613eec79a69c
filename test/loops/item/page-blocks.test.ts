// Example, check and witness blocks of a page, and blocks given as an answer.
import { afterAll, expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { verifyAtomSet } from "../../../src/runtime/atom-set.ts";
import { cli, cliJson } from "../../support/cli.ts";
import { PROGRAM } from "../../support/program.ts";
import { manifestOf, removeRunningProjects, stagesOf, startProject } from "./project.ts";
import { AT_ONCE, asksUntilHinted, ENV, GOOD_A, GOOD_B, pageOf, scriptedModel } from "./scripted.ts";

afterAll(removeRunningProjects);

const EXAMPLE = "CLOCK usb period 20.83 ns\n---\nvalue: usb\nperiod: 20.83\n";
const CHECK =
  '```check\nrequirements: {value: 2, pattern_items: ["core", "bus"]}\nwaivers: {value: N/A}\n```';

test("a page with exact blocks needs no author of the logic, and its examples are proved", async () => {
  const project = startProject(scriptedModel(AT_ONCE));
  const page = pageOf("CLK-1")
    .replace("- **Fields**", `\`\`\`example\n${EXAMPLE}\`\`\`\n- **Fields**`)
    .replace(/Type 2, two patterns[\s\S]*?`bus`/, `The clocks of the core.\n\n${CHECK}`)
    .replace("### 4.2 Special Scenarios\nNone.", "### 4.2 Special Scenarios\n");
  writeFileSync(project.spec, page);
  const { code, document } = await project.run("generate", project.spec);
  expect([code, document.status, document.iterations]).toEqual([0, "accepted", 1]);
  expect(document.gates).toMatchObject({ gate4_examples: true, consistency: true });
  const tools = project.requests.flatMap(({ body }) => body.tools?.map((tool) => tool.function.name) ?? []);
  expect(tools).not.toContain("submit_logic");
  const set = await verifyAtomSet(project.set);
  expect(set.sources.atom_b).toBe(GOOD_B);
  expect(set.sources.config).toBe(
    `description: The clocks of the core.\ninput_files:\n  - clocks.rpt\n${CHECK.split("\n").slice(1, -1).join("\n")}\nwitnesses:\n  - end of report\n`,
  );
  expect(manifestOf(project).witnesses).toEqual({ patterns: ["end of report"], from_page: false });
  // An edited config that contradicts the block is not accepted.
  mkdirSync(join(project.set, "attempt"), { recursive: true });
  for (const name of ["atom_a.js", "atom_b.js", "atom_c.js"]) {
    writeFileSync(join(project.set, "attempt", name), readFileSync(join(project.set, name)));
  }
  writeFileSync(
    join(project.set, "attempt", "config.yaml"),
    set.sources.config.replace(
      '2, pattern_items: ["core", "bus"]',
      '1, pattern_items: ["core"], extra: info',
    ),
  );
  const edited = await project.run("resume", "CLK-1", "--accept-edits");
  expect(edited.code).toBe(3);
  expect(edited.document.errors.map(({ message }: { message: string }) => message).join()).toContain(
    "`requirements.value` is 1 in the config and 2 in the check block of the page.",
  );
}, 30_000);

test("a witness of the page is used, and a wrong one is reported to the reviewer", async () => {
  const project = startProject(
    scriptedModel({ ...AT_ONCE, witnesses: [["Clock report"], ["Clock report"]] }),
  );
  const page = (witness: string) =>
    pageOf("CLK-1").replace("- **Fields**", `\`\`\`witness\n${witness}\n\`\`\`\n- **Fields**`);
  writeFileSync(project.spec, page("regex:^end of re"));
  expect((await project.run("generate", project.spec)).code).toBe(0);
  expect(manifestOf(project).witnesses).toEqual({ patterns: ["regex:^end of re"], from_page: true });
  writeFileSync(project.spec, page("Clock report"));
  expect((await project.run("generate", project.spec)).code).toBe(3);
  const report = readFileSync(join(project.set, "pending", "human_intervention_report.md"), "utf8");
  expect(report).toContain("Correct the witness block of the page.");
}, 30_000);

test("a wrong field is found by an example of the page and repaired", async () => {
  const wrong = GOOD_A.replace("period: match[2]", "period: match[1]");
  const project = startProject(scriptedModel({ a: [wrong, GOOD_A], b: [GOOD_B, GOOD_B] }));
  writeFileSync(
    project.spec,
    pageOf("CLK-1").replace("- **Fields**", `\`\`\`example\n${EXAMPLE}\`\`\`\n- **Fields**`),
  );
  expect((await project.run("generate", project.spec)).code).toBe(0);
  expect(stagesOf(project).slice(-3)).toEqual(["reflect_a/2", "validate/2", "done/2"]);
  const repair = project.requests
    .map(({ body }) => JSON.stringify(body.messages))
    .find((text) => text.includes("gate4_examples"));
  expect(repair).toContain("example_differs");
}, 30_000);

test("resume --example passes the block to the author, proves it, stores it and leaves the item up to date", async () => {
  const project = startProject(asksUntilHinted("CLOCK usb period 20.83 ns"));
  expect((await project.run("generate", project.spec)).code).toBe(3);
  const report = readFileSync(join(project.set, "human_intervention_report.md"), "utf8");
  expect(report).toContain("atomsmith resume CLK-1 --example -");
  writeFileSync(join(project.root, "answer.md"), EXAMPLE);
  writeFileSync(join(project.root, "check.md"), `It is\n\n${CHECK}\n`);
  const wrong = ["resume", "CLK-1", "--example", "no-such.md"];
  expect(await project.run(...wrong)).toMatchObject({
    code: 2,
    document: { error: { kind: "usage", message: expect.stringContaining("no-such.md") } },
  });
  const second = await project.run("resume", "CLK-1", "--example", "answer.md", "--example", "check.md");
  expect([second.code, second.document.status]).toEqual([0, "accepted"]);
  expect(second.document.gates["gate4_examples"]).toBe(true);
  expect(stagesOf(project).filter((stage) => stage.startsWith("load_spec"))).toHaveLength(1);
  const status = await project.run("status", "CLK-1");
  expect(status.document).toMatchObject({ answers: [`\`\`\`example\n${EXAMPLE}\`\`\``, CHECK] });
  const batch = await cliJson(
    ["batch", project.specs, "--config", project.config, "--search-root", project.logs],
    {
      cwd: project.root,
      env: ENV,
    },
  );
  expect(batch.document).toMatchObject({ items: [{ status: "accepted", up_to_date: true }] });
  // A changed page restarts the item and keeps the answers.
  writeFileSync(
    project.spec,
    pageOf("CLK-1").replace("Read the clock report.", "Read the report of the clocks."),
  );
  const again = await project.run("generate", project.spec);
  expect([again.code, again.document.gates["gate4_examples"]]).toEqual([0, true]);
  // Without changes resume prints the result again.
  const requests = project.requests.length;
  const same = await project.run("resume", "CLK-1");
  expect([same.code, same.document.status]).toEqual([0, "accepted"]);
  expect(same.document.gates).toEqual(again.document.gates);
  expect(project.requests).toHaveLength(requests);
}, 60_000);

test("resume --example reads standard input, and refuses text that is not a block or contradicts the page", async () => {
  const project = startProject(asksUntilHinted("CLOCK usb period 20.83 ns"));
  writeFileSync(project.spec, pageOf("CLK-1").replace("Type 2, two", `${CHECK}\n\nType 2, two`));
  expect((await project.run("generate", project.spec)).code).toBe(3);
  const flags = ["--config", project.config, "--search-root", project.logs, "--seed", "7"];
  const answerWith = (stdin: string) =>
    cli(["resume", "CLK-1", "--example", "-", ...flags], { cwd: project.root, env: ENV, stdin });
  for (const [stdin, said] of [
    ["just some words", "An example needs a line `---`"],
    ["CLOCK a period 1 ns\n---\nvalue: b", "`value: b` is not in the example's log text"],
    [CHECK, "The page already has a check block"],
  ] as const) {
    const run = await answerWith(stdin);
    expect([run.code, run.stdout]).toEqual([2, ""]);
    expect(run.stderr).toContain(said);
  }
  const twice = await cli(["resume", "CLK-1", "--example", "-", "--example", "-", ...flags], {
    cwd: project.root,
    env: ENV,
  });
  expect([twice.code, twice.stderr]).toEqual([2, expect.stringContaining("can be given only once")]);
  const process_ = Bun.spawn([...PROGRAM, "resume", "CLK-1", "--example", "-", ...flags], {
    cwd: project.root,
    env: ENV,
    stdin: Buffer.from("words through a pipe"),
    stdout: "ignore",
    stderr: "pipe",
  });
  expect(await new Response(process_.stderr).text()).toContain(
    "--example -: The example block cannot be read.",
  );
  expect(await process_.exited).toBe(2);
  const run = await answerWith(EXAMPLE);
  expect([run.code, run.stdout]).toEqual([0, expect.stringContaining("accepted")]);
}, 40_000);
