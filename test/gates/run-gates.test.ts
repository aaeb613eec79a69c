import { describe, expect, test } from "bun:test";
import { GATE_NAMES } from "../../src/contract/gates.ts";
import { errorSource } from "../../src/gates/index.ts";
import { codes, gates, log, VERSIONS } from "./helpers.ts";

describe("runGates", () => {
  test("accepts a right set and reports every gate by name", async () => {
    const report = await gates({});
    expect(report.errors).toEqual([]);
    expect(report.valid).toBe(true);
    expect(Object.keys(report.gates)).toEqual([...GATE_NAMES]);
    expect(Object.values(report.gates)).not.toContain(false);
    expect(report.facts.records_by_file).toEqual({ "/logs/a.log": 3 });
    expect(report.facts.pattern_matches).toEqual({ "alpha 1.*": 1, "beta 2": 1 });
  });

  test("one round reports all atoms: a syntax error in A does not hide a wrong B", async () => {
    const report = await gates({
      atom_a: "function extract_context(text, source_file) { return [",
      atom_b: VERSIONS.atom_b.replace(".trim()", ""),
    });
    expect(codes(report)).toContain("gate1_syntax syntax_error");
    expect(codes(report)).toContain("gate2_alternatives wrong_answer");
    expect(report.gates.gate1_evidence).toBe(true);
    expect(report.gates.gate4_evidence).toBe(null);
  });

  test("the source of an error is the atom of its finding", async () => {
    const a = await gates({ atom_a: VERSIONS.atom_a.replace("i + 1", "i") });
    const b = await gates({
      atom_c:
        "function check_existence(items) { return {is_match: true, reason: '', evidence: items ?? []}; }",
    });
    expect(errorSource(a.errors)).toBe("atom_a");
    expect(errorSource(b.errors)).toBe("atom_c");
    expect(errorSource([])).toBe("unknown");
  });

  test("code that hangs is stopped, reported once, and does not stop the gates of the others", async () => {
    const report = await gates({ atom_a: "function extract_context(text, source_file) { for (;;) {} }" });
    expect(codes(report)).toEqual(["gate4_scaling timeout"]);
    expect(report.gates.gate2_equivalence).toBe(true);
  });

  test("without logs the gates that need them stay open", async () => {
    const report = await gates({}, { logs: [] });
    expect(report.valid).toBe(true);
    expect(report.gates.gate4_evidence).toBe(null);
    expect(report.gates.gate4_stability).toBe(null);
    expect(report.gates.gate4_no_fabrication).toBe(true);
  });

  test("finding nothing in a real log is an error that shows the log", async () => {
    const report = await gates({}, { logs: [log("some other format\n")] });
    expect(codes(report)).toEqual(["gate4_evidence nothing_found"]);
    expect(report.errors[0]?.example).toContain("some other format");
  });

  test("all errors together fit into a prompt", async () => {
    const report = await gates({
      atom_a: VERSIONS.atom_a.replace("value: m[1]", "extra: 1, value: 1"),
      atom_b: "function validate_logic(a, b) { return process.env[a + b]; }",
      atom_c: "function check_existence(items) { return items.map(String); }",
      config: "requirements: {value: two, pattern_items: [<TO_BE_INFERRED>]}\nwaivers: {value: true}\n",
    });
    expect(JSON.stringify(report.errors).length).toBeLessThan(9_000);
    const atoms = new Set(report.errors.map((error) => error.atom));
    expect([...atoms].sort()).toEqual(["atom_a", "atom_b", "atom_c", "config"]);
  });

  test("one long line: cubic time is an error, quadratic time is not", async () => {
    const read = (pattern: string) =>
      gates({ atom_a: VERSIONS.atom_a.replace("const m =", `if (${pattern}.test(line)) return; const m =`) });
    const cubic = await read("/(?:[ \\t]*[ \\t]+)x$/");
    expect(codes(cubic)).toContain("gate4_scaling long_line");
    expect(cubic.errors.find(({ code }) => code === "long_line")?.message).toMatch(/more than 2\.5 s.* 10 s/);
    expect((await read("/[ \\t]+x$/")).errors).toEqual([]);
  }, 90_000);
});
