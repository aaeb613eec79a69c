// xz archives made by the real tool: read completely, and damaged archives are errors with a reason.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { keywordMatcher, LineIndexes, readLines, searchText } from "../../src/logio/index.ts";
import { archiveReading, BIG } from "./archive-reading.ts";
import { BLOCKS, BOMB, CRC32, CRC64, FILTERED, LARGE, SAMPLE, SHA256, UNCHECKED } from "./archives.ts";

// Generous, since test machines are shared.
setDefaultTimeout(60_000);

const { write: put, read } = archiveReading("xz");

describe("archives that are read", () => {
  test.each([
    ["crc64", CRC64],
    ["crc32", CRC32],
    ["without a checksum", UNCHECKED],
    ["several blocks", BLOCKS],
  ])("%s", async (_, archive) => {
    expect(await read(archive)).toBe(SAMPLE);
  });

  test("several streams, with padding between and after them", async () => {
    expect(await read(Buffer.concat([CRC64, CRC32]))).toBe(SAMPLE + SAMPLE);
    const padded = Buffer.concat([CRC64, Buffer.alloc(8), BLOCKS, Buffer.alloc(4)]);
    expect(await read(padded)).toBe(SAMPLE + SAMPLE);
  });

  test("streams that end at any offset of the decoder's buffer", async () => {
    const many = Buffer.concat(Array.from({ length: 1000 }, (_, i) => (i % 3 === 0 ? BLOCKS : CRC32)));
    expect(many.byteLength).toBeGreaterThan(4 * 65_536);
    expect(await read(many)).toBe(SAMPLE.repeat(1000));
  });

  test("search and ranges, two files at once, and again after an abandoned one", async () => {
    const path = put(Buffer.concat(Array.from({ length: 500 }, () => CRC64)));
    const indexes = new LineIndexes();
    const request = { maxMatches: 2, contextLines: 0, maxLineBytes: 200, indexes };
    const both = [
      searchText(path, keywordMatcher(["step 3"]), request),
      searchText(path, keywordMatcher(["core_2"]), request),
    ];
    const [steps, cores] = await Promise.all(both);
    expect(steps?.ok && steps.hits.map((hit) => hit.line)).toEqual([4, 11]);
    expect(cores?.ok && cores.hits.map((hit) => hit.line)).toEqual([3, 6]);
    const lines = await readLines(path, { from: 19_999, to: 20_001, maxLineBytes: 200, indexes });
    expect(lines.ok && lines.lines).toEqual(["[38] INFO step 3 of core_2", "[39] INFO step 4 of core_0"]);
    expect(lines.ok && lines.compression).toBe("xz");
  });
});

describe("archives that are refused", () => {
  test("an archive cut at any byte", async () => {
    for (const whole of [CRC64, Buffer.concat([CRC32, BLOCKS])]) {
      for (let length = 6; length < whole.byteLength; length += 1) {
        // Before the second stream starts, the first is a complete file.
        const expected = length === CRC32.byteLength && whole !== CRC64 ? SAMPLE : "input_truncated";
        expect([length, (await read(whole.subarray(0, length))).slice(0, expected.length)]).toEqual([
          length,
          expected,
        ]);
      }
    }
  });

  test("an archive with any significant byte changed", async () => {
    let harmless = 0;
    for (const whole of [CRC64, CRC32]) {
      for (let offset = 6; offset < whole.byteLength; offset += 1) {
        const damaged = Buffer.from(whole);
        damaged[offset] = (damaged[offset] ?? 0) ^ 0x41;
        const result = await read(damaged);
        // xz-embedded reads the first byte of the range coder and does not use it: the text is correct.
        if (result === SAMPLE) harmless += 1;
        else expect(result).toMatch(/^input_(corrupt|truncated|unsupported_compression): /);
      }
    }
    expect(harmless).toBe(2);
  });

  test("data after the last stream", async () => {
    expect(await read(Buffer.concat([CRC64, Buffer.from("and a text behind it")]))).toStartWith(
      "input_corrupt",
    );
    expect(await read(Buffer.concat([CRC64, Buffer.alloc(3)]))).toStartWith("input_corrupt");
  });

  test.each([
    ["a SHA-256 checksum", SHA256, "uses a filter or a checksum"],
    ["another filter", FILTERED, "uses a filter or a checksum"],
    ["a dictionary of 128 MiB", LARGE, "dictionary of more than 64 MiB"],
  ])("%s is refused with a message", async (_, archive, message) => {
    const result = await read(archive);
    expect(result).toStartWith("input_unsupported_compression: ");
    expect(result).toContain(message);
    expect(result).toContain("Decompress it");
  });

  test("bombs are stopped by ratio and by total size", async () => {
    const byRatio = { maxRatio: 100, ratioFrom: 2 ** 20, maxBytes: 2 ** 40 };
    const byTotal = { maxRatio: 10_000, ratioFrom: 2 ** 20, maxBytes: 2 ** 20 };
    for (const bombLimits of [byRatio, byTotal]) {
      expect(await read(BOMB, { ...BIG, bombLimits })).toStartWith("input_bomb");
    }
    expect((await read(BOMB)).length).toBe(3 * 2 ** 20);
  });
});
