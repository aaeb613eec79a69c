// The command: what it prints, its exit codes, and hostile folders and logs.
import { describe, expect, test } from "bun:test";
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { validateDocumentSchema } from "../../src/contract/documents.ts";
import { GATE_NAMES } from "../../src/contract/gates.ts";
import { cli, cliJson } from "../support/cli.ts";
import { PROJECT } from "../support/executable.ts";
import { folders } from "../support/folder.ts";
import { VERSIONS, VERSIONS_LOG } from "./helpers.ts";

const folder = folders("validate");
const set = {
  "atom_a.js": VERSIONS.atom_a,
  "atom_b.js": VERSIONS.atom_b,
  "atom_c.js": VERSIONS.atom_c,
  "config.yaml": VERSIONS.config,
};

function write(dir: string, files: Record<string, string>): string {
  mkdirSync(dir, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text);
  return dir;
}

async function validate(argv: string[], cwd: string) {
  const run = await cliJson(["validate", ...argv, "--seed", "1"], { cwd });
  return { ...run, results: run.code === 2 ? [] : validateDocumentSchema.parse(run.document).results };
}

describe("validate", () => {
  test("several folders in parallel, in the order in which they were named; exit 3 when one fails", async () => {
    const cwd = folder({ "a.log": VERSIONS_LOG.text });
    write(join(cwd, "good"), set);
    write(join(cwd, "bad"), { ...set, "atom_a.js": VERSIONS.atom_a.replace("i + 1", "i") });
    const { code, results } = await validate(["good", "bad", "--logs", "a.log"], cwd);
    expect(code).toBe(3);
    expect(results.map((r) => [r.item_id, r.valid])).toEqual([
      ["good", true],
      ["bad", false],
    ]);
    expect(Object.keys(results[0] ?? {}).sort()).toEqual([
      "dir",
      "duration_ms",
      "errors",
      "gates",
      "item_id",
      "valid",
      "warnings",
    ]);
    for (const result of results) expect(Object.keys(result.gates)).toEqual([...GATE_NAMES]);
    expect(results[1]?.errors[0]).toMatchObject({
      gate: "gate4_evidence",
      atom: "atom_a",
      code: "line_number_off",
    });
    const alone = await validate(["good", "--logs", "a.log"], cwd);
    expect(alone.code).toBe(0);
  });

  test("input files that are missing, absolute, outside, unmatched or of another kind are findings", async () => {
    const cwd = folder({
      "logs/a.log": VERSIONS_LOG.text,
      "logs/b.log": "x\n",
      "logs/c.rpt": "x\n",
      "x.log": "x\n",
    });
    const logs = join(cwd, "logs");
    const of = async (globs: string | null, ...more: string[]): Promise<[number, string[]]> => {
      const config = set["config.yaml"].replace(
        /^input_files:.*\n/m,
        globs === null ? "" : `input_files: ${globs}\n`,
      );
      write(join(cwd, "set"), { ...set, "config.yaml": config });
      const { code, results } = await validate(["set", "--search-root", logs, ...more], cwd);
      const found = [...(results[0]?.errors ?? []), ...(results[0]?.warnings ?? [])];
      return [code, found.flatMap((one) => (one.code.startsWith("input_files") ? [one.code] : []))];
    };
    expect(await of('["a.log"]')).toEqual([0, []]);
    const named = ["--logs", "logs/a.log"];
    expect(await of(null, ...named)).toEqual([0, ["input_files_missing"]]);
    expect(await of("[]", ...named)).toEqual([0, ["input_files_missing"]]);
    expect(await of(`["${logs}/a.log"]`)).toEqual([0, ["input_files_absolute"]]);
    expect(await of(`["a.log", "../x.log"]`)).toEqual([3, ["input_files_outside"]]);
    expect(await of(`["a.log", "${cwd}/x.log"]`)).toEqual([
      3,
      ["input_files_outside", "input_files_absolute"],
    ]);
    expect(await of('["a.log", "d*.log"]')).toEqual([0, ["input_files_unmatched"]]);
    expect(await of('["a.log", "d.log"]')).toEqual([0, ["input_files_unmatched"]]);
    expect(await of('["b.log"]', ...named)).toEqual([0, ["input_files_unobserved"]]);
    expect(await of('["a.log", "*.rpt"]', ...named)).toEqual([0, ["input_files_other_kind"]]);
  });

  test("a folder of sets, a folder of logs, several values after --logs, a page beside the atoms", async () => {
    const cwd = folder({});
    write(join(cwd, "sets", "one"), set);
    write(join(cwd, "sets", "two"), {
      ...set,
      "config.yaml": VERSIONS.config.replace("waivers: {value: N/A}", "waivers: {value: 0}"),
      "two_ItemSpec.md":
        "# ItemSpec: two\n## 1. Parsing Logic\nTools.\n## 2. Check Logic\nType 4.\n## 3. Waiver Logic\nN/A\n## 4. Implementation Guide\n### 4.1 Data\nx\n### 4.2 Special\nx\n### 4.3 Test\nx\n",
    });
    write(join(cwd, "logs", "deep"), { "a.log": VERSIONS_LOG.text });
    const { results } = await validate(["sets", "--logs", "logs"], cwd);
    expect(results.map((r) => [r.item_id, r.errors.map((e) => e.code)])).toEqual([
      ["one", []],
      ["two", ["waivers_not_on_page"]],
    ]);
    const files = await validate(["sets/one", "--logs", "logs/deep/a.log", "logs/deep/a.log"], cwd);
    expect(files.results.length).toBe(1);
  });

  test("logs come from the config below the search root when none are named", async () => {
    const cwd = folder({});
    write(join(cwd, "set"), set);
    write(join(cwd, "root"), { "x.log": "nothing of the kind\n" });
    const { code, results } = await validate(["set", "--search-root", "root"], cwd);
    expect(code).toBe(3);
    expect(results[0]?.errors.map((e) => e.code)).toEqual(["nothing_found"]);
  });

  test("the page of a manifest is found from its folder, wherever the command is started", async () => {
    const cwd = folder({});
    cpSync(join(PROJECT, "fixtures/items/STA-03_ItemSpec.md"), join(cwd, "pages/STA-03_ItemSpec.md"));
    cpSync(join(PROJECT, "fixtures/project/sta"), join(cwd, "logs"), { recursive: true });
    const page = join(cwd, "pages/STA-03_ItemSpec.md");
    expect((await cli(["generate", page, "--search-root", "logs"], { cwd })).code).toBe(0);
    for (const from of [".", "logs", "output/STA-03"]) {
      const set = [join(cwd, "output/STA-03"), "--search-root", join(cwd, "logs")];
      const { code, results } = await validate(set, join(cwd, from));
      expect({ from, code, examples: results[0]?.gates.gate4_examples }).toEqual({
        from,
        code: 0,
        examples: true,
      });
    }
  });

  test("text output names gate, file and line", async () => {
    const cwd = folder({ "a.log": VERSIONS_LOG.text });
    write(join(cwd, "bad"), { ...set, "atom_a.js": `${VERSIONS.atom_a}\nprocess.exit(1);\n` });
    const run = await cli(["validate", "bad", "--logs", "a.log"], { cwd });
    expect(run.code).toBe(3);
    expect(run.stdout).toContain("NOT VALID");
    expect(run.stdout).toMatch(/gate1_forbidden atom_a\.js:\d+ \[forbidden_name\] `process` is not allowed/);
    expect(run.stderr).toContain("seed ");
  });
});

