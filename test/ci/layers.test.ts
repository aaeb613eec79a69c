// The check of import directions reports every violation with its location.
import { expect, test } from "bun:test";
import { join } from "node:path";

interface Layers {
  LEVELS: string[][];
  wrongImports(files: { path: string; text: string }[]): string[];
  wrongTable(markdown: string): string[];
}
const { LEVELS, wrongImports, wrongTable }: Layers = await import(
  join(import.meta.dir, "../../.ci/layers.mjs")
);
const violations = (files: Record<string, string>): string[] =>
  wrongImports(Object.entries(files).map(([path, text]) => ({ path, text })));

test("an import from a level below or from the own folder is allowed", () => {
  expect(
    violations({
      "src/cli/a.ts": 'import { x } from "../core/errors.ts";\nimport "./b.ts";\n',
      "src/loops/item/run.ts": 'import text from "../../../prompts/item/a.md" with { type: "text" };\n',
      "src/core/version.ts": 'import { version } from "../../package.json";\n',
    }),
  ).toEqual([]);
});

test.each([
  ["a value", 'import { x } from "../cli/run.ts";'],
  ["a type", 'import type { X } from "../cli/run.ts";'],
  ["over many lines", 'import {\n  x,\n  y,\n} from "../cli/run.ts";'],
  ["an export", 'export * from "../cli/run.ts";'],
  ["for its effect", 'import "../cli/run.ts";'],
  ["at run time", 'const run = await import("../cli/run.ts");'],
  ["at run time over lines", 'const run = await import(\n  "../cli/run.ts"\n);'],
])("an import from a higher level is refused: %s", (_name, text) => {
  const [finding, ...more] = violations({ "src/core/a.ts": `// first line\n${text}\n` });
  expect(finding).toStartWith("src/core/a.ts:2: src/cli is above.");
  expect(more).toEqual([]);
});

test("imports between folders of one level, and between loops, are refused", () => {
  expect(violations({ "src/spec/a.ts": 'import "../tools/index.ts";\n' })[0]).toContain("on the same level");
  expect(violations({ "src/loops/item/a.ts": 'import "../factory/run.ts";\n' })[0]).toContain(
    "src/loops/factory is on",
  );
});

test("a folder without a level is refused", () => {
  const text = 'import "../core/errors.ts";\n';
  expect(violations({ "src/newcomer/a.ts": text })).toEqual([
    expect.stringContaining("src/newcomer: no level"),
  ]);
});

test.each([
  ["values", 'import { b } from "./b.ts";', 'export { a } from "./a.ts";'],
  ["a type", 'import { b } from "./b.ts";', 'import type { A } from "./a.ts";'],
  ["at run time", 'const b = () => import("./b.ts");', 'import { a } from "./a.ts";'],
])("two files that import each other are refused: %s", (_name, first, second) => {
  const [finding, ...more] = violations({
    "src/cli/a.ts": `${first}\n`,
    "src/cli/b.ts": `// first line\n${second}\n`,
  });
  expect(more).toEqual([]);
  expect(finding).toStartWith(
    "src/cli/a.ts:1, src/cli/b.ts:2: src/cli/a.ts -> src/cli/b.ts -> src/cli/a.ts is a cycle.",
  );
});

test("a cycle of three files in a folder and its subfolder is refused", () => {
  const [finding, ...more] = violations({
    "src/author/a.ts": 'import "./below/b.ts";\n',
    "src/author/below/b.ts": 'import "../c.ts";\nimport "./leaf.ts";\n',
    "src/author/below/leaf.ts": "",
    "src/author/c.ts": 'import "./below/leaf.ts";\nimport "./a.ts";\n',
  });
  expect(more).toEqual([]);
  expect(finding).toContain("src/author/a.ts:1, src/author/below/b.ts:1, src/author/c.ts:2");
});

test("a cycle of folders is reported with its imports", () => {
  const [finding, ...more] = violations({
    "src/author/a/x.ts": 'import "../b/y.ts";\n',
    "src/author/b/y.ts": '\nimport "../c/z.ts";\n',
    "src/author/c/z.ts": 'import type { X } from "../a/w.ts";\n',
  });
  expect(more).toEqual([]);
  for (const location of [
    "src/author/a/x.ts:1",
    "src/author/b/y.ts:2",
    "src/author/c/z.ts:1",
    "is a cycle",
  ]) {
    expect(finding).toContain(location);
  }
});

test("a table that differs from CONTRIBUTING.md is reported", () => {
  const rows = LEVELS.flatMap((names, level) =>
    names.map((name) => `| ${level + 1} | \`${name}/\` | text |`),
  );
  expect(wrongTable(rows.join("\n"))).toEqual([]);
  expect(wrongTable(rows.slice(1).join("\n"))[0]).toContain("src/main.ts");
  expect(wrongTable(rows.toReversed().join("\n"))).toHaveLength(1);
});
