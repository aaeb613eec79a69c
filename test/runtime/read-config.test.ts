// L0: every sentence of contract section 3 about the item config.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { NormalizedConfig } from "../../src/contract/config.ts";
import { readItemConfig } from "../../src/runtime/index.ts";

function parseConfig(yaml: string, mode: "generated" | "handwritten" = "generated"): NormalizedConfig {
  const reading = readItemConfig(yaml, mode);
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  return reading.config;
}

function problems(yaml: string, mode: "generated" | "handwritten" = "generated") {
  const reading = readItemConfig(yaml, mode);
  if (reading.ok) throw new Error(`accepted: ${JSON.stringify(reading.config)}`);
  return reading.problems;
}

describe("N/A", () => {
  const spellings = [
    "value: N/A",
    "value: 'N/A'",
    'value: "  N/A\\t"',
    "value: null",
    "value: ~",
    "value:",
    "{}",
  ];
  for (const spelling of spellings) {
    test(spelling, () => {
      const body = spelling === "{}" ? "{}" : `\n  ${spelling}`;
      const config = parseConfig(`requirements: ${body}\nwaivers: ${body}\n`);
      expect(config.requirements.value).toBeNull();
      expect(config.waivers.value).toBeNull();
      expect(config.type).toBe(1);
    });
  }
  test("a missing section is N/A", () => expect(parseConfig("description: x\n").type).toBe(1));
  test("a section can be N/A as a whole", () =>
    expect(parseConfig("waivers: N/A\nrequirements: null").type).toBe(1));
  test("other spellings are not N/A", () => {
    for (const wrong of ["n/a", "NA", "'N / A'", "none", "''"]) {
      expect(problems(`requirements: {value: ${wrong}}`)[0]?.path).toBe("requirements.value");
    }
  });
});

describe("numbers", () => {
  test("numeric strings become integers", () => {
    for (const text of ["2", "'2'", '" 2 "', "+2", "'02'"]) {
      expect(parseConfig(`requirements: {value: ${text}, pattern_items: [a, b]}`).requirements.value).toBe(2);
    }
  });
  test("other values are config errors", () => {
    const wrong = [
      "two",
      "'2.0'",
      "2.0",
      "2.5",
      "true",
      "false",
      "-1",
      "'-1'",
      "[1]",
      "{a: 1}",
      "1e0",
      "2 items",
      ".inf",
      ".nan",
      "99999999999999999999",
    ];
    for (const text of wrong) {
      const found = problems(`requirements:\n  value: ${text}\n`, "handwritten");
      expect(found.map((p) => [p.path, p.line])).toEqual([["requirements.value", 2]]);
      const waived = problems(`requirements: {}\nwaivers:\n  value: ${text}\n`, "handwritten");
      expect(waived.map((p) => [p.path, p.line])).toEqual([["waivers.value", 3]]);
    }
  });
  test("zero is allowed for waivers only", () => {
    expect(problems("requirements: {value: 0}")[0]?.message).toContain("at least 1");
    expect(parseConfig("waivers: {value: 0}").waivers.value).toBe(0);
    expect(parseConfig("waivers: {value: '0'}").waivers.value).toBe(0);
  });
  test("the message contains the invalid value", () => {
    expect(problems("requirements: {value: two}")[0]?.message).toContain('"two"');
  });
});

describe("type", () => {
  const table: [string, string, number][] = [
    ["N/A", "N/A", 1],
    ["1", "N/A", 2],
    ["1", "0", 3],
    ["1", "1", 3],
    ["N/A", "0", 4],
    ["N/A", "1", 4],
  ];
  for (const [required, waived, type] of table) {
    test(`requirements ${required}, waivers ${waived} is type ${type}`, () => {
      const yaml = `requirements: {value: ${required}, pattern_items: ${required === "1" ? "[p]" : "[]"}}
waivers: {value: ${waived}, waive_items: ${waived === "1" ? "[w]" : "[]"}}`;
      expect(parseConfig(yaml).type).toBe(type as 1);
    });
  }
});

