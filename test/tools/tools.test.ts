// The four tools as an author meets them: answers, limits, the quota, refusals that teach, the path guard.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { AtomsmithError } from "../../src/core/errors.ts";
import type { EventBody } from "../../src/core/events.ts";
import {
  createFileTools,
  type FileTools,
  TOOL_SPECS,
  type ToolLimits,
  type ToolsSnapshot,
} from "../../src/tools/index.ts";

// A machine that is busy with other things is not a failure.
setDefaultTimeout(60_000);

let dir = "";
let root = "";
let events: EventBody[] = [];

const LIMITS: ToolLimits = {
  maxLinesPerCall: 200,
  maxTotalBytes: 102_400,
  maxFilesPerDiscovery: 20,
  maxMatchesPerKeyword: 3,
  requireDiscovery: true,
  headerLines: 100,
};

function tools(
  limits: Partial<ToolLimits> = {},
  more: { restore?: ToolsSnapshot; hidden?: string[] } = {},
): FileTools {
  events = [];
  return createFileTools({
    searchRoot: root,
    limits: { ...LIMITS, ...limits },
    hidden: more.hidden ?? [],
    emit: (event) => events.push(event),
    scope: "item",
    ...(more.restore === undefined ? {} : { restore: more.restore }),
  });
}

async function answer(box: FileTools, name: string, args: unknown): Promise<Record<string, unknown>> {
  const result = await box.call(name, args);
  expect(JSON.parse(result.content)).toEqual(result.data);
  return result.data;
}

