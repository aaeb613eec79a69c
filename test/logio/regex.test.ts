// Search with regular expressions, compared with matching every line.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { regexMatcher, searchText } from "../../src/logio/index.ts";
import { requiredLiteral } from "../../src/logio/required-literal.ts";
import { logText, searchFolder } from "./search-files.ts";

// Generous, since test machines are shared.
setDefaultTimeout(60_000);

const { put } = searchFolder();

describe("regular expressions", () => {
  const text = logText(1_500_000, 11);

  async function regexLines(path: string, patterns: string[]): Promise<number[][]> {
    const { matcher } = await regexMatcher(patterns, { caseSensitive: false });
    if (matcher === undefined) throw new Error("no pattern could be compiled");
    const result = await searchText(path, matcher, {
      maxMatches: 50,
      contextLines: 0,
      maxLineBytes: 500,
    });
    if (!result.ok) throw new Error(result.diagnostic.message);
    return patterns.map((_, i) => result.hits.filter((hit) => hit.pattern === i).map((hit) => hit.line));
  }

  test("matches equal those of every line, with and without a literal as a filter", async () => {
    const path = put("regex.log", text);
    const lines = text.split("\n");
    const sets = [
      ["warning (1|2)\\d$"],
      ["path 99\\d+ ", "slack 0\\.00[0-4]"],
      ["^\\d+ \\S+ path 7+ "],
      ["path 12", "[a-f]{6}"],
      ["nowhere.*"],
    ];
    for (const patterns of sets) {
      const expected = patterns.map((pattern) => {
        const regex = new RegExp(pattern, "i");
        return lines.flatMap((line, i) => (regex.test(line) ? [i + 1] : [])).slice(0, 50);
      });
      expect(await regexLines(path, patterns)).toEqual(expected);
    }
  });

  test("patterns with catastrophic backtracking elsewhere and very long lines are matched", async () => {
    const path = put("runaway.log", `${"a".repeat(1_000_000)}!\nshort b\n${"x".repeat(700_000)}needle`);
    // The first line ends with an exclamation mark.
    const patterns = ["^(a+)+$", "^(a+)+!$", "(x+x+)+y", "short (b|bb)*$", "^x+needle$", "^n"];
    expect(await regexLines(path, patterns)).toEqual([[], [1], [], [2], [3], []]);
  });

  test("^ matches at the start of a line only, also after another pattern reached its limit in the line", async () => {
    const path = put("resume.log", `${"x one two\n".repeat(200)}two\n`);
    const { matcher } = await regexMatcher(["one", "^two", "^ two"], { caseSensitive: true });
    if (matcher === undefined) throw new Error("no pattern could be compiled");
    const request = { maxMatches: 1, contextLines: 0, maxLineBytes: 500 };
    const result = await searchText(path, matcher, { ...request, countAll: true });
    expect(result).toMatchObject({
      hits: [
        { pattern: 0, line: 1 },
        { pattern: 1, line: 201 },
      ],
      counts: [200, 1, 0],
    });
  });

  test("lines up to the window size are matched whole; longer ones are matched at their beginning and counted", async () => {
    for (const size of [262_143, 262_144, 262_145, 524_288, 786_432, 1_000_000]) {
      const path = put("long-lines.log", `a\n${"n".repeat(size)} end\nn\n${"n".repeat(size)} end`);
      expect(await regexLines(path, ["^n+ end$", "^n+$", "^ end"])).toEqual([[2, 4], [3], []]);
    }
    const path = put("too-long.log", `${"n".repeat(5_000_000)}tail\nn\n`);
    const { matcher } = await regexMatcher(["tail$", "^n$"], { caseSensitive: false });
    if (matcher === undefined) throw new Error("no pattern could be compiled");
    const request = { maxMatches: 9, contextLines: 0, maxLineBytes: 500 };
    expect(await searchText(path, matcher, request)).toMatchObject({
      hits: [{ pattern: 1, line: 2 }],
      longLines: 1,
    });
  });

  test("syntax that RE2 does not support is refused with its message", async () => {
    for (const pattern of ["(?=a)", "(a)\\1", "[", "((a{100}){100}){100}", "a{2000}"]) {
      const made = await regexMatcher([pattern, "fine"], { caseSensitive: true });
      expect(made.bad).toMatchObject([{ pattern, message: expect.stringMatching(/\S/) }]);
      expect(made.matcher?.count).toBe(1);
    }
  });

  test("the required literal of a pattern is found", () => {
    for (const [pattern, literal] of [
      ["slack \\(VIO\\w+\\)", "slack (VIO"],
      ["colou?r", "colo"],
      ["ab*c", undefined],
      ["a|bcd", undefined],
      ["(foo|bar)bazz+qux", "bazz"],
      ["(?-i)Abc", undefined],
      ["\\d{3}: done", ": done"],
      ["[a-z]]xyz", "]xyz"],
      ["abcd{|x}", undefined],
      ["x{0,3}abc", "abc"],
      ["\\x41bcd", undefined],
    ] as const) {
      expect([pattern, requiredLiteral(pattern)]).toEqual([pattern, literal]);
    }
  });
});
