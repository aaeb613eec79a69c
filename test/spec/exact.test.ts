// Exact blocks of whole pages: errors, which author receives them, and answers of the reviewer.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { draftFromCheck } from "../../src/author/check-config.ts";
import { AtomsmithError } from "../../src/core/errors.ts";
import { checkProblems } from "../../src/runtime/check-block.ts";
import { readAnswers } from "../../src/spec/answers.ts";
import { lintItemSpec, logicSlice, parseItemSpec, parsingSlice } from "../../src/spec/index.ts";
import type { ItemSpec } from "../../src/spec/types.ts";

const EXAMPLE =
  "```example\nFailed password for root from 10.0.0.9\n---\nvalue: root\naddress: 10.0.0.9\n```";
const CHECK = "```check\nrequirements: {value: N/A, expect: absent}\nwaivers: {value: N/A}\n```";

interface Parts {
  one?: string;
  two?: string;
  three?: string;
  data?: string;
  special?: string;
  tests?: string;
}

/** Section 1 begins in line 3. */
function page(parts: Parts = {}): Uint8Array {
  return new TextEncoder().encode(`# ItemSpec: ABC-1
## 1. Parsing Logic
${parts.one ?? "Take logins."}
## 2. Check Logic
${parts.two ?? "None may fail."}
## 3. Waiver Logic
${parts.three ?? "N/A."}
## 4. Implementation Guide
### 4.1 Data Source & Extraction
${parts.data ?? "a.log"}
### 4.2 Special Scenarios
${parts.special ?? "None."}
### 4.3 Test Data Generation
${parts.tests ?? "One line."}
`);
}

function findings(parts: Parts): [code: string, line: number | undefined, severity: string][] {
  return lintItemSpec(page(parts), "ABC-1_ItemSpec.md", checkProblems).findings.map(
    ({ code, line, severity }) => [code, line, severity],
  );
}

function messages(parts: Parts): string {
  const { findings: all } = lintItemSpec(page(parts), "ABC-1_ItemSpec.md", checkProblems);
  return all.map(({ message }) => message).join(" ");
}

function parse(parts: Parts): ItemSpec {
  return parseItemSpec(page(parts), "ABC-1_ItemSpec.md", checkProblems);
}

