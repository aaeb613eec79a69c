// `atomsmith check` as a build server calls it: exit codes, one JSON document, reports, baseline, interruption.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkDocumentSchema } from "../../src/contract/documents.ts";
import type { CheckResult } from "../../src/contract/results.ts";
import { sources, writeSet, writeTree } from "../runtime/sets.ts";
import { cli } from "../support/cli.ts";

let base: string;
beforeAll(async () => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "atomsmith-clicheck-")));
  writeTree(join(base, "root"), { "a.log": "item: alpha\nitem: beta\n", "clean.log": "all fine\n" });
  writeTree(base, { "elsewhere/b.log": "item: gamma\n", "elsewhere/c.log": "item: delta\n" });
  const config = (input: string, requirements: string, waivers = "{value: N/A}") =>
    sources(`description: d\ninput_files: [${input}]\nrequirements: ${requirements}\nwaivers: ${waivers}\n`);
  await writeSet(join(base, "good"), "B-PASS", config("a.log", "{value: N/A}"));
  await writeSet(join(base, "good"), "A-CLEAN", config("clean.log", "{expect: absent}"));
  await writeSet(join(base, "mixed"), "P", config("a.log", "{value: N/A}"));
  await writeSet(join(base, "mixed"), "F", config("a.log", "{value: 1, pattern_items: [alpha]}"));
  await writeSet(join(base, "broken"), "P", config("a.log", "{value: N/A}"));
  await writeSet(join(base, "broken"), "F", config("a.log", "{value: 1, pattern_items: [alpha]}"));
  await writeSet(join(base, "broken"), "E", config("no.log", "{value: N/A}", "{value: 0}"));
  await writeSet(join(base, "wrong"), "P", config("a.log", "{value: N/A}"));
  await writeSet(join(base, "wrong"), "W", config("a.log", "{value: two}"));
  await writeSet(join(base, "variable"), "V", config("'${NOPE}/a.log'", "{value: N/A}"));
  mkdirSync(join(base, "empty"));
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

const check = (...args: string[]) => cli(["check", ...args], { cwd: base });
const checkRoot = (...args: string[]) => check(...args, "--search-root", "root");
interface Document {
  results: CheckResult[];
  error?: { kind: string; message: string };
  comparison?: { items: { item_id: string; change: string }[] };
}
const documentOf = (stdout: string) => {
  const document = JSON.parse(stdout) as Document;
  checkDocumentSchema.parse(document);
  return document;
};

