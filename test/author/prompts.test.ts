// The prompts of the item loop: their size, and their agreement with the contract.
import { describe, expect, test } from "bun:test";
import { compareAttempts } from "../../src/author/best.ts";
import { formatFindings, formatHistory, relevantLines } from "../../src/author/findings.ts";
import { observedFiles, withInputFiles } from "../../src/author/input-files.ts";
import { PROMPTS } from "../../src/author/prompts.ts";
import { readSubmittedSource } from "../../src/author/reply.ts";
import type { GateFinding, GateReport } from "../../src/contract/gates.ts";
import { noGateResults } from "../../src/contract/gates.ts";
import { estimateTokens } from "../../src/llm/assemble.ts";
import { benchPerTest, GOOD_A, GOOD_CONFIG, PARSING } from "../support/author.ts";
import { readThenSubmit, scriptedAuthor } from "../support/scripted-author.ts";

const startBench = benchPerTest();

describe("size", () => {
  test("Agent A's first message has at most 6,000 tokens plus the slices, for a page of 26 KB", async () => {
    const page = "A line of the page about the timing report and its columns.\n".repeat(220);
    const slice = { item_id: "X", section_1: page, section_4_1: page, examples: [], witnesses: [] };
    const bench = startBench(
      scriptedAuthor({ agent_a: readThenSubmit(["*.log"], { code: GOOD_A, log_summary: "" }) }),
    );
    await bench.author.agentA(slice, bench.context);
    const body = bench.server.requests[0]?.body;
    const all = estimateTokens(JSON.stringify(body?.messages) + JSON.stringify(body?.tools));
    const slices = estimateTokens(page + page);
    expect(Buffer.byteLength(page) * 2).toBeGreaterThan(26_000);
    expect(all - slices).toBeLessThan(6000);
    expect(all - slices).toBeLessThan(3000);
  });

  test("the findings of a repair have at most 2,000 tokens and name every code", () => {
    const errors: GateFinding[] = Array.from({ length: 400 }, (_, i) => ({
      gate: "gate4_evidence",
      atom: "atom_a",
      code: `code_${i % 40}`,
      message: `record ${i}: ${"the line says something else ".repeat(30)}`,
      example: "x".repeat(5000),
    }));
    const text = formatFindings(errors, ["atom_a"]);
    expect(estimateTokens(text)).toBeLessThanOrEqual(2000);
    for (const code of ["code_0", "code_9", "code_39"]) expect(text).toContain(code);
    expect(text).toContain("10 findings of this kind");
    expect(text).toContain("shown by: xxxx");
  });
});

