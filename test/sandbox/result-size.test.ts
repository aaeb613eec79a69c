// The estimate of what a result takes once it is parsed, compared with what parsing it takes in a process of its own.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { readOutcome } from "../../sandbox/parent/outcomes.ts";
import { estimateParsedBytes } from "../../sandbox/parent/result-size.ts";
import { DEFAULT_CALL_LIMITS } from "../../sandbox/types.ts";

const COUNT = 200_000;

/** Elements of an array, by number. */
const KINDS: Record<string, (i: number) => string> = {
  "empty lists": () => "[]",
  "lists of numbers": () => "[1,2,3,4]",
  "nested lists": () => "[[[1]]]",
  "empty objects": () => "{}",
  "objects of one member": () => '{"a":1}',
  "objects of many members": () => JSON.stringify(Object.fromEntries([..."abcdefghijkl"].map((k) => [k, 1]))),
  "objects that have nothing in common": (i) => `{"k${i}":1}`,
  "objects with a number as name": () => '{"999":1}',
  "objects with a large number as name": (i) => `{"${1_000_000 + i}":1}`,
  texts: (i) => `"text number ${i}"`,
  "repeated texts": (i) => `"level ${i % 5}"`,
  "escaped texts": (i) => `"a\\"b\\n,{}[]:${i}"`,
  "long texts": (i) => `"${i}${",[{}]:".repeat(30)}"`,
  records: (i) =>
    JSON.stringify({ level: "INFO", host: `web${i % 20}`, line: i, text: `message number ${i}` }),
};

/** Parses a text in a new process and returns by how many bytes its resident memory grew. */
async function measuredBytes(json: string): Promise<number> {
  const outcomes = JSON.stringify(join(import.meta.dirname, "../../sandbox/parent/outcomes.ts"));
  const program = `
    import { readFileSync, writeFileSync } from "node:fs";
    import { readOutcome } from ${outcomes};
    const limits = { memoryMb: 1e6, maxDepth: 32, maxRecords: 1e9, maxResultBytes: 1e9 };
    const line = "v1 " + await Bun.stdin.text();
    const kib = (field) => Number(new RegExp(field + ":\\\\s+(\\\\d+)").exec(readFileSync("/proc/self/status", "utf8"))[1]);
    Bun.gc(true);
    writeFileSync("/proc/self/clear_refs", "5");
    const before = kib("VmRSS");
    readOutcome(line, limits);
    process.stdout.write(String((kib("VmHWM") - before) * 1024));`;
  const child = Bun.spawn([process.execPath, "-e", program], {
    stdin: new Blob([json]),
    stdout: "pipe",
    stderr: "inherit",
  });
  return Number(await new Response(child.stdout).text());
}

test.skipIf(process.platform !== "linux").each(Object.entries(KINDS))(
  "%s take about what is estimated",
  async (_name, element) => {
    const count = element(0) === '{"999":1}' ? COUNT / 20 : COUNT;
    const json = `[${Array.from({ length: count }, (_, i) => element(i)).join(",")}]`;
    const estimate = estimateParsedBytes(json, 0, Number.POSITIVE_INFINITY);
    const measured = await measuredBytes(json);
    // The rest is noise of the runtime: its own pages, and garbage of parsing.
    expect(estimate).toBeGreaterThan(0.5 * measured - 8e6);
    expect(estimate).toBeLessThan(3 * measured + 8e6);
  },
  30_000,
);

test("a result that would take more than the limit once parsed is too large; one that takes less is read", () => {
  const limits = { ...DEFAULT_CALL_LIMITS, memoryMb: 16 };
  const shared = `v1 [[${Array(400_000).fill("{}").join(",")}]]`;
  expect(readOutcome(shared, limits)).toEqual({
    ok: false,
    error: { kind: "result_too_large", message: "the parsed result would take more than 16 MiB of memory" },
    ms: 1,
  });
  const text = `v1 ["${"{[,".repeat(500_000)}"]`;
  expect(readOutcome(text, limits).ok).toBe(true);
  expect(readOutcome(shared, DEFAULT_CALL_LIMITS).ok).toBe(true);
});

test("text that is not JSON ends the estimate, too", () => {
  for (const text of ['"', '"\\', "]]]]}}}}", `${"[".repeat(1e6)}`, '{"a":"', `"${"\\".repeat(1e6)}`])
    expect(estimateParsedBytes(text, 0, 1e9)).toBeGreaterThanOrEqual(0);
});
