// Logs in blocks: the joined blocks equal the text of readText for any block size.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { inspectText, readText, type TextFacts, textBlocks } from "../../src/logio/index.ts";

// Generous, since test machines are shared.
setDefaultTimeout(60_000);

let dir = "";
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "blocks-"));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

async function facts(path: string): Promise<TextFacts> {
  const result = await inspectText(path);
  if (!result.ok) throw new Error(result.diagnostic.message);
  return result.facts;
}

async function joinBlocks(path: string, blockBytes: number): Promise<{ text: string; starts: number[] }> {
  let text = "";
  const starts: number[] = [];
  for await (const block of textBlocks(await facts(path), { blockBytes })) {
    if (!block.ok) throw new Error(block.diagnostic.code);
    expect(block.startLine).toBe(text.split("\n").length);
    text += block.text;
    starts.push(block.startLine);
  }
  return { text, starts };
}

const samples: [string, Uint8Array][] = [
  ["crlf.log", Buffer.from(`\ufeff${Array.from({ length: 500 }, (_, i) => `Größe ${i} €`).join("\r\n")}`)],
  ["latin.log", Buffer.concat([Buffer.from("plain\n".repeat(400)), Buffer.from([0xfc, 10])])],
  ["utf16.log", Buffer.from(`\ufeff${"Zeile ü\r\n".repeat(300)}`, "utf16le")],
  ["packed.gz", gzipSync(Array.from({ length: 900 }, (_, i) => `row ${i}`).join("\n"))],
  ["long.log", Buffer.from(`short\n${"x".repeat(5000)}\nend`)],
  ["empty.log", Buffer.from("")],
  // Larger than the chunks that are read, so that characters are cut between them.
  ["pieces.log", Buffer.from(`x${"äöü€😀\n".repeat(150_000)}`)],
];

test("blocks of any size give the same text, and facts describe the whole file", async () => {
  for (const [name, bytes] of samples) {
    const path = join(dir, name);
    writeFileSync(path, bytes);
    const whole = await readText(path, { maxBytes: 2 ** 24 });
    if (!whole.ok) throw new Error(whole.diagnostic.message);
    const known = await facts(path);
    expect(known.encoding).toBe(whole.input.encoding);
    expect(known.lines).toBe(
      whole.input.text.split("\n").length - (/(^|\n)$/.test(whole.input.text) ? 1 : 0),
    );
    for (const size of bytes.byteLength > 2 ** 20 ? [100_000] : [16, 17, 100, 1000, 1 << 20]) {
      const { text, starts } = await joinBlocks(path, size);
      expect(text).toBe(whole.input.text);
      if (size === 100 && bytes.byteLength > 1000) expect(starts.length).toBeGreaterThan(1);
    }
  }
});

test("a file changed between the passes and a line over the limit are problems that come last", async () => {
  const path = join(dir, "changing.log");
  writeFileSync(path, "a\nb\n");
  const before = await facts(path);
  appendFileSync(path, "c\n");
  const results: string[] = [];
  for await (const block of textBlocks(before)) results.push(block.ok ? "text" : block.diagnostic.code);
  expect(results).toEqual(["input_changed"]);

  writeFileSync(path, `first\n${"y".repeat(4000)}\n`);
  const codes: string[] = [];
  for await (const block of textBlocks(await facts(path), { blockBytes: 64, maxLineBytes: 1024 })) {
    codes.push(block.ok ? block.text : block.diagnostic.code);
  }
  expect(codes).toEqual(["first\n", "input_too_large"]);
});

test("a binary or truncated file has no facts", async () => {
  const path = join(dir, "bad.log");
  writeFileSync(path, "text\0");
  expect(await inspectText(path)).toMatchObject({ ok: false, diagnostic: { code: "input_binary" } });
  writeFileSync(path, gzipSync("text\n").subarray(0, 14));
  expect(await inspectText(path)).toMatchObject({ ok: false, diagnostic: { code: "input_truncated" } });
});
