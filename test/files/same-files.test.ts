// One glob dialect: a pattern accepted by a listing of the tools selects the same files in `input_files`.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { PathGuard } from "../../src/files/guard.ts";
import { expandVariables, variablesOf } from "../../src/files/variables.ts";
import { findInputs } from "../../src/runtime/index.ts";
import { createFileTools } from "../../src/tools/index.ts";

let base = "";
let root = "";
let names: string[] = [];
beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "same-files-")));
  root = join(base, "ro[o]t");
  names = [
    "a.log",
    "b.rpt",
    "[a].log",
    "a{b}.log",
    "x/a.log",
    "x/b.log.gz",
    "x/ab/a.log",
    "x/ab/b a.log",
    "x/.h.log",
    ".dot/a.log",
    ".git/b.log",
    "y/two\nlines.log",
    "y/maße.log",
    "y/😀.rpt",
    "y/a\\b.log",
    "ab/x/y/a.rpt",
  ];
  for (const name of names) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), "a log\n");
  }
  mkdirSync(join(base, "out"));
  writeFileSync(join(base, "out/a.log"), "outside\n");
  symlinkSync(join(root, "x/a.log"), join(root, "y/link.log"));
  symlinkSync("x", join(root, "lx"));
  symlinkSync("..", join(root, "x/ring"));
  symlinkSync(join(base, "out"), join(root, "x/out"));
  symlinkSync("gone", join(root, "y/dead.log"));
  symlinkSync("loop.log", join(root, "y/loop.log"));
  writeFileSync(Buffer.concat([Buffer.from(`${root}/y/`), Buffer.from([0xff]), Buffer.from(".log")]), "x");
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

/** Real paths of the files of a listing; undefined when it refuses the pattern. */
async function listedFiles(pattern: string): Promise<string[] | undefined> {
  const tools = createFileTools({
    searchRoot: root,
    limits: {
      maxLinesPerCall: 10,
      maxTotalBytes: 1_000_000,
      maxFilesPerDiscovery: 1000,
      maxMatchesPerKeyword: 1,
      requireDiscovery: true,
      headerLines: 1,
      contextLines: 10,
    },
    hidden: [],
    emit: () => undefined,
    scope: "item",
  });
  const { ok, data } = await tools.call("list_available_files", { patterns: [pattern] });
  // When nothing matches, the answer shows the files of another glob and names it.
  if (!ok || (data["notes"] as string[] | undefined)?.some((note) => note.startsWith("Nothing at the root")))
    return undefined;
  const paths = (data["files"] as { path: string }[]).map(({ path }) => realpathSync(join(root, path)));
  return [...new Set(paths)].sort();
}

/** Real paths of the files of `input_files`, without names that the reader cannot open. */
async function inputFiles(pattern: string): Promise<string[]> {
  const expansion = expandVariables(pattern, variablesOf(root, {}));
  if (!expansion.ok) throw new Error(`unknown: ${expansion.unknown}`);
  const { files } = await findInputs([expansion.glob], new PathGuard(root));
  const isFile = await Promise.all(files.map((file) => Bun.file(file).exists()));
  return files.filter((_, i) => isFile[i]).sort();
}

test("a glob accepted by a listing selects the same files in input_files", async () => {
  const piece = fc.constantFrom(
    ..."abxy.?*[]{},/!^-\\ ßl",
    ..."**",
    "**/",
    "*.log",
    "./",
    "{a,b}",
    "{x,y/a}",
    "[ab]",
    "[!a]",
    "\\[",
    ".dot",
    "lx/",
    "ring/",
    "out/",
    "\n",
    "😀",
  );
  const built = fc.array(piece, { minLength: 1, maxLength: 8 }).map((parts) => parts.join(""));
  // Existing names with a part replaced by a wildcard.
  const bent = fc
    .tuple(
      fc.constantFrom(...names),
      fc.nat(30),
      fc.nat(4),
      fc.constantFrom("*", "?", "**", "[a-z]", "{a,x}"),
    )
    .map(([name, at, length, wild]) => name.slice(0, at) + wild + name.slice(at + length));
  const rooted = fc
    .tuple(fc.constantFrom(`${root}/`, "${LOG_ROOT}/", "./"), bent)
    .map((parts) => parts.join(""));
  let accepted = 0;
  let found = 0;
  await fc.assert(
    fc.asyncProperty(fc.oneof(built, bent, rooted), async (pattern) => {
      const files = await listedFiles(pattern);
      if (files === undefined) return;
      accepted += 1;
      if (files.length > 0) found += 1;
      expect({ pattern, files: await inputFiles(pattern) }).toEqual({ pattern, files });
    }),
    { numRuns: 3000 },
  );
  // The comparison is meaningful only if files were compared.
  expect(accepted).toBeGreaterThan(1500);
  expect(found).toBeGreaterThan(500);
});

test.each([
  ["**/*.log", 9],
  ["*.log", 3],
  ["a.log", 1],
  ["**/a.log", 3],
  ["x/**", 4],
  ["lx/*.log", 1],
  ["*/ring/a.log", 1],
  ["x/out/*", 0],
  [".dot/*", 1],
  ["[a].log", 1],
  ["**/[a].log", 3],
] as const)("%s selects %d files", async (pattern, count) => {
  expect(await listedFiles(pattern)).toHaveLength(count);
  expect(await inputFiles(pattern)).toHaveLength(count);
});

test("a name that is not valid UTF-8 is reported by both", async () => {
  const { diagnostics } = await findInputs(["y/*.log"], new PathGuard(root));
  expect(diagnostics.map(({ code }) => code)).toContain("input_unreadable");
});
