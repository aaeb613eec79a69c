// A check block is the config: copied completely, and no author of the logic is asked unless section 4.2 has text.
import { describe, expect, test } from "bun:test";
import { configFromCheck, draftFromCheck, withCheck } from "../../src/author/check-config.ts";
import { ATOM_B, ATOM_C } from "../../src/author/standard-atoms.ts";
import type { ReflectInput } from "../../src/author/types.ts";
import { noGateResults } from "../../src/contract/gates.ts";
import { readCheckBlock, readItemConfig } from "../../src/runtime/index.ts";
import type { LogicSlice } from "../../src/spec/types.ts";
import {
  benchPerTest,
  EXTRACTION,
  GOOD_A,
  GOOD_CONFIG,
  GOOD_LOGIC,
  LOGIC,
  NO_MEMORY,
  PARSING,
  submitLogic,
} from "../support/author.ts";
import { GOOD_ATOM_B, readThenSubmit, scriptedAuthor } from "../support/scripted-author.ts";

const startBench = benchPerTest();

const FACTS = { description: "what: it is about # x", input_files: ["logs/*.log", "${LOG_ROOT}/a.rpt"] };
const CHECK = "requirements: {value: N/A, expect: absent}\nwaivers: {value: N/A}";

function normalizedConfig(yaml: string) {
  const reading = readItemConfig(yaml, "generated");
  if (!reading.ok) throw new Error(reading.problems.map(({ message }) => message).join("; "));
  return reading.config;
}

describe("configFromCheck", () => {
  test.each([
    [
      "block style with a comment",
      "# agreed in May\nrequirements:\n  value: 1\n  pattern_items:\n    - DRC: clean  # all of it\n",
    ],
    ["flow style", "{requirements: {value: 2, pattern_items: [1e3, 0x1F]}, waivers: N/A}"],
    ["indented", "  requirements:\n    value: N/A\n  waivers:\n    value: 0\n    waive_items: [later]\n"],
    ["with a document marker", "---\nrequirements: {value: 1, pattern_items: [1.10], extra: info}\n"],
    [
      "maps, reasons, anchors",
      'requirements: {value: 2, pattern_items: &p ["a|b", {KEY: text}]}\nwaivers:\n  value: 3\n  waive_items: [{name: "x*", reason: agreed}, {pattern: "regex:^y", reason: "no: matter"}, z]\n  waive_reasons: [r1, r2, r3]\n',
    ],
    ["nothing but N/A", "waivers: N/A"],
  ])("%s: requirements and waivers come from the block, the rest is added", (_, check) => {
    const block = readCheckBlock(check);
    if (!block.ok) throw new Error(block.problems[0]?.message);
    const config = normalizedConfig(configFromCheck(check, FACTS));
    expect(config).toEqual({
      ...block.config,
      description: FACTS.description,
      input_files: FACTS.input_files,
    });
  });

  test("the text of the block is copied unchanged", () => {
    const check = "requirements:\n  value: 1   # one\n  pattern_items: ['a: b', ]";
    expect(configFromCheck(check.replace(", ]", "]"), FACTS)).toEndWith(check.replace(", ]", "]\n"));
  });

  test("withCheck replaces only requirements and waivers in the config of an author", () => {
    const config = normalizedConfig(withCheck(GOOD_CONFIG, CHECK, ["sta.log"]));
    expect(config).toMatchObject({
      type: 1,
      description: "endpoints reported",
      input_files: ["sta.log"],
      requirements: { value: null, expect: "absent", pattern_items: [] },
    });
    expect(normalizedConfig(withCheck("no: [yaml", CHECK, [])).requirements.expect).toBe("absent");
  });
});

describe("draftFromCheck", () => {
  const slice = (more: Partial<LogicSlice>): LogicSlice => ({
    ...LOGIC,
    section_2: `No path may be\nviolated.\n\n\`\`\`check\n${CHECK}\n\`\`\``,
    section_4_2: "",
    check: CHECK,
    ...more,
  });

  test("the draft has the standard atoms, the config and the first paragraph of section 2 as description", () => {
    expect(draftFromCheck(slice({}), ["sta.log"])).toMatchObject({ atom_b: ATOM_B, atom_c: ATOM_C });
    const config = draftFromCheck(slice({}), ["sta.log"])?.config ?? "";
    expect(normalizedConfig(config)).toMatchObject({
      description: "No path may be violated.",
      input_files: ["sta.log"],
      requirements: { expect: "absent" },
    });
  });

  test("the item ID is the description when section 2 has none or a placeholder", () => {
    for (const section_2 of [
      "",
      `\`\`\`check\n${CHECK}\n\`\`\``,
      "Lines like `<PATTERN>` fail.",
      "```\nx\n```",
    ]) {
      expect(draftFromCheck(slice({ section_2 }), [])?.config).toContain("description: check of STA-99\n");
    }
    const long = draftFromCheck(slice({ section_2: "A word. ".repeat(100) }), [])?.config ?? "";
    expect(normalizedConfig(long).description.length).toBe(200);
  });

  test("only an empty section 4.2, or one with exact blocks only, needs no author", () => {
    expect(draftFromCheck(slice({ section_4_2: " \n" }), [])).toBeDefined();
    expect(draftFromCheck(slice({ section_4_2: "```witness\nend\n```\n" }), [])).toBeDefined();
    expect(draftFromCheck(slice({ section_4_2: "None." }), [])).toBe(undefined);
    expect(draftFromCheck(slice({ check: null }), [])).toBe(undefined);
  });
});

