// Arbitrary command lines: never a bug, never two documents, nothing on stdout with exit code 2.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { cli } from "../support/cli.ts";
import { folders } from "../support/folder.ts";

const folder = folders("any-line");
const cwd = folder({
  "good.yaml": "llm: {draft: offline}\n",
  "bad.yaml": "llm: {draft: maybe}\nx: [\n",
  file: "",
});

const token = fc.oneof(
  fc.constantFrom(
    ...[
      "config",
      "show",
      "schema",
      "cache",
      "ls",
      "completion",
      "bash",
      "graph",
      "help",
      "check",
      "chekc",
      "-",
      "--",
    ],
    ...[
      "--json",
      "--json=false",
      "--quiet",
      "-q",
      "--help",
      "-h",
      "--version",
      "--no-color",
      "--origin",
      "--mermaid",
    ],
    ...[
      "--config",
      "good.yaml",
      "bad.yaml",
      "none.yaml",
      "--config=bad.yaml",
      "--config=",
      "--seed",
      "-1",
      "1e3",
    ],
    ...[
      "-c",
      "-cllm.draft=none",
      "llm.draft=offline",
      "llm.*.model=x",
      "a.b=c",
      "=",
      "x",
      "llm={",
      "llm.prices={a: 1}",
    ],
    ...[
      "--events",
      "e.jsonl",
      "--events=file/x",
      "--out",
      "--out=",
      "--provider",
      "offline",
      "replay",
      "--cache",
      "file",
    ],
  ),
  fc.string({ maxLength: 6 }),
);

// Commands that run atoms or authors have their own tests.
const line = fc
  .array(token, { maxLength: 8 })
  .filter((argv) => !argv.some((word) => /^(check|generate|batch|resume|validate|doctor|init)$/.test(word)));

test("any command line ends with a documented exit code", async () => {
  await fc.assert(
    fc.asyncProperty(line, async (argv) => {
      const run = await cli(argv, { cwd });
      expect([0, 2, 4], JSON.stringify(argv) + run.stderr).toContain(run.code);
      expect(run.stderr).not.toContain("This is a bug");
      if (run.code !== 0) expect(run.stderr).toContain("error: ");
    }),
    { numRuns: 300 },
  );
});

test("with --json there is exactly one document, whatever the other arguments", async () => {
  await fc.assert(
    fc.asyncProperty(line, async (argv) => {
      fc.pre(!argv.some((word) => word.startsWith("--json")));
      const run = await cli(["--json", ...argv], { cwd });
      const document = JSON.parse(run.stdout) as { error?: unknown };
      expect("error" in document, JSON.stringify(argv)).toBe(run.code !== 0);
    }),
    { numRuns: 300 },
  );
});

test("without --json an exit code of 2 leaves stdout empty", async () => {
  await fc.assert(
    fc.asyncProperty(line, async (argv) => {
      fc.pre(!argv.some((word) => word.startsWith("--json") || word.startsWith("--events")));
      const run = await cli(argv, { cwd });
      if (run.code === 2) expect(run.stdout, JSON.stringify(argv)).toBe("");
    }),
    { numRuns: 300 },
  );
});
