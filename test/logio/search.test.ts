// Keyword search, compared with a search of the whole text, line by line.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { keywordMatcher, searchText } from "../../src/logio/index.ts";
import { logText, randomNumbers, searchFolder } from "./search-files.ts";

// Generous, since test machines are shared.
setDefaultTimeout(60_000);

const { put } = searchFolder();

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

/** Lines found by a plain search of the whole text. */
function plainSearch(text: string, keywords: string[], maxMatches = 1000): Record<string, number[]> {
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

  test("plain, gzip, zstd and UTF-16 files give the same lines as a plain search", async () => {
    const files = [
      put("s.log", text),
      put("s.log.gz", gzipSync(text)),
      put("s.log.zst", zstdCompressSync(text)),
      put("s16.log", Buffer.from(`\ufeff${text}`, "utf16le")),
    ];
    for (const keywords of sets) {
      for (const limit of [3, 1000]) {
        const wanted = plainSearch(text, keywords, limit);
        for (const path of files) expect(await linesOf(path, keywords, limit)).toEqual(wanted);
      }
    }
  });

  test("random texts and keywords give the same lines as a plain search", async () => {
    const next = randomNumbers(99);
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
      expect([sample, await linesOf(path, keywords)]).toEqual([sample, plainSearch(sample, keywords)]);
    }
  });

  test("letters of all scripts match in both cases, in UTF-8 and in Latin-1", async () => {
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

  test("case is respected on request, in UTF-8 and in Latin-1", async () => {
    for (const encoding of ["utf8", "latin1"] as const) {
      const path = put("case.log", Buffer.from("ÜBER abc\nüber ABC\nXüber Abc\n", encoding));
      const matcher = keywordMatcher(["über", "Über", "ABC", "Abc"], { caseSensitive: true });
      const request = { maxMatches: 9, contextLines: 0, maxLineBytes: 100 };
      expect(await searchText(path, matcher, request)).toMatchObject({ counts: [2, 0, 1, 1] });
    }
  });

  test("the search stops once everything is found and reports it", async () => {
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

  test("one line of 30 MB is one match", async () => {
    const path = put("long.log", `${"needle hay ".repeat(3_000_000)}\nneedle\n`);
    expect(await linesOf(path, ["needle"])).toEqual({ needle: [1, 2] });
  });

  test("a binary file is reported with its first NUL line", async () => {
    const path = put("bin.log", `needle\n${"x\n".repeat(400_000)}\0needle`);
    const result = await searchText(path, keywordMatcher(["none"]), {
      maxMatches: 1,
      contextLines: 0,
      maxLineBytes: 100,
    });
    expect(result).toMatchObject({ ok: false, diagnostic: { code: "input_binary", line: 400_002 } });
  });
});
