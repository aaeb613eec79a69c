// list_available_files: patterns, totals, limits.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createFileTools } from "../../src/tools/index.ts";
import { answer, LIMITS, toolsTree } from "./tree.ts";

// Generous, since test machines are shared.
setDefaultTimeout(60_000);

const { dir, root, tools } = toolsTree();

describe("list_available_files", () => {
  test("files below the root are listed by pattern, with size, type and detected compression", async () => {
    const data = await answer(tools({}, { hidden: [join(root, "output")] }), "list_available_files", {
      patterns: ["*.log", "**/*.gz"],
    });
    expect(data["files"]).toEqual([
      { path: "logs/binary.log", size: 3, type: "log" },
      { path: "logs/empty.log", size: 0, type: "log" },
      { path: "logs/latest.log", size: expect.any(Number), type: "log" },
      { path: "logs/run.log", size: expect.any(Number), type: "log" },
      { path: "logs/short.log", size: 13, type: "log" },
      { path: "logs/two\nlines.log", size: 9, type: "log" },
      { path: "logs/deep/run.log.gz", size: expect.any(Number), type: "log", compression: "gzip" },
    ]);
    expect(data).toMatchObject({
      total_found: 7,
      truncated: false,
      found_per_pattern: { "*.log": 6, "**/*.gz": 1 },
    });
    const notes = (data["notes"] as string[]).join(" ");
    expect(notes).toContain("2 matching links");
    expect(notes).toContain("1 matching pipes");
    expect(JSON.stringify(data)).not.toContain("secret");
  });

  test("totals are right in a truncated answer, and each pattern gets its share", async () => {
    const many = mkdtempSync(join(dir, "many-"));
    for (let i = 0; i < 300; i += 1) writeFileSync(join(many, `a${String(i).padStart(3, "0")}.log`), "x");
    for (let i = 0; i < 5; i += 1) writeFileSync(join(many, `b${i}.spef`), "x");
    const box = createFileTools({
      searchRoot: many,
      limits: LIMITS,
      hidden: [],
      emit: () => undefined,
      scope: "item",
    });
    const data = await answer(box, "list_available_files", { patterns: ["*.log", "*.spef"] });
    const files = (data["files"] as { path: string }[]).map((file) => file.path);
    expect(data).toMatchObject({ total_found: 305, truncated: true });
    expect(files.length).toBe(20);
    expect(files.filter((path) => path.endsWith(".spef"))).toEqual([
      "b0.spef",
      "b1.spef",
      "b2.spef",
      "b3.spef",
      "b4.spef",
    ]);
    expect(files[0]).toBe("a000.log");
    expect(files[14]).toBe("a014.log");
    const early = await answer(box, "list_available_files", {
      patterns: ["*.log"],
      max_files: 2,
      stop_early: true,
    });
    expect((early["files"] as unknown[]).length).toBe(2);
    expect(early["truncated"]).toBe(true);
  });

  test("each pattern is counted separately, and a file of two patterns counts once in the total", async () => {
    const data = await answer(tools(), "list_available_files", {
      patterns: ["logs/*.log", "logs/s*.log", "short.log", "logs/none"],
      max_files: 50,
    });
    expect(data).toMatchObject({
      total_found: 6,
      found_per_pattern: { "logs/*.log": 6, "logs/s*.log": 1, "short.log": 1, "logs/none": 0 },
    });
    expect((data["files"] as { path: string }[]).map(({ path }) => path)).toHaveLength(6);
    expect(String(data["notes"])).not.toContain("were asked for");
    const cut = tools({ maxFilesPerDiscovery: 2 });
    const few = await answer(cut, "list_available_files", { patterns: ["logs/*.log"], max_files: 50 });
    expect(String(few["notes"])).toContain("50 files were asked for, a call returns at most 2.");
  });

  test("braces, depth, variables and absolute patterns are supported", async () => {
    const box = tools();
    const count = async (pattern: string) =>
      (await answer(box, "list_available_files", { patterns: [pattern] }))["total_found"];
    expect(await count("logs/**/*.{gz,zst}")).toBe(1);
    expect(await count("logs/*.gz")).toBe(0);
    expect(await count("${LOG_ROOT}/sh?rt.log")).toBe(1);
    expect(await count(`${root}/logs/s[gh]ort.log`)).toBe(1);
    expect(await count("./logs/short.log")).toBe(1);
    expect(await count("${DESIGN_ROOT}/logs/short.log")).toBe(1);
  });

  test("a pattern without a match is answered with the existing kinds of files", async () => {
    const data = await answer(tools(), "list_available_files", { patterns: ["*.nothing"] });
    expect(data).toMatchObject({ files: [], total_found: 0, truncated: false });
    expect(String(data["notes"])).toContain("× .log");
  });

  test("patterns that leave the root, use unknown variables or are too complex are refused with advice", async () => {
    for (const [pattern, rule] of [
      ["../elsewhere/*.log", "outside_root"],
      ["/etc/passwd", "outside_root"],
      ["${HOME}/*.log", "bad_pattern"],
      ["{a,b}".repeat(20), "bad_pattern"],
      ["*".repeat(60), "bad_pattern"],
    ] as const) {
      const data = await answer(tools(), "list_available_files", { patterns: [pattern] });
      expect([pattern, data["error"], typeof data["instead"]]).toEqual([pattern, rule, "string"]);
    }
  });

  test("a pattern without a slash falls back to any depth, and the answer names the glob", async () => {
    const alone = await answer(tools(), "list_available_files", { patterns: ["short.log"] });
    expect(alone).toMatchObject({
      files: [{ path: "logs/short.log" }],
      total_found: 1,
      notes: ["Nothing at the root matches; these match **/short.log."],
    });
  });
});
