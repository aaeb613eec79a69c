// Searching and reading by line number, checked against the obvious way: the whole text, split into lines.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { keywordMatcher, LineIndexes, readLines, regexMatcher, searchText } from "../../src/logio/index.ts";
import { requiredLiteral } from "../../src/logio/required-literal.ts";
import { resumeAt } from "../../src/logio/resume.ts";

// A machine that is busy with other things is not a failure.
setDefaultTimeout(60_000);

let dir = "";
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "search-"));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

function put(name: string, bytes: string | Uint8Array): string {
  const path = join(dir, name);
  writeFileSync(path, bytes);
  return path;
}

/** A repeatable source of numbers in [0, 1). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
}

function logText(bytes: number, seed = 7): string {
  const next = numbers(seed);
  const lines: string[] = [];
  for (let size = 0; size < bytes; ) {
    const line = `${lines.length} ${next().toString(36)} path ${Math.floor(next() * 1e6)} slack ${next().toFixed(4)}`;
    lines.push(next() < 0.001 ? `${line} WARNING ${Math.floor(next() * 50)}` : line);
    size += line.length + 1;
  }
  return `${lines.join("\n")}\n`;
}

async function linesOf(
  path: string,
  keywords: string[],
  maxMatches = 1000,
): Promise<Record<string, number[]>> {
  const result = await searchText(path, keywordMatcher(keywords), {
    maxMatches,
    contextLines: 0,
    maxLineBytes: 500,
  });
  if (!result.ok) throw new Error(result.diagnostic.message);
  return Object.fromEntries(
    keywords.map((keyword, i) => [
      keyword,
      result.hits.filter((hit) => hit.pattern === i).map((hit) => hit.line),
    ]),
  );
}

/** The obvious way. */
function expected(text: string, keywords: string[], maxMatches = 1000): Record<string, number[]> {
  const lines = text.split("\n").map((line) => line.toLowerCase());
  return Object.fromEntries(
    keywords.map((keyword) => [
      keyword,
      lines.flatMap((line, i) => (line.includes(keyword.toLowerCase()) ? [i + 1] : [])).slice(0, maxMatches),
    ]),
  );
}