describe("counts", () => {
  const patterns = "requirements: {value: 2, pattern_items: [a]}";
  const waivers = "waivers: {value: 2, waive_items: [a]}";
  test("a wrong count is an error in a generated config", () => {
    expect(problems(patterns)[0]).toMatchObject({ path: "requirements.value", line: 1 });
    expect(problems(waivers)[0]).toMatchObject({ path: "waivers.value", line: 1 });
  });
  test("a wrong count is a warning in a hand-written config", () => {
    for (const yaml of [patterns, waivers]) {
      const reading = readItemConfig(yaml, "handwritten");
      expect(reading.ok).toBe(true);
      expect(reading.warnings).toHaveLength(1);
    }
  });
  test("waivers.value 0 has comments instead of a count", () => {
    expect(parseConfig("waivers: {value: 0, waive_items: [a, b]}").waivers.waive_items).toEqual(["a", "b"]);
  });
  test("unused patterns are a warning", () => {
    const reading = readItemConfig("requirements: {value: N/A, pattern_items: [a]}", "generated");
    expect(reading.ok).toBe(true);
    expect(reading.warnings[0]?.path).toBe("requirements.pattern_items");
  });
});

describe("items", () => {
  test("patterns are texts, numbers as written and maps of one key", () => {
    const config = parseConfig(`requirements:
  value: 8
  pattern_items:
    - plain
    - 2025
    - 1.10
    - "regex:^a: b"
    - ERROR: something went wrong
    - RATIO: 0.50
    - true
    - Trailing:
`);
    expect(config.requirements.pattern_items).toEqual([
      "plain",
      "2025",
      "1.10",
      "regex:^a: b",
      "ERROR: something went wrong",
      "RATIO: 0.50",
      "true",
      "Trailing:",
    ]);
  });
  test("patterns that are not texts are errors with their line", () => {
    const found = problems(
      "requirements:\n  value: 4\n  pattern_items:\n    - [a]\n    - {a: 1, b: 2}\n    -\n    - {a: {b: c}}\n",
    );
    expect(found.filter((p) => p.path.startsWith("requirements.pattern_items")).map((p) => p.line)).toEqual([
      4, 5, 6, 7,
    ]);
  });
  test("waive items are texts, or maps of name or pattern with a reason", () => {
    const config = parseConfig(`waivers:
  value: 5
  waive_items:
    - plain
    - {name: by name, reason: own reason}
    - {pattern: by pattern}
    - MSG: with a colon
    - {pattern: 42, reason: 7}
  waive_reasons: [first, not this, third]
`);
    expect(config.waivers.waive_items).toEqual(["plain", "by name", "by pattern", "MSG: with a colon", "42"]);
    expect(config.waivers.waive_reasons).toEqual(["first", "own reason", "third", "N/A", "7"]);
  });
  test("a waiver without a pattern, with two patterns or with an unknown key is an error", () => {
    for (const item of [
      "{reason: x}",
      "{name: a, pattern: b}",
      "{name: a, why: b}",
      "{name: [a]}",
      "{name: a, name: b}",
    ]) {
      expect(problems(`waivers: {value: 1, waive_items: [${item}]}`)[0]?.path).toBe("waivers.waive_items[0]");
    }
  });
  test("lists of another type are errors", () => {
    expect(problems("requirements: {value: 1, pattern_items: abc}")[0]?.path).toBe(
      "requirements.pattern_items",
    );
    expect(
      parseConfig("requirements: {pattern_items: N/A}\nwaivers: {waive_items: }").requirements.pattern_items,
    ).toEqual([]);
  });
  test("input_files is a list or one text", () => {
    expect(parseConfig("input_files: ['logs/*.log', '${LOG_ROOT}/x.gz']").input_files).toEqual([
      "logs/*.log",
      "${LOG_ROOT}/x.gz",
    ]);
    expect(parseConfig("input_files: a.log").input_files).toEqual(["a.log"]);
    expect(parseConfig("description: x").input_files).toEqual([]);
    for (const wrong of ["{a: b}", "['']", "[[a]]", '["a\\0b"]']) problems(`input_files: ${wrong}`);
  });
});

describe("optional keys", () => {
  test("the defaults are those of the contract", () => {
    expect(parseConfig("requirements: {value: N/A}").requirements).toEqual({
      value: null,
      pattern_items: [],
      expect: "present",
      extra: "fail",
    });
  });
  test("expect and extra accept their values only", () => {
    const config = parseConfig("requirements: {expect: absent, extra: info}");
    expect(config.requirements.expect).toBe("absent");
    expect(config.requirements.extra).toBe("info");
    for (const wrong of ["Absent", "no", "true", "[absent]"]) problems(`requirements: {expect: ${wrong}}`);
    for (const wrong of ["ignore", "1"]) problems(`requirements: {extra: ${wrong}}`);
  });
  test("a misspelled key is always an error", () => {
    expect(problems("requirements:\n  expects: absent", "handwritten")[0]).toMatchObject({
      path: "requirements.expects",
      line: 2,
    });
    expect(problems("requirement: {value: 1}")[0]?.path).toBe("requirement");
    expect(readItemConfig("requirement: {value: 1}", "handwritten").warnings).toHaveLength(1);
  });
  test("a duplicate key is an error", () => {
    expect(problems("waivers: {value: 0}\nwaivers: {value: N/A}")[0]?.message).toContain("is repeated here");
    expect(problems("requirements:\n  value: 1\n  value: N/A")[0]?.line).toBe(3);
  });
});

