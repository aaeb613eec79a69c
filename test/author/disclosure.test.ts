// What findings of a repair disclose to each author, for every finding code, asserted on the requests that arrive at
// the model's server: no text of the config for Atom A, no observed value for the logic. Contract, section 1.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { findingsForLogic, findingsForParsing } from "../../src/author/disclosure.ts";
import type { AuthorContext, ReflectInput } from "../../src/author/types.ts";
import type { ParsedItem } from "../../src/contract/atoms.ts";
import { FINDING_CODES, type FindingCode } from "../../src/contract/finding-codes.ts";
import { type GateFinding, noGateResults } from "../../src/contract/gates.ts";
import { type Bench, benchPerTest, GOOD_A, LOGIC, NO_MEMORY, PARSING } from "../support/author.ts";
import { GOOD_ATOM_B, GOOD_ATOM_C, scriptedAuthor } from "../support/scripted-author.ts";

setDefaultTimeout(60_000);
const startBench = benchPerTest();
let bench: Bench;

const CODES = Object.keys(FINDING_CODES) as FindingCode[];

const CONFIG = `description: ends reported
requirements:
  value: 3
  pattern_items: ['zqpattern/one', 'regex:^zqregex\\d+$', 'zqleft|zqright']
waivers:
  value: 1
  waive_items: ['zqwaiver']
  waive_reasons: ['zqreason of the team']
`;
const OF_CONFIG = ["zqpattern/one", "zqregex", "zqleft", "zqright", "zqwaiver", "zqreason"];

const RECORD: ParsedItem = {
  value: "xkvalue/7731",
  source_file: "/project/xkfolder/xkfile.log",
  line_number: 12,
  matched_content: "Endpoint: xkvalue/7731 slack xkslack99 (VIOLATED)",
  parsed_fields: { slack: "xkslack99", deep: { list: ["xkinner"] } },
};
const OBSERVED = ["xkvalue", "7731", "xkslack", "xkinner", "xkfile", "xkfolder"];

/** Findings of all codes about one part, whose texts contain everything that must not be disclosed. */
function markedFindings(atom: "atom_a" | "atom_b" | "config"): GateFinding[] {
  const line = JSON.stringify(RECORD.matched_content);
  return CODES.map((code) => ({
    gate: "gate4_evidence",
    atom,
    code,
    message: `The pattern "zqpattern/one" (zqregex12, ZQLEFT, zqwaiver: zqreason of the team) and the value "xkvalue/7731" of /project/xkfolder/xkfile.log, ${line.slice(0, 30)} …[cut, 90 bytes in all]`,
    example: JSON.stringify({ value: RECORD.value, pattern: "zqright", fields: RECORD.parsed_fields, line }),
  }));
}

function reflection(errors: GateFinding[]): ReflectInput {
  return {
    sources: { atom_a: GOOD_A, atom_b: GOOD_ATOM_B, atom_c: GOOD_ATOM_C, config: CONFIG },
    errors,
    gates: noGateResults(),
    parts: ["atom_b", "config"],
    history: [],
    log_summary: "One line per path.",
    memory: NO_MEMORY,
  };
}

const REPAIRED_A = GOOD_A.replace("const records", "const out").replaceAll("records", "out");
const answers = scriptedAuthor({
  reflect_a: [{ tool_calls: [{ name: "submit_extract_context", arguments: { code: REPAIRED_A } }] }],
  reflect_b: [
    {
      tool_calls: [
        {
          name: "submit_logic",
          arguments: {
            atom_b: GOOD_ATOM_B.replace("const hit", "const one").replaceAll("hit", "one"),
            config: CONFIG.replace("zqleft", "zqother"),
          },
        },
      ],
    },
  ],
});

/** The received messages without those of the system. */
function receivedText(): string {
  const bodies = bench.server.requests.map(({ body }) => body) ?? [];
  return bodies
    .flatMap((body) => body.messages.map(({ content }) => content ?? ""))
    .join("\n")
    .toLowerCase();
}

const records: AuthorContext["records"] = async () => [RECORD];