describe("bad input", () => {
  test("usage: no folder, a file, no such log", async () => {
    const cwd = folder({ "file.txt": "x" });
    write(join(cwd, "set"), set);
    for (const argv of [["nowhere"], ["file.txt"], ["set", "--logs", "nowhere.log"], []]) {
      expect((await validate(argv, cwd)).code).toBe(2);
    }
  });

  test("files that are missing, empty, huge or binary files, or no files: errors, exit 3, nothing hangs", async () => {
    const cwd = folder({ "a.log": VERSIONS_LOG.text });
    const dir = write(join(cwd, "set"), { "atom_a.js": "", "config.yaml": "x".repeat(10 * 1024 * 1024) });
    writeFileSync(join(dir, "atom_b.js"), new Uint8Array([0, 1, 2, 255]));
    mkdirSync(join(dir, "atom_c.js"));
    const { code, results } = await validate(["set", "--logs", "a.log"], cwd);
    expect(code).toBe(3);
    expect(results[0]?.errors.map((e) => `${e.atom} ${e.code}`).sort()).toEqual([
      "atom_a file_empty",
      "atom_b not_text",
      "atom_c not_a_file",
      "config file_too_large",
    ]);
    const empty = await validate([write(join(cwd, "empty"), {})], cwd);
    expect(empty.results[0]?.errors.map((e) => e.code)).toEqual(new Array(4).fill("file_missing"));
  });

  test("a pipe and a device in place of an atom do not block it", async () => {
    const cwd = folder({});
    const dir = write(join(cwd, "set"), { ...set });
    rmSync(join(dir, "atom_a.js"));
    rmSync(join(dir, "atom_b.js"));
    expect(Bun.spawnSync(["mkfifo", join(dir, "atom_a.js")]).exitCode).toBe(0);
    symlinkSync("/dev/zero", join(dir, "atom_b.js"));
    const { code, results } = await validate(["set"], cwd);
    expect(code).toBe(3);
    expect(results[0]?.errors.map((e) => `${e.atom} ${e.code}`)).toEqual([
      "atom_a not_a_file",
      "atom_b not_a_file",
    ]);
  });

  test("a config that is a YAML bomb is an error", async () => {
    const cwd = folder({ "a.log": VERSIONS_LOG.text });
    const lines = ["a: &a [x, x, x, x, x, x, x, x, x]"];
    for (let i = 1; i < 12; i++) {
      const last = String.fromCharCode(96 + i);
      const name = String.fromCharCode(97 + i);
      lines.push(`${name}: &${name} [${new Array(9).fill(`*${last}`).join(", ")}]`);
    }
    write(join(cwd, "set"), {
      ...set,
      "config.yaml": `${lines.join("\n")}\nrequirements: {value: 1, pattern_items: *l}\n`,
    });
    const { code, results } = await validate(["set", "--logs", "a.log"], cwd);
    expect(code).toBe(3);
    expect(results[0]?.errors.some((e) => e.gate === "config_schema")).toBe(true);
  });

  test("a log that cannot be read is an error of the evidence, not silence", async () => {
    const cwd = folder({});
    write(join(cwd, "set"), set);
    writeFileSync(join(cwd, "bin.log"), new Uint8Array([65, 0, 66, 0, 0, 0, 1, 2]));
    const { code, results } = await validate(["set", "--logs", "bin.log"], cwd);
    expect(code).toBe(3);
    expect(results[0]?.errors[0]).toMatchObject({ gate: "gate4_evidence", code: "input_binary" });
  });
});
