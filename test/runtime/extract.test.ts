// L2: order of records, references, their depth, cycles, and what was searched. Contract, section 4.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import type { ParsedItem } from "../../src/contract/atoms.ts";
import { PathGuard } from "../../src/files/guard.ts";
import { extractAll, type FileExtractor, LogPool } from "../../src/runtime/index.ts";

let base: string;
let root: string;
beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "atomsmith-extract-")));
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

let count = 0;
function tree(files: Record<string, string>): void {
  count += 1;
  root = join(base, `t${count}`);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
}

/** Lines `ref: PATH` become references, all others records; `null: X` has no line; `bad: JSON` is set as is. */
function extractor(): { extract: FileExtractor; calls: string[] } {
  const pool = new LogPool({ maxTextBytes: 1e6 });
  const calls: string[] = [];
  const extract: FileExtractor = async (path) => {
    calls.push(relative(root, path));
    const reading = await pool.read(path);
    if (!reading.ok) return { path, read: false, items: [], diagnostics: [reading.diagnostic], end: null };
    const items: ParsedItem[] = [];
    for (const [i, line] of reading.input.text.split("\n").entries()) {
      if (line === "") continue;
      const ref = /^ref: (.*)$/.exec(line)?.[1];
      const bad = /^bad: (.*)$/.exec(line)?.[1];
      items.push({
        value: line,
        source_file: reading.input.path,
        line_number: line.startsWith("null:") ? null : i + 1,
        matched_content: line,
        parsed_fields:
          ref !== undefined
            ? { indirect_reference: ref.includes(",") ? ref.split(",") : ref }
            : bad !== undefined
              ? { indirect_reference: JSON.parse(bad) }
              : {},
      });
    }
    return { path: reading.input.path, read: true, items, diagnostics: [], end: null };
  };
  return { extract, calls };
}

async function run(...inputs: string[]) {
  const guard = new PathGuard(root);
  const { extract, calls } = extractor();
  const done = await extractAll(
    extract,
    inputs.map((i) => join(root, i)),
    guard,
  );
  return {
    values: done.items.map((i) => i.value),
    files: done.items.map((i) => relative(root, i.source_file)),
    searched: done.searchedFiles.map((f) => relative(root, f)),
    codes: done.diagnostics.map((d) => d.code),
    diagnostics: done.diagnostics,
    calls,
  };
}

describe("order", () => {
  test("records are in the order of inputs, then of discovery, depth first", async () => {
    tree({
      "a.log": "ref: c.log\nref: e.log\nA",
      "b.log": "B\nref: f.log",
      "c.log": "ref: d.log\nC",
      "d.log": "D",
      "e.log": "E",
      "f.log": "F",
    });
    const done = await run("b.log", "a.log");
    expect([...new Set(done.files)]).toEqual(["b.log", "a.log", "f.log", "c.log", "d.log", "e.log"]);
    expect(done.codes).toEqual([]);
  });
  test("records of a file are in the order of line numbers, without a number last, then of extraction", async () => {
    const guard = new PathGuard(base);
    const item = (value: string, line: number | null): ParsedItem => ({
      value,
      source_file: "/x",
      line_number: line,
      matched_content: "",
      parsed_fields: {},
    });
    const items = [
      item("n1", null),
      item("9", 9),
      item("2a", 2),
      item("n2", null),
      item("2b", 2),
      item("1", 1),
    ];
    const done = await extractAll(
      async (path) => ({ path, read: true, items, diagnostics: [], end: null }),
      ["/x"],
      guard,
    );
    expect(done.items.map((i) => i.value)).toEqual(["1", "2a", "2b", "9", "n1", "n2"]);
  });
  test("an input that is also a reference keeps its place and is read once", async () => {
    tree({ "a.log": "ref: c.log\nA", "b.log": "B", "c.log": "C" });
    const done = await run("a.log", "b.log", "c.log");
    expect(done.values).toEqual(["ref: c.log", "A", "B", "C"]);
    expect(done.calls.toSorted()).toEqual(["a.log", "b.log", "c.log"]);
  });
  test("the order in which inputs become readable does not matter", async () => {
    const guard = new PathGuard(base);
    const paths = Array.from({ length: 30 }, (_, i) => `/f${i}`);
    const slow: FileExtractor = async (path) => {
      for (let i = 0; i < (31 - Number(path.slice(2))) % 7; i += 1) await Promise.resolve();
      return {
        path,
        read: true,
        items: [{ value: path, source_file: path, line_number: 1, matched_content: "", parsed_fields: {} }],
        diagnostics: [],
        end: null,
      };
    };
    expect((await extractAll(slow, paths, guard)).items.map((i) => i.value)).toEqual(paths);
  });
});

