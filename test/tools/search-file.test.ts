// search_in_file: matches, excerpts, counts, limits.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { answer, toolsTree } from "./tree.ts";

// Generous, since test machines are shared.
setDefaultTimeout(60_000);

const { discovered } = toolsTree();

describe("search_in_file", () => {
  test("the context size comes from the call, else from the configuration", async () => {
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

  test("several keywords are searched at once, overlapping contexts are merged, at most 3 matches of each are shown", async () => {
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

  test("counts are right whatever is shown, and a lowered limit is stated where it applies", async () => {
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

  test("excluded lines, case sensitivity and invalid expressions are handled", async () => {
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

  test("matches on the first and last line are found, in gzip too", async () => {
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

  test("regular expressions have the same limits, and invalid ones are refused", async () => {
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

  test("the limit of lines per call applies", async () => {
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

  test("keywords that are empty, too long, too many or multi-line are refused", async () => {
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
