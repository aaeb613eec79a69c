// Whole sets through the real sandbox: outcomes, the form of results, inputs that are read.
import { describe, expect, test } from "bun:test";
import { basename, join, relative } from "node:path";
import { gzipSync } from "node:zlib";
import { checkAtomSet, checkAtomSets, parseOverride } from "../../src/runtime/index.ts";
import { checkBench, codesOf, configYaml } from "./check-bench.ts";
import { sources, writeSet, writeTree } from "./sets.ts";

const { root, out, options, services, addSet, check } = checkBench();

describe("sets with real atoms", () => {
  test("the six types of configs give their outcomes", async () => {
    writeTree(root, { "six.log": "item: a\nitem: b\n", "none.log": "nothing\n" });
    const cases: [string, string, string[], string, string][] = [
      ["{value: N/A}", "{value: N/A}", ["six.log"], "pass", "fail"],
      ["{value: 2, pattern_items: [a, b]}", "{value: N/A}", ["six.log"], "pass", "fail"],
      ["{value: 1, pattern_items: [a]}", "{value: 0}", ["six.log"], "pass", "pass"],
      ["{value: 1, pattern_items: [a]}", "{value: 1, waive_items: [b]}", ["six.log"], "pass", "fail"],
      ["{value: N/A}", "{value: 0}", ["six.log"], "pass", "pass"],
      ["{value: N/A}", "{value: 1, waive_items: [Existence check failed]}", ["six.log"], "pass", "pass"],
    ];
    for (const [required, waived, inputs, full, empty] of cases) {
      expect((await check(configYaml(inputs, required, waived))).result.outcome).toBe(full as "pass");
      expect((await check(configYaml(["none.log"], required, waived))).result.outcome).toBe(empty as "pass");
    }
  });
  test("a result has the documented JSON form", async () => {
    writeTree(root, { "a.log": "x\nitem: v\n" });
    const dir = await addSet(configYaml(["a.log"]));
    const { result } = await checkAtomSet(dir, options(), services());
    expect(result).toEqual({
      item_id: basename(dir),
      type: 1,
      outcome: "pass",
      result: {
        status: "PASS",
        found_items: [
          {
            value: "v",
            source_file: join(root, "a.log"),
            line_number: 2,
            matched_content: "item: v",
            parsed_fields: { kind: "item" },
            description: "d",
          },
        ],
        missing_items: [],
      },
      diagnostics: [],
      input_files: [join(root, "a.log")],
      duration_ms: expect.any(Number),
    });
  });
  test("gzip is detected by content, invalid UTF-8 is read as Latin-1, BOM and CRLF are removed", async () => {
    writeTree(root, {
      "plain.gz": "item: plain\n",
      "packed.log": gzipSync("item: packed\n"),
      "latin.log": Buffer.from("item: M\xfcller\nitem: \xdf\n", "latin1"),
      "bom.log": "\uFEFFitem: bom\r\nitem: crlf\r\n",
    });
    const checked = await check(configYaml(["plain.gz", "packed.log", "latin.log", "bom.log"]));
    expect(checked.items.map((i) => [i.value, i.matched_content])).toEqual([
      ["plain", "item: plain"],
      ["packed", "item: packed"],
      ["Müller", "item: Müller"],
      ["ß", "item: ß"],
      ["bom", "item: bom"],
      ["crlf", "item: crlf"],
    ]);
    expect(checked.result.outcome).toBe("pass");
  });
  test("an empty file is a valid input, but not evidence of absence", async () => {
    writeTree(root, { "empty.log": "" });
    const checked = await check(configYaml(["empty.log"]));
    expect(checked.result.outcome).toBe("fail");
    expect(checked.searchedFiles).toEqual([join(root, "empty.log")]);
    const absent = await check(configYaml(["empty.log"], "{expect: absent}"));
    expect(absent.result.outcome).toBe("error");
    expect(codesOf(absent)).toEqual(["input_empty", "no_witness_known"]);
  });
  test("references are followed and searched", async () => {
    writeTree(root, { "top/t.log": "see: u.log\n", "top/u.log": "item: deep\n" });
    const checked = await check(configYaml(["top/t.log"]));
    expect(checked.items.map((i) => i.value)).toEqual(["u.log", "deep"]);
    expect(checked.searchedFiles.map((f) => relative(root, f))).toEqual(["top/t.log", "top/u.log"]);
    expect(checked.result.input_files.map((f) => relative(root, f))).toEqual(["top/t.log"]);
  });
  test("--set changes the config under the same rules", async () => {
    writeTree(root, { "a.log": "item: v 1.10\n" });
    const set = (...flags: string[]) =>
      check(configYaml(["a.log"], "{value: 1, pattern_items: [nope]}"), {
        overrides: flags.map(parseOverride),
      });
    expect((await set()).result.outcome).toBe("fail");
    expect((await set("requirements.value=N/A", "requirements.pattern_items=N/A")).result).toMatchObject({
      type: 1,
      outcome: "pass",
    });
    expect((await set("requirements.pattern_items=[1.10]")).result.outcome).toBe("pass");
    expect((await set("waivers.value=0")).result).toMatchObject({ type: 3, outcome: "pass" });
    const wrong = await set("requirements.value=two");
    expect(wrong).toMatchObject({ configError: true, result: { outcome: "error", result: null } });
    expect(() => parseOverride("requirements.values=1")).toThrow(/unknown key/);
    expect(() => parseOverride("nothing")).toThrow(/no =/);
    expect(() => parseOverride("waivers.waive_items=[")).toThrow(/not valid YAML/);
  });
  test("a log used by several items is read once", async () => {
    writeTree(root, { "shared.log": "item: s\n" });
    const dirs = await Promise.all(
      Array.from({ length: 6 }, (_, i) => writeSet(out, `SH-${i}`, sources(configYaml(["shared.log"])))),
    );
    const shared = services();
    const results = await checkAtomSets(dirs, 3, options(), shared);
    expect(results.map((r) => [r.result.item_id, r.result.outcome])).toEqual(
      dirs.map((_, i) => [`SH-${i}`, "pass"]),
    );
    expect(shared.pool.reads).toBe(1);
  });
});

test("forty thousand records are judged", async () => {
  writeTree(root, { "dense.log": "item: a value that is a little longer\n".repeat(40_000) });
  const checked = await check(configYaml(["dense.log"]), { maxRecords: 1_000_000 });
  expect(codesOf(checked)).toEqual([]);
  expect(checked.result.result?.found_items).toHaveLength(40_000);
  expect(checked.result.outcome).toBe("pass");
}, 60_000);