describe("exit codes and output", () => {
  test("0 when all sets pass; a folder of sets means every set, by name", async () => {
    const { code, stdout } = await checkRoot("good");
    expect(code).toBe(0);
    const lines = stdout.split("\n");
    expect(lines.slice(1, 3).map((line) => line.split(/\s\s+/).slice(0, 3))).toEqual([
      ["A-CLEAN", "PASS", "must be absent (1)"],
      ["B-PASS", "PASS", "must be there (1)"],
    ]);
    expect(stdout).toContain("2 passed, 0 failed, 0 could not be judged");
  });
  test("7 when a set fails; 8 when one cannot be judged, which has priority", async () => {
    expect((await checkRoot("mixed")).code).toBe(7);
    const { code, stdout } = await checkRoot("broken", "--json");
    expect(code).toBe(8);
    expect(documentOf(stdout).results.map((r) => [r.item_id, r.outcome])).toEqual([
      ["E", "error"],
      ["F", "fail"],
      ["P", "pass"],
    ]);
  });
  test("2 for an invalid item config; the other sets run, and stdout is empty without --json", async () => {
    const text = await checkRoot("wrong");
    expect(text.code).toBe(2);
    expect(text.stdout).toBe("");
    expect(text.stderr).toContain("requirements.value");
    const json = await checkRoot("wrong", "--json");
    expect(json.code).toBe(2);
    const document = documentOf(json.stdout);
    expect(document.error).toMatchObject({ kind: "config" });
    expect(document.results.map((r) => r.outcome)).toEqual(["pass", "error"]);
    expect((await checkRoot("variable")).code).toBe(2);
    expect((await checkRoot("variable")).stderr).toContain("NOPE");
  });
  test("2 for a missing folder, a folder without sets, a missing search root, an unknown --set and unknown flags", async () => {
    for (const args of [
      ["nothing", "--search-root", "root"],
      ["empty", "--search-root", "root"],
      ["good", "--search-root", "no-root"],
      ["good", "--search-root", "root", "--set", "requirements.valu=1"],
      ["good", "--search-root", "root", "--set", "requirements.value"],
      ["good", "--search-root", "root", "--only-new"],
      ["good", "--search-root", "root", "--baseline", "no.json"],
      ["good", "--search-root", "root", "--html", "root"],
      ["good", "--search-root", "root", "--frobnicate"],
    ]) {
      const { code, stdout, stderr } = await check(...args);
      expect([args.join(" "), code]).toEqual([args.join(" "), 2]);
      expect(stdout).toBe("");
      expect(stderr).toContain("error:");
      const json = await check(...args, "--json");
      expect(JSON.parse(json.stdout)).toHaveProperty("error.message");
    }
  });
  test("without a folder the output folder is checked", async () => {
    expect((await checkRoot("--out", "good")).code).toBe(0);
  });
  test("a set named twice runs once, in the order of the command line", async () => {
    const { stdout } = await checkRoot("mixed/P", "good", "mixed", "--json");
    expect(documentOf(stdout).results.map((r) => r.item_id)).toEqual(["P", "A-CLEAN", "B-PASS", "F"]);
  });
});

describe("inputs and overrides from the command line", () => {
  test("--input replaces input_files, and several files can follow it", async () => {
    const one = documentOf(
      (await check("good/B-PASS", "--input", "elsewhere/b.log", "--items", "--json")).stdout,
    ).results[0];
    expect(one?.input_files).toEqual([join(base, "elsewhere/b.log")]);
    expect(one?.parsed_items?.map((i) => i.value)).toEqual(["gamma"]);
    const two = documentOf(
      (await check("good/B-PASS", "--input", "elsewhere/b.log", "elsewhere/c.log", "--json")).stdout,
    ).results[0];
    expect(two?.input_files.length).toBe(2);
    expect(two).not.toHaveProperty("parsed_items");
  });
  test("--input is resolved below the chosen search root and stays inside", async () => {
    const inside = await checkRoot("good/B-PASS", "--input", "clean.log", "--json");
    expect(documentOf(inside.stdout).results[0]?.input_files).toEqual([join(base, "root/clean.log")]);
    const outside = await checkRoot("good/B-PASS", "--input", "elsewhere/b.log", "--json");
    expect(outside.code).toBe(8);
    expect(documentOf(outside.stdout).results[0]?.diagnostics[0]?.code).toBe("input_outside_root");
    const missing = await check("good/B-PASS", "--input", "no.log", "--json");
    expect(documentOf(missing.stdout).results[0]?.diagnostics[0]?.code).toBe("input_missing");
  });
  test("--set overrides the config", async () => {
    expect((await checkRoot("mixed/F", "--set", "requirements.extra=info")).code).toBe(0);
    expect(
      (
        await checkRoot(
          "mixed/F",
          "--set",
          "requirements.value=N/A",
          "--set",
          "requirements.pattern_items=N/A",
        )
      ).code,
    ).toBe(0);
    expect((await checkRoot("mixed/F", "--set", "requirements.value=0")).code).toBe(2);
  });
  test("--items shows the records", async () => {
    const { stdout } = await checkRoot("mixed/P", "--items");
    expect(stdout).toContain("P: 2 records");
    expect(stdout).toContain(`${join(base, "root/a.log")}:1  alpha`);
  });
});

