// Hostile and broken files: every call gives a clear, bounded answer.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import {
  appendFileSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { type Matcher, searchText } from "../../src/logio/index.ts";
import { createFileTools, type FileTools } from "../../src/tools/index.ts";

// Generous, since test machines are shared.
setDefaultTimeout(120_000);

let root = "";
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "hostile-"));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

function tools(): FileTools {
  const limits = {
    maxLinesPerCall: 200,
    maxTotalBytes: 102_400,
    maxFilesPerDiscovery: 20,
    maxMatchesPerKeyword: 3,
    requireDiscovery: false,
    headerLines: 100,
    contextLines: 10,
  };
  return createFileTools({ searchRoot: root, limits, hidden: [], emit: () => undefined, scope: "item" });
}

function put(name: string, bytes: string | Uint8Array): string {
  writeFileSync(join(root, name), bytes);
  return name;
}

const BIG = `${"some line of a log\n".repeat(2_000_000)}needle\n`;

describe("files that change while they are read", () => {
  const changes: [string, (path: string) => void, string][] = [
    ["shrinks", (path) => truncateSync(path, 1000), "shrank"],
    ["grows", (path) => appendFileSync(path, "one more\n"), "grew"],
    ["disappears", (path) => rmSync(path), "deleted"],
  ];
  for (const [name, change, said] of changes) {
    test(`a file that ${name}`, async () => {
      const path = join(root, put(`${name}.log`, BIG));
      let scans = 0;
      // The change happens exactly between two chunks of the file.
      const matcher: Matcher = {
        count: 1,
        overlap: 0,
        scan: (_window, _from, to) => {
          scans += 1;
          if (scans === 2) change(path);
          return to;
        },
      };
      const result = await searchText(path, matcher, { maxMatches: 1, contextLines: 0, maxLineBytes: 100 });
      if (!result.ok) throw new Error(result.diagnostic.message);
      expect(result.complete).toBe(false);
      expect(result.problem).toMatchObject({ code: "input_changed", message: expect.stringContaining(said) });
    });
  }

  test("a cached result is not used after a change", async () => {
    const file = put("again.log", `${"line\n".repeat(500_000)}last\n`);
    const box = tools();
    expect(
      (await box.call("read_file_range", { file_path: file, start_line: 500_001, end_line: 500_001 })).data[
        "content"
      ],
    ).toBe("last");
    put("again.log", `${"longer line\n".repeat(500_000)}end\n`);
    expect(
      (await box.call("read_file_range", { file_path: file, start_line: 500_001, end_line: 500_002 })).data[
        "content"
      ],
    ).toBe("end");
  });
});

test("a single line of 2 GB is answered with bounded size and memory", async () => {
  let state = 1;
  const noise = Array.from({ length: 2500 }, () => {
    state = (state * 48271) % 2147483647;
    return state.toString(36);
  }).join(" ");
  const block = noise.repeat(Math.ceil((16 * 2 ** 20) / noise.length)).slice(0, 16 * 2 ** 20);
  const member = gzipSync(block);
  const fd = openSync(join(root, "line.log.gz"), "w");
  for (let i = 0; i < 128; i += 1) writeSync(fd, member);
  writeSync(fd, gzipSync("\nsecond line\n"));
  closeSync(fd);
  const script = `
    const { createFileTools } = await import(${JSON.stringify(join(import.meta.dir, "../../src/tools/index.ts"))});
    const limits = { maxLinesPerCall: 200, maxTotalBytes: 102400, maxFilesPerDiscovery: 20, maxMatchesPerKeyword: 3, requireDiscovery: false, headerLines: 100, contextLines: 10 };
    const box = createFileTools({ searchRoot: ${JSON.stringify(root)}, limits, hidden: [], emit: () => {}, scope: "item" });
    const out = [];
    out.push((await box.call("read_file_header", { file_path: "line.log.gz" })).data);
    out.push((await box.call("search_in_file", { file_path: "line.log.gz", keywords: ["not there", "SECOND"] })).data);
    out.push((await box.call("read_file_range", { file_path: "line.log.gz", start_line: 2, end_line: 9 })).data);
    const status = await Bun.file("/proc/self/status").text().catch(() => "");
    console.log(JSON.stringify({ out, peak: Number(/VmHWM:\\s*(\\d+)/.exec(status)?.[1] ?? 0) * 1024 }));
  `;
  const done = Bun.spawnSync([process.execPath, "-e", script]);
  const { out, peak } = JSON.parse(done.stdout.toString()) as {
    out: Record<string, unknown>[];
    peak: number;
  };
  const [header, search, range] = out;
  expect(String(header?.["content"])).toMatch(/…\[cut, \d+ bytes in all\]$/);
  expect(header).toMatchObject({ lines_read: 1, more_follows: true });
  expect(search).toMatchObject({
    total_matches: 1,
    not_found: ["not there"],
    complete: true,
    total_lines: 2,
  });
  expect(search?.["matches"]).toMatchObject([{ keyword: "SECOND", line_number: 2 }]);
  expect(range).toMatchObject({ content: "second line", end_line: 2, total_lines: 2 });
  expect(JSON.stringify(out).length).toBeLessThan(20_000);
  // A tool may use 100 MB for any file size (measured on Linux).
  expect(peak).toBeLessThan(100 * 2 ** 20);
});

