// What each author may see, asserted on the requests that leave the process. Contract, section 1.
import { expect, test } from "bun:test";
import type { ReflectInput } from "../../src/author/types.ts";
import { noGateResults } from "../../src/contract/gates.ts";
import {
  type Bench,
  benchPerTest,
  GOOD_A,
  GOOD_CONFIG,
  LOGIC,
  NO_MEMORY,
  PARSING,
  submitLogic,
} from "../support/author.ts";
import { GOOD_ATOM_B, GOOD_ATOM_C, readThenSubmit, scriptedAuthor } from "../support/scripted-author.ts";

const startBench = benchPerTest();
let bench: Bench;

const A_REPAIRED = GOOD_A.replace("const records", "const out").replaceAll("records", "out");

/** All requests of one step: messages and tools. */
function sentText(): string {
  return JSON.stringify(bench.server.requests.map(({ body }) => body));
}

const EXTRACTION = {
  records: 2,
  files: 1,
  fields: { slack: ["string"] },
  value_shapes: ["a9/a"],
  input_files: ["MARK-GLOB/*.log"],
};

const REFLECT: ReflectInput = {
  sources: {
    atom_a: GOOD_A,
    atom_b: GOOD_ATOM_B,
    atom_c: GOOD_ATOM_C,
    config: `# MARK-CONFIG\ninput_files: [MARK-GLOB]\n${GOOD_CONFIG.replace("u9/d", "MARK-PATTERN")}`,
  },
  errors: [
    {
      gate: "gate4_evidence",
      atom: "atom_a",
      code: "not_grounded",
      message: "MARK-ERROR-A",
      example: "slack 0.310",
    },
    { gate: "consistency", atom: "config", code: "bad_regex", message: "MARK-ERROR-CONFIG MARK-PATTERN" },
    { gate: "gate2_precedence", atom: "atom_b", code: "wrong_answer", message: "MARK-ERROR-B" },
  ],
  gates: noGateResults(),
  parts: ["atom_b", "config"],
  history: [],
  log_summary: "MARK-SUMMARY",
  memory: NO_MEMORY,
};

test("Agent A receives sections 1 and 4.1 and nothing else of the page", async () => {
  bench = startBench(
    scriptedAuthor({
      agent_a: readThenSubmit(["*.log"], { code: GOOD_A, input_files: ["sta.log"], log_summary: "x" }),
    }),
  );
  const draft = await bench.author.agentA(PARSING, bench.context);
  expect(draft.kind).toBe("draft");
  expect(sentText()).toContain("MARK-SECTION-1");
  expect(sentText()).toContain("MARK-SECTION-4-1");
  expect(sentText()).not.toMatch(/MARK-SECTION-[23]/);
  expect(sentText()).not.toContain("MARK-SECTION-4-2");
});

test("Agent B receives sections 2, 3 and 4.2, Atom A's code, value shapes and the empty template, but no log and no globs", async () => {
  bench = startBench(scriptedAuthor({ agent_b: [submitLogic()] }), { "sta.log": "MARK-LOG-LINE\n" });
  await bench.context.tools.call("list_available_files", { patterns: ["*"] });
  await bench.context.tools.call("read_file_header", { file_path: `${bench.root}/sta.log` });
  const draft = await bench.author.agentB(LOGIC, GOOD_A, EXTRACTION, bench.context);
  expect(draft.kind).toBe("draft");
  for (const mark of [
    "MARK-SECTION-2",
    "MARK-SECTION-3",
    "MARK-SECTION-4-2",
    "extract_context",
    "TO_BE_INFERRED",
    "a9/a",
  ]) {
    expect(sentText()).toContain(mark);
  }
  expect(sentText()).not.toMatch(/MARK-SECTION-1|MARK-SECTION-4-1|MARK-LOG-LINE|MARK-GLOB/);
  expect(sentText()).not.toContain("read_file_header");
  if (draft.kind === "draft") expect(draft.config).toContain("MARK-GLOB/*.log");
});

test("the repair of Atom A receives its own slices, code and findings, but no logic, no config and no finding about them", async () => {
  bench = startBench(
    scriptedAuthor({
      reflect_a: [{ tool_calls: [{ name: "submit_extract_context", arguments: { code: A_REPAIRED } }] }],
    }),
  );
  const draft = await bench.author.reflectA(PARSING, REFLECT, bench.context);
  expect(draft.kind).toBe("draft");
  for (const mark of [
    "MARK-SECTION-1",
    "MARK-SECTION-4-1",
    "MARK-ERROR-A",
    "MARK-SUMMARY",
    "extract_context",
  ]) {
    expect(sentText()).toContain(mark);
  }
  expect(sentText()).not.toMatch(
    /MARK-SECTION-[23]|MARK-SECTION-4-2|MARK-ERROR-[BC]|MARK-CONFIG|MARK-PATTERN|MARK-GLOB/,
  );
});

test("the repair of the logic receives only the faulty parts, and never the parsing sections", async () => {
  bench = startBench(
    scriptedAuthor({
      reflect_b: [
        {
          tool_calls: [
            {
              name: "submit_logic",
              arguments: {
                atom_b: GOOD_ATOM_B.replace("const hit", "const one").replaceAll("hit", "one"),
                config: GOOD_CONFIG,
              },
            },
          ],
        },
      ],
    }),
  );
  const draft = await bench.author.reflectB(LOGIC, REFLECT, EXTRACTION, bench.context);
  expect(draft.kind).toBe("draft");
  for (const mark of [
    "MARK-SECTION-2",
    "MARK-SECTION-3",
    "MARK-SECTION-4-2",
    "MARK-ERROR-B",
    "MARK-ERROR-CONFIG",
    "extract_context",
  ]) {
    expect(sentText()).toContain(mark);
  }
  expect(sentText()).not.toMatch(/MARK-SECTION-1|MARK-SECTION-4-1|MARK-ERROR-A|MARK-GLOB/);
  // Atom C is correct: it is neither shown nor requested, and is returned unchanged.
  expect(sentText()).not.toContain("function check_existence(items) {\\n");
  if (draft.kind === "draft") expect(draft.atom_c).toBe(GOOD_ATOM_C);
});
