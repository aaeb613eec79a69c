// A page that shows a line in its prose and states its value: when Atom A reads another column, its author is asked
// before acceptance, once and with one request. Worked examples need no question, since a gate proves them.
import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Script } from "../../support/model-server.ts";
import { removeRunningProjects, startProject } from "./project.ts";
import { atomsmith, GOOD_A, GOOD_B, GOOD_C, pageOf } from "./scripted.ts";

setDefaultTimeout(120_000);
afterAll(removeRunningProjects);

/** The right lines, the wrong column. */
const SWAPPED = GOOD_A.replace("value: match[1]", "value: match[2]").replace(
  "period: match[2]",
  "period: match[1]",
);
const CONFIG = "description: clocks\nrequirements: {value: N/A}\nwaivers: {value: N/A}\n";
const STATED = `Read the clock report. A record is a line such as \`CLOCK core period 1.25 ns\`.
- **value**: the name, here \`core\`.
- **period**: the period, here \`1.25\`; not \`-1.25\` and not \`end-of-report\`.
`;

const submission = (code: string) => ({
  tool_calls: [
    {
      name: "submit_extract_context",
      arguments: {
        code,
        input_files: ["clocks.rpt"],
        log_summary: "",
        witnesses: ["end of report"],
        decisions: ["MARK-DECISION: the page says so"],
      },
    },
  ],
});

/** A model that submits `draft`, and `answer` when it is asked. */
function model(draft: string, answer: string): Script {
  return (request) => {
    const tools = request.tools?.map((one) => one.function.name) ?? [];
    if (tools.includes("submit_logic")) {
      return {
        tool_calls: [{ name: "submit_logic", arguments: { atom_b: GOOD_B, atom_c: GOOD_C, config: CONFIG } }],
      };
    }
    if (isQuestion(request.messages[1]?.content)) return submission(answer);
    const replies = request.messages.filter(({ role }) => role === "assistant").length;
    if (replies === 0)
      return { tool_calls: [{ name: "list_available_files", arguments: { patterns: ["*.rpt"] } }] };
    const listed = request.messages.findLast(({ role }) => role === "tool")?.content ?? "";
    const file_path = /"([^"]*clocks\.rpt)"/.exec(listed)?.[1] ?? "clocks.rpt";
    if (replies === 1) return { tool_calls: [{ name: "read_file_header", arguments: { file_path } }] };
    return submission(draft);
  };
}

const isQuestion = (text: string | null | undefined): boolean => text?.includes("look once more") === true;

async function generate(script: Script, section: string) {
  const page = pageOf("CLK-1")
    .replace(/Read the clock report[\s\S]*?\n(?=## 2)/, `${section}\n`)
    .replace(/Type 2, two patterns[\s\S]*?\n(?=\n## 3)/, "Type 1: at least one clock.\n");
  const project = startProject(script, { page });
  const flags = project.flagsFor("generate");
  const { code } = await atomsmith(["generate", project.spec, ...flags], project.root);
  return {
    code,
    atom: readFileSync(join(project.set, "atom_a.js"), "utf8"),
    manifest: JSON.parse(readFileSync(join(project.set, "manifest.json"), "utf8")),
    questions: project.requests.map(({ body }) => body.messages[1]?.content ?? "").filter(isQuestion),
  };
}

test("a value from the wrong column is asked about, and Agent A corrects it", async () => {
  const run = await generate(model(SWAPPED, GOOD_A), STATED);
  expect(run.code).toBe(0);
  expect(run.questions).toHaveLength(1);
  expect(run.questions[0]).toContain(
    'The page shows the line "CLOCK core period 1.25 ns"; for `value` it states "core", and Atom A returns "1.25".',
  );
  expect(run.questions[0]).not.toContain("Type 1");
  expect(run.atom).toBe(GOOD_A);
  expect(run.manifest.second_look).toMatchObject({
    corrected: true,
    reason: "MARK-DECISION the page says so",
  });
});

test("an Atom A that its author keeps is accepted, with the reason in the manifest", async () => {
  const run = await generate(model(SWAPPED, SWAPPED), STATED);
  expect([run.code, run.questions.length]).toEqual([0, 1]);
  expect(run.atom).toBe(SWAPPED);
  expect(run.manifest.second_look).toMatchObject({
    corrected: false,
    reason: "MARK-DECISION the page says so",
  });
});

for (const [what, section, draft] of [
  ["a right Atom A", STATED, GOOD_A],
  [
    "a page that states nothing of its line",
    "A record is a line such as `CLOCK core period 1.25 ns`.\n",
    SWAPPED,
  ],
  [
    "a line that only shows the form",
    STATED.replace("CLOCK core period 1.25 ns", "CLOCK <name> period <ns> ns"),
    GOOD_A,
  ],
] as const) {
  test(`no question is asked for ${what}`, async () => {
    const run = await generate(model(draft, draft), section);
    expect([run.code, run.questions.length]).toEqual([0, 0]);
  });
}

test("without labels, a value that is none of the shown texts while a field is one is asked about", async () => {
  const section = "A record is a line such as `CLOCK core period 1.25 ns`; there the clock is `core`.\n";
  const run = await generate(model(SWAPPED, GOOD_A), section);
  expect([run.code, run.questions.length]).toEqual([0, 1]);
  expect(run.atom).toBe(GOOD_A);
});