describe("reports", () => {
  test("every kind is written completely, also for a failing run", async () => {
    const { code, stderr } = await checkRoot(
      "broken",
      "--junit",
      "r/j.xml",
      "--sarif",
      "r/s.sarif",
      "--html",
      "r/p.html",
      "--report-dir",
      "r/dir",
    );
    expect(code).toBe(8);
    const read = (name: string) => readFileSync(join(base, "r", name), "utf8");
    expect(read("j.xml")).toContain('tests="3" failures="1" errors="1"');
    expect((JSON.parse(read("s.sarif")) as { version: string }).version).toBe("2.1.0");
    expect(read("p.html")).toContain('<tr class="hit"><th scope="row">2</th><td>item: beta</td></tr>');
    expect(read("dir/summary.yaml")).toContain("fail: 1");
    expect(readdirSync(join(base, "r/dir/logs")).sort()).toEqual(["E.log", "F.log", "P.log"]);
    expect(readdirSync(join(base, "r/dir/reports")).sort()).toEqual(["E.rpt", "F.rpt", "P.rpt"]);
    documentOf(read("dir/results.json"));
    expect(stderr).toContain("wrote");
    expect(readdirSync(join(base, "r")).filter((name) => name.startsWith("."))).toEqual([]);
  });
  test("an unwritable report is an error before anything runs", async () => {
    writeFileSync(join(base, "file"), "");
    const { code, stdout } = await checkRoot("good", "--junit", "file/j.xml", "--json");
    expect([2, 4]).toContain(code);
    expect(JSON.parse(stdout)).toHaveProperty("error");
  });
});

describe("--baseline", () => {
  test("changes are listed, and --only-new fails only for new violations", async () => {
    const first = await checkRoot("broken", "--report-dir", "first");
    expect(first.code).toBe(8);
    const same = await checkRoot("broken", "--baseline", "first/results.json", "--only-new");
    expect(same.code).toBe(0);
    expect(same.stdout).toContain("nothing is new");
    expect((await checkRoot("broken", "--baseline", "first/results.json")).code).toBe(8);
    writeFileSync(join(base, "root/a.log"), "item: alpha\nitem: beta\nitem: brand new\n");
    try {
      const changed = await checkRoot("broken", "--baseline", "first/results.json", "--only-new", "--json");
      expect(changed.code).toBe(7);
      expect(documentOf(changed.stdout).comparison?.items.map((i) => [i.item_id, i.change])).toEqual([
        ["E", "same"],
        ["F", "changed"],
        ["P", "changed"],
      ]);
      expect((await checkRoot("broken", "--baseline", "first/results.json")).stdout).toContain("CHANGE");
    } finally {
      writeFileSync(join(base, "root/a.log"), "item: alpha\nitem: beta\n");
    }
    expect(existsSync(join(base, "first/results.json"))).toBe(true);
  });
});

test("the output does not depend on the number of child processes", async () => {
  const outputs = new Set<string>();
  for (const children of [1, 3]) {
    const { stdout } = await checkRoot(
      "broken",
      "good",
      "--items",
      "--json",
      "-c",
      `sandbox.children=${children}`,
    );
    outputs.add(stdout.replace(/"duration_ms": \d+/g, ""));
  }
  expect(outputs.size).toBe(1);
});

test("an interrupted check exits with 130 and states it", async () => {
  await writeSet(
    join(base, "slow"),
    "SLOW",
    sources("input_files: [a.log]\n", { atom_a: "function extract_context(t, s) { for (;;) {} }" }),
  );
  let send: (signal: "SIGINT") => void = () => {};
  const running = cli(
    ["check", "slow", "--search-root", "root", "--json", "--events", "ev.jsonl", "-c", "sandbox.timeout=60"],
    {
      cwd: base,
      onReady: (give) => {
        send = give;
      },
    },
  );
  const events = join(base, "ev.jsonl");
  while (!existsSync(events) || !readFileSync(events, "utf8").includes("item_started")) await Bun.sleep(20);
  send("SIGINT");
  const { code, stdout } = await running;
  expect(code).toBe(130);
  expect(JSON.parse(stdout)).toMatchObject({ error: { kind: "interrupted" } });
}, 20_000);
