// The reader of whole logs: accepted files, decoding, and the diagnostics of refused files.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { constants, gzipSync, zstdCompressSync } from "node:zlib";
import { sha256 } from "../../src/core/hash.ts";
import { inspectText, readText } from "../../src/logio/index.ts";

// Generous, since test machines are shared.
setDefaultTimeout(60_000);

let dir = "";
let server: Server | undefined;
const big = { maxBytes: 64 * 2 ** 20 };

function put(name: string, bytes: string | Uint8Array): string {
  const path = join(dir, name);
  writeFileSync(path, bytes);
  return path;
}

async function textOf(path: string): Promise<string> {
  const reading = await readText(path, big);
  if (!reading.ok) throw new Error(`${reading.diagnostic.code}: ${reading.diagnostic.message}`);
  return reading.input.text;
}

async function codeOf(path: string, options = big): Promise<string> {
  const reading = await readText(path, options);
  return reading.ok ? "none" : reading.diagnostic.code;
}

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "logio-"));
});
afterAll(() => {
  server?.close();
  rmSync(dir, { recursive: true, force: true });
});

describe("text that is read", () => {
  test("plain UTF-8: hash and size are those of the bytes on disk", async () => {
    const bytes = "Größe 1\nline 2\n";
    const reading = await readText(put("plain.log", bytes), big);
    if (!reading.ok) throw new Error(reading.diagnostic.message);
    expect(reading.input).toEqual({
      path: join(dir, "plain.log"),
      text: bytes,
      sha256: sha256(bytes),
      bytes: 17,
      encoding: "utf-8",
      compressed: false,
    });
  });

  test("an empty file is a text", async () => {
    expect(await textOf(put("empty.log", ""))).toBe("");
    expect(await textOf(put("empty.log.gz", gzipSync("")))).toBe("");
  });

  test("CRLF becomes LF, a lone CR stays, the byte order mark is removed", async () => {
    expect(await textOf(put("crlf.log", "\ufeffa\r\nb\rc\r\n"))).toBe("a\nb\rc\n");
  });

  test("one invalid byte makes the whole file Latin-1", async () => {
    const bytes = Buffer.concat([Buffer.from("Grö\n".repeat(30)), Buffer.from([0xe9, 0x85, 10])]);
    const reading = await readText(put("latin.log", bytes), big);
    expect(reading.ok && reading.input.encoding).toBe("latin-1");
    expect(reading.ok && reading.input.text.startsWith("GrÃ¶\n")).toBe(true);
    expect(reading.ok && reading.input.text.endsWith("é\u0085\n")).toBe(true);
  });

  test("UTF-16 with a byte order mark is read in both orders, across chunks and compressed", async () => {
    const text = `${"0123456789 äöü €\r\n".repeat(20_000)}😀 end`;
    const le = Buffer.from(`\ufeff${text}`, "utf16le");
    const be = Buffer.from(le).swap16();
    const want = text.replaceAll("\r\n", "\n");
    expect(await textOf(put("le.log", le))).toBe(want);
    expect(await textOf(put("be.log", be))).toBe(want);
    expect(await textOf(put("be.log.gz", gzipSync(be)))).toBe(want);
  });

  test("gzip is detected by its bytes, not by its name", async () => {
    expect(await textOf(put("really-gzip.log", gzipSync("inside\n")))).toBe("inside\n");
    expect(await textOf(put("really-plain.gz", "plain\n"))).toBe("plain\n");
  });

  test("gzip with many members, header fields and zero padding is read", async () => {
    const members = Array.from({ length: 300 }, (_, i) => gzipSync(`member ${i}\n`));
    const named = Buffer.from(gzipSync("named\n"));
    named[3] = 8 | 16;
    const withNames = Buffer.concat([
      named.subarray(0, 10),
      Buffer.from("name\0comment\0"),
      named.subarray(10),
    ]);
    const path = put("members.gz", Buffer.concat([withNames, ...members, Buffer.alloc(700)]));
    const text = await textOf(path);
    expect(text.split("\n").length).toBe(302);
    expect(text.endsWith("member 299\n")).toBe(true);
  });

  test("data after the gzip data is a warning, and the text is complete", async () => {
    const path = put("garbage.gz", Buffer.concat([gzipSync("all of it\n"), Buffer.from("trailing garbage")]));
    const reading = await readText(path, big);
    expect(reading.ok && reading.input.text).toBe("all of it\n");
    expect(reading.ok && reading.input.warnings?.map((w) => w.code)).toEqual(["input_trailing_garbage"]);
  });

  test("zstd is read, also with several frames and a skippable frame", async () => {
    const long = "zstd line\n".repeat(200_000);
    const skippable = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]);
    const bytes = Buffer.concat([zstdCompressSync(long), skippable, zstdCompressSync("second\n")]);
    expect(await textOf(put("two.zst", bytes))).toBe(`${long}second\n`);
  });

  test("incompressible and large texts are unchanged by gzip and zstd", async () => {
    let seed = 1;
    const text = Array.from({ length: 120_000 }, () => {
      seed = (seed * 48271) % 2147483647;
      return `${seed.toString(36)} ${seed}\n`;
    }).join("");
    expect(await textOf(put("random.gz", gzipSync(text)))).toBe(text);
    expect(await textOf(put("random.zst", zstdCompressSync(text)))).toBe(text);
  });
});