describe("search", () => {
  const text = logText(900_000);
  const sets = [
    ["WARNING 7", "absent", "slack 0.99"],
    ["warning 1", "WARNING 12", "path 99", "zz", "0.1234", "1234", "a1b", "SLACK 0.00", "x"],
    ["e"],
    ["k 0.5"],
    Array.from({ length: 40 }, (_, i) => `path ${i * 331}`),
    [`${" ".repeat(3)}none${"y".repeat(400)}`],
  ];

  test("plain, gzip, zstd and UTF-16 give the same lines as a plain line-by-line search", async () => {
    const files = [
      put("s.log", text),
      put("s.log.gz", gzipSync(text)),
      put("s.log.zst", zstdCompressSync(text)),
      put("s16.log", Buffer.from(`\ufeff${text}`, "utf16le")),
    ];
    for (const keywords of sets) {
      for (const limit of [3, 1000]) {
        const wanted = expected(text, keywords, limit);
        for (const path of files) expect(await linesOf(path, keywords, limit)).toEqual(wanted);
      }
    }
  });

  test("random small texts and keywords, at every border", async () => {
    const next = numbers(99);
    const alphabet = "aAbBkKsS .\n\n1";
    for (let round = 0; round < 150; round += 1) {
      const length = Math.floor(next() * 200);
      const sample = Array.from({ length }, () => alphabet[Math.floor(next() * alphabet.length)]).join("");
      const keywords = [
        ...new Set(
          Array.from({ length: 1 + Math.floor(next() * 6) }, () =>
            Array.from({ length: 1 + Math.floor(next() * 5) }, () => alphabet[Math.floor(next() * 10)]).join(
              "",
            ),
          ),
        ),
      ];
      const path = put("random.log", sample);
      expect([sample, await linesOf(path, keywords)]).toEqual([sample, expected(sample, keywords)]);
    }
  });

  test("letters of all scripts, in both cases, in UTF-8 and in Latin-1", async () => {
    const words = "GRÖSSE größe Ünlü ПРИВЕТ привет σοφός ΣΟΦΌΣ naïve NAÏVE \u212Aelvin ſtop 数据源";
    const utf8 = put("words.log", words.split(" ").join("\n"));
    const found = await linesOf(utf8, ["Größe", "привет", "ΣΟΦΌς", "Naïve", "kelvin", "STOP", "数据"]);
    expect(found).toEqual({
      Größe: [2],
      привет: [4, 5],
      ΣΟΦΌς: [6, 7],
      Naïve: [8, 9],
      kelvin: [10],
      STOP: [11],
      数据: [12],
    });
    const latin = put("latin.log", Buffer.from("x\nNAÏVE\nÜber\nnaïve\n", "latin1"));
    expect(await linesOf(latin, ["naïve", "über"])).toEqual({ naïve: [2, 4], über: [3] });
  });

  test("counts cover the whole text; a long line counts once, an excluded line never", async () => {
    const long = `${"needle hay ".repeat(100_000)}\n`;
    const path = put("counts.log", `needle\n${long}Needle not\n${long}`.repeat(3));
    const request = { maxMatches: 2, contextLines: 0, maxLineBytes: 100, countAll: true };
    const all = await searchText(path, keywordMatcher(["needle", "hay", "no"]), request);
    expect(all).toMatchObject({ counts: [12, 6, 3], complete: true, stopped: undefined });
    const exclude = (line: string) => line.includes("not");
    const some = await searchText(path, keywordMatcher(["needle", "no"]), { ...request, exclude });
    expect(some).toMatchObject({ counts: [9, 0], longLines: 6 });
  });

  test("case counts where that is asked for, in UTF-8 and in Latin-1", async () => {
    for (const encoding of ["utf8", "latin1"] as const) {
      const path = put("case.log", Buffer.from("ÜBER abc\nüber ABC\nXüber Abc\n", encoding));
      const matcher = keywordMatcher(["über", "Über", "ABC", "Abc"], { caseSensitive: true });
      const request = { maxMatches: 9, contextLines: 0, maxLineBytes: 100 };
      expect(await searchText(path, matcher, request)).toMatchObject({ counts: [2, 0, 1, 1] });
    }
  });

  test("it stops once everything is found and reports that", async () => {
    const path = put("early.log", `needle\n${text}`);
    const result = await searchText(path, keywordMatcher(["needle"]), {
      maxMatches: 1,
      contextLines: 1,
      maxLineBytes: 100,
    });
    if (!result.ok) throw new Error("unreadable");
    expect(result.complete).toBe(false);
    expect(result.stopped).toBe("satisfied");
    expect(result.scannedBytes).toBeLessThan(1000);
    expect(result.lines.get(1)).toBe("needle");
    expect(result.lines.get(2)).toBe(text.split("\n")[0] ?? "");
  });

  test("one line of 30 MB is one match, not many", async () => {
    const path = put("long.log", `${"needle hay ".repeat(3_000_000)}\nneedle\n`);
    expect(await linesOf(path, ["needle"])).toEqual({ needle: [1, 2] });
  });

  test("a binary file is said to be one", async () => {
    const path = put("bin.log", `needle\n${"x\n".repeat(400_000)}\0needle`);
    const result = await searchText(path, keywordMatcher(["none"]), {
      maxMatches: 1,
      contextLines: 0,
      maxLineBytes: 100,
    });
    expect(result).toMatchObject({ ok: false, diagnostic: { code: "input_binary", line: 400_002 } });
  });
});

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

  test("the same lines as matching every line, with and without a literal as a filter", async () => {
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

  test("patterns that run away elsewhere, and lines longer than any window", async () => {
    const path = put("runaway.log", `${"a".repeat(1_000_000)}!\nshort b\n${"x".repeat(700_000)}needle`);
    // The first line ends with an exclamation mark.
    const patterns = ["^(a+)+$", "^(a+)+!$", "(x+x+)+y", "short (b|bb)*$", "^x+needle$", "^n"];
    expect(await regexLines(path, patterns)).toEqual([[], [1], [], [2], [3], []]);
  });

  test("a pattern begins at the start of a line, also after another reached its limit in the line", async () => {
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

  test("lines around the size of a window are tried whole; of longer ones the beginning, and that is counted", async () => {
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

  test("what RE2 does not have is refused with its message", async () => {
    for (const pattern of ["(?=a)", "(a)\\1", "[", "((a{100}){100}){100}", "a{2000}"]) {
      const made = await regexMatcher([pattern, "fine"], { caseSensitive: true });
      expect(made.bad).toMatchObject([{ pattern, message: expect.stringMatching(/\S/) }]);
      expect(made.matcher?.count).toBe(1);
    }
  });

  test("the literal that a filter may rely on", () => {
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

describe("lines by number", () => {
  const text = logText(10_000_000, 3);
  const lines = text.split("\n").slice(0, -1);

  test("any range of any kind of file, before and after the index is there", async () => {
    for (const path of [
      put("l.log", `\ufeff${text}`),
      put("l.gz", gzipSync(text)),
      put("l.zst", zstdCompressSync(text)),
    ]) {
      const indexes = new LineIndexes();
      const next = numbers(5);
      const wanted = [
        1,
        2,
        lines.length - 1,
        lines.length,
        ...Array.from({ length: 25 }, () => 1 + Math.floor(next() * lines.length)),
      ];
      for (const from of wanted) {
        const read = await readLines(path, { from, to: from + 3, maxLineBytes: 1000, indexes });
        if (!read.ok) throw new Error(read.diagnostic.message);
        expect(read.lines).toEqual(lines.slice(from - 1, from + 3));
        expect(read.more).toBe(from + 3 < lines.length);
      }
      const past = await readLines(path, {
        from: lines.length + 1,
        to: lines.length + 2,
        maxLineBytes: 1000,
        indexes,
      });
      expect(past).toMatchObject({ ok: true, lines: [], more: false, totalLines: lines.length });
    }
  });

  test("the index is used: later ranges read only a part of the file", async () => {
    for (const path of [join(dir, "l.log"), join(dir, "l.gz")]) {
      const indexes = new LineIndexes();
      await readLines(path, { from: lines.length, to: lines.length, maxLineBytes: 100, indexes });
      const near = await readLines(path, {
        from: 150_000,
        to: 150_000,
        maxLineBytes: 100,
        indexes,
        maxScanBytes: 5_500_000,
      });
      expect(near).toMatchObject({ ok: true, lines: [lines[149_999]?.slice(0, 100)], stopped: false });
    }
  });

  test("a decoder can be brought in step with a block that begins at any bit", () => {
    for (let bits = 0; bits < 8; bits += 1) {
      // No output and no error from the lead-in: what follows is decoded from exactly the wanted bit on.
      const decoder = resumeAt({ rawOffset: 0, bits, before: 0, window: Buffer.from("x".repeat(100)) });
      expect([bits, decoder === undefined]).toEqual([bits, false]);
      // Zero bits so far: a stored block. 3 header bits, padding to a byte, length 2, its complement, "hi".
      const padding = bits >= 3 ? [] : [0];
      const input = new Uint8Array([...padding, 2, 0, 0xfd, 0xff, 0x68, 0x69]);
      const output = new Uint8Array(2);
      decoder?.step(input, output);
      expect(Buffer.from(output).toString()).toBe("hi");
      decoder?.close();
    }
  });

  test("gzip of many members has places too", async () => {
    const half = text.length / 2;
    const path = put(
      "members.gz",
      Buffer.concat([gzipSync(text.slice(0, half)), gzipSync(text.slice(half), { level: 1 })]),
    );
    const indexes = new LineIndexes();
    for (const from of [lines.length - 5, 200_000, 100_000, 120_000]) {
      const read = await readLines(path, { from, to: from + 1, maxLineBytes: 500, indexes });
      expect(read).toMatchObject({ ok: true, lines: lines.slice(from - 1, from + 1) });
    }
  });

  test("a file that changed gets a new index", async () => {
    const path = put("changing.log", text);
    const indexes = new LineIndexes();
    await readLines(path, { from: lines.length, to: lines.length, maxLineBytes: 100, indexes });
    writeFileSync(path, `new first line\n${text}`);
    const read = await readLines(path, { from: 100_001, to: 100_001, maxLineBytes: 500, indexes });
    expect(read).toMatchObject({ ok: true, lines: [lines[99_999]] });
    appendFileSync(path, "tail");
    const last = await readLines(path, {
      from: lines.length + 2,
      to: lines.length + 9,
      maxLineBytes: 500,
      indexes,
    });
    expect(last).toMatchObject({ ok: true, lines: ["tail"], more: false });
  });

  test("long lines are cut with a mark that says how long they are, characters stay whole", async () => {
    const path = put("wide.log", `${"ä".repeat(3_000_000)}\nshort\r\n${"b".repeat(300)}`);
    const read = await readLines(path, { from: 1, to: 5, maxLineBytes: 100 });
    if (!read.ok) throw new Error("unreadable");
    expect(read.lines[0]).toEndWith("ä …[cut, 6000000 bytes in all]");
    expect(Buffer.byteLength(read.lines[0] ?? "")).toBeLessThanOrEqual(100);
    expect(read.lines[1]).toBe("short");
    expect(read.lines[2]).toEndWith("[cut, 300 bytes in all]");
    expect(read.cut).toBe(2);
    expect(read.encoding).toBe("utf-8");
  });

  test("a limit on what is passed over is kept and said", async () => {
    const read = await readLines(join(dir, "l.log"), {
      from: 100_000,
      to: 100_001,
      maxLineBytes: 100,
      maxScanBytes: 100_000,
    });
    expect(read).toMatchObject({ ok: true, lines: [], stopped: true, more: true });
  });

  test("a truncated file gives its readable part and its problem", async () => {
    const whole = gzipSync(text);
    const path = put("cut.gz", whole.subarray(0, whole.byteLength / 2));
    const early = await readLines(path, { from: 1, to: 2, maxLineBytes: 500 });
    expect(early).toMatchObject({ ok: true, lines: lines.slice(0, 2) });
    const late = await readLines(path, { from: lines.length, to: lines.length, maxLineBytes: 500 });
    expect(late).toMatchObject({ ok: false, diagnostic: { code: "input_truncated" } });
  });
});
