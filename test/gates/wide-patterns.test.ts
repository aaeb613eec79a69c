// Patterns that are contained in more than they say are put to the author; nothing is refused.
import { expect, test } from "bun:test";
import { Findings } from "../../src/gates/findings.ts";
import { checkWidePatterns } from "../../src/gates/wide-patterns.ts";
import { checkProblems, readItemConfig } from "../../src/runtime/index.ts";
import { lintItemSpec } from "../../src/spec/index.ts";

function suspected(patterns: string[], values: string[], fixed = false): Findings {
  const items = patterns.map((one) => JSON.stringify(one)).join(", ");
  const reading = readItemConfig(
    `description: d\ninput_files: ["*"]\nrequirements: {value: ${patterns.length}, pattern_items: [${items}]}\nwaivers: {value: N/A}\n`,
    "generated",
  );
  if (!reading.ok) throw new Error("the config of the test is wrong");
  const findings = new Findings();
  checkWidePatterns(reading.config, values, fixed, findings);
  expect(findings.sortedErrors()).toEqual([]);
  return findings;
}
const messages = (findings: Findings): string =>
  findings
    .suspicions()
    .map(({ message }) => message)
    .join("\n");

test("another number or a longer path that was observed", () => {
  expect(messages(suspected(["2.5 V"], ["12.5 V", "2.5 V"]))).toContain(
    'also matches the observed value "12.5 V"',
  );
  expect(messages(suspected(["/var"], ["/var", "/var/log"]))).toContain("/var/log");
  expect(messages(suspected(["v1.2|v2"], ["v1.25"]))).toContain("v1.25");
});

test("another number that the pattern would take", () => {
  expect(messages(suspected(["2.5 V"], ["2.5 V", "3.3 V"]))).toContain('would also match "12.5 V"');
  expect(messages(suspected(["/var"], ["/var"]))).toContain("/var/x");
});

test("no suspicion of words, wildcards, regexes, and parts that are meant as parts", () => {
  for (const pattern of ["alpha", "2.5 V*", "regex:^2\\.5 V$", "fatal error"]) {
    expect(messages(suspected([pattern], ["alpha", "alphabet", "12.5 V", "a fatal error occurred"]))).toBe(
      "",
    );
  }
  expect(messages(suspected(["rev 7"], ["rev 7 of core", "rev 7"]))).toContain("rev 70");
  expect(messages(suspected(["rev 7"], ["rev 7 of core"]))).toBe("");
});

test("with a check block it is a warning and no question", () => {
  const findings = suspected(["2.5 V"], ["12.5 V"], true);
  expect(findings.suspicions()).toEqual([]);
  expect(findings.sortedWarnings().map(({ code }) => code)).toEqual(["pattern_wide"]);
});

test("spec lint says that a bare list is silent on other records", () => {
  const found = (logic: string): string[] => {
    const text = `# ItemSpec: T-1\n\n## 1. Parsing Logic\nLines.\n\n## 2. Check Logic\n${logic}\n\n## 3. Waiver Logic\nN/A\n\n## 4. Implementation Guide\n### 4.1 Data Source\nx\n### 4.2 Special Scenarios\nNone.\n### 4.3 Test Data\nNone.\n`;
    const reading = lintItemSpec(new TextEncoder().encode(text), "T-1_ItemSpec.md", checkProblems);
    return reading.findings.map(({ code }) => code);
  };
  expect(found("Muster:\n- `a`\n- `b`")).toContain("silent_on_others");
  expect(found("- `a`\n- `b`")).toContain("silent_on_others");
  expect(found("- `a`\n- `b`\n\nWeitere Einträge sind unschädlich.")).not.toContain("silent_on_others");
  expect(
    found("```check\nrequirements: {value: 1, pattern_items: ['a']}\nwaivers: {value: N/A}\n```"),
  ).not.toContain("silent_on_others");
});