describe("files that are refused, with their diagnostic", () => {
  test("missing files, directories, permissions, link cycles and impossible names", async () => {
    expect(await codeOf(join(dir, "nowhere.log"))).toBe("input_missing");
    expect(await codeOf(join(put("file.log", "x"), "below"))).toBe("input_missing");
    expect(await codeOf(`${dir}/nul\0byte`)).toBe("input_missing");
    expect(await codeOf(join(dir, "n".repeat(5000)))).toBe("input_missing");
    expect(await codeOf(dir)).toBe("input_not_regular");
    symlinkSync(join(dir, "loop-b"), join(dir, "loop-a"));
    symlinkSync(join(dir, "loop-a"), join(dir, "loop-b"));
    expect(await codeOf(join(dir, "loop-a"))).toBe("input_link_loop");
    if (process.getuid?.() !== 0) {
      chmodSync(put("secret.log", "x"), 0);
      expect(await codeOf(join(dir, "secret.log"))).toBe("input_unreadable");
    }
  });

  test("a FIFO, a socket and a device are refused without blocking", async () => {
    expect(Bun.spawnSync(["mkfifo", join(dir, "fifo.log")]).exitCode).toBe(0);
    expect(await codeOf(join(dir, "fifo.log"))).toBe("input_not_regular");
    server = createServer();
    await new Promise<void>((resolve) => server?.listen(join(dir, "socket.log"), resolve));
    expect(await codeOf(join(dir, "socket.log"))).toBe("input_not_regular");
    expect(await codeOf("/dev/zero")).toBe("input_not_regular");
  });

  test("gzip and zstd truncated at any byte", async () => {
    const text = "some text that compresses\n".repeat(50);
    for (const whole of [gzipSync(text), zstdCompressSync(text)]) {
      for (let length = 10; length < whole.byteLength; length += 1) {
        const code = await codeOf(put("cut.bin", whole.subarray(0, length)));
        expect([length, code]).toEqual([length, "input_truncated"]);
      }
    }
  });

  test("a large truncated gzip, and one with a truncated second member", async () => {
    const large = gzipSync(Buffer.from(Array.from({ length: 400_000 }, (_, i) => `${i * 7919}`).join("\n")));
    expect(await codeOf(put("large-cut.gz", large.subarray(0, large.byteLength - 5000)))).toBe(
      "input_truncated",
    );
    const second = Buffer.concat([large, gzipSync("more\n").subarray(0, 15)]);
    expect(await codeOf(put("second-cut.gz", second))).toBe("input_truncated");
  });

  test("damaged data and wrong checksums", async () => {
    const text = Array.from({ length: 5000 }, (_, i) => `line ${i * 31}`).join("\n");
    for (const [name, whole] of [
      ["gzip", gzipSync(text)],
      ["zstd", zstdCompressSync(text, { params: { [constants.ZSTD_c_checksumFlag]: 1 } })],
    ] as const) {
      const damaged = Buffer.from(whole);
      damaged.fill(0xa5, damaged.byteLength / 2, damaged.byteLength / 2 + 40);
      expect([
        name,
        ["input_corrupt", "input_truncated"].includes(await codeOf(put("bad", damaged))),
      ]).toEqual([name, true]);
    }
    const checksum = Buffer.from(gzipSync(text));
    checksum[checksum.byteLength - 6] = (checksum[checksum.byteLength - 6] ?? 0) ^ 1;
    expect(await codeOf(put("crc.gz", checksum))).toBe("input_corrupt");
    const length = Buffer.from(gzipSync(text));
    length[length.byteLength - 2] = (length[length.byteLength - 2] ?? 0) ^ 1;
    expect(await codeOf(put("length.gz", length))).toBe("input_corrupt");
  });

  test("unsupported archives are refused with how to unpack them", async () => {
    const lz4 = Buffer.from([0x04, 0x22, 0x4d, 0x18, 0x64, 0x40]);
    const reading = await readText(put("log.lz4", lz4), big);
    expect(!reading.ok && reading.diagnostic.code).toBe("input_unsupported_compression");
    expect(!reading.ok && reading.diagnostic.message).toContain("lz4 -d");
    expect(await textOf(put("text.txt", "BZh is how it starts\n"))).toBe("BZh is how it starts\n");
  });

  test("NUL bytes are binary, reported with their line", async () => {
    const reading = await readText(put("core", Buffer.from("text\0more")), big);
    expect(!reading.ok && reading.diagnostic.code).toBe("input_binary");
    expect(!reading.ok && reading.diagnostic.message).toContain("byte 4, in line 1");
    const lines = put("lines.log", `${"line\n".repeat(100_000)}a\0b\n`);
    const inLine = { line: 100_001, message: expect.stringContaining("remove the NUL bytes") };
    for (const found of [await readText(lines, big), await inspectText(lines)]) {
      expect(found).toMatchObject({ ok: false, diagnostic: inLine });
    }
  });

  test("invalid UTF-16", async () => {
    expect(await codeOf(put("odd.log", Buffer.from([0xff, 0xfe, 0x41])))).toBe("input_corrupt");
    expect(await codeOf(put("lone.log", Buffer.from([0xff, 0xfe, 0x00, 0xd8, 0x41, 0x00])))).toBe(
      "input_corrupt",
    );
  });

  test("the limit counts decompressed bytes and is exact", async () => {
    const text = "x".repeat(1000);
    for (const bytes of [Buffer.from(text), gzipSync(text), zstdCompressSync(text)]) {
      const path = put("limit.bin", bytes);
      expect(await codeOf(path, { maxBytes: 1000 })).toBe("none");
      expect(await codeOf(path, { maxBytes: 999 })).toBe("input_too_large");
    }
  });

  test("decompression bombs are stopped by ratio and by total size", async () => {
    const bomb = put("bomb.gz", gzipSync(Buffer.alloc(3 * 2 ** 20, 0x61)));
    const byRatio = { maxRatio: 100, ratioFrom: 2 ** 20, maxBytes: 2 ** 40 };
    const byTotal = { maxRatio: 10_000, ratioFrom: 2 ** 20, maxBytes: 2 ** 20 };
    for (const bombLimits of [byRatio, byTotal]) {
      const reading = await readText(bomb, { ...big, bombLimits });
      expect(!reading.ok && reading.diagnostic.code).toBe("input_bomb");
    }
    expect((await textOf(bomb)).length).toBe(3 * 2 ** 20);
  });

  test("a file written to while it is read", async () => {
    const path = put("growing.log", "line\n".repeat(3_000_000));
    const reading = readText(path, big);
    setImmediate(() => appendFileSync(path, "one more\n"));
    const result = await reading;
    expect(!result.ok && result.diagnostic.code).toBe("input_changed");
    const gone = put("gone.log", "line\n".repeat(3_000_000));
    const second = readText(gone, big);
    setImmediate(() => rmSync(gone));
    const after = await second;
    expect(!after.ok && after.diagnostic.code).toBe("input_changed");
  });
});

test("names with newlines, blanks and invalid UTF-8 are accepted", async () => {
  mkdirSync(join(dir, "odd names"));
  expect(await textOf(put("odd names/two\nlines.log", "ok\n"))).toBe("ok\n");
});