describe("references", () => {
  test("references are resolved beside their file first, then below the search root; lists and absolute paths too", async () => {
    tree({
      "logs/a.log": "ref: x.log\nref: only_root.log,sub/y.log",
      "logs/x.log": "beside",
      "x.log": "at root",
      "only_root.log": "root",
      "logs/sub/y.log": "Y",
    });
    const done = await run("logs/a.log");
    expect([...new Set(done.files)]).toEqual(["logs/a.log", "logs/x.log", "only_root.log", "logs/sub/y.log"]);
    tree({ "a.log": "", "b.log": "B" });
    writeFileSync(join(root, "a.log"), `ref: ${join(root, "b.log")}`);
    expect((await run("a.log")).values.at(-1)).toBe("B");
  });
  test("a missing, outside or non-text reference is a diagnostic with file and line", async () => {
    tree({
      "in/a.log":
        'x\nref: no.log\nref: ../../../../../../etc/passwd\nbad: {"a": 1}\nbad: [3]\nbad: null\nbad: ""\nbad: []',
    });
    const done = await run("in/a.log");
    expect(done.diagnostics.map((d) => [d.severity, d.code, d.line])).toEqual([
      ["error", "reference_invalid", 4],
      ["error", "reference_invalid", 5],
      ["error", "reference_not_found", 2],
      ["error", "reference_outside_root", 3],
    ]);
    expect(done.searched).toEqual(["in/a.log"]);
  });
  test("a reference through a link out of the root is refused", async () => {
    tree({ "a.log": "ref: link.log" });
    writeFileSync(join(base, "secret.log"), "S");
    symlinkSync(join(base, "secret.log"), join(root, "link.log"));
    expect((await run("a.log")).codes).toEqual(["reference_outside_root"]);
  });
  test("a reference to a directory is a diagnostic of the reader", async () => {
    tree({ "a.log": "ref: dir", "dir/x.log": "" });
    expect((await run("a.log")).codes).toEqual(["input_not_regular"]);
  });
  test("cycles end, and each file is read once", async () => {
    tree({ "a.log": "ref: b.log\nref: a.log\nA", "b.log": "ref: a.log\nref: ./b.log\nB" });
    const done = await run("a.log");
    expect(done.calls).toEqual(["a.log", "b.log"]);
    expect(done.codes).toEqual([]);
    expect(done.values.filter((v) => v.length === 1)).toEqual(["A", "B"]);
  });
  const chain = (n: number) =>
    Object.fromEntries(
      Array.from({ length: n + 1 }, (_, i) => [`f${i}.log`, i === n ? `end` : `ref: f${i + 1}.log\nv${i}`]),
    );
  test("references five levels deep are followed without a diagnostic", async () => {
    tree(chain(5));
    const done = await run("f0.log");
    expect(done.searched).toHaveLength(6);
    expect(done.codes).toEqual([]);
  });
  test("the sixth level is a diagnostic and its file is not read", async () => {
    tree(chain(6));
    const done = await run("f0.log");
    expect(done.searched).not.toContain("f6.log");
    expect(done.diagnostics).toEqual([
      expect.objectContaining({ severity: "error", code: "reference_too_deep", line: 1 }),
    ]);
    expect(done.diagnostics[0]?.message).toContain("f6.log");
  });
  test("references of a file found deep first and near later are still followed", async () => {
    tree({ ...chain(6), "g.log": "ref: f0.log\nref: f5.log" });
    const done = await run("g.log");
    expect(done.searched).toContain("f6.log");
    expect(done.codes).toEqual([]);
    expect(done.calls.length).toBe(new Set(done.calls).size);
  });
  test("a name repeated in every line is resolved once", async () => {
    tree({ "a.log": "ref: no.log\n".repeat(5000) });
    expect((await run("a.log")).codes).toEqual(["reference_not_found"]);
  });
  test("a log full of broken references gives a bounded report that states the limit", async () => {
    tree({ "a.log": Array.from({ length: 1000 }, (_, i) => `ref: no${i}.log`).join("\n") });
    const done = await run("a.log");
    expect(done.codes).toHaveLength(201);
    expect(done.diagnostics.at(-1)).toMatchObject({ severity: "error", code: "more_diagnostics" });
  });
});

test("searched files are those that were read, absolute, once, sorted", async () => {
  tree({ "z.log": "Z", "a.log": "A\nref: m.log", "m.log": "" });
  const done = await run("z.log", "no.log", "a.log", "z.log");
  expect(done.searched).toEqual(["a.log", "m.log", "z.log"]);
  expect(done.codes).toEqual(["input_missing"]);
});
