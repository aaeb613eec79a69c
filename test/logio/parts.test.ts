// Logs read once in parts: the joined parts equal the text of readText for any part size, and problems of a file come
// last.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { inspectText, openParts, readText, type TextFacts } from "../../src/logio/index.ts";

setDefaultTimeout(60_000);

let dir = "";
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "parts-"));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

interface Read {
  text: string;
  /** Parts that arrived as bytes. */
  asBytes: boolean[];
  code: string | undefined;
  inspections: number;
  facts: TextFacts | undefined;
  fileBytes: number;
}

async function read(path: string, partBytes: number, maxLineBytes = 2 ** 20): Promise<Read> {
  const out: Read = {
    text: "",
    asBytes: [],
    code: undefined,
    inspections: 0,
    facts: undefined,
    fileBytes: 0,
  };
  const opened = openParts(path, {
    partBytes,
    maxLineBytes,
    inspect: () => {
      out.inspections += 1;
      return inspectText(path);
    },
    onFacts: (facts) => {
      out.facts = facts;
    },
  });
  if (!opened.ok) throw new Error(opened.diagnostic.code);
  const waiting: (() => void)[] = [];
  for await (const part of opened.log.parts) {
    if (!part.ok) {
      out.code = part.diagnostic.code;
      continue;
    }
    expect(part.startLine).toBe(out.text.split("\n").length);
    const before = typeof part.text === "string" ? part.text : Buffer.from(part.text).toString("latin1");
    out.text += before;
    out.asBytes.push(typeof part.text !== "string");
    out.fileBytes += part.fileBytes;
    // Returned two parts later: until then a part must not change.
    waiting.push(() => {
      if (typeof part.text !== "string") expect(Buffer.from(part.text).toString("latin1")).toBe(before);
      part.release();
    });
    if (waiting.length > 2) waiting.shift()?.();
  }
  for (const release of waiting) release();
  return out;
}

const many = Array.from({ length: 600 }, (_, i) => `row ${i}`).join("\n");
const samples: [name: string, bytes: Uint8Array, bytesFirst: boolean][] = [
  ["plain.log", Buffer.from(`${many}\n`), true],
  ["noend.log", Buffer.from(many), true],
  ["late.log", Buffer.from(`${many}\nGröße €\n${many}`), true],
  ["latin.log", Buffer.concat([Buffer.from(`${many}\n`), Buffer.from([0xfc, 10])]), true],
  ["crlf.log", Buffer.from(`\ufeff${many.replaceAll("\n", "\r\n")}`), false],
  ["utf16.log", Buffer.from(`\ufeff${many}\n`, "utf16le"), true],
  ["packed.gz", gzipSync(many), true],
  ["long.log", Buffer.from(`short\n${"x".repeat(5000)}\nend\n${"y".repeat(50)}`), true],
  ["empty.log", Buffer.from(""), false],
];

test.each(samples)("%s: parts of any size give the same text", async (name, bytes, bytesFirst) => {
  const path = join(dir, name);
  writeFileSync(path, bytes);
  const whole = await readText(path, { maxBytes: 2 ** 24 });
  if (!whole.ok) throw new Error(whole.diagnostic.message);
  const known = await inspectText(path);
  for (const size of [16, 17, 100, 1000, 1 << 20]) {
    const result = await read(path, size);
    expect(result.text).toBe(whole.input.text);
    expect(result.code).toBeUndefined();
    expect(result.fileBytes).toBe(bytes.byteLength);
    // The extra pass over the file is needed exactly where a byte is not ASCII.
    const ascii = /^[\x00-\x7f]*$/.test(whole.input.text) || name === "utf16.log";
    expect(result.inspections).toBe(ascii ? 0 : 1);
    if (ascii && known.ok) expect(result.facts).toEqual(known.facts);
    if (name === "latin.log") expect(result.asBytes).not.toContain(false);
    if (size === 100) expect(result.asBytes[0] ?? false).toBe(bytesFirst);
  }
});

test("a NUL byte, a truncated archive, a line over the limit and a missing file are problems", async () => {
  const path = join(dir, "bad.log");
  writeFileSync(path, `${many}\nx\0y\n`);
  expect(await read(path, 100)).toMatchObject({ code: "input_binary" });
  writeFileSync(path, gzipSync(many).subarray(0, 300));
  expect(await read(path, 100)).toMatchObject({ code: "input_truncated" });
  writeFileSync(path, `first\n${"y".repeat(4000)}\n`);
  expect(await read(path, 64, 1024)).toMatchObject({ text: "first\n", code: "input_too_large" });
  await expect(read(join(dir, "none.log"), 64)).rejects.toThrow("input_missing");
});
