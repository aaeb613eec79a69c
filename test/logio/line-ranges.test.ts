// Reading lines by number: index, limits, damaged files.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { LineIndexes, readLines } from "../../src/logio/index.ts";
import { resumeAt } from "../../src/logio/resume.ts";
import { logText, randomNumbers, searchFolder } from "./search-files.ts";

// Generous, since test machines are shared.
setDefaultTimeout(60_000);

const { dir, put } = searchFolder();

describe("lines by number", () => {
  const text = logText(10_000_000, 3);
  const lines = text.split("\n").slice(0, -1);

  test("any range of any compression is read, before and after the index exists", async () => {
    for (const path of [
      put("l.log", `\ufeff${text}`),
      put("l.gz", gzipSync(text)),
      put("l.zst", zstdCompressSync(text)),
    ]) {
      const indexes = new LineIndexes();
      const next = randomNumbers(5);
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

  test("the index limits later reads to a part of the file", async () => {
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

  test("a decoder can start at a block that begins at any bit", () => {
    for (let bits = 0; bits < 8; bits += 1) {
      // The lead-in gives no output and no error: decoding starts exactly at the wanted bit.
      const decoder = resumeAt({ rawOffset: 0, bits, before: 0, window: Buffer.from("x".repeat(100)) });
      expect([bits, decoder === undefined]).toEqual([bits, false]);
      // Only zero bits before: a stored block. 3 header bits, padding to a byte, length 2, its complement, "hi".
      const padding = bits >= 3 ? [] : [0];
      const input = new Uint8Array([...padding, 2, 0, 0xfd, 0xff, 0x68, 0x69]);
      const output = new Uint8Array(2);
      decoder?.step(input, output);
      expect(Buffer.from(output).toString()).toBe("hi");
      decoder?.close();
    }
  });

  test("a gzip file with many members is indexed too", async () => {
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

  test("a changed file gets a new index", async () => {
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

  test("long lines are cut between characters, with a mark that states their length", async () => {
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

  test("the limit on skipped bytes applies and is reported", async () => {
    const read = await readLines(join(dir, "l.log"), {
      from: 100_000,
      to: 100_001,
      maxLineBytes: 100,
      maxScanBytes: 100_000,
    });
    expect(read).toMatchObject({ ok: true, lines: [], stopped: true, more: true });
  });

  test("a truncated file gives its readable part, then its problem", async () => {
    const whole = gzipSync(text);
    const path = put("cut.gz", whole.subarray(0, whole.byteLength / 2));
    const early = await readLines(path, { from: 1, to: 2, maxLineBytes: 500 });
    expect(early).toMatchObject({ ok: true, lines: lines.slice(0, 2) });
    const late = await readLines(path, { from: lines.length, to: lines.length, maxLineBytes: 500 });
    expect(late).toMatchObject({ ok: false, diagnostic: { code: "input_truncated" } });
  });
});
