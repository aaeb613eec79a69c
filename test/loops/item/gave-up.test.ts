// Items whose author gave up: the result contains errors, and existing code is kept under attempt/.
import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Script } from "../../support/model-server.ts";
import { removeRunningProjects, startProject } from "./project.ts";
import { atomsmith, GOOD_A, GOOD_B, GOOD_C, GOOD_CONFIG } from "./scripted.ts";

setDefaultTimeout(120_000);
afterAll(removeRunningProjects);

// biome-ignore lint/suspicious/noExplicitAny: a document of the command
type Document = any;

async function generate(script: Script): Promise<{ code: number | null; document: Document; set: string }> {
  const project = startProject(script);
  const flags = project.flagsFor("generate");
  const { code, stdout } = await atomsmith(["generate", project.spec, ...flags, "--json"], project.root);
  return { code, document: JSON.parse(stdout), set: project.set };
}

/** Checks that every error has a message. */
function expectErrors({ code, document }: { code: number | null; document: Document }): void {
  expect([code, document.status]).toEqual([3, "human_required"]);
  expect(document.errors.length).toBeGreaterThan(0);
  for (const { message } of document.errors) {
    expect(message).toMatch(/\w{3}/);
    expect(message).not.toMatch(/^(?:null|undefined|\[object)/);
  }
}

const submit = (code: string) => ({
  name: "submit_extract_context",
  arguments: { code, input_files: ["clocks.rpt"], log_summary: "", witnesses: ["end of report"] },
});

for (const [what, first] of [
  ["hands in code before it reads", { tool_calls: [submit(GOOD_A)] }],
  [
    "hands in code together with reading calls",
    { tool_calls: [submit(GOOD_A), { name: "list_available_files", arguments: { patterns: ["*"] } }] },
  ],
  ["writes code as text before it reads", { content: `\`\`\`js\n${GOOD_A}\`\`\`` }],
] as const) {
  test(`code of a model that ${what} and then calls tools without end is kept`, async () => {
    const run = await generate((request, n) => {
      const replies = request.messages.filter(({ role }) => role === "assistant").length;
      if (replies === 0) return { ...first, tool_calls: "tool_calls" in first ? [...first.tool_calls] : [] };
      return { tool_calls: [{ name: "list_available_files", arguments: { patterns: [`*.${n}`] } }] };
    });
    expectErrors(run);
    expect(readFileSync(join(run.set, "attempt/atom_a.js"), "utf8")).toBe(GOOD_A);
    expect(readFileSync(join(run.set, "human_intervention_report.md"), "utf8")).toContain(
      "code of attempt 1",
    );
  });
}

test("a model that never writes code leaves errors and no attempt/", async () => {
  const run = await generate((_, n) => ({
    tool_calls: [{ name: "list_available_files", arguments: { patterns: [`*.${n}`] } }],
  }));
  expectErrors(run);
  expect(existsSync(join(run.set, "attempt"))).toBe(false);
});

test("ask_person without reasons and questions is reported as such", async () => {
  expectErrors(
    await generate(() => ({
      tool_calls: [{ name: "ask_person", arguments: { reasons: [null], questions: null } }],
    })),
  );
});

test("atoms that were proved on no log are reported as such", async () => {
  const run = await generate((request) => {
    const tools = request.tools?.map(({ function: { name } }) => name) ?? [];
    return tools.includes("submit_logic")
      ? {
          tool_calls: [
            { name: "submit_logic", arguments: { atom_b: GOOD_B, atom_c: GOOD_C, config: GOOD_CONFIG } },
          ],
        }
      : { tool_calls: [submit(GOOD_A)] };
  });
  expectErrors(run);
  expect(run.document.errors.at(-1).message).toContain("No log was read");
});
