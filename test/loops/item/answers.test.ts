// Answers of the reviewer: a proposed block chosen by its number, hints that are listed and removed, atoms written
// from a template. The report shows texts of logs verbatim.
import { afterAll, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { interventionReport } from "../../../src/report/intervention.ts";
import type { Script } from "../../support/model-server.ts";
import { removeRunningProjects, startProject } from "./project.ts";
import { AT_ONCE, GOOD_A, pageOf, scriptedModel } from "./scripted.ts";

afterAll(removeRunningProjects);

const EXAMPLES =
  "```example\nCLOCK core period 1.25 ns\n---\nvalue: core\nperiod: 1.25\n```\n```example\nCLOCK bus period 2.50 ns\n---\nvalue: bus\nperiod: 2.50\n```\n```example\nsome other line\n---\nnone\n```\n```witness\nend of report\n```\n";
const CHECK = "```check\nrequirements: {value: 2, pattern_items: [core, bus]}\nwaivers: {value: N/A}\n```\n";

test("a proposed block of the report is chosen by its number", async () => {
  const page = pageOf("CLK-1").replace("is one record.\n", `is one record.\n${EXAMPLES}`);
  const project = startProject(undefined, { page: page });
  expect((await project.run("generate", project.spec)).code).toBe(3);
  const report = readFileSync(join(project.set, "human_intervention_report.md"), "utf8");
  expect(report).toContain("Block 1:");
  expect(report).toMatch(/atomsmith resume CLK-1 .*--choose 1/);
  const none = await project.run("resume", "CLK-1", "--choose", "9");
  expect([none.code, none.document.error.message]).toEqual([2, "the report of CLK-1 has no block 9"]);
  const chosen = await project.run("resume", "CLK-1", "--choose", "1");
  expect([chosen.code, chosen.document.errors]).toEqual([0, []]);
  expect(readFileSync(join(project.set, "config.yaml"), "utf8")).toContain("core");
}, 30_000);

test("hints are listed and removed, and an answer is stored with its question", async () => {
  const model = scriptedModel(AT_ONCE);
  const prompts: string[] = [];
  const asks: Script = (request, number) => {
    const text = request.messages.map(({ content }) => content ?? "").join("\n");
    prompts.push(text);
    if (text.includes("the second column") || number > 50) return model(request, number);
    return {
      tool_calls: [{ name: "ask_person", arguments: { reasons: ["r"], questions: ["Is it the period?"] } }],
    };
  };
  const project = startProject(asks, { page: pageOf("CLK-1") });
  expect((await project.run("generate", project.spec)).code).toBe(3);
  expect((await project.run("resume", "CLK-1", "--hint", "yes")).code).toBe(3);
  expect(prompts.at(-1)).toContain("yes (asked was: Is it the period?)");
  expect((await project.run("resume", "CLK-1", "--hints")).document.hints).toHaveLength(1);
  expect((await project.run("resume", "CLK-1", "--drop-hint", "2")).code).toBe(2);
  const dropped = await project.run("resume", "CLK-1", "--drop-hint", "1", "--hint", "the second column");
  expect(dropped.code).toBe(0);
  const { hints } = (await project.run("resume", "CLK-1", "--hints")).document;
  expect(hints).toEqual(["the second column (asked was: Is it the period?)"]);
}, 30_000);

test("--new-attempt prepares the other files for a hand-written Atom A, and missing atoms are standard", async () => {
  const page = pageOf("CLK-1").replace("## 3.", `${CHECK}## 3.`);
  const project = startProject(undefined, { page: page });
  expect((await project.run("generate", project.spec)).code).toBe(3);
  const made = await project.run("resume", "CLK-1", "--new-attempt");
  expect(made.code).toBe(0);
  const attempt = join(project.set, "attempt");
  const config = readFileSync(join(attempt, "config.yaml"), "utf8");
  expect(config).toContain("clocks.rpt");
  expect(config).toContain("pattern_items: [core, bus]");
  writeFileSync(join(attempt, "config.yaml"), `${config}witnesses: [end of report]\n`);
  writeFileSync(join(attempt, "atom_a.js"), GOOD_A);
  await Bun.file(join(attempt, "atom_b.js")).delete();
  expect((await project.run("resume", "CLK-1", "--new-attempt")).code).toBe(2);
  const accepted = await project.run("resume", "CLK-1", "--accept-edits");
  expect([accepted.code, accepted.document.errors]).toEqual([0, []]);
}, 30_000);

test("code spans of questions are verbatim, without escapes and with all blanks", () => {
  const { markdown } = interventionReport({
    item_id: "X",
    title: "",
    spec_path: "X_ItemSpec.md",
    parsing_logic: "",
    check_logic: "",
    reason: "gave_up",
    iterations: 0,
    max_iterations: 3,
    reasons: ["No record has `a_b   *c* <d>` but *this* has."],
    questions: ["Is `x   __y__` a <record>?"],
    lines: [],
    blocks: [],
    attempts: [],
    best: null,
    last: null,
    spec_warnings: [],
    doubts_sent: false,
    looked_at: [],
    discovered: 1,
    search_root: "/logs",
    tool_bytes: { used: 0, limit: 1 },
    hints: [],
    answers: [],
    next_steps: [],
    choose_command: "",
    output_dir: "/out/X",
    attempt_dir: "/out/X/attempt",
    keeps_set: false,
    cache_dir: "/cache/X",
    created_at: "2026-01-01T00:00:00Z",
  });
  expect(markdown).toContain("`a_b   *c* <d>` but \\*this\\* has");
  expect(markdown).toContain("Is `x   __y__` a &lt;record&gt;?");
});
