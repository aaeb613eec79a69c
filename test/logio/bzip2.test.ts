// bzip2 archives made by the real tool: read completely, and damaged archives are errors with a reason.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { keywordMatcher, LineIndexes, readLines, readText, searchText } from "../../src/logio/index.ts";
import { archiveReading, BIG } from "./archive-reading.ts";
import {
  BZIP2,
  BZIP2_BLOCKS,
  BZIP2_BOMB,
  BZIP2_EMPTY,
  BZIP2_LARGE,
  BZIP2_RUNS,
  RUNS,
  SAMPLE,
} from "./archives.ts";

// Generous, since test machines are shared.
setDefaultTimeout(60_000);

const { write: put, read } = archiveReading("bzip2");

describe("archives that are read", () => {
  test.each([
    ["one block", BZIP2, SAMPLE],
    ["runs of every length", BZIP2_RUNS, RUNS],
    ["several blocks", BZIP2_BLOCKS, SAMPLE.repeat(300)],
    ["an empty text", BZIP2_EMPTY, ""],
    [
      "several streams",
      Buffer.concat([BZIP2, BZIP2_EMPTY, BZIP2_RUNS, BZIP2_BLOCKS]),
      SAMPLE + RUNS + SAMPLE.repeat(300),
    ],
  ])("%s", async (_, archive, text) => {
    const reading = await read(archive);
    // A difference of megabytes is useless in a message.
    expect(reading.length).toBe(text.length);
    expect(reading === text).toBe(true);
  });

  test("streams that end at any offset of the reader's buffer", async () => {
    const many = Buffer.concat(Array.from({ length: 3000 }, (_, i) => (i % 3 === 0 ? BZIP2_RUNS : BZIP2)));
    expect(many.byteLength).toBeGreaterThan(2 * 256 * 1024);
    expect((await read(many)) === (RUNS + SAMPLE + SAMPLE).repeat(1000)).toBe(true);
  });

  test("search and ranges", async () => {
    const path = put(BZIP2_BLOCKS);
    const indexes = new LineIndexes();
    const request = { maxMatches: 2, contextLines: 0, maxLineBytes: 200, indexes };
    const found = await searchText(path, keywordMatcher(["core_2"]), request);
    expect(found.ok && found.hits.map((hit) => hit.line)).toEqual([3, 6]);
    const lines = await readLines(path, { from: 11_999, to: 12_001, maxLineBytes: 200, indexes });
    expect(lines.ok && lines.lines).toEqual(["[38] INFO step 3 of core_2", "[39] INFO step 4 of core_0"]);
    expect(lines.ok && lines.compression).toBe("bzip2");
  });

  test("data after the last stream is a warning", async () => {
    for (const tail of ["and a text", "BZz", "BZh0", "\0\0\0"]) {
      const reading = await readText(put(Buffer.concat([BZIP2, Buffer.from(tail)])), BIG);
      expect(reading.ok && reading.input.text).toBe(SAMPLE);
      expect(reading.ok && reading.input.warnings?.map((warning) => warning.code)).toEqual([
        "input_trailing_garbage",
      ]);
    }
  });
});

describe("archives that are refused", () => {
  test("an archive cut at any byte", async () => {
    for (const whole of [BZIP2, Buffer.concat([BZIP2, BZIP2_RUNS])]) {
      for (let length = 6; length < whole.byteLength; length += 1) {
        // Before the second stream starts, the first is a complete file.
        const expected = length === BZIP2.byteLength && whole !== BZIP2 ? SAMPLE : "input_truncated";
        const reading = await read(whole.subarray(0, length));
        expect([length, reading.slice(0, expected.length)]).toEqual([length, expected]);
      }
    }
  });

  test("an archive with any bit changed", async () => {
    let harmless = 0;
    for (let bit = 8 * 4; bit < 8 * BZIP2.byteLength; bit += 1) {
      const damaged = Buffer.from(BZIP2);
      damaged[bit >> 3] = (damaged[bit >> 3] ?? 0) ^ (0x80 >> (bit & 7));
      const reading = await read(damaged);
      if (reading === SAMPLE) harmless += 1;
      // A file without the bzip2 signature is a plain file, here with NUL bytes.
      else
        expect([bit, reading]).toEqual([
          bit,
          expect.stringMatching(/^input_(corrupt|truncated|unsupported|binary)/),
        ]);
    }
    // Padding of the last byte, and a code for a symbol that does not occur.
    expect(harmless).toBeLessThan(20);
  });

  test("a block larger than its level allows", async () => {
    expect((await read(BZIP2_LARGE)) === SAMPLE.repeat(300)).toBe(true);
    const small = Buffer.from(BZIP2_LARGE);
    small[3] = 0x31;
    expect((await read(small)).slice(0, 13)).toBe("input_corrupt");
  });

  test("bombs are stopped by ratio and by total size", async () => {
    const byRatio = { maxRatio: 100, ratioFrom: 2 ** 20, maxBytes: 2 ** 40 };
    const byTotal = { maxRatio: 100_000, ratioFrom: 2 ** 20, maxBytes: 2 ** 20 };
    for (const bombLimits of [byRatio, byTotal]) {
      expect(await read(BZIP2_BOMB, { ...BIG, bombLimits })).toStartWith("input_bomb");
    }
    expect((await read(BZIP2_BOMB)).length).toBe(3 * 2 ** 20);
  });
});