describe("lint", () => {
  test("blocks in their sections are accepted", () => {
    const witness = "```witness\nregex:^done\n```";
    expect(findings({ one: EXAMPLE, data: `${EXAMPLE}\n\n${witness}`, two: CHECK })).toEqual([]);
    expect(findings({ one: witness, three: CHECK })).toEqual([]);
  });

  test("an invalid block makes the page unusable and is reported with its line", () => {
    expect(findings({ one: "Logins.\n\n```example\nno separator\n```" })).toEqual([
      ["block_unreadable", 5, "error"],
    ]);
    expect(() => parse({ one: "```example\nno separator\n```" })).toThrow(/line 3: The example block cannot/);
    expect(findings({ one: "```witness\n\n```" })).toEqual([["block_unreadable", 3, "error"]]);
  });

  test("a block that is never closed is invalid", () => {
    const text = new TextDecoder().decode(page()).replace("a.log", "```witness\ndone");
    const open = lintItemSpec(new TextEncoder().encode(text), "ABC-1_ItemSpec.md");
    expect(open.findings.find(({ code }) => code === "block_unreadable")).toMatchObject({
      message: "The witness block is never closed; end it with a line of backticks.",
    });
  });

  test("misplaced blocks are warnings that name the right section, also for invalid blocks", () => {
    expect(findings({ two: EXAMPLE, one: CHECK, special: "```example\nbroken\n```" })).toEqual([
      ["block_misplaced", 3, "warning"],
      ["block_misplaced", 8, "warning"],
      ["block_misplaced", 20, "warning"],
    ]);
    expect(messages({ two: EXAMPLE })).toContain("counts in section 1 or 4.1");
    expect(messages({ one: CHECK })).toContain("counts in section 2 or 3");
    const spec = parse({ two: EXAMPLE, one: CHECK });
    expect(parsingSlice(spec).examples).toEqual([]);
    expect(logicSlice(spec).check).toBe(null);
  });

  test("there is at most one check block, which is a config of requirements and waivers", () => {
    expect(findings({ two: CHECK, three: CHECK })).toEqual([["check_twice", 10, "error"]]);
    expect(messages({ two: CHECK, three: CHECK })).toContain("lines 5 and 10");
    expect(findings({ two: "```check\nrequirements:\n  value: two\n```" })).toEqual([
      ["check_invalid", 7, "error"],
    ]);
    for (const [yaml, said] of [
      ["input_files: [a]\nrequirements: {value: N/A}", "keys requirements and waivers only"],
      ["description: x", "`description`: a check block has"],
      ["requirements: {value: 2, pattern_items: [a]}", "pattern_items has 1 entry"],
      ["requirements: {value: N/A, expects: absent}", "unknown key"],
      ["", "the config is empty"],
      ["a: [", "YAML"],
    ] as const) {
      expect([yaml, messages({ two: `\`\`\`check\n${yaml}\n\`\`\`` })]).toEqual([
        yaml,
        expect.stringContaining(said),
      ]);
    }
  });

  test("with a check block an empty section 4.2 gives no warning", () => {
    expect(findings({ special: "" })).toEqual([["empty_section", 11, "warning"]]);
    expect(findings({ special: "", two: CHECK })).toEqual([]);
  });

  test("texts of a record must be in the log text unless they are composed", () => {
    const one = (records: string) => `\`\`\`example\nslack -0.1 of u9/d\n---\n${records}\n\`\`\``;
    expect(findings({ one: one("value: u8/d") })).toEqual([["not_in_example", 3, "error"]]);
    expect(findings({ one: one("value: u9/d\nslack: -0.2") })).toEqual([["not_in_example", 3, "error"]]);
    expect(findings({ one: one("value (composed): u8/d\nslack (number): -0.1\nblank:") })).toEqual([]);
    expect(messages({ one: one("value: u8/d") })).toContain("write `value (composed): u8/d`");
    expect(messages({ one: one("value: u9/d\nx (number): u9/d") })).toContain("is not a number");
    expect(messages({ one: one("value (number): -0.1") })).toContain("always a text");
  });

  test("the same log text with other records is an error that names both lines, with equal records it is accepted", () => {
    const other = EXAMPLE.replace("value: root\naddress: 10.0.0.9", "none");
    expect(messages({ one: EXAMPLE, data: other })).toContain("lines 3 and 15 have the same log text");
    expect(findings({ one: EXAMPLE, data: EXAMPLE })).toEqual([]);
  });
});

describe("slices", () => {
  test("Agent A gets examples and witnesses, Agent B the check; the texts keep their blocks", () => {
    const witness = "```witness\nrun finished\n```";
    const spec = parse({ one: EXAMPLE, data: `\`*.log\`\n\n${witness}`, two: `As below.\n\n${CHECK}` });
    const parsing = parsingSlice(spec);
    expect(parsing.examples.map(({ text }) => text)).toEqual(["Failed password for root from 10.0.0.9"]);
    expect(parsing.witnesses).toEqual(["run finished"]);
    expect(parsing.section_1).toBe(EXAMPLE);
    const logic = logicSlice(spec);
    expect(logic.check).toBe("requirements: {value: N/A, expect: absent}\nwaivers: {value: N/A}");
    expect(logic.section_2).toContain("```check");
    expect(JSON.stringify(parsing)).not.toContain("absent");
    expect(JSON.stringify(logic)).not.toContain("Failed password");
  });

  test("a section that is a list item keeps its blocks", () => {
    const text = new TextDecoder()
      .decode(page())
      .replace(
        "## 1. Parsing Logic\nTake logins.",
        "## 1. Parsing Logic\n10. x\n\n    ```example\n    a b\n    ---\n    value: a\n    ```",
      );
    const spec = parseItemSpec(new TextEncoder().encode(text), "ABC-1_ItemSpec.md");
    expect(parsingSlice(spec).examples.map((one) => one.text)).toEqual(["a b"]);
  });

  test("answers are added after the page, and the last answer wins", () => {
    const spec = parse({ one: EXAMPLE });
    const none = "```example\nAccepted password for root\n---\nnone\n```";
    const some = "```example\nAccepted password for root\n---\nvalue: root\n```";
    const { examples } = parsingSlice(spec, [none, some, "```witness\nend\n```"]);
    expect(examples.map(({ records }) => records.length)).toEqual([1, 1]);
    expect(parsingSlice(spec, [some, none]).examples.map(({ records }) => records.length)).toEqual([1, 0]);
    expect(parsingSlice(spec, ["```witness\nend\n```"]).witnesses).toEqual(["end"]);
    expect(logicSlice(spec, [CHECK, CHECK.replace("absent", "present")]).check).toContain("present");
    expect(logicSlice(parse({ two: CHECK }), [CHECK.replace("absent", "present")]).check).toContain("absent");
  });
});

