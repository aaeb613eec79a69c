// Errors of inputs and atoms are never a pass, whatever the waivers allow.
import { describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { checkAtomSet } from "../../src/runtime/index.ts";
import { checkBench, codesOf, configYaml } from "./check-bench.ts";
import { ATOM_C, writeTree } from "./sets.ts";

const { root, options, services, addSet, check } = checkBench();

describe("an error is never a pass", () => {
  const lenient: [string, string, string][] = [
    ["global waiver", "{value: N/A}", "{value: 0}"],
    ["global waiver with patterns", "{value: 1, pattern_items: [a]}", "{value: 0}"],
    ["waiver for everything", "{value: N/A}", "{value: 1, waive_items: ['*']}"],
    ["absent", "{value: N/A, expect: absent}", "{value: N/A}"],
    ["absent patterns", "{value: 1, pattern_items: [zz], expect: absent}", "{value: N/A}"],
    ["extra allowed", "{value: 1, pattern_items: ['*'], extra: info}", "{value: 1, waive_items: ['*']}"],
  ];
  test.each(lenient)("a missing input beside a readable one is an error: %s", async (_, required, waived) => {
    writeTree(root, { "good.log": "item: a\n" });
    for (const inputs of [["good.log", "no.log"], ["good.log", "no*.rpt"], ["no.log"], []]) {
      const { result } = await check(configYaml(inputs, required, waived));
      expect(result.outcome).toBe("error");
      expect(result.result?.status).not.toBe("PASS");
      expect(result.diagnostics.some((d) => d.severity === "error")).toBe(true);
    }
  });
  test("a check without patterns and items passes only if every input was read", async () => {
    writeTree(root, { "blank.log": "\n" });
    const yaml = (inputs: string[]) => configYaml(inputs, "{value: 1, pattern_items: []}");
    const checkUnverified = async (inputs: string[]) => {
      const made = await addSet(yaml(inputs));
      rmSync(join(made, "manifest.json"));
      return checkAtomSet(made, options({ unverified: true }), services());
    };
    expect((await checkUnverified(["blank.log"])).result.outcome).toBe("pass");
    expect((await checkUnverified(["blank.log", "no.log"])).result.outcome).toBe("error");
  });

  const atoms: [string, Record<string, string>, string][] = [
    ["throws", { atom_a: "function extract_context(t, s) { throw new Error('boom'); }" }, "atom_threw"],
    ["does not compile", { atom_a: "function extract_context(t, s) {" }, "atom_syntax"],
    ["is not there", { atom_a: "const x = 1;" }, "atom_missing_function"],
    ["loops", { atom_a: "function extract_context(t, s) { for (;;) {} }" }, "atom_timeout"],
    ["returns no list", { atom_a: "function extract_context(t, s) { return {}; }" }, "atom_bad_record"],
    [
      "returns a wrong record",
      {
        atom_a:
          "function extract_context(t, s) { return [{value: 1, source_file: s, line_number: 1, matched_content: '', parsed_fields: {}}]; }",
      },
      "atom_bad_record",
    ],
    [
      "names another file",
      {
        atom_a:
          "function extract_context(t, s) { return [{value: 'v', source_file: '/etc/passwd', line_number: 1, matched_content: '', parsed_fields: {}}]; }",
      },
      "atom_bad_record",
    ],
    [
      "B throws",
      {
        atom_b:
          "function validate_logic(a, b, c = null, d = 'contains', e = 'search') { throw new Error('b'); }",
      },
      "atom_threw",
    ],
    [
      "B returns nonsense",
      { atom_b: "function validate_logic(a, b, c = null, d = 'contains', e = 'search') { return true; }" },
      "atom_bad_result",
    ],
  ];
  test.each(atoms)("an atom that %s is an error", async (_, changes, code) => {
    writeTree(root, { "good.log": "item: a\n" });
    const limits = { timeoutMs: 700 };
    const yaml = configYaml(["good.log"], "{value: 1, pattern_items: [a], expect: absent}", "{value: 0}");
    const checked = await check(yaml, { limits }, changes);
    expect(checked.result.outcome).toBe("error");
    expect(codesOf(checked)).toContain(code);
  });
  test("an invalid result of Atom C is an error", async () => {
    writeTree(root, { "good.log": "item: a\n" });
    const broken = { atom_c: ATOM_C.replace("return { is_match: true", "return { is_match: 1") };
    const checked = await check(configYaml(["good.log"], "{expect: absent}", "{value: 0}"), {}, broken);
    expect(codesOf(checked)).toEqual(["atom_bad_result", "no_witness_known"]);
    expect(checked.result.outcome).toBe("error");
  });
  test("an atom that fails on one of two files is an error, and the other file is judged", async () => {
    writeTree(root, { "p/1.log": "item: a\n", "p/2.log": "bad\n" });
    const atom =
      "function extract_context(t, s) { if (t.startsWith('bad')) throw new Error('x'); return [{value: t, source_file: s, line_number: 1, matched_content: t, parsed_fields: {}}]; }";
    const checked = await check(configYaml(["p/*.log"]), {}, { atom_a: atom });
    expect(checked.items).toHaveLength(1);
    expect(checked.result.outcome).toBe("error");
    expect(checked.result.diagnostics[0]).toMatchObject({ code: "atom_threw", file: join(root, "p/2.log") });
  });
  test("more records than the limit are an error", async () => {
    writeTree(root, { "many.log": "item: a\n".repeat(50) });
    const checked = await check(configYaml(["many.log"]), { maxRecords: 20 });
    expect(codesOf(checked)).toEqual(["too_many_records"]);
    expect(checked.items).toHaveLength(20);
    expect(checked.result.outcome).toBe("error");
  });
});
