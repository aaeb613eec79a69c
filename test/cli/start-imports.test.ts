// The modules that a quick command loads before it runs. Every further package or module of Node delays each start
// (docs/cli.md), so a new one is a decision: load it where it is needed, or list it here.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

const root = join(import.meta.dir, "../..");
const transpiler = new Bun.Transpiler({ loader: "ts", trimUnusedImports: true });

/** Modules outside the project that these files and their imports name; dynamic imports are not followed. */
function outside(files: string[]): string[] {
  const found = new Set<string>();
  const seen = new Set<string>();
  const visit = (path: string) => {
    if (seen.has(path) || !path.endsWith(".ts")) return;
    seen.add(path);
    for (const { kind, path: wanted } of transpiler.scanImports(readFileSync(path, "utf8"))) {
      if (kind !== "import-statement") continue;
      if (wanted.startsWith(".")) visit(join(dirname(path), wanted));
      else found.add(wanted);
    }
  };
  for (const file of files) visit(join(root, file));
  expect(seen.size).toBeGreaterThan(files.length);
  expect([...seen].filter((path) => relative(root, path).startsWith(".."))).toEqual([]);
  return [...found].sort();
}

const FRAME = ["src/main.ts", "src/cli/io.ts", "src/cli/run.ts"];
const WITH_CONFIG = [...FRAME, "src/config/load.ts", "src/cli/log.ts", "src/cli/progress/attach.ts"];

test("--version and the jail launcher", () => {
  expect(outside(["src/main.ts"])).toEqual([]);
});

test("help and errors of the command line", () => {
  expect(outside(FRAME)).toEqual(["citty", "node:fs", "node:path"]);
});

test("a file tool without a configuration file", () => {
  const all = ["citty", "consola/core", "node:buffer", "node:fs", "node:path"];
  expect(outside([...WITH_CONFIG, "src/cli/commands/tools.ts"])).toEqual(all);
});

test("status", () => {
  const loaded = outside([...WITH_CONFIG, "src/cli/commands/status.ts", "src/batch/status.ts"]);
  for (const heavy of ["openai", "yaml", "acorn", "fast-check", "mdast-util-from-markdown", "node:crypto"]) {
    expect(loaded).not.toContain(heavy);
  }
});
