// The four tools as an author meets them: answers, limits, calls as models make them.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createFileTools, TOOL_SPECS } from "../../src/tools/index.ts";
import { answer, LIMITS, toolsTree } from "./tree.ts";

// A machine that is busy with other things is not a failure.
setDefaultTimeout(60_000);

const { dir, root, tools, discovered } = toolsTree();

describe("list_available_files", () => {
  test("files below the root by pattern, with size, type and content-based compression", async () => {
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

  test("totals are true when the answer is cut, and each pattern gets its part", async () => {
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

  test("each pattern is counted for itself, a file of two patterns once in the total", async () => {
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

  test("braces, depth, variables and absolute patterns", async () => {
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

  test("patterns that lead out, name unknown variables or explode are refused with advice", async () => {
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
});

describe("read_file_header", () => {
  test("says what it read: lines, size, encoding, whether more follows", async () => {
    const box = await discovered();
    expect(await answer(box, "read_file_header", { file_path: "logs/short.log" })).toMatchObject({
      file_path: "logs/short.log",
      content: "one\ntwo\nthree",
      lines_read: 3,
      file_size: 13,
      encoding: "utf-8",
      more_follows: false,
    });
    const gz = await answer(box, "read_file_header", { file_path: "logs/deep/run.log.gz", max_lines: 2 });
    expect(gz).toMatchObject({
      content: "line 1\nline 2",
      lines_read: 2,
      compression: "gzip",
      more_follows: true,
    });
    expect(await answer(box, "read_file_header", { file_path: "logs/empty.log" })).toMatchObject({
      content: "",
      lines_read: 0,
      more_follows: false,
    });
  });

  test("line ends, and the number of lines only where it is known", async () => {
    const place = mkdtempSync(join(dir, "ends-"));
    const box = createFileTools({
      searchRoot: place,
      limits: { ...LIMITS, requireDiscovery: false },
      hidden: [],
      emit: () => undefined,
      scope: "item",
    });
    const head = async (text: string, max_lines: number) => {
      // The same call again would be answered from memory.
      const file_path = `${text.length}.log`;
      writeFileSync(join(place, file_path), text);
      return await answer(box, "read_file_header", { file_path, max_lines });
    };
    expect(await head("a\r\nb\r\n", 9)).toMatchObject({ line_ends: "crlf", total_lines: 2 });
    expect(await head("a\nb\n\n", 9)).toMatchObject({ line_ends: "lf", total_lines: 3 });
    expect(await head("a\r\nb\nccc", 9)).toMatchObject({ line_ends: "mixed", total_lines: 3 });
    const alone = await head("only", 5);
    expect(alone).toMatchObject({ total_lines: 1 });
    expect(alone["line_ends"]).toBeUndefined();
    const part = await head("line\n".repeat(200_000), 2);
    expect(part).toMatchObject({ line_ends: "lf", more_follows: true });
    expect(part["total_lines"]).toBeUndefined();
    const short = await head("xxxx\nyyyyy\n", 500);
    expect(short["notes"]).toBeUndefined();
  });

  test("no more lines than a call may return, and that is said", async () => {
    const data = await answer(await discovered(), "read_file_header", {
      file_path: "logs/run.log",
      max_lines: 5000,
    });
    expect(data["lines_read"]).toBe(200);
    expect(String(data["notes"])).toContain("at most 200");
  });

  test("binary files are said to be binary", async () => {
    const data = await answer(await discovered(), "read_file_header", { file_path: "logs/binary.log" });
    expect(data["error"]).toBe("input_binary");
  });
});

describe("search_in_file", () => {
  test("the context of a match is what the configuration says, and what the call asks for first", async () => {
    const args = { file_path: "logs/run.log", keywords: ["line 100 MARK"] };
    const lines = async (limits: object, more: object = {}): Promise<number> => {
      const data = await answer(await discovered(limits), "search_in_file", { ...args, ...more });
      const [match] = data["matches"] as { content: string }[];
      return match?.content.split("\n").length ?? 0;
    };
    expect(await lines({})).toBe(21);
    expect(await lines({ contextLines: 3 })).toBe(7);
    expect(await lines({ contextLines: 3 }, { context_lines: 1 })).toBe(3);
  });

  test("several keywords at once; overlapping contexts are one excerpt; at most 3 of each", async () => {
    const data = await answer(await discovered(), "search_in_file", {
      file_path: "logs/run.log",
      keywords: ["mark", "line 101", "nowhere"],
      context_lines: 2,
    });
    expect(data["matches"]).toEqual([
      {
        keyword: "mark",
        line_number: 100,
        start_line: 98,
        content: "line 98\nline 99\nline 100 MARK\nline 101\nline 102\nline 103",
        also: [{ keyword: "line 101", line_number: 101 }],
      },
      {
        keyword: "mark",
        line_number: 200,
        start_line: 198,
        content: "line 198\nline 199\nline 200 MARK\nline 201\nline 202",
      },
      {
        keyword: "mark",
        line_number: 300,
        start_line: 298,
        content: "line 298\nline 299\nline 300 MARK\nline 301\nline 302",
      },
    ]);
    expect(data).toMatchObject({
      total_matches: 4,
      not_found: ["nowhere"],
      complete: true,
      total_lines: 1000,
    });
    expect(String(data["notes"])).toContain("3 matching lines");
  });

  test("counts are true whatever is shown, and a lowered limit is said where it bites", async () => {
    const box = await discovered();
    const args = { file_path: "logs/run.log", context_lines: 0, max_matches_per_keyword: 50 };
    const data = await answer(box, "search_in_file", { ...args, keywords: ["mark", "line 101", "nowhere"] });
    expect(data["keywords"]).toEqual([
      { keyword: "mark", count: 10, count_is_total: true, asked_for: 50, limit: 3 },
      { keyword: "line 101", count: 1, count_is_total: true },
      { keyword: "nowhere", count: 0, count_is_total: true },
    ]);
    expect(data).toMatchObject({ total_lines: 1000, complete: true });
    const few = await answer(box, "search_in_file", { ...args, keywords: ["line 101"] });
    expect(few["notes"]).toBeUndefined();
  });

  test("lines that are left out, case, and expressions that are unusable", async () => {
    const box = await discovered();
    const search = (args: object) =>
      answer(box, "search_in_file", { file_path: "logs/run.log", context_lines: 0, ...args });
    const without = await search({ keywords: ["mark"], exclude: ["LINE 100", "line 3"] });
    expect(without).toMatchObject({ keywords: [{ count: 7 }], matches: [{ line_number: 200 }, {}, {}] });
    expect(await search({ keywords: ["mark"], case_sensitive: true })).toMatchObject({ not_found: ["mark"] });
    const regex = {
      regex: true,
      keywords: ["mark$", "(?i)mark$", "(", "MARK$"],
      exclude: ["^line [2-9]", "["],
    };
    expect(await search(regex)).toMatchObject({
      keywords: [
        { keyword: "mark$", count: 0 },
        { keyword: "(?i)mark$", count: 2 },
        { keyword: "MARK$", count: 2 },
      ],
      bad_expressions: [{ expression: "(" }, { expression: "[" }],
    });
    const any = await search({ regex: true, keywords: ["mark$"], case_sensitive: false });
    expect(any).toMatchObject({ keywords: [{ count: 10 }] });
  });

  test("a long keyword is not repeated in every excerpt", async () => {
    const keyword = `line ${"[0-9]".repeat(1)}${"0{0,9}".repeat(20)}`;
    const data = await answer(await discovered(), "search_in_file", {
      file_path: "logs/run.log",
      keywords: ["line 100 ", keyword],
      context_lines: 0,
      regex: true,
    });
    const named = { keyword: `${keyword.slice(0, 40)}…`, keyword_number: 2 };
    expect(data["keywords"]).toMatchObject([{}, named]);
    expect((data["matches"] as object[])[0]).toMatchObject(named);
    expect(JSON.stringify(data)).not.toContain(keyword);
  });

  test("a match on the first and on the last line, in gzip too", async () => {
    const box = await discovered();
    const first = await answer(box, "search_in_file", {
      file_path: "logs/short.log",
      keywords: "ONE",
      context_lines: 1,
    });
    expect(first["matches"]).toMatchObject([{ line_number: 1, start_line: 1, content: "one\ntwo" }]);
    const last = await answer(box, "search_in_file", {
      file_path: "logs/short.log",
      keywords: ["three"],
      context_lines: 9,
    });
    expect(last["matches"]).toMatchObject([{ line_number: 3, start_line: 1, content: "one\ntwo\nthree" }]);
    const gz = await answer(box, "search_in_file", {
      file_path: "logs/deep/run.log.gz",
      keywords: ["line 999"],
      context_lines: 1,
    });
    expect(gz["matches"]).toMatchObject([
      { line_number: 999, content: "line 998\nline 999\nline 1000 MARK" },
    ]);
  });

  test("regular expressions, with the same limits; unusable ones are refused", async () => {
    const box = await discovered();
    const args = {
      file_path: "logs/run.log",
      keywords: ["(?i)^line (10|20)0 mark$", "9{3}"],
      context_lines: 0,
      regex: true,
    };
    const data = await answer(box, "search_in_file", args);
    expect(data["matches"]).toMatchObject([
      { line_number: 100 },
      { line_number: 200 },
      { keyword: "9{3}", line_number: 999 },
    ]);
    const bad = await answer(box, "search_in_file", { ...args, keywords: ["(?=x)"] });
    expect(bad).toMatchObject({ error: "bad_regex", instead: expect.stringContaining("RE2") });
  });

  test("no more lines than a call may return", async () => {
    const data = await answer(await discovered({ maxLinesPerCall: 10 }), "search_in_file", {
      file_path: "logs/run.log",
      keywords: ["mark"],
      context_lines: 4,
    });
    const lines = (data["matches"] as { content: string }[]).flatMap((match) => match.content.split("\n"));
    expect(lines.length).toBeLessThanOrEqual(10);
    expect(data["total_matches"]).toBe(3);
    expect(String(data["notes"])).toContain("are not shown");
  });

  test("keywords that are empty, too long, too many or span lines are refused", async () => {
    const box = await discovered();
    for (const keywords of [
      [],
      [""],
      ["x".repeat(10_000)],
      Array.from({ length: 1000 }, (_, i) => `k${i}`),
      ["a\nb"],
      [7],
    ]) {
      const result = await box.call("search_in_file", { file_path: "logs/run.log", keywords });
      expect(result.ok).toBe(false);
      expect(result.data["error"]).toBe("bad_arguments");
      expect(result.bytes).toBeLessThan(1000);
    }
  });
});

describe("read_file_range", () => {
  test("lines by number, at most 200 a call, the end is said", async () => {
    const box = await discovered();
    expect(
      await answer(box, "read_file_range", { file_path: "logs/run.log", start_line: 10, end_line: 12 }),
    ).toMatchObject({
      content: "line 10\nline 11\nline 12",
      start_line: 10,
      end_line: 12,
      truncated: false,
      more_follows: true,
    });
    const long = await answer(box, "read_file_range", {
      file_path: "logs/run.log",
      start_line: 5,
      end_line: 900,
    });
    expect(long).toMatchObject({ end_line: 204, truncated: true });
    const end = await answer(box, "read_file_range", {
      file_path: "logs/run.log",
      start_line: "998",
      end_line: 1200,
    });
    expect(end).toMatchObject({
      content: "line 998\nline 999\nline 1000 MARK",
      end_line: 1000,
      truncated: false,
      total_lines: 1000,
    });
    const past = await answer(box, "read_file_range", {
      file_path: "logs/run.log",
      start_line: 2000,
      end_line: 2001,
    });
    expect(past).toMatchObject({ error: "past_the_end", message: expect.stringContaining("1000 lines") });
    expect(
      (await answer(box, "read_file_range", { file_path: "logs/run.log", start_line: 9, end_line: 3 }))[
        "error"
      ],
    ).toBe("bad_arguments");
  });
});

describe("calls as models make them", () => {
  test("unknown tools, malformed JSON, missing and wrong arguments are refusals", async () => {
    const box = await discovered();
    for (const [name, args, rule] of [
      ["read_whole_file", {}, "unknown_tool"],
      ["toString", {}, "unknown_tool"],
      ["read_file_header", '{"file_path": ', "bad_arguments"],
      ["read_file_header", null, "bad_arguments"],
      ["read_file_header", { file_path: 3 }, "bad_arguments"],
      ["read_file_range", { file_path: "logs/run.log", start_line: 0, end_line: 3 }, "bad_arguments"],
      ["list_available_files", [], "bad_arguments"],
      ["list_available_files", {}, "bad_arguments"],
    ] as const) {
      const result = await box.call(name, args);
      expect([name, result.ok, result.data["error"]]).toEqual([name, false, rule]);
      expect(result.data["instead"]).toBeString();
    }
  });

  test("the specifications match the arguments that the tools accept", () => {
    for (const spec of TOOL_SPECS) {
      expect(spec.description.length).toBeGreaterThan(40);
      const parameters = spec.parameters as { required: string[]; properties: Record<string, unknown> };
      for (const key of parameters.required) expect(parameters.properties[key]).toBeDefined();
    }
    expect(existsSync(root)).toBe(true);
  });
});

test("a pattern without a slash falls back to any depth, and the answer names the glob", async () => {
  const alone = await answer(tools(), "list_available_files", { patterns: ["short.log"] });
  expect(alone).toMatchObject({
    files: [{ path: "logs/short.log" }],
    total_found: 1,
    notes: ["Nothing at the root matches; these match **/short.log."],
  });
});
