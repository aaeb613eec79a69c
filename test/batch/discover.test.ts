import { afterAll, expect, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { discoverSpecs, selectSpecs } from "../../src/batch/index.ts";
import { removeScratch, scratch } from "../store/helpers.ts";

afterAll(removeScratch);

function folder(files: Record<string, string>): string {
  const dir = scratch();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(dir, name, ".."), { recursive: true });
    writeFileSync(join(dir, name), text);
  }
  return dir;
}
const ids = (dir: string, ...args: string[]): string[] =>
  discoverSpecs(args, dir).specs.map((spec) => spec.itemId);

test("pages are found by file name or first heading at any depth, other files are ignored", () => {
  const dir = folder({
    "B_ItemSpec.md": "# x",
    "deep/er/A_ItemSpec.md": "# x",
    "notes.md": "# Notes\n# ItemSpec is a word here",
    "named.md": "\uFEFF# ItemSpec: C-1\n",
    "README.md": "no heading",
    "D_ItemSpec.txt": "x",
  });
  expect(ids(dir, ".")).toEqual(["A", "B", "C-1"]);
  expect(ids(dir, "deep")).toEqual(["A"]);
  expect(ids(dir, "**/*_ItemSpec.md")).toEqual(["A", "B"]);
  expect(ids(dir, "B_ItemSpec.md", ".", "B*.md")).toEqual(["A", "B", "C-1"]);
});

test("two pages with one ID are an error that names both, and the other pages are found", () => {
  const dir = folder({ "a/X_ItemSpec.md": "1", "b/X_ItemSpec.md": "2", "Y_ItemSpec.md": "3" });
  const found = discoverSpecs(["."], dir);
  expect(found.specs.map((spec) => spec.itemId)).toEqual(["Y"]);
  expect(found.problems).toHaveLength(1);
  expect(found.problems[0]?.error.exitCode).toBe(2);
  expect(found.problems[0]?.error.message).toContain(join(dir, "a/X_ItemSpec.md"));
  expect(found.problems[0]?.error.message).toContain(join(dir, "b/X_ItemSpec.md"));
});

test("a link to a page counts once, a broken link is a problem, a cycle of links ends", () => {
  const dir = folder({ "real/X_ItemSpec.md": "1" });
  mkdirSync(join(dir, "links"));
  symlinkSync(join(dir, "real/X_ItemSpec.md"), join(dir, "links/X_ItemSpec.md"));
  symlinkSync(join(dir, "gone"), join(dir, "links/Y_ItemSpec.md"));
  symlinkSync(dir, join(dir, "real/ring"));
  const found = discoverSpecs(["."], dir);
  expect(found.specs.map((spec) => spec.itemId)).toEqual(["X"]);
  expect(found.problems.map((problem) => problem.error.message)).toEqual([
    expect.stringContaining("broken link"),
  ]);
});

test("a directory named like a page, a folder without pages and a pattern without matches are usage errors", () => {
  const dir = folder({ "README.md": "x" });
  mkdirSync(join(dir, "X_ItemSpec.md"));
  for (const arg of [".", "nowhere", "*.nothing"]) {
    expect(() => discoverSpecs([arg], dir)).toThrow(expect.objectContaining({ kind: "usage" }));
  }
});

test("shards are disjoint and complete, and items keep their shard when others are added", () => {
  const files: Record<string, string> = {};
  for (let n = 0; n < 60; n++) files[`I-${n}_ItemSpec.md`] = "x";
  const found = discoverSpecs(["."], folder(files));
  const parts = [1, 2, 3].map((i) =>
    selectSpecs(found, { only: [], shard: `${i}/3` }).specs.map((s) => s.itemId),
  );
  expect(parts.flat().sort()).toEqual(found.specs.map((spec) => spec.itemId).sort());
  expect(Math.min(...parts.map((part) => part.length))).toBeGreaterThan(8);
  const fewer = { ...found, specs: found.specs.slice(0, 30) };
  const again = selectSpecs(fewer, { only: [], shard: "1/3" }).specs.map((spec) => spec.itemId);
  expect(parts[0]).toEqual(expect.arrayContaining(again));
  for (const shard of ["0/3", "4/3", "1", "a/b", "1/0"]) {
    expect(() => selectSpecs(found, { only: [], shard })).toThrow("--shard");
  }
});

test("--only selects by ID", () => {
  const found = discoverSpecs(
    ["."],
    folder({ "A-1_ItemSpec.md": "x", "A-2_ItemSpec.md": "x", "B-1_ItemSpec.md": "x" }),
  );
  expect(selectSpecs(found, { only: ["A-*"] }).specs.map((spec) => spec.itemId)).toEqual(["A-1", "A-2"]);
  expect(selectSpecs(found, { only: ["A-1", "B-*"] }).specs.map((spec) => spec.itemId)).toEqual([
    "A-1",
    "B-1",
  ]);
  expect(() => selectSpecs(found, { only: ["Z*"] })).toThrow("no item matches");
});