describe("broken and hostile texts", () => {
  test("empty texts, non-maps, several documents and custom tags are errors", () => {
    for (const yaml of [
      "",
      "   \n# only a comment\n",
      "- a",
      "just text",
      "a: [",
      "a: 1\n---\nb: 2",
      "requirements: !!python/object:x {}",
      "\0\0\0",
      "{",
    ]) {
      expect(problems(yaml, "handwritten").length).toBeGreaterThan(0);
    }
  });
  test("a syntax error states its line", () => {
    expect(problems("description: x\nrequirements:\n  value: [1\n")[0]?.line).toBeGreaterThanOrEqual(3);
  });
  test("BOM and CRLF are accepted", () => {
    expect(
      parseConfig("\uFEFFrequirements:\r\n  value: 1\r\n  pattern_items:\r\n    - a b\r\n").requirements
        .pattern_items,
    ).toEqual(["a b"]);
  });
  test("aliases are followed, alias bombs are not expanded", () => {
    expect(
      parseConfig("requirements: {value: &n 1, pattern_items: &l [x]}\nwaivers: {value: *n, waive_items: *l}")
        .waivers,
    ).toEqual({
      value: 1,
      waive_items: ["x"],
      waive_reasons: ["N/A"],
      waive_until: [null],
    });
    const bomb = [
      "a: &a [x,x,x,x,x,x,x,x,x]",
      ...["b", "c", "d", "e", "f", "g", "h", "i"].map(
        (k, i) => `${k}: &${k} [${Array(9).fill(`*${"abcdefgh"[i]}`).join(",")}]`,
      ),
    ].join("\n");
    const found = problems(`${bomb}\nrequirements: {value: 1, pattern_items: *i}\n`, "handwritten");
    expect(found.length).toBeLessThan(20);
    problems("requirements: &r {value: *r}");
  });
  test("deep nesting and huge texts are errors", () => {
    expect(problems(`a: ${"[".repeat(100_000)}`).length).toBeGreaterThan(0);
    expect(problems(`a: ${"x".repeat(2_000_000)}`)[0]?.message).toContain("2000003 characters");
  });
  test("__proto__ is an ordinary key", () => {
    expect(problems("__proto__: {value: 1}")[0]?.path).toBe("__proto__");
  });
});

describe("any text", () => {
  const piece = fc.constantFrom(
    "requirements:",
    "waivers:",
    "value:",
    "pattern_items:",
    "waive_items:",
    "expect:",
    "N/A",
    "absent",
    "- ",
    "&a ",
    "*a",
    "{",
    "}",
    "[",
    "]",
    ": ",
    "? ",
    "| ",
    "\n",
    "\n  ",
    "\t",
    "1",
    "'",
    '"',
    "<<: ",
    "!!str ",
    "--- ",
    "%YAML 1.1",
  );
  test("is read into normal form or refused with reasons, and never throws", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: "binary", maxLength: 200 }),
          fc.array(piece, { maxLength: 40 }).map((all) => all.join("")),
        ),
        fc.constantFrom<"generated" | "handwritten">("generated", "handwritten"),
        (text, mode) => {
          const reading = readItemConfig(text, mode);
          if (!reading.ok) {
            expect(reading.problems.length).toBeGreaterThan(0);
            for (const problem of reading.problems) expect(problem.line).toBeGreaterThanOrEqual(1);
            return;
          }
          const { requirements, waivers } = reading.config;
          expect(waivers.waive_reasons).toHaveLength(waivers.waive_items.length);
          for (const item of [...requirements.pattern_items, ...waivers.waive_items]) {
            expect(typeof item).toBe("string");
          }
          if (requirements.value !== null) expect(requirements.value).toBeGreaterThanOrEqual(1);
          if (waivers.value !== null) expect(waivers.value).toBeGreaterThanOrEqual(0);
        },
      ),
      { numRuns: 500 },
    );
  });
});