test("truncated, corrupt and exploding archives are refused", async () => {
  const whole = gzipSync(BIG);
  const cut = put("cut.gz", whole.subarray(0, whole.byteLength - 100));
  const early = await tools().call("search_in_file", { file_path: cut, keywords: ["some line", "needle"] });
  expect(early.data).toMatchObject({ complete: false, total_matches: 3 });
  expect(String(early.data["notes"])).toContain("truncated");
  const damaged = Buffer.from(whole);
  damaged.fill(0x55, 12, 400);
  const bad = await tools().call("read_file_header", { file_path: put("bad.gz", damaged) });
  expect(bad).toMatchObject({ ok: false, data: { error: "input_corrupt" } });
  const bomb = put("bomb.gz", gzipSync(Buffer.alloc(90 * 2 ** 20, 0x61)));
  const stopped = await tools().call("search_in_file", { file_path: bomb, keywords: ["zz"] });
  expect(stopped).toMatchObject({ ok: false, data: { error: "input_bomb" } });
  expect((await tools().call("read_file_header", { file_path: bomb })).ok).toBe(true);
  const lz4 = put("log.lz4", Buffer.from("04224d186440a700000000", "hex"));
  expect((await tools().call("read_file_header", { file_path: lz4 })).data["error"]).toBe(
    "input_unsupported_compression",
  );
});

test("names that are not UTF-8 are counted and left out", async () => {
  mkdirSync(join(root, "names"));
  writeFileSync(
    Buffer.concat([Buffer.from(join(root, "names/bad-")), Buffer.from([0xff, 0xfe]), Buffer.from(".log")]),
    "x",
  );
  writeFileSync(join(root, "names/good-ü.log"), "x");
  const { data } = await tools().call("list_available_files", { patterns: ["names/*.log"] });
  expect(data).toMatchObject({ files: [{ path: "names/good-ü.log" }], total_found: 1 });
  expect(String(data["notes"])).toContain("1 folders or names could not be read");
});

test("a pattern that matches very many files keeps only what it returns", async () => {
  const many = join(root, "many");
  for (let folder = 0; folder < 30; folder += 1) {
    mkdirSync(join(many, `f${folder}`), { recursive: true });
    for (let i = 0; i < 200; i += 1) writeFileSync(join(many, `f${folder}/${i}.txt`), "");
  }
  const { data } = await tools().call("list_available_files", { patterns: ["**/*.txt"], max_files: 3 });
  expect(data).toMatchObject({
    files: [{ path: "many/f0/0.txt" }, { path: "many/f0/1.txt" }, { path: "many/f0/10.txt" }],
    total_found: 6000,
    truncated: true,
  });
});