describe("the author of a page with a check block", () => {
  const exact = (more: Partial<LogicSlice> = {}): LogicSlice => ({ ...LOGIC, check: CHECK, ...more });
  const reflect = (more: Partial<ReflectInput>): ReflectInput => ({
    sources: {
      atom_a: GOOD_A,
      atom_b: ATOM_B,
      atom_c: ATOM_C,
      config: configFromCheck(CHECK, { description: "d", input_files: ["sta.log"] }),
    },
    errors: [{ gate: "consistency", atom: "config", code: "x", message: "It cannot be." }],
    gates: noGateResults(),
    parts: ["config"],
    history: [],
    log_summary: "",
    memory: NO_MEMORY,
    ...more,
  });

  test("no request is sent when section 4.2 has no text", async () => {
    const bench = startBench(scriptedAuthor({}));
    const draft = await bench.author.agentB(exact({ section_4_2: "" }), GOOD_A, EXTRACTION, bench.context);
    expect(draft).toMatchObject({ kind: "draft", atom_b: ATOM_B, atom_c: ATOM_C });
    expect(bench.server.requests).toHaveLength(0);
  });

  test("with text in section 4.2 the model is asked, and its config gets the requirements and waivers of the block", async () => {
    const bench = startBench(scriptedAuthor({ agent_b: [submitLogic(GOOD_LOGIC)] }));
    const draft = await bench.author.agentB(exact(), GOOD_A, EXTRACTION, bench.context);
    if (draft.kind !== "draft") throw new Error("gave up");
    expect(draft.atom_b).toBe(GOOD_ATOM_B);
    expect(normalizedConfig(draft.config)).toMatchObject({
      description: "endpoints reported",
      input_files: ["sta.log"],
      requirements: { value: null, expect: "absent" },
    });
    expect(bench.server.requests).toHaveLength(1);
  });

  test("a config from the block that a gate refuses is left to the reviewer; a changed one is restored", async () => {
    const bench = startBench(scriptedAuthor({}));
    for (const slice of [exact({ section_4_2: "" }), exact()]) {
      const end = await bench.author.reflectB(slice, reflect({}), EXTRACTION, bench.context);
      expect(end.kind === "gave_up" && end.reasons.join()).toContain(
        "consistency rejects the check block of the page: It cannot be.",
      );
      const drifted = reflect({ sources: { ...reflect({}).sources, config: GOOD_CONFIG } });
      const draft = await bench.author.reflectB(slice, drifted, EXTRACTION, bench.context);
      expect(draft.kind === "draft" && normalizedConfig(draft.config).requirements.expect).toBe("absent");
    }
    expect(bench.server.requests).toHaveLength(0);
  });

  test("a repair of Atom B does not ask for the config", async () => {
    const bench = startBench(scriptedAuthor({ reflect_b: [submitLogic({ atom_b: GOOD_ATOM_B })] }));
    const input = reflect({
      parts: ["atom_b", "config"],
      errors: [{ gate: "gate2_precedence", atom: "atom_b", code: "x", message: "no" }],
    });
    const draft = await bench.author.reflectB(exact(), input, EXTRACTION, bench.context);
    expect(draft).toMatchObject({ kind: "draft", atom_b: GOOD_ATOM_B, atom_c: ATOM_C });
    expect(draft.kind === "draft" && normalizedConfig(draft.config).requirements.expect).toBe("absent");
    expect(JSON.stringify(bench.server.requests[0]?.body.tools)).not.toContain("The whole YAML");
  });

  test("answers outside the page reach only the author they concern, and text of the page is not repeated", async () => {
    const bench = startBench(
      scriptedAuthor({
        agent_a: readThenSubmit(["*.log"], { code: GOOD_A, input_files: ["sta.log"], log_summary: "x" }),
        agent_b: [submitLogic(GOOD_LOGIC)],
      }),
    );
    const field = (text: string) => ({ text, number: false, composed: false });
    const record = { value: field("u1"), line: null, fields: new Map() };
    const given = { text: "Endpoint: u1 MARK-GIVEN", records: [record] };
    const shown = { text: "Endpoint: u1 MARK-SHOWN", records: [record] };
    const page = "```example\nEndpoint: u1 MARK-SHOWN\n---\nvalue: u1\n```";
    await bench.author.agentA(
      { ...PARSING, section_1: page, examples: [shown, given], witnesses: ["MARK-WITNESS"] },
      bench.context,
    );
    const toA = JSON.stringify(bench.server.requests[0]?.body);
    expect(toA).toContain("## Blocks that a person gave beside the page");
    expect([
      toA.split("MARK-GIVEN").length,
      toA.split("MARK-SHOWN").length,
      toA.split("MARK-WITNESS").length,
    ]).toEqual([2, 2, 2]);
    bench.server.requests.length = 0;
    await bench.author.agentB(exact(), GOOD_A, EXTRACTION, bench.context);
    const toB = JSON.stringify(bench.server.requests[0]?.body);
    expect(toB).toContain("expect: absent}");
    expect(toB).not.toContain("MARK-GIVEN");
    expect(toA).not.toContain("expect: absent}");
  });
});
