// L1: globs, variables and the path guard. Contract, sections 3 and 4.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { PathGuard } from "../../src/files/guard.ts";
import { expandVariables, variablesOf } from "../../src/files/variables.ts";
import { findInputs } from "../../src/runtime/index.ts";

let base: string;
let root: string;
beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "atomsmith-inputs-")));
  root = join(base, "root");
  const files = [
    "logs/sta2.log",
    "logs/sta1.log",
    "logs/sta10.log",
    "logs/.hidden.log",
    "logs/deep/a/b/x.rpt",
    "logs/deep/y.rpt",
    "logs/run[1].log",
    "logs/wild*name.log",
    "top.log",
    "other/a.txt",
    "other/b.log",
    "..odd/z.log",
  ];
  for (const file of files) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), "x\n");
  }
  mkdirSync(join(base, "outside"));
  writeFileSync(join(base, "outside/secret.log"), "x\n");
  mkdirSync(join(root, "links"));
  symlinkSync(join(base, "outside/secret.log"), join(root, "links/out.log"));
  symlinkSync(join(base, "outside"), join(root, "links/outdir"));
  symlinkSync(join(root, "top.log"), join(root, "links/in.log"));
  symlinkSync(join(root, "links/loop2.log"), join(root, "links/loop1.log"));
  symlinkSync(join(root, "links/loop1.log"), join(root, "links/loop2.log"));
  symlinkSync(join(root, "nowhere"), join(root, "links/broken.log"));
  symlinkSync(root, join(root, "links/self"));
  symlinkSync(root, join(base, "rootlink"));
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

async function find(...globs: string[]) {
  const guard = new PathGuard(root);
  const found = await findInputs(globs, guard);
  return {
    files: found.files.map((file) => relative(root, file)),
    codes: found.diagnostics.map((d) => d.code),
    diagnostics: found.diagnostics,
  };
}

describe("globs", () => {
  const cases: [string, string[]][] = [
    ["logs/sta*.log", ["logs/sta1.log", "logs/sta10.log", "logs/sta2.log"]],
    ["logs/sta?.log", ["logs/sta1.log", "logs/sta2.log"]],
    ["logs/sta[2-9].log", ["logs/sta2.log"]],
    ["logs/sta[!2-9].log", ["logs/sta1.log"]],
    ["logs/{sta2,sta1}.log", ["logs/sta1.log", "logs/sta2.log"]],
    ["**/*.rpt", ["logs/deep/a/b/x.rpt", "logs/deep/y.rpt"]],
    ["logs/**/x.rpt", ["logs/deep/a/b/x.rpt"]],
    ["logs/deep/**", ["logs/deep/a/b/x.rpt", "logs/deep/y.rpt"]],
    ["./logs//sta1.log", ["logs/sta1.log"]],
    ["other/../top.log", ["top.log"]],
    ["l*/sta1.log", ["logs/sta1.log"]],
    ["logs/.h*.log", ["logs/.hidden.log"]],
    ["logs/wild\\*name.log", ["logs/wild*name.log"]],
    ["logs/run[1].log", ["logs/run[1].log"]],
    ["*", ["top.log"]],
    ["..odd/*.log", ["..odd/z.log"]],
  ];
  for (const [glob, files] of cases) {
    test(glob, async () => expect(await find(glob)).toMatchObject({ files, codes: [] }));
  }
  test("an absolute glob below the root is accepted", async () => {
    expect((await find(`${root}/logs/sta1*`)).files).toEqual(["logs/sta1.log", "logs/sta10.log"]);
  });
  test("files are in the order of the globs, each once", async () => {
    const found = await find("top.log", "logs/sta2.log", "logs/sta*.log", "links/in.log");
    expect(found.files).toEqual(["top.log", "logs/sta2.log", "logs/sta1.log", "logs/sta10.log"]);
  });
  test("a glob without matches is an error, also beside existing inputs", async () => {
    const found = await find("top.log", "logs/nothing*.log");
    expect(found.files).toEqual(["top.log"]);
    expect(found.diagnostics).toEqual([
      expect.objectContaining({ severity: "error", code: "input_missing" }),
    ]);
    expect(found.diagnostics[0]?.message).toContain("logs/nothing*.log");
    expect((await find("nofolder/*.log")).codes).toEqual(["input_missing"]);
    expect((await find("log?")).codes).toEqual(["input_missing"]);
  });
  test("a plain path is an input even if missing; the reader reports the error", async () => {
    expect(await find("no/such.log")).toMatchObject({ files: ["no/such.log"], codes: [] });
    expect((await find("logs")).files).toEqual(["logs"]);
  });
  test("broken links and link cycles are inputs that the reader diagnoses", async () => {
    expect((await find("links/loop*.log", "links/broken.log")).files).toEqual([
      "links/loop1.log",
      "links/loop2.log",
      "links/broken.log",
    ]);
  });
  test("a tree with a link to itself ends", async () => {
    expect((await find("**/top.log")).files).toEqual(["top.log"]);
    expect((await find("links/self/links/self/top.log")).files).toEqual(["top.log"]);
  });
  test("a limit on visited entries is reported", async () => {
    const guard = new PathGuard(root);
    const found = await findInputs(["**/*.log"], guard, { names: 5, files: 100 });
    expect(found.diagnostics.map((d) => d.code)).toContain("input_too_many");
  });
  test("a hostile pattern ends at once", async () => {
    expect((await find(`logs/${"*a".repeat(200)}.log`)).codes).toEqual(["input_missing"]);
    expect((await find(`{a,b}`.repeat(40))).codes).toEqual(["input_too_many", "input_missing"]);
  });
});