describe("prompts agree with the contract", () => {
  const expectParts = (name: "system_a" | "system_b", ...parts: string[]) => {
    const text = name === "system_b" ? PROMPTS.system_b + PROMPTS.system_b_atoms : PROMPTS[name];
    for (const part of parts) expect(text.replace(/\s+/g, " ")).toContain(part);
  };
  test("Atom A", () => {
    expectParts(
      "system_a",
      "function extract_context(text, source_file)",
      "`value`",
      "`source_file`",
      "`line_number`",
    );
    expectParts(
      "system_a",
      "`matched_content`",
      "`parsed_fields`",
      "indirect_reference",
      "PR5",
      "Nothing found gives `[]`",
    );
    expectParts(
      "system_a",
      "`re.search|match|fullmatch|finditer(pattern, text, flags?)`",
      "fnmatch.fnmatchcase",
    );
  });
  test("the prompt states the limits of reads, files named in a log and the locked fields of records", async () => {
    const bench = startBench(
      scriptedAuthor({ agent_a: readThenSubmit(["*.log"], { code: GOOD_A, log_summary: "" }) }),
      undefined,
      { config: { tool_constraints: { max_read_lines_per_call: 123 } } },
    );
    await bench.author.agentA(PARSING, bench.context);
    const system = bench.server.requests[0]?.body.messages[0]?.content ?? "";
    expect(system).toContain("One call returns at most 123 lines");
    expect(system).toContain("You decide whether to read a file that a log names.");
    const locked = /# Locked: the form of a record\n([\s\S]*?)\n\n/.exec(system)?.[1] ?? "";
    for (const key of ["value", "source_file", "line_number", "matched_content", "parsed_fields"]) {
      expect(locked).toContain(`- \`${key}\`: `);
    }
  });
  test("Atoms B and C, config", () => {
    expectParts("system_b", 'parsed_fields = null, default_match = "contains", regex_mode = "search"');
    expectParts(
      "system_b",
      "Invalid Regex:",
      "No escaping",
      "only empty segments: false",
      "any other mode searches",
    );
    expectParts(
      "system_b",
      '"alternatives"',
      '"regex"',
      '"wildcard"',
      '"contains" or "exact"',
      "evidence: []",
    );
    expectParts(
      "system_b",
      "`present` (default) or `absent`",
      "`fail` (default) or `info`",
      "4 existence and waivers",
    );
  });
  // Each silence of pages has one rule: a second sentence on the same subject could contradict it.
  const RULES: Record<string, ["system_a" | "system_b", string]> = {
    "composed values": ["system_a", "put together from several places only where the page says so"],
    "trimming of the value": ["system_a", "as it stands in the log (trimmed, not reworded"],
    "trimming and type of fields": [
      "system_a",
      "Values are trimmed strings of the record's own lines, numbers with all their zeros",
    ],
    "a blank field": ["system_a", "A field that is blank in the log is an empty string"],
    "a field that a record does not have": ["system_a", "one that a record does not have is left out"],
    "a blank value": ["system_a", "A record whose value is blank is no record, unless the page says so"],
    "a byte order mark": ["system_a", "byte order mark"],
    "extra on a silent page": ["system_b", "a bare list of patterns keeps `fail`"],
    "expect on a silent page": ["system_b", 'A page that says only "Type 1" keeps `present`'],
    "reasons of a global waiver": ["system_b", "The reasons of a global waiver are its `waive_items`"],
    "reasons that the page does not give": ["system_b", "`N/A` where the page gives none"],
  };
  for (const [subject, [name, sentence]] of Object.entries(RULES)) {
    test(`one sentence states the rule: ${subject}`, () => {
      const all = Object.values(PROMPTS).join("\n").replace(/\s+/g, " ");
      expect(all.split(sentence).length - 1).toBe(1);
      expectParts(name, sentence);
    });
  }
  test("Agent A's prompt mentions every gate that can refuse Atom A", () => {
    for (const word of [
      "Grounded",
      "placeholder",
      "vacuous",
      "shift every",
      "changing the values",
      "Linear",
      "Pure",
    ]) {
      expect(PROMPTS.system_a).toContain(word);
    }
  });
});

describe("repair material", () => {
  test("quoted log lines are shown with their neighbours", () => {
    const observed = [
      { path: "/r/a.log", startLine: 100, lines: ["zero", "one one one", "two two two", "three", "four"] },
    ];
    const text = relevantLines(
      observed,
      [{ gate: "gate4_evidence", atom: "atom_a", code: "x", message: "m", example: "two two two" }],
      "/r",
    );
    expect(text).toBe("a.log\n101: one one one\n102: two two two\n103: three");
  });

  test("overlapping reads are merged in the order of the file, without repeated lines", () => {
    const lines = (from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, i) => `content of line <${from + i}>`);
    const observed = [
      { path: "/r/a.log", startLine: 40, lines: lines(40, 50) },
      { path: "/r/b.log", startLine: 1, lines: ["something else"] },
      { path: "/r/a.log", startLine: 45, lines: lines(45, 60) },
      { path: "/r/a.log", startLine: 1, lines: lines(1, 46) },
    ];
    const finding = (example: string) =>
      [
        { gate: "gate4_evidence", atom: "atom_a", code: "not_grounded", message: "m", example },
      ] as GateFinding[];
    const quoted = relevantLines(observed, finding("content of line <46> and content of line <44>"), "/r");
    const numbers = [43, 44, 45, 46, 47];
    expect(quoted).toBe(["a.log", ...numbers.map((at) => `${at}: content of line <${at}>`)].join("\n"));
    const first = relevantLines(observed, finding("nothing of it"), "/r").split("\n");
    expect(first.slice(0, 3)).toEqual(["a.log", "1: content of line <1>", "2: content of line <2>"]);
    expect(new Set(first).size).toBe(first.length);
  });

  test("findings that no attempt repaired are listed", () => {
    const attempt = (iteration: number, codes: string[]) => ({
      iteration,
      part: "atom_a" as const,
      sources: { atom_a: "", atom_b: "", atom_c: "", config: "" },
      gates: noGateResults(),
      errors: codes.map((code) => ({
        gate: "gate4_evidence" as const,
        atom: "atom_a" as const,
        code,
        message: "",
      })),
    });
    const text = formatHistory([attempt(1, ["a", "b"]), attempt(2, ["b", "c"])], {
      based_on: 2,
      dropped: [],
    });
    expect(text).toContain("attempt 2 (atom_a): 0 gates passed; failed gate4_evidence/b, gate4_evidence/c");
    expect(text).toContain("Never repaired so far: gate4_evidence/b.");
  });
});

