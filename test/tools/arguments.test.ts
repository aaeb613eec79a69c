// Arguments of tool calls: the reader accepts, refuses and converts the same values as a zod schema, which the
// program itself does not load.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { z } from "zod";
import { MAX_KEYWORD_LENGTH, MAX_KEYWORDS, readArguments } from "../../src/tools/arguments.ts";
import type { ToolName } from "../../src/tools/types.ts";

const numeric = (value: unknown) =>
  typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
const positive = z.preprocess(numeric, z.int().min(1));
const listed = (item: z.ZodString, max: number) =>
  z.preprocess((value) => (typeof value === "string" ? [value] : value), z.array(item).min(1).max(max));
const flag = z.preprocess((v) => (v === "true" ? true : v === "false" ? false : v), z.boolean());
const keyword = z
  .string()
  .min(1)
  .max(MAX_KEYWORD_LENGTH)
  .regex(/^[^\n\r\0]*$/);
const file = z.string().min(1).max(4096);
const ORACLE: Record<ToolName, z.ZodType> = {
  list_available_files: z.object({
    patterns: listed(z.string().min(1).max(1000), 32),
    max_files: positive.optional(),
    stop_early: flag.optional(),
  }),
  read_file_header: z.object({ file_path: file, max_lines: positive.optional() }),
  search_in_file: z.object({
    file_path: file,
    keywords: listed(keyword, MAX_KEYWORDS),
    context_lines: z.preprocess(numeric, z.int().min(0).max(1000)).optional(),
    max_matches_per_keyword: positive.optional(),
    regex: flag.optional(),
  }),
  read_file_range: z.object({ file_path: file, start_line: positive, end_line: positive }),
};
const TOOLS = Object.keys(ORACLE) as ToolName[];

test("arguments are accepted, refused and read as by the schema", () => {
  const size = fc.oneof(
    fc.constantFrom(
      0,
      1,
      -1,
      1000,
      1001,
      1.5,
      NaN,
      Infinity,
      2 ** 53,
      "0",
      "7",
      "1001",
      "-1",
      "1.0",
      " 5",
      "",
    ),
    fc.integer(),
  );
  const word = fc.oneof(
    fc.string({ maxLength: 4 }),
    fc.constantFrom("", "a\nb", "a\0", "x".repeat(500), "x".repeat(501), "y".repeat(4097), "ü"),
  );
  const words = fc.oneof(
    word,
    fc.array(fc.oneof({ weight: 5, arbitrary: word }, fc.constantFrom(7, null)), { maxLength: 3 }),
    fc.constantFrom<unknown>(Array(64).fill("k"), Array(65).fill("k"), Array(33).fill("k")),
  );
  const odd = fc.constantFrom<unknown>(null, undefined, {}, [], true, "true", "false", "yes");
  const value = fc.oneof(size, words, odd);
  const given = fc.oneof(
    { weight: 9, arbitrary: fc.dictionary(fc.constantFrom(...fieldNames()), value, { maxKeys: 6 }) },
    { weight: 9, arbitrary: fc.record({ file_path: word, keywords: words, patterns: words, regex: odd }) },
    {
      weight: 5,
      arbitrary: fc.record({ file_path: word, start_line: size, end_line: size, max_lines: size }),
    },
    fc.constantFrom<unknown>([], 3, {}, null),
  );
  let accepted = 0;
  fc.assert(
    fc.property(fc.constantFrom(...TOOLS), given, (tool, args) => {
      const expected = ORACLE[tool].safeParse(args ?? {});
      const read = readArguments(tool, args);
      expect(read.ok).toBe(expected.success);
      if (read.ok) {
        accepted += 1;
        expect(read.args).toEqual(expected.data as typeof read.args);
      }
    }),
    { numRuns: 3000 },
  );
  expect(accepted).toBeGreaterThan(100);
});

function fieldNames(): string[] {
  const names =
    "file_path keywords patterns max_files stop_early max_lines context_lines regex start_line end_line";
  return [...names.split(" "), "max_matches_per_keyword", "__proto__", "more"];
}

describe("refusals state the reason in words", () => {
  test.each([
    ["read_file_header", {}, "file_path is missing"],
    ["read_file_header", { file_path: 3 }, "file_path must be a text"],
    ["read_file_header", [], "arguments must be an object"],
    ["read_file_header", "{", "The arguments are not valid JSON"],
    ["read_file_range", { file_path: "a", start_line: 0, end_line: "x" }, "of at least 1; end_line must"],
    ["search_in_file", { file_path: "a", keywords: ["a", ""], context_lines: 2000 }, "keywords.1 is empty"],
    ["search_in_file", { file_path: "a", keywords: "k", context_lines: 2000 }, "whole number from 0 to 1000"],
    ["search_in_file", { file_path: "a", keywords: ["a\nb"] }, "keywords.0 has a line end"],
    [
      "search_in_file",
      { file_path: "a", keywords: [], regex: 1 },
      "an empty list; regex must be true or false",
    ],
    ["list_available_files", { patterns: Array(33).fill("x") }, "patterns has more than 32 entries"],
  ] as const)("%s %j", (tool, args, message) => {
    const read = readArguments(tool, args);
    if (read.ok) throw new Error("was accepted");
    expect(read.message).toContain(message);
    expect(read.rule).toBe("bad_arguments");
  });
});