async function discovered(limits: Partial<ToolLimits> = {}): Promise<FileTools> {
  const box = tools(limits);
  await box.call("list_available_files", { patterns: ["*.log", "*.gz"] });
  return box;
}

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "tools-"));
  root = join(dir, "root");
  mkdirSync(join(root, "logs/deep"), { recursive: true });
  mkdirSync(join(root, ".git"), { recursive: true });
  mkdirSync(join(root, "output/X"), { recursive: true });
  mkdirSync(join(dir, "elsewhere"));
  const lines = Array.from({ length: 1000 }, (_, i) => `line ${i + 1}${(i + 1) % 100 === 0 ? " MARK" : ""}`);
  writeFileSync(join(root, "logs/run.log"), `${lines.join("\n")}\n`);
  writeFileSync(join(root, "logs/short.log"), "one\ntwo\nthree");
  writeFileSync(join(root, "logs/deep/run.log.gz"), gzipSync(`${lines.join("\n")}\n`));
  writeFileSync(join(root, "logs/empty.log"), "");
  writeFileSync(join(root, "logs/binary.log"), "a\0b");
  writeFileSync(join(root, "logs/two\nlines.log"), "odd name\n");
  writeFileSync(join(root, ".git/config.log"), "never seen");
  writeFileSync(join(root, "output/X/atom.log"), "hidden");
  writeFileSync(join(dir, "elsewhere/secret.log"), "secret");
  symlinkSync(join(dir, "elsewhere/secret.log"), join(root, "logs/leak.log"));
  symlinkSync("run.log", join(root, "logs/latest.log"));
  symlinkSync(join(dir, "elsewhere"), join(root, "logs/away"));
  symlinkSync("loop.log", join(root, "logs/loop.log"));
  Bun.spawnSync(["mkfifo", join(root, "logs/pipe.log")]);
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

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

  test("braces, depth, variables and absolute patterns", async () => {
    const box = tools();
    const count = async (pattern: string) =>
      (await answer(box, "list_available_files", { patterns: [pattern] }))["total_found"];
    expect(await count("logs/**/*.{gz,zst}")).toBe(1);
    expect(await count("logs/*.gz")).toBe(0);
    expect(await count("${LOG_ROOT}/logs/sh?rt.log")).toBe(1);
    expect(await count(`${root}/logs/s[gh]ort.log`)).toBe(1);
    expect(await count("./logs/short.log")).toBe(1);
  });

  test("what matches nothing is told what there is", async () => {
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
      keywords: ["^line (10|20)0 mark$", "9{3}"],
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

describe("path guard", () => {
  test("only what a discovery returned", async () => {
    const box = tools();
    const before = await answer(box, "read_file_header", { file_path: "logs/run.log" });
    expect(before).toMatchObject({
      error: "not_discovered",
      instead: expect.stringContaining("list_available_files"),
    });
    await box.call("list_available_files", { patterns: ["short.log"] });
    expect((await answer(box, "read_file_header", { file_path: "logs/run.log" }))["error"]).toBe(
      "not_discovered",
    );
    expect((await box.call("read_file_header", { file_path: "logs/short.log" })).ok).toBe(true);
    expect(
      (await box.call("read_file_header", { file_path: join(root, "logs/short.log"), max_lines: 1 })).ok,
    ).toBe(true);
    expect(
      (await box.call("read_file_header", { file_path: "./logs/../logs/short.log", max_lines: 2 })).ok,
    ).toBe(true);
  });

  test("a hidden folder that is made later is hidden, also when it is named by way of a link", async () => {
    symlinkSync(root, join(dir, "link-to-root"));
    const hidden = [join(dir, "link-to-root", "made", "later")];
    await tools({}, { hidden }).call("list_available_files", { patterns: ["**/*.late"] });
    mkdirSync(join(root, "made/later"), { recursive: true });
    writeFileSync(join(root, "made/later/x.late"), "of the program itself");
    writeFileSync(join(root, "made/y.late"), "a log");
    const data = await answer(tools({}, { hidden }), "list_available_files", { patterns: ["**/*.late"] });
    expect(data["files"]).toEqual([{ path: "made/y.late", size: 5, type: "unknown" }]);
    rmSync(join(root, "made"), { recursive: true });
  });

  test("nothing outside the root, hidden, or behind a link, whether discovery is required or not", async () => {
    for (const requireDiscovery of [true, false]) {
      const box = tools({ requireDiscovery }, { hidden: [join(root, "output")] });
      await box.call("list_available_files", { patterns: ["**/*"] });
      for (const path of [
        join(dir, "elsewhere/secret.log"),
        "../elsewhere/secret.log",
        "logs/leak.log",
        "logs/away/secret.log",
        "output/X/atom.log",
        "/etc/passwd",
        "logs/loop.log",
        "logs/pipe.log",
        "logs",
        "logs/none.log",
        "logs/\0.log",
      ]) {
        const result = await box.call("read_file_header", { file_path: path });
        expect([path, result.ok]).toEqual([path, false]);
        expect(result.content).not.toContain("secret\n");
        expect(result.data["content"]).toBeUndefined();
      }
      expect(JSON.stringify(box.snapshot().discovered)).not.toContain("atom.log");
    }
  });

  test("a discovered file that becomes a link to somewhere else is refused", async () => {
    writeFileSync(join(root, "logs/turn.log"), "harmless");
    const box = await discovered();
    expect((await box.call("read_file_header", { file_path: "logs/turn.log" })).ok).toBe(true);
    renameSync(join(root, "logs/turn.log"), join(root, "logs/turned"));
    symlinkSync(join(dir, "elsewhere/secret.log"), join(root, "logs/turn.log"));
    const after = await box.call("read_file_header", { file_path: "logs/turn.log", max_lines: 7 });
    expect(after.data["error"]).toBe("outside_root");
    rmSync(join(root, "logs/turn.log"));
    const gone = await box.call("read_file_header", { file_path: "logs/turn.log", max_lines: 8 });
    expect(gone.data["error"]).toBe("input_missing");
    rmSync(join(root, "logs/turned"));
  });

  test("a root that is reached through a link works with both spellings", async () => {
    symlinkSync(root, join(dir, "link"));
    const box = createFileTools({
      searchRoot: join(dir, "link"),
      limits: LIMITS,
      hidden: [],
      emit: () => undefined,
      scope: "item",
    });
    await box.call("list_available_files", { patterns: ["short.log"] });
    for (const path of [join(dir, "link/logs/short.log"), join(root, "logs/short.log"), "logs/short.log"]) {
      expect((await box.call("read_file_header", { file_path: path })).ok).toBe(true);
    }
  });

  test("a search root that is no folder is a configuration error", () => {
    for (const searchRoot of [join(dir, "nowhere"), join(root, "logs/run.log")]) {
      expect(() =>
        createFileTools({ searchRoot, limits: LIMITS, hidden: [], emit: () => undefined, scope: "item" }),
      ).toThrow(AtomsmithError);
    }
  });
});

describe("quota", () => {
  test("every byte of every answer counts, refusals too, and the limit holds", async () => {
    const box = tools({ maxTotalBytes: 6000 });
    let total = 0;
    const calls: [string, unknown][] = [
      ["list_available_files", { patterns: ["*.log"] }],
      ["read_file_header", { file_path: "logs/none.log" }],
      ["read_file_header", { file_path: "logs/run.log", max_lines: 60 }],
      ["search_in_file", { file_path: "logs/run.log", keywords: ["mark"], context_lines: 20 }],
      ["read_file_range", { file_path: "logs/run.log", start_line: 400, end_line: 599 }],
      ["read_file_range", { file_path: "logs/run.log", start_line: 600, end_line: 799 }],
      ["read_file_range", { file_path: "logs/run.log", start_line: 800, end_line: 999 }],
    ];
    for (const [name, args] of calls) {
      const result = await box.call(name, args);
      expect(result.bytes).toBe(Buffer.byteLength(result.content));
      total += result.bytes;
      expect(box.bytesLeft()).toBe(6000 - total);
      expect(result.data["bytes_left"]).toBe(6000 - total);
    }
    expect(total).toBeLessThanOrEqual(6000);
    const last = await box.call("read_file_range", { file_path: "logs/run.log", start_line: 1, end_line: 2 });
    expect(last.data["error"]).toBe("quota_exhausted");
    expect(events.some((event) => event.type === "budget" && event.what === "tool_bytes")).toBe(true);
    expect(events.filter((event) => event.type === "tool_called").length).toBe(8);
  });

  test("an answer that does not fit is shortened and says so", async () => {
    const box = await discovered({ maxTotalBytes: 2000 });
    const data = await answer(box, "read_file_range", {
      file_path: "logs/run.log",
      start_line: 1,
      end_line: 200,
    });
    const lines = String(data["content"]).split("\n");
    expect(lines.length).toBeGreaterThan(10);
    expect(lines.length).toBeLessThan(200);
    expect(data["end_line"]).toBe(lines.length);
    expect(String(data["notes"])).toContain("quota");
  });

  test("the same call again is answered from memory and costs nothing", async () => {
    const box = await discovered();
    const first = await box.call("read_file_header", { file_path: "logs/run.log", max_lines: 3 });
    const left = box.bytesLeft();
    const again = await box.call("read_file_header", '{"max_lines": 3, "file_path": "logs/run.log"}');
    expect(again).toEqual({ ...first, bytes: 0 });
    expect(box.bytesLeft()).toBe(left);
  });

  test("a snapshot restores the quota, what was discovered, evidence and memory", async () => {
    const box = await discovered();
    const first = await box.call("read_file_header", { file_path: "logs/run.log", max_lines: 3 });
    await box.call("search_in_file", { file_path: "logs/run.log", keywords: ["mark"], context_lines: 0 });
    const snapshot = JSON.parse(JSON.stringify(box.snapshot())) as ToolsSnapshot;
    expect(snapshot.observed[0]).toEqual({
      path: join(root, "logs/run.log"),
      startLine: 1,
      lines: ["line 1", "line 2", "line 3"],
    });
    expect(snapshot.observed[1]).toEqual({
      path: join(root, "logs/run.log"),
      startLine: 100,
      lines: ["line 100 MARK"],
    });
    const restored = tools({}, { restore: snapshot });
    expect(restored.bytesLeft()).toBe(box.bytesLeft());
    expect(await restored.call("read_file_header", { file_path: "logs/run.log", max_lines: 3 })).toEqual({
      ...first,
      bytes: 0,
    });
    expect((await restored.call("read_file_header", { file_path: "logs/short.log" })).ok).toBe(true);
    expect(restored.snapshot().observed.length).toBe(5);
    // A link keeps the name under which it was given out.
    expect((await restored.call("read_file_header", { file_path: "logs/latest.log", max_lines: 1 })).ok).toBe(
      true,
    );
    expect(snapshot.discovered.filter((path) => path.endsWith("logs/run.log")).length).toBe(1);
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

  test("what the model is told of the tools fits what they take", () => {
    for (const spec of TOOL_SPECS) {
      expect(spec.description.length).toBeGreaterThan(40);
      const parameters = spec.parameters as { required: string[]; properties: Record<string, unknown> };
      for (const key of parameters.required) expect(parameters.properties[key]).toBeDefined();
    }
    expect(existsSync(root)).toBe(true);
  });
});