describe("input files", () => {
  test("input_files of a config are replaced by the given globs", () => {
    const config = withInputFiles(`input_files: <TO_BE_INFERRED>\n${GOOD_CONFIG}`, ["a/*.log", "b [1].rpt"]);
    expect(config).toContain("a/*.log");
    expect(config).toContain("b [1].rpt");
    expect(config).not.toContain("TO_BE_INFERRED");
    expect(config).toContain("'u9/d'");
    expect(withInputFiles("no: [yaml", ["a"])).toBe("no: [yaml");
    expect(withInputFiles("just text", ["a"])).toBe("just text");
  });
  test("files that were read are the globs of a model that named none", () => {
    const observed = ["/r/logs/x[1].log", "/r/logs/x[1].log", "/other/y.log"].map((path) => ({
      path,
      startLine: 1,
      lines: [],
    }));
    expect(observedFiles({ bytes_used: 0, calls: 0, discovered: [], observed }, "/r")).toEqual([
      "logs/x\\[1\\].log",
    ]);
  });
});

describe("the better attempt", () => {
  const report = (failed: number, errors: number, covered = 1): GateReport => {
    const gates = noGateResults();
    Object.keys(gates).forEach((name, i) => {
      gates[name as keyof typeof gates] = i >= failed;
    });
    return {
      valid: failed === 0,
      gates,
      errors: Array.from({ length: errors }, () => ({
        gate: "gate1_syntax",
        atom: "atom_a",
        code: "c",
        message: "",
      })),
      warnings: [],
      suspicions: [],
      facts: {
        line_local: null,
        records_by_file: Object.fromEntries(Array.from({ length: covered }, (_, i) => [`f${i}`, 1])),
        pattern_matches: {},
        seed: 1,
      },
      duration_ms: 0,
    };
  };
  test("code that does not parse is worse than code that fails some gates", () => {
    const unparsed = { ...report(0, 1), gates: { ...noGateResults(), gate1_syntax: false } };
    expect(compareAttempts(unparsed, report(9, 20))).toBeLessThan(0);
  });
  test("fewer failed gates win, then fewer errors, then more covered logs", () => {
    expect(compareAttempts(report(1, 9), report(2, 1))).toBeGreaterThan(0);
    expect(compareAttempts(report(1, 2), report(1, 3))).toBeGreaterThan(0);
    expect(compareAttempts(report(1, 2, 1), report(1, 2, 2))).toBeLessThan(0);
    expect(compareAttempts(report(0, 0), report(0, 0))).toBe(0);
  });
});

test("hints of the reviewer reach the author", async () => {
  const bench = startBench(
    scriptedAuthor({ agent_a: readThenSubmit(["*.log"], { code: GOOD_A, log_summary: "" }) }),
    undefined,
    {
      context: { hints: ["the endpoint may contain blanks"] },
    },
  );
  await bench.author.agentA(PARSING, bench.context);
  expect(JSON.stringify(bench.server.requests[0]?.body)).toContain("the endpoint may contain blanks");
});

test("the sample in Agent A's instructions meets the requirements of the instructions", () => {
  const block = /yours follows your logs[^\n]*\n\n((?: {4}[^\n]*\n)+)/.exec(PROMPTS.system_a)?.[1] ?? "";
  const found = readSubmittedSource("atom_a", block.replace(/^ {4}/gm, ""));
  if (!found.ok) throw new Error(JSON.stringify(found.problem));
  const run = new Function(`${found.code}; return extract_context;`)() as (
    text: string,
    file: string,
  ) => unknown[];
  const log = "Report\n Pin   Slack\n u1/A  -0.10 (VIOLATED)\n u2/B  0.20 (MET)\n\n u3/C  -0.30 (VIOLATED)\n";
  const records = [
    {
      value: "u1/A",
      source_file: "f",
      line_number: 3,
      matched_content: " u1/A  -0.10 (VIOLATED)",
      parsed_fields: { slack: "-0.10", status: "VIOLATED" },
    },
    expect.objectContaining({ value: "u2/B", line_number: 4 }),
  ];
  expect(run(log, "f")).toEqual(records);
  expect(run(log.replaceAll("\n", "\r\n"), "f")).toEqual(records);
  expect(run("", "f")).toEqual([]);
});
