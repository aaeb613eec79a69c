// Large logs in parts: the same result as one pass, for any part size and any number of children. Atoms that are not
// line-local are never run on parts.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { createSandbox } from "../../sandbox/index.ts";
import type { Sandbox } from "../../sandbox/types.ts";
import { PathGuard } from "../../src/files/guard.ts";
import { createFileExtractor, LogPool } from "../../src/runtime/index.ts";
import { ATOM_A } from "./sets.ts";

let base: string;
let guard: PathGuard;
const sandboxes = new Map<number, Sandbox>();
beforeAll(async () => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "atomsmith-large-")));
  guard = new PathGuard(base);
  for (const children of [1, 3]) {
    sandboxes.set(children, await createSandbox({ require: "process", children }, () => {}));
  }
});
afterAll(async () => {
  for (const sandbox of sandboxes.values()) await sandbox.close();
  rmSync(base, { recursive: true, force: true });
});

async function extract(
  path: string,
  how: {
    children?: number;
    lineLocal?: boolean;
    wholeBytes?: number;
    heldBytes?: number;
    partBytes?: number;
    source?: string;
    max?: number;
  },
) {
  const sandbox = sandboxes.get(how.children ?? 1);
  if (sandbox === undefined) throw new Error("no such sandbox");
  const session = await sandbox.open({ name: "atom_a.js", source: how.source ?? ATOM_A });
  const progress: number[] = [];
  const run = createFileExtractor(session, new LogPool({ maxTextBytes: how.max ?? 2 ** 28 }), {
    lineLocal: how.lineLocal ?? true,
    parallel: (how.children ?? 1) + 1,
    limits: { timeoutMs: 20_000 },
    maxRecords: 1e6,
    guard,
    wholeBytes: how.wholeBytes ?? 64,
    heldBytes: how.heldBytes ?? 64,
    partBytes: how.partBytes ?? 256,
    onProgress: (done) => progress.push(done),
  });
  const result = await run(path);
  await session.close();
  return { ...result, codes: result.diagnostics.map((d) => d.code), progress: progress };
}

const line = fc.oneof(
  fc.constantFrom("", "noise", "item: a", "item: ü", "item: 漢字 x", "see: other.log", "  item: no"),
  fc.string({ unit: "grapheme-ascii", maxLength: 60 }).map((s) => `item: ${s}`),
);

describe("parts give the same result as one pass", () => {
  test("results are equal for any text, part size, line end and compression", async () => {
    let n = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { minLength: 5, maxLength: 120 }),
        fc.constantFrom("\n", "\r\n"),
        fc.boolean(),
        fc.boolean(),
        fc.integer({ min: 64, max: 700 }),
        async (lines, end, lastEnd, packed, partBytes) => {
          n += 1;
          const path = join(base, `p${n}.log`);
          const bytes = Buffer.from(lines.join(end) + (lastEnd ? end : ""));
          writeFileSync(path, packed ? gzipSync(bytes) : bytes);
          const whole = await extract(path, { wholeBytes: 2 ** 20, heldBytes: 2 ** 20 });
          const parts = await extract(path, { partBytes });
          const many = await extract(path, { partBytes, children: 3 });
          const held = await extract(path, { partBytes, heldBytes: 2 ** 20 });
          expect(held.items).toEqual(whole.items);
          expect(parts.items).toEqual(whole.items);
          expect(many.items).toEqual(whole.items);
          expect([parts.read, parts.codes]).toEqual([true, []]);
        },
      ),
      { numRuns: 15 },
    );
  }, 60_000);
  test("Latin-1 detected late applies to the whole file", async () => {
    const path = join(base, "latin.log");
    writeFileSync(
      path,
      Buffer.concat([Buffer.from("item: é\n".repeat(200)), Buffer.from("item: \xe9\n", "latin1")]),
    );
    const whole = await extract(path, { wholeBytes: 2 ** 20, heldBytes: 2 ** 20 });
    const parts = await extract(path, {});
    expect(parts.items).toEqual(whole.items);
    expect(whole.items[0]?.value).toBe("Ã©");
  });
  test("progress increases up to the whole size", async () => {
    const path = join(base, "progress.log");
    writeFileSync(path, "item: a\n".repeat(500));
    const { progress } = await extract(path, { children: 3 });
    expect(progress.length).toBeGreaterThan(5);
    expect(progress.at(-1)).toBe(4000);
    expect(progress.toSorted((a, b) => a - b)).toEqual(progress);
  });
});

describe("what must not be read in parts", () => {
  const STATEFUL = `function extract_context(text, source_file) {
    const items = [];
    let section = "none";
    text.split("\\n").forEach((line, i) => {
      if (line.startsWith("#")) section = line;
      else if (line.startsWith("item")) items.push({ value: section, source_file, line_number: i + 1, matched_content: line, parsed_fields: {} });
    });
    return items;
  }`;
  test("an atom that reads earlier lines is detected, although its manifest says line_local", async () => {
    const path = join(base, "state.log");
    writeFileSync(path, `# one\n${"item: a\nx\n# two\nitem: b\n".repeat(200)}`);
    const { codes } = await extract(path, { source: STATEFUL });
    expect(codes).toContain("not_line_local");
  });
  test("an atom that throws on one part is an error", async () => {
    const path = join(base, "throw.log");
    writeFileSync(path, `${"item: a\n".repeat(100)}poison\n${"item: a\n".repeat(100)}`);
    const source = ATOM_A.replace(
      "const items = [];",
      'const items = []; if (text.includes("poison")) throw new Error("p");',
    );
    expect((await extract(path, { source })).codes).toContain("atom_threw");
  });
  test("lines longer than a part are read, lines over the limit are an error", async () => {
    const path = join(base, "longline.log");
    writeFileSync(path, `item: a\nitem: ${"x".repeat(5000)}\nitem: b\n`);
    const whole = await extract(path, { wholeBytes: 2 ** 20, heldBytes: 2 ** 20 });
    expect((await extract(path, {})).items).toEqual(whole.items);
    writeFileSync(path, `item: a\n${"x".repeat(66 * 2 ** 20)}\nitem: b\n`);
    const long = await extract(path, { partBytes: 2 ** 20 });
    expect(long).toMatchObject({ read: false, items: [], codes: ["input_too_large"] });
  });
  test("no record counts from a file with a damaged end", async () => {
    const path = join(base, "cut.log");
    const packed = gzipSync(
      Buffer.from(Array.from({ length: 20_000 }, (_, i) => `item: ${i * 7919}\n`).join("")),
    );
    writeFileSync(path, packed.subarray(0, packed.length - 20));
    const cut = await extract(path, { partBytes: 4096 });
    expect(cut).toMatchObject({ read: false, items: [], codes: ["input_truncated"] });
  });
  test("an atom that is not line-local gets the whole text, up to the limit", async () => {
    const path = join(base, "limit.log");
    writeFileSync(path, `# one\n${"item: a\n".repeat(100)}`);
    const whole = await extract(path, { lineLocal: false, source: STATEFUL });
    expect(whole.items.every((i) => i.value === "# one")).toBe(true);
    expect(whole.items).toHaveLength(100);
    const over = await extract(path, { lineLocal: false, source: STATEFUL, max: 500 });
    expect(over).toMatchObject({ read: false, items: [], codes: ["input_too_large"] });
  });
});