describe("nothing outside the search root", () => {
  test("names outside the root are refused", async () => {
    for (const glob of [
      "../outside/secret.log",
      "../outside/*.log",
      "/etc/passwd",
      "../outside/nothing.log",
    ]) {
      expect(await find(glob)).toMatchObject({ files: [], codes: ["input_outside_root"] });
    }
  });
  test("links to files and directories outside the root are refused", async () => {
    expect(await find("links/out.log")).toMatchObject({ files: [], codes: ["input_outside_root"] });
    expect(await find("links/outdir/secret.log")).toMatchObject({ files: [], codes: ["input_outside_root"] });
    expect(await find("links/o*/*.log")).toMatchObject({ files: [], codes: ["input_outside_root"] });
  });
  test("a link that stays inside is read as its target", async () => {
    expect((await find("links/in.log")).files).toEqual(["top.log"]);
  });
  test("a root that is a link is accepted", async () => {
    const guard = new PathGuard(join(base, "rootlink"));
    const found = await findInputs(["top.log", join(base, "rootlink", "no.log")], guard);
    expect(found.diagnostics).toEqual([]);
    expect(found.files[0]).toBe(join(root, "top.log"));
  });
  test("a sibling whose name starts like the root is outside", async () => {
    mkdirSync(join(base, "root2"));
    writeFileSync(join(base, "root2/a.log"), "");
    expect((await find("../root2/a.log")).codes).toEqual(["input_outside_root"]);
  });
  test("a missing root and a root that is a file are usage errors", () => {
    for (const path of ["no", "root/top.log"]) {
      expect(() => new PathGuard(join(base, path))).toThrow(expect.objectContaining({ kind: "usage" }));
    }
  });
  test("files given by the user are allowed, their neighbours are not", async () => {
    const secret = join(base, "outside/secret.log");
    const guard = new PathGuard(root, { also: [secret] });
    expect((await findInputs([secret], guard)).files).toEqual([secret]);
    writeFileSync(join(base, "outside/other.log"), "");
    expect((await findInputs([join(base, "outside/other.log")], guard)).diagnostics).toHaveLength(1);
  });
});

describe("variables", () => {
  const variables = variablesOf("/search", { LOG_ROOT: "/logs/[a]*", TOOL: "sta", INNER: "${TOOL}" });
  test("built-in variables are the search root unless configured", () => {
    expect(expandVariables("${CHECKLIST_ROOT}/${DESIGN_ROOT}", variables)).toEqual({
      ok: true,
      glob: "/search//search",
    });
    expect(expandVariables("${TOOL}/x*.log", variables)).toEqual({ ok: true, glob: "sta/x*.log" });
  });
  test("a value is literal text, not a glob, and is not expanded again", () => {
    expect(expandVariables("${LOG_ROOT}/*.log", variables)).toEqual({
      ok: true,
      glob: "/logs/\\[a\\]\\*/*.log",
    });
    expect(expandVariables("${INNER}", variables)).toEqual({ ok: true, glob: "$\\{TOOL\\}" });
  });
  test("LOG_ROOT is the directory logs below the search root, or the root itself", () => {
    const searchRoot = mkdtempSync(join(base, "log-root-"));
    expect(variablesOf(searchRoot, {}).get("LOG_ROOT")).toBe(searchRoot);
    writeFileSync(join(searchRoot, "logs"), "a file");
    expect(variablesOf(searchRoot, {}).get("LOG_ROOT")).toBe(searchRoot);
    rmSync(join(searchRoot, "logs"));
    mkdirSync(join(searchRoot, "logs"));
    const known = variablesOf(searchRoot, {});
    expect([known.get("LOG_ROOT"), known.get("DESIGN_ROOT")]).toEqual([join(searchRoot, "logs"), searchRoot]);
    expect(variablesOf(searchRoot, { LOG_ROOT: "mine" }).get("LOG_ROOT")).toBe("mine");
  });
  test("an unknown variable is reported by name", () => {
    expect(expandVariables("${NO}/${TOOL}/${}/${A B}", variables)).toEqual({
      ok: false,
      unknown: ["NO", "", "A B"],
    });
    expect(expandVariables("${OPEN", variables).ok).toBe(false);
    expect(expandVariables("$HOME/{a}", variables)).toEqual({ ok: true, glob: "$HOME/{a}" });
    expect(expandVariables("${__proto__}${constructor}", variables).ok).toBe(false);
  });
});
