// First steps: an example to try, a page to fill in, empty folders that state what to do, and the names of items.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cli, cliJson } from "../support/cli.ts";

const root = mkdtempSync(join(tmpdir(), "atomsmith-starting-"));
const inProject = { cwd: join(root, "try") };
beforeAll(async () => {
  expect((await cli(["init", "--example", "try"], { cwd: root })).code).toBe(0);
  expect((await cli(["batch"], inProject)).code).toBe(0);
}, 30_000);
afterAll(() => rmSync(root, { recursive: true, force: true }));

test("an existing example is not overwritten", async () => {
  const page = join(inProject.cwd, "item_specs", "COV-1_ItemSpec.md");
  const before = readFileSync(page, "utf8");
  expect((await cli(["init", "--example", "try"], { cwd: root })).code).toBe(2);
  expect(readFileSync(page, "utf8")).toBe(before);
});

test.each([["check"], ["batch"]])("%s in an empty folder states what to do", async (command) => {
  const empty = mkdtempSync(join(root, "empty-"));
  const { code, stderr } = await cli([command], { cwd: empty });
  expect([code, stderr.includes("atomsmith init --example")]).toEqual([2, true]);
});

test("spec new writes a page once, and lint calls it unfinished", async () => {
  const path = join(inProject.cwd, "item_specs", "NEW-3_ItemSpec.md");
  expect((await cli(["spec", "new", "NEW-3"], inProject)).code).toBe(0);
  const { code, stderr } = await cli(["spec", "lint", path], inProject);
  expect([code, stderr.includes("Not filled in yet")]).toEqual([2, true]);
  expect((await cli(["spec", "new", "NEW-3"], inProject)).code).toBe(2);
  expect((await cli(["spec", "new", "../x"], inProject)).code).toBe(2);
  expect(existsSync(join(inProject.cwd, "x_ItemSpec.md"))).toBe(false);
  rmSync(path);
});

const NAMES = ["COV-1", "output/COV-1", "item_specs/COV-1_ItemSpec.md"];
test.each([
  ["check", 0],
  ["batch", 0],
  ["show", 0],
  ["spec lint", 0],
  ["spec show", 0],
  ["label --print --file coverage.rpt --line 1 --none", 0],
  ["validate", 0],
  ["status", 0],
  ["generate", 0],
  ["waive list", 0],
  ["resume --hints", 0],
])(
  "%s accepts an ID, a folder and a page",
  async (command, exit) => {
    for (const name of NAMES) {
      const { code, stderr } = await cli([...command.split(" "), name], inProject);
      expect([name, code, code === exit ? "" : stderr]).toEqual([name, exit, ""]);
    }
  },
  60_000,
);

test.each([
  ["status", "COV1"],
  ["generate", "COV1"],
  ["waive list", "COV1"],
  ["resume", "COV1"],
  ["batch", "COV1"],
  ["check", "COV1"],
  ["check", "output/COV1"],
  ["validate", "COV1"],
  ["show", "COV1"],
  ["spec show", "COV1"],
  ["spec lint", "COV1"],
  ["label", "COV1"],
  ["cache clean", "COV1"],
])("%s suggests the nearest ID for an unknown one", async (command, id) => {
  const { code, stderr } = await cli([...command.split(" "), id], inProject);
  expect([code, stderr.includes("did you mean COV-1?")]).toEqual([2, true]);
});

test("batch accepts IDs, and -v prints the version", async () => {
  const { document } = await cliJson(["batch", "COV-1"], inProject);
  expect((document as { items: { item_id: string }[] }).items.map(({ item_id }) => item_id)).toEqual([
    "COV-1",
  ]);
  expect((await cli(["-v"], inProject)).stdout).toStartWith("atomsmith ");
});

test("an edited page makes its set outdated at once", async () => {
  const page = join(inProject.cwd, "item_specs", "COV-1_ItemSpec.md");
  const before = readFileSync(page, "utf8");
  writeFileSync(page, `${before}\nOne more sentence.\n`);
  const { code, document } = await cliJson(["check", "COV-1"], inProject);
  const [result] = (document as { results: { diagnostics: { code: string }[] }[] }).results;
  expect([code, result?.diagnostics[0]?.code]).toEqual([8, "outdated"]);
  expect((await cli(["status"], inProject)).stdout).toContain("outdated");
  expect((await cli(["check", "COV-1"], inProject)).stdout).toContain("use --outdated to run it anyway.");
  writeFileSync(page, before);
  expect((await cli(["check", "COV-1"], inProject)).code).toBe(0);
});
