// A whole item with a model, through the real command, pipeline, tools, sandbox and gates: good submissions are
// accepted, bad ones are repaired or end with a review request, and no unnecessary request is sent.
import { afterEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { submitLogic } from "../support/author.ts";
import { cli, cliJson } from "../support/cli.ts";
import { folders } from "../support/folder.ts";
import {
  type ModelServer,
  type Script,
  type ScriptedReply,
  startModelServer,
} from "../support/model-server.ts";
import {
  GOOD_ATOM_B,
  GOOD_ATOM_C,
  readThenSubmit,
  type Step,
  type StepScript,
  scriptedAuthor,
  stepOf,
} from "../support/scripted-author.ts";

// Whole items with a sandbox; machines are shared.
setDefaultTimeout(60_000);
const folder = folders("whole-item");
const FIXTURES = join(import.meta.dir, "../../fixtures");
let server: ModelServer | undefined;
afterEach(async () => {
  await server?.stop();
  server = undefined;
});

const GOOD_A = `const READS = /^\\[[^\\]]*\\] \\S+ +(STA-0110|STA-0120) Reading (netlist|parasitics) (\\S+)$/;
function extract_context(text, source_file) {
  const records = [];
  text.split(/\\r?\\n/).forEach((line, index) => {
    const found = READS.exec(line);
    if (found === null) return;
    const [, code, kind, value] = found;
    records.push({ value, source_file, line_number: index + 1, matched_content: line, parsed_fields: { kind, code } });
  });
  return records;
}
`;
const GOOD_CONFIG = `description: netlist and parasitics that timing read
requirements:
  value: 3
  pattern_items: ['soc_top.v.gz', 'soc_top.max.spef.gz', 'pll_wrap.*.spef*|pll_wrap.nom.spef']
  extra: info
waivers: {value: N/A, waive_items: [], waive_reasons: []}
`;
const submitA = (code: string) => ({
  code,
  input_files: ["sta/func_*.log"],
  log_summary: "Reads stand at the start.",
  witnesses: ["regex:STA-0999 Exit with \\d+ errors$"],
});
const logic = (config = GOOD_CONFIG, atom_b = GOOD_ATOM_B): StepScript => [
  { tool_calls: [{ name: "submit_logic", arguments: { atom_b, atom_c: GOOD_ATOM_C, config } }] },
];
const repairA = (code: string): StepScript => [
  { tool_calls: [{ name: "submit_extract_context", arguments: submitA(code) }] },
];

interface Document {
  status: string;
  iterations: number;
  errors: { code: string; gate: string; message: string }[];
  usage: { calls: number; input_tokens: number };
}

async function generate(
  steps: Partial<Record<Step, StepScript>>,
  options: { execution?: object; script?: Script; flags?: string[]; cwd?: string; page?: string } = {},
): Promise<{ code: number; document: Document; cwd: string; steps: Step[] }> {
  server = startModelServer(options.script ?? scriptedAuthor(steps));
  const cwd = options.cwd ?? folder();
  const role = { provider: "openai", model: "test-model", base_url: server.url };
  await Bun.write(
    join(cwd, "atomsmith.yaml"),
    JSON.stringify({
      execution: options.execution ?? {},
      llm: { agent_a: role, agent_b: role, reflect: role, universal_atoms: "author" },
    }),
  );
  const { code, document } = await cliJson(
    [
      "generate",
      options.page ?? join(FIXTURES, "items/STA-03_ItemSpec.md"),
      "--search-root",
      join(FIXTURES, "project"),
      "--seed",
      "7",
      ...(options.flags ?? []),
    ],
    { cwd },
  );
  return {
    code,
    document: document as Document,
    cwd,
    steps: server.requests.map(({ body }) => stepOf(body)),
  };
}

describe("a whole item", () => {
  test("the work of a good model is accepted in the first round", async () => {
    const { code, document, cwd, steps } = await generate({
      agent_a: readThenSubmit(["sta/*.log"], submitA(GOOD_A)),
      agent_b: logic(),
    });
    expect(document.errors).toEqual([]);
    expect({ code, status: document.status, iterations: document.iterations }).toEqual({
      code: 0,
      status: "accepted",
      iterations: 1,
    });
    expect(steps).toEqual(["agent_a", "agent_a", "agent_a", "agent_b"]);
    expect(document.usage.calls).toBe(4);
    expect(readFileSync(join(cwd, "output/STA-03/atom_a.js"), "utf8")).toBe(GOOD_A);
    expect(readFileSync(join(cwd, "output/STA-03/config.yaml"), "utf8")).toContain("sta/func_*.log");
  });

  test("an Atom A that invents a record is repaired, and only Atom A is requested", async () => {
    const bad = GOOD_A.replace(
      "return records;",
      'return records.length ? records : [{ value: "none", source_file, line_number: 1, matched_content: "", parsed_fields: {} }];',
    );
    const { document, steps, cwd } = await generate({
      agent_a: readThenSubmit(["sta/*.log"], submitA(bad)),
      agent_b: logic(),
      reflect_a: repairA(GOOD_A),
    });
    expect(document).toMatchObject({ status: "accepted", iterations: 2, errors: [] });
    expect(steps.filter((step) => step.startsWith("reflect"))).toEqual(["reflect_a"]);
    const prompt =
      server?.requests.findLast(({ body }) => stepOf(body) === "reflect_a")?.body.messages[1]?.content ?? "";
    expect(prompt).toContain("gate4_no_fabrication");
    expect(prompt).toContain('value: "none"');
    const shown = await cli(["show", "STA-03"], { cwd });
    for (const part of [
      "== agent_a, iteration 1",
      "gates, iteration 1:",
      "record_on_empty",
      "== reflect_a, iteration",
      "== cost ==",
    ]) {
      expect(shown.stdout).toContain(part);
    }
  });

  test("with candidates, the one that passes the gates is used and no repair is needed", async () => {
    const bad = GOOD_A.replace("index + 1", "index + 2");
    const steps = { agent_a: readThenSubmit(["sta/*.log"], submitA(bad)), agent_b: logic() };
    const script: Script = (request, n) => {
      const variant = (request.messages.at(-1)?.content ?? "").includes("variant 2 of 2");
      return variant ? (repairA(GOOD_A)[0] as ScriptedReply) : scriptedAuthor(steps)(request, n);
    };
    const run = await generate({}, { execution: { candidates: 2 }, script });
    expect(run.document).toMatchObject({ status: "accepted", iterations: 1, errors: [] });
    expect(run.steps).toEqual(["agent_a", "agent_a", "agent_a", "agent_a", "agent_b"]);
    expect(readFileSync(join(run.cwd, "output/STA-03/atom_a.js"), "utf8")).toBe(GOOD_A);
  });

  test("a recorded item is replayed without a server", async () => {
    const steps = { agent_a: readThenSubmit(["sta/*.log"], submitA(GOOD_A)), agent_b: logic() };
    const first = await generate(steps, { flags: ["--record", "tapes"] });
    expect(first.document.status).toBe("accepted");
    await server?.stop();
    const cwd = folder();
    cpSync(join(first.cwd, "tapes"), join(cwd, "tapes"), { recursive: true });
    const second = await generate({}, { cwd, flags: ["--provider", "replay", "--cassettes", "tapes"] });
    expect(second.document).toMatchObject({ status: "accepted", errors: [], usage: first.document.usage });
    expect(second.steps).toEqual([]);
    for (const name of ["atom_a.js", "atom_b.js", "atom_c.js", "config.yaml"]) {
      const file = (dir: string) => readFileSync(join(dir, "output/STA-03", name), "utf8");
      expect(file(cwd)).toBe(file(first.cwd));
    }
  });

  test("the cost limit ends the item with exit code 5, and a higher limit continues it", async () => {
    const steps = { agent_a: readThenSubmit(["sta/*.log"], submitA(GOOD_A)), agent_b: logic() };
    const price = ["-c", "llm.prices.test-model.input=1000", "-c", "llm.prices.test-model.output=1000"];
    const first = await generate(steps, { flags: [...price, "--max-cost", "0.2"] });
    expect(first.code).toBe(5);
    expect(first.steps).toHaveLength(2);
    await server?.stop();
    const second = await generate(steps, { cwd: first.cwd, flags: [...price, "--max-cost", "5"] });
    expect(second.document).toMatchObject({ status: "accepted", usage: { calls: 4 } });
  });

  test("an Atom B that reads alternatives as a regular expression is repaired without a change of Atom A", async () => {
    const bad = GOOD_ATOM_B.replace(
      'pattern.includes("|")',
      'pattern.includes("|") && !pattern.startsWith("regex:")',
    );
    const { document, steps } = await generate({
      agent_a: readThenSubmit(["sta/*.log"], submitA(GOOD_A)),
      agent_b: logic(GOOD_CONFIG, bad),
      reflect_b: [submitLogic({ atom_b: GOOD_ATOM_B })],
    });
    expect(document).toMatchObject({ status: "accepted", iterations: 2, errors: [] });
    expect(steps.filter((step) => step.startsWith("reflect"))).toEqual(["reflect_b"]);
  });

  test("a pattern broader than stated is asked about once, and the answer is in the manifest", async () => {
    const wide = GOOD_CONFIG.replace("'soc_top.v.gz'", "'netlist/soc_top.v'");
    const look = (config: string, notes: string): StepScript => [
      { tool_calls: [{ name: "submit_logic", arguments: { config, notes } }] },
    ];
    const steps = { agent_a: readThenSubmit(["sta/*.log"], submitA(GOOD_A)), agent_b: logic(wide) };
    // Without its check block, which would be the config.
    const page = join(folder(), "STA-03_ItemSpec.md");
    const text = readFileSync(join(FIXTURES, "items/STA-03_ItemSpec.md"), "utf8");
    await Bun.write(page, text.replace(/^```check\n[\s\S]*?^```$/m, "The netlist and both SPEF files."));
    const kept = await generate({ ...steps, second_look: look(wide, "any netlist counts") }, { page });
    expect(kept.document).toMatchObject({ status: "accepted", iterations: 1, errors: [] });
    expect(kept.steps.filter((step) => step === "second_look")).toHaveLength(1);
    const manifest = (cwd: string) =>
      JSON.parse(readFileSync(join(cwd, "output/STA-03/manifest.json"), "utf8"));
    expect(manifest(kept.cwd).second_look).toMatchObject({ corrected: false, reason: "any netlist counts" });
    await server?.stop();
    const corrected = await generate(
      { ...steps, second_look: look(GOOD_CONFIG, "it was too wide") },
      { page },
    );
    expect(corrected.document).toMatchObject({ status: "accepted", errors: [] });
    expect(corrected.steps.filter((step) => step === "second_look")).toHaveLength(1);
    expect(manifest(corrected.cwd).second_look).toMatchObject({ corrected: true, reason: "it was too wide" });
    const config = readFileSync(join(corrected.cwd, "output/STA-03/config.yaml"), "utf8");
    expect(config).toContain("soc_top.v.gz");
    expect(config).toContain("STA-0999");
  });

  test("doubts of the logic author are sent to Agent A once, without requirements and waivers", async () => {
    const section = /### 4\.2[^\n]*\n+([^\n]+)/.exec(
      readFileSync(join(FIXTURES, "items/STA-03_ItemSpec.md"), "utf8"),
    )?.[1];
    if (section === undefined) throw new Error("the fixture has no section 4.2");
    const extraction_doubts = [
      { statement: "MARK-FORM: a record that is written twice counts twice.", quote: section },
      { statement: "MARK-POLICY soc_top.v.gz is missing.", quote: section },
    ];
    const doubting: StepScript = [
      submitLogic({ atom_b: GOOD_ATOM_B, atom_c: GOOD_ATOM_C, config: GOOD_CONFIG, extraction_doubts }),
    ];
    const run = await generate({
      agent_a: readThenSubmit(["sta/*.log"], submitA(GOOD_A)),
      agent_b: doubting,
      // It keeps its code: a doubt may be wrong.
      reflect_a: repairA(GOOD_A),
    });
    expect(run.document).toMatchObject({ status: "accepted", errors: [] });
    expect(run.steps.filter((step) => step === "reflect_a")).toHaveLength(1);
    const request = JSON.stringify(
      server?.requests.filter(({ body }) => stepOf(body) === "reflect_a").map(({ body }) => body),
    );
    expect(request).toContain("MARK-FORM");
    expect(request).not.toContain("MARK-POLICY");
    const manifest = JSON.parse(readFileSync(join(run.cwd, "output/STA-03/manifest.json"), "utf8"));
    expect(manifest.doubts_dropped).toBe(1);
  });

  test("ask_person ends the item with a review request", async () => {
    const { code, document, cwd } = await generate({
      agent_a: [
        { tool_calls: [{ name: "list_available_files", arguments: { patterns: ["*.log"] } }] },
        {
          tool_calls: [
            {
              name: "ask_person",
              arguments: { reasons: ["Two formats."], questions: ["Which one counts?"] },
            },
          ],
        },
      ],
    });
    expect({ code, status: document.status }).toEqual({ code: 3, status: "human_required" });
    expect(readFileSync(join(cwd, "output/STA-03/human_intervention_report.md"), "utf8")).toContain(
      "Which one counts?",
    );
  });
});
