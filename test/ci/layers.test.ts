// The tool that holds the direction of imports finds what it is for, and where.
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
const wrong = (files: Record<string, string>): string[] =>
  wrongImports(Object.entries(files).map(([path, text]) => ({ path, text })));

test("an import of a level below is right, of the own folder, too", () => {
  expect(
    wrong({
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
])("an import that points back: %s", (_name, text) => {
  const [finding, ...more] = wrong({ "src/core/a.ts": `// first line\n${text}\n` });
  expect(finding).toStartWith("src/core/a.ts:2: src/cli is above.");
  expect(more).toEqual([]);
});

test("folders on one level, and one loop in another", () => {
  expect(wrong({ "src/spec/a.ts": 'import "../tools/index.ts";\n' })[0]).toContain("on the same level");
  expect(wrong({ "src/loops/item/a.ts": 'import "../factory/run.ts";\n' })[0]).toContain(
    "src/loops/factory is on",
  );
});

test("a folder without a level", () => {
  const text = 'import "../core/errors.ts";\n';
  expect(wrong({ "src/newcomer/a.ts": text })).toEqual([expect.stringContaining("src/newcomer: no level")]);
});

test("folders of one part that form a circle, with the imports that do", () => {
  const [finding, ...more] = wrong({
    "src/author/a/x.ts": 'import "../b/y.ts";\n',
    "src/author/b/y.ts": '\nimport "../c/z.ts";\n',
    "src/author/c/z.ts": 'import type { X } from "../a/x.ts";\n',
  });
  expect(more).toEqual([]);
  for (const place of ["src/author/a/x.ts:1", "src/author/b/y.ts:2", "src/author/c/z.ts:1", "is a cycle"]) {
    expect(finding).toContain(place);
  }
});

test("a table that differs", () => {
  const rows = LEVELS.flatMap((names, level) =>
    names.map((name) => `| ${level + 1} | \`${name}/\` | text |`),
  );
  expect(wrongTable(rows.join("\n"))).toEqual([]);
  expect(wrongTable(rows.slice(1).join("\n"))[0]).toContain("src/main.ts");
  expect(wrongTable(rows.toReversed().join("\n"))).toHaveLength(1);
});
