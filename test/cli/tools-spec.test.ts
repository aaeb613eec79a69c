// The commands `tools …` and `spec …`, as used by people and scripts.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { cli, cliJson } from "../support/cli.ts";

let cwd = "";
const PAGE = `# ItemSpec: ABC-1
## 1. Parsing Logic
Take versions.
## 2. Check Logic
Type 1.
## 3. Waiver Logic
N/A.
## 4. Implementation Guide
### 4.1 Data Source & Extraction
a.log
### 4.2 Special Scenarios
None.
### 4.3 Test Data Generation
One line.
`;

beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), "cli-tools-"));
  mkdirSync(join(cwd, "logs"));
  mkdirSync(join(cwd, "item_specs/more"), { recursive: true });
  const lines = Array.from({ length: 300 }, (_, i) => `line ${i + 1}`);
  lines[149] = "Error\u001b[2J: slack (VIOLATED)";
  writeFileSync(join(cwd, "logs/run.log"), `${lines.join("\n")}\n`);
  writeFileSync(join(cwd, "logs/run.log.gz"), gzipSync(`${lines.join("\n")}\n`));
  writeFileSync(join(cwd, "item_specs/ABC-1_ItemSpec.md"), PAGE);
  writeFileSync(
    join(cwd, "item_specs/more/BAD-2_ItemSpec.md"),
    PAGE.replace("Type 1.", "{TODO: type}").replace("ABC-1", "BAD-2"),
  );
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

test("tools list, header, search and range print readable text", async () => {
  const list = await cli(["tools", "list", "*.log", "*.gz", "--search-root", "logs"], { cwd });
  expect(list).toMatchObject({ code: 0, stdout: expect.stringContaining("run.log.gz  log, gzip") });
  const header = await cli(["tools", "header", "logs/run.log.gz", "--lines", "2"], { cwd });
  expect(header).toMatchObject({ code: 0, stdout: "line 1\nline 2\n" });
  const range = await cli(["tools", "range", "run.log", "299", "305", "--search-root", "logs"], { cwd });
  expect(range).toMatchObject({
    code: 0,
    stdout: "line 299\nline 300\n",
    stderr: expect.stringContaining("ends here"),
  });
  const search = await cli(["tools", "search", "logs/run.log", "SLACK (violated)", "--context", "1"], {
    cwd,
  });
  expect(search.stdout).toBe("149-line 149\n150:Error\\x1b[2J: slack (VIOLATED)\n151-line 151\n");
});

test("variables are resolved as in a config: LOG_ROOT is the folder logs, and configured ones are known", async () => {
  for (const [pattern, more] of [
    ["${LOG_ROOT}/run.log", []],
    ["${DESIGN_ROOT}/logs/run.log", []],
    ["${PLACE}/run.log", ["-c", "paths.variables.PLACE=logs"]],
  ] as const) {
    const run = await cliJson(["tools", "list", pattern, "--search-root", ".", ...more], { cwd });
    expect([pattern, run.document]).toMatchObject([pattern, { files: [{ path: "logs/run.log" }] }]);
  }
});

test("a search root inside the folder of the ItemSpecs is not hidden as a whole", async () => {
  const run = await cli(["tools", "header", "logs/run.log", "--lines", "1", "-c", "paths.item_specs_dir=."], {
    cwd,
  });
  expect(run).toMatchObject({ code: 0, stdout: "line 1\n" });
});

test("the JSON output equals the answer to an author", async () => {
  const { code, document } = await cliJson(["tools", "search", "logs/run.log.gz", "violated", "nothing"], {
    cwd,
  });
  expect(code).toBe(0);
  expect(document).toMatchObject({ total_matches: 1, not_found: ["nothing"], complete: true });
  expect(JSON.stringify(document)).toContain("\\u001b[2J");
});

test("refusals exit with 2, with an empty stdout and advice", async () => {
  for (const [argv, said] of [
    [["tools", "header", "/etc/hostname"], "below the search root"],
    [["tools", "header", "logs/none.log"], "no file"],
    [["tools", "range", "logs/run.log", "x", "3"], "start_line"],
    [["tools", "range", "logs/run.log", "900", "901"], "ends before line 900"],
    [["tools", "header", "item_specs/ABC-1_ItemSpec.md"], "does not lead"],
    [["tools", "list", "*.log", "--search-root", "nowhere"], "search root does not exist"],
    [["tools", "search", "logs/run.log", ""], "must not be empty"],
  ] as const) {
    const run = await cli([...argv], { cwd });
    expect([argv, run.code, run.stdout]).toEqual([argv, 2, ""]);
    expect(run.stderr).toContain(said);
  }
});

test("spec lint reports problems page by page", async () => {
  const good = await cli(["spec", "lint", "item_specs/ABC-1_ItemSpec.md"], { cwd });
  expect(good).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("ABC-1 ok sections 1 2 3 4.1 4.2 4.3"),
  });
  const all = await cliJson(["spec", "lint", "item_specs"], { cwd });
  expect(all.code).toBe(2);
  expect(all.document).toMatchObject({
    pages: [
      { item_id: "ABC-1", ok: true, findings: [] },
      { item_id: "BAD-2", ok: false, findings: [{ severity: "error", code: "placeholder", line: 5 }] },
    ],
  });
});

