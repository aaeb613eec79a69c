// Documents, paths, splitting of commands and identity: the checks that need no repository.
import { describe, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { canonicalJson } from "../../../src/core/canonical.ts";
import { configHash, runId } from "../../../src/loops/factory/identity.ts";
import { naturalOrder } from "../../../src/loops/factory/order-file.ts";
import { forbiddenBy, pathProblem, placeOf } from "../../../src/loops/factory/paths.ts";
import { takeSnapshot, treeHash } from "../../../src/loops/factory/repo/snapshot.ts";
import { workOrderSchema, writeProposalSchema } from "../../../src/loops/factory/schemas.ts";
import { splitWords } from "../../../src/loops/factory/shell-words.ts";
import { unifiedDiff } from "../../../src/report/unified-diff.ts";
import { folders } from "../../support/folder.ts";
import { EMPTY_SHA, order, sha } from "./support.ts";

const make = folders("factory-documents");

describe("paths", () => {
  test.each(["a", "a/b.txt", ".gitignore", "a..b", "ü/é.py", "a b", "x.git/y", "..a", "a/...", "-x"])(
    "%p is accepted",
    (path) => {
      expect(pathProblem(path)).toBeUndefined();
    },
  );
  test.each([
    ...[
      "",
      ".",
      "..",
      "../a",
      "a/../../b",
      "./a",
      "a/./b",
      "a//b",
      "a/",
      "/a",
      "C:/a",
      "c:a",
      "a\\b",
      "a\0b",
      "a\nb",
    ],
    ...["*.py", "a?", "a[1]", ".git", ".git/config", "sub/.git/x", ".GIT/x", "\ud800"],
  ])("%p is refused", (path) => {
    expect(pathProblem(path)).toBeString();
  });

  test("links are followed only inside the repository", () => {
    const dir = make({ "repo/in/a.txt": "a", "out/b.txt": "b" });
    const root = join(dir, "repo");
    symlinkSync("in", join(root, "inner"));
    symlinkSync("../out", join(root, "outer"));
    symlinkSync("/nowhere", join(root, "broken"));
    mkdirSync(join(root, ".git"));
    symlinkSync(".git", join(root, "sneaky"));
    symlinkSync("in/a.txt", join(root, "link.txt"));
    expect(placeOf(root, "inner/a.txt")).toEqual({ ok: true, real: "in/a.txt", exists: true });
    expect(placeOf(root, "inner/new/x.txt")).toEqual({ ok: true, real: "in/new/x.txt", exists: false });
    for (const path of ["outer/b.txt", "outer/x/y", "broken/x", "sneaky/config", "link.txt", "in"]) {
      expect(placeOf(root, path).ok, path).toBe(false);
    }
  });

  test("an entry of forbidden covers a file and everything below it; other texts cover nothing", () => {
    expect(forbiddenBy(["src/core"], "src/core/a.py")).toBe("src/core");
    expect(forbiddenBy(["src/core/"], "src/core/a.py")).toBe("src/core/");
    expect(forbiddenBy(["src/core"], "src/core2/a.py")).toBeUndefined();
    expect(forbiddenBy(["do not touch the API", "*.py"], "a.py")).toBeUndefined();
  });
});

describe("splitting of commands", () => {
  const python = Bun.which("python3");
  test.skipIf(python === null)("words are split as by Python's shlex", () => {
    const chars = fc.string({ unit: fc.constantFrom(..."ab '\"\\\t\n#$;|&é".split("")), maxLength: 12 });
    const lines = fc.sample(chars, { numRuns: 2_000, seed: 1 });
    const program =
      "import json,shlex,sys\ndef f(s):\n try: return shlex.split(s)\n except ValueError: return None\nprint(json.dumps([f(s) for s in json.load(sys.stdin)]))";
    const output = execFileSync(python ?? "", ["-c", program], {
      input: JSON.stringify(lines),
      encoding: "utf8",
    });
    const expected = JSON.parse(output) as (string[] | null)[];
    const own = lines.map((line) => {
      const read = splitWords(line);
      return read.ok ? read.words : null;
    });
    expect(own).toEqual(expected);
  });
});

describe("identity", () => {
  test("canonical JSON has sorted keys, no blanks and only the necessary escapes", () => {
    expect(canonicalJson({ b: [1, { d: null, c: "é\n" }], a: "x" })).toBe(
      '{"a":"x","b":[1,{"c":"é\\n","d":null}]}',
    );
    expect(canonicalJson({ "\u{1f600}": 1, "\uff5e": 2 })).toBe('{"\uff5e":2,"\u{1f600}":1}'); // bytes, not code units
  });

  test("the hash of a tree covers paths and bytes in the order of the paths", () => {
    const dir = make({
      "b.txt": "2",
      "a/z": "1",
      "a.txt": "3",
      ü: "4",
      "node_modules/x": "no",
      ".git/x": "no",
      "s/.git": "no",
    });
    symlinkSync("b.txt", join(dir, "link"));
    const expected = sha("a.txt\x003\0a/z\x001\0b.txt\x002\0ü\x004\0");
    expect(treeHash(dir, takeSnapshot(dir))).toBe(expected);
    rmSync(join(dir, "a/z"));
    expect(treeHash(dir, takeSnapshot(dir))).not.toBe(expected);
    writeFileSync(join(dir, "a/z"), "1");
    expect(treeHash(dir, takeSnapshot(dir))).toBe(expected);
  });

  test("the hash of the settings and the run ID follow the documentation", () => {
    const settings = { model: "m", temperature: 0, maxAttempts: 2, timeoutSeconds: 600, verify: [] };
    expect(configHash(settings)).toBe(sha("m|0|2|600"));
    expect(configHash({ ...settings, temperature: 0.5 })).toBe(sha("m|0.5|2|600"));
    expect(configHash({ ...settings, verify: ["npm test"] })).toBe(sha('m|0|2|600|["npm test"]'));
    expect(runId("a", "b", "c")).toBe(sha("abc").slice(0, 12));
  });

  test("IDs are in natural order", () => {
    expect(["WO-10", "WO-2", "WO-1b", "WO-1", "A"].sort(naturalOrder)).toEqual([
      "A",
      "WO-1",
      "WO-1b",
      "WO-2",
      "WO-10",
    ]);
  });
});

describe("schemas", () => {
  test("the project's example is a valid work order", () => {
    const text = readFileSync(join(import.meta.dir, "../../../example_work_order.json"), "utf8");
    expect(workOrderSchema.safeParse(JSON.parse(text)).success).toBe(true);
  });

  test.each(["id", "title", "intent", "allowed_files", "forbidden", "acceptance_commands", "context_files"])(
    "a work order without %s is refused",
    (key) => {
      const document: Record<string, unknown> = { ...order() };
      delete document[key];
      expect(workOrderSchema.safeParse(document).success).toBe(false);
    },
  );

  test("a proposal is limited to 500 KB in total", () => {
    const write = (name: string, bytes: number) => ({
      path: name,
      base_sha256: EMPTY_SHA,
      content: "é".repeat(bytes / 2),
    });
    const of = (...sizes: number[]) =>
      writeProposalSchema.safeParse({ summary: "", writes: sizes.map((size, n) => write(`f${n}`, size)) })
        .success;
    expect(of(200 * 1024, 200 * 1024, 100 * 1024)).toBe(true);
    expect(of(200 * 1024, 200 * 1024, 100 * 1024 + 2)).toBe(false);
  });
});

test("git applies a unified diff", () => {
  const dir = make();
  const text = fc
    .array(fc.constantFrom("a", "b", "c", "d", ""), { maxLength: 30 })
    .map((lines) => lines.map((line) => `${line}\n`).join(""));
  execFileSync("git", ["init", "-q"], { cwd: dir });
  fc.assert(
    fc.property(text, text, (before, after) => {
      const diff = unifiedDiff("f", before === "" ? null : before, after);
      rmSync(join(dir, "f"), { force: true });
      if (before !== "") writeFileSync(join(dir, "f"), before);
      if (diff === "") return expect(after).toBe(before);
      execFileSync("git", ["apply", "--unidiff-zero", "--whitespace=nowarn", "-"], { cwd: dir, input: diff });
      expect(readFileSync(join(dir, "f"), "utf8")).toBe(after);
    }),
    { numRuns: 60, seed: 1 },
  );
});