describe("what arrives at the server", () => {
  test("the repair of Atom A contains no text of the config, for every finding code", async () => {
    bench = startBench(answers);
    for (const error of markedFindings("atom_a")) {
      await bench.author.reflectA(PARSING, reflection([error]), bench.context);
    }
    expect(bench.server.requests.length).toBeGreaterThan(CODES.length / 2);
    expect(OF_CONFIG.filter((text) => receivedText().includes(text))).toEqual([]);
    expect(CODES.filter((code) => !receivedText().includes(`/ ${code}`))).toEqual([]);
  });

  test("the repair of the logic contains no observed value, for every finding code", async () => {
    bench = startBench(answers, undefined, { context: { records } });
    for (const atom of ["atom_b", "config"] as const) {
      for (const error of markedFindings(atom)) {
        await bench.author.reflectB(
          LOGIC,
          reflection([error]),
          { records: 1, files: 1, fields: {}, value_shapes: [] },
          bench.context,
        );
      }
    }
    expect(bench.server.requests.length).toBeGreaterThan(CODES.length / 2);
    expect(OBSERVED.filter((text) => receivedText().includes(text))).toEqual([]);
    const unsaid = CODES.filter((code) => !receivedText().includes(`/ ${code}`));
    // These are part of the config and concern the author of Atom A, who proposes them.
    expect(unsaid.filter((code) => !code.startsWith("input_files_"))).toEqual([]);
  });

  test("the question before acceptance contains no observed value and keeps the author's own pattern", async () => {
    bench = startBench(scriptedAuthor({ second_look: [{ content: "It is right." }] }), undefined, {
      context: { records: async () => [{ ...RECORD, value: "/zqpattern/one/xkdeeper" }] },
    });
    const suspicion: GateFinding = {
      gate: "consistency",
      atom: "config",
      code: "pattern_wide",
      message:
        'The pattern "zqpattern/one" also matches the observed value "/zqpattern/one/xkdeeper": it is contained in it.',
    };
    await bench.author.secondLook?.(
      LOGIC,
      { sources: reflection([]).sources, suspicions: [suspicion], declarations: {} },
      { records: 1, files: 1, fields: {}, value_shapes: [] },
      bench.context,
    );
    expect(receivedText()).toContain('also matches the observed value "/zqpattern/one/a"');
    expect(receivedText()).not.toContain("xkdeeper");
  });
});

describe("what is still disclosed", () => {
  const disclosed = (finding: Partial<GateFinding>): GateFinding | undefined =>
    findingsForParsing(
      [{ gate: "gate4_evidence", atom: "atom_a", code: "not_grounded", message: "m", ...finding }],
      CONFIG,
      ["the log line zqleft"],
    )[0];

  test("findings based on code and logs keep their texts, and so does text that the author has seen", () => {
    const finding = disclosed({ message: "Line 3 is not `zqleft`", example: '{"value":"zqleft"}' });
    expect(finding).toMatchObject({ message: "Line 3 is not `zqleft`", example: '{"value":"zqleft"}' });
  });

  test("a finding based on the config is replaced by its general rule, without the example", () => {
    for (const code of ["value_not_what_patterns_want", "named_value_dropped"]) {
      const finding = disclosed({
        code,
        message: "The pattern zqpattern/one matches none",
        example: "zqpattern/one",
      });
      expect(finding?.message).not.toContain("zqpattern");
      expect(finding?.message.length).toBeGreaterThan(40);
      expect(finding?.example).toBeUndefined();
    }
  });

  test("an unknown finding code is named without its texts", () => {
    expect(disclosed({ code: "rule_of_tomorrow", message: "anything" })?.message).not.toContain("anything");
    const [logic] = findingsForLogic(
      [{ gate: "consistency", atom: "config", code: "rule_of_tomorrow", message: "anything" }],
      [],
      { config: CONFIG, texts: [] },
    );
    expect(logic?.message).toBe("The rule rule_of_tomorrow is broken.");
  });

  test("generated inputs and the author's own texts reach the logic author unchanged", () => {
    const message = 'Atom B must follow the rules. `validate_logic("regex:^a", "regex:^a|zzz")` gave false.';
    const [finding] = findingsForLogic(
      [{ gate: "gate2_equivalence", atom: "atom_b", code: "differs_from_rules", message }],
      [RECORD],
      { config: CONFIG, texts: [] },
    );
    expect(finding?.message).toBe(message);
  });
});

test("every finding code in the sources of the gates is in the table", () => {
  const root = join(import.meta.dir, "../../src/gates");
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".ts"),
  );
  const found = new Set<string>();
  for (const file of files) {
    const source = readFileSync(join(root, file), "utf8");
    const literal =
      /(?:\bcode:\s*|\.(?:error|warn|suspect)\([^()"]*"[^"]*",\s*|\.(?:error|warn|suspect)\(\s*GATE,\s*"\w+",\s*)"([a-z0-9_]+)"/g;
    for (const [, code = ""] of source.matchAll(literal)) found.add(code);
  }
  expect(found.size).toBeGreaterThan(60);
  expect(
    [...found].filter((code) => !(code in FINDING_CODES) && !/^(?:atom_[abc]|config)$/.test(code)),
  ).toEqual([]);
});