test("spec lint reports two pages with one ID and unreadable pages", async () => {
  const twice = mkdtempSync(join(cwd, "twice-"));
  for (const name of ["a", "b"]) {
    mkdirSync(join(twice, name));
    writeFileSync(join(twice, name, "ABC-1_ItemSpec.md"), PAGE);
  }
  const run = await cli(["spec", "lint", twice], { cwd });
  expect(run.code).toBe(2);
  expect(run.stderr).toContain("ABC-1 is also used by");
  const none = await cli(["spec", "lint", "none_ItemSpec.md"], { cwd });
  expect(none).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("does not exist") });
});

const BLOCKS = PAGE.replace("ABC-1", "EXA-3")
  .replace(
    "Take versions.",
    [
      "```example",
      "line 7",
      "line 8",
      "---",
      "value: line 7",
      "n (number): 8",
      "unit (composed): lines",
      "```",
      "```example",
      "line 9 of another log",
      "---",
      "none",
      "```",
    ].join("\n"),
  )
  .replace("a.log", "`logs/*.log`\n\n```witness\nregex:^line 300$\n```")
  .replace("Type 1.", "```check\nrequirements: {value: N/A}\n```");

test("spec lint states where examples are in the logs, and which have no match", async () => {
  const path = join(cwd, "item_specs/more/EXA-3_ItemSpec.md");
  writeFileSync(path, BLOCKS);
  const plain = await cliJson(["spec", "lint", path], { cwd });
  expect(plain).toMatchObject({
    code: 0,
    document: {
      pages: [
        {
          findings: [],
          examples: [
            { line: 3, records: 1 },
            { line: 11, records: 0 },
          ],
        },
      ],
    },
  });
  const run = await cli(["spec", "lint", path, "--search-root", "."], { cwd });
  expect(run.code).toBe(0);
  expect(run.stdout).toContain("  example:3 found in logs/run.log:7\n");
  expect(run.stdout).toContain("  example:11 was not found in the logs");
  expect(run.stderr).toMatch(/Searched \d files \(1 MiB\) below /);
  const json = await cliJson(["spec", "lint", path, "--search-root", "logs"], { cwd });
  expect(json.document).toMatchObject({
    pages: [{ examples: [{ counterpart: { file: "run.log", line: 7 } }, { counterpart: null }] }],
    searched: { files: 2, stopped: null },
  });
  const nowhere = await cli(["spec", "lint", path, "--search-root", "nowhere"], { cwd });
  expect(nowhere).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("does not exist") });
  rmSync(path);
});

test("spec lint reports an invalid check block with the parser's message", async () => {
  const path = join(cwd, "item_specs/more/EXA-4_ItemSpec.md");
  writeFileSync(path, BLOCKS.replace("EXA-3", "EXA-4").replace("{value: N/A}", "{value: two}"));
  const run = await cli(["spec", "lint", path], { cwd });
  expect(run.code).toBe(2);
  expect(run.stderr).toContain(
    "error:18 The check block cannot be used. `requirements.value`: must be N/A or",
  );
  rmSync(path);
});

test("spec show prints the blocks: examples with their records, the check, the witnesses", async () => {
  const path = join(cwd, "item_specs/more/EXA-3_ItemSpec.md");
  writeFileSync(path, BLOCKS);
  const run = await cli(["spec", "show", path], { cwd });
  expect(run.stdout).toContain(
    [
      "    3 example",
      "      line 7",
      "      line 8",
      '    record "line 7"',
      '      n = "8" (number)',
      '      unit = "lines" (composed)',
      "",
      "   11 example",
      "      line 9 of another log",
      "    no record",
      "",
      "   17 check",
      "      requirements: {value: N/A}",
      "",
      "   27 witness",
      "      regex:^line 300$",
    ].join("\n"),
  );
  const { document } = await cliJson(["spec", "show", path], { cwd });
  expect(document).toMatchObject({
    blocks: {
      examples: [
        { line: 3, records: [{ line: null, fields: { n: { text: "8", number: true } } }] },
        { line: 11, records: [] },
      ],
      check: { line: 17, yaml: "requirements: {value: N/A}" },
      witnesses: [{ line: 27, pattern: "regex:^line 300$" }],
    },
  });
  const section = await cli(["spec", "show", path, "--section", "2"], { cwd });
  expect(section.stdout).toBe("```check\nrequirements: {value: N/A}\n```\n");
  rmSync(path);
});

test("spec show prints the outline or one section", async () => {
  const section = await cli(["spec", "show", "item_specs/ABC-1_ItemSpec.md", "--section", "4.1"], { cwd });
  expect(section).toMatchObject({ code: 0, stdout: "a.log\n" });
  const outline = await cli(["spec", "show", "item_specs/ABC-1_ItemSpec.md"], { cwd });
  expect(outline.stdout).toContain("   9 4.1     4.1 Data Source & Extraction");
  const json = await cliJson(["spec", "show", "item_specs/ABC-1_ItemSpec.md", "--section", "2"], { cwd });
  expect(json.document).toMatchObject({ item_id: "ABC-1", key: "2", line: 4, text: "Type 1." });
  const bad = await cli(["spec", "show", "item_specs/more/BAD-2_ItemSpec.md", "--section", "2"], { cwd });
  expect(bad).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("{TODO: type}") });
  const wrong = await cli(["spec", "show", "item_specs/ABC-1_ItemSpec.md", "--section", "9"], { cwd });
  expect(wrong.code).toBe(2);
});
