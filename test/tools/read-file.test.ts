// read_file_header and read_file_range: lines, limits, what is stated about the rest of the file.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createFileTools } from "../../src/tools/index.ts";
import { answer, LIMITS, toolsTree } from "./tree.ts";

// Generous, since test machines are shared.
setDefaultTimeout(60_000);

const { dir, discovered } = toolsTree();

describe("read_file_header", () => {
  test("the answer states lines, size, encoding and whether more follows", async () => {
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

  test("line ends are stated, and the number of lines only where it is known", async () => {
    const folder = mkdtempSync(join(dir, "ends-"));
    const box = createFileTools({
      searchRoot: folder,
      limits: { ...LIMITS, requireDiscovery: false },
      hidden: [],
      emit: () => undefined,
      scope: "item",
    });
    const head = async (text: string, max_lines: number) => {
      // The same call again would be answered from memory.
      const file_path = `${text.length}.log`;
      writeFileSync(join(folder, file_path), text);
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

  test("the limit of lines per call applies and is stated", async () => {
    const data = await answer(await discovered(), "read_file_header", {
      file_path: "logs/run.log",
      max_lines: 5000,
    });
    expect(data["lines_read"]).toBe(200);
    expect(String(data["notes"])).toContain("at most 200");
  });

  test("binary files are reported as binary", async () => {
    const data = await answer(await discovered(), "read_file_header", { file_path: "logs/binary.log" });
    expect(data["error"]).toBe("input_binary");
  });
});

describe("read_file_range", () => {
  test("lines are read by number, at most 200 per call, and the end is stated", async () => {
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