describe("answers of the reviewer", () => {
  const answer = (text: string, parts: Parts = {}): string[] =>
    readAnswers(text, "a.txt", parse(parts), checkProblems);
  const refusal = (text: string, parts: Parts = {}): string => {
    try {
      answer(text, parts);
    } catch (error) {
      if (error instanceof AtomsmithError && error.kind === "usage") return error.message;
      throw error;
    }
    throw new Error("accepted");
  };

  test("blocks with fences are read without the text around them, as is the plain content of an example", () => {
    expect(answer(`Here it is:\n\n${EXAMPLE}\n\nand the check\n\n${CHECK}\n`)).toEqual([EXAMPLE, CHECK]);
    expect(answer("Failed password for root from 10.0.0.9\n---\nvalue: root\naddress: 10.0.0.9\n")).toEqual([
      EXAMPLE,
    ]);
    expect(answer("```\n---\nnone")).toEqual(["````example\n```\n---\nnone\n````"]);
  });

  test("unreadable answers are refused with the reason", () => {
    expect(refusal("just words")).toBe(
      "--example a.txt: The example block cannot be read. An example needs a line `---` between the log text and its records.",
    );
    expect(refusal("a\n---\nvalue: b")).toContain("is not in the example's log text");
    expect(refusal("\n```check\nrequirements: {value: two}\n```")).toContain(
      "line 3: The check block cannot",
    );
  });

  test("a second check block and an example that contradicts the page are refused", () => {
    expect(refusal(CHECK, { two: CHECK })).toContain("The page already has a check block (line 5)");
    expect(refusal("Failed password for root from 10.0.0.9\n---\nnone", { one: EXAMPLE })).toContain(
      "other records (line 3)",
    );
    expect(answer(EXAMPLE, { one: EXAMPLE })).toEqual([EXAMPLE]);
  });
});

test("the page shown in docs/item-spec.md is usable", () => {
  const docs = readFileSync(join(import.meta.dir, "../../docs/item-spec.md"), "utf8");
  const shown = /^````markdown\n([\s\S]*?)\n````$/m.exec(docs)?.[1] ?? "";
  const bytes = new TextEncoder().encode(shown);
  const lint = lintItemSpec(bytes, "SSH-07_ItemSpec.md", checkProblems);
  expect(
    lint.findings.filter(({ severity, code }) => severity === "error" || code !== "empty_section"),
  ).toEqual([]);
  const spec = parseItemSpec(bytes, "SSH-07_ItemSpec.md", checkProblems);
  expect(parsingSlice(spec).examples.map(({ records }) => records.map(({ line }) => line))).toEqual([
    [null],
    [],
    [1, 4],
  ]);
  expect(draftFromCheck(logicSlice(spec), ["logs/auth*.log"])?.config).toContain("name: probe");
});
