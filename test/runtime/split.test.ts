// A huge log read in ranges and joined in order equals the log read at once, for any text, any cuts and any order of
// reading. Logs that cannot be split, or have an unusual range, are read as a whole.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { createSandbox } from "../../sandbox/index.ts";
import type { Sandbox } from "../../sandbox/types.ts";
import { PathGuard } from "../../src/files/guard.ts";
import { WitnessSearch } from "../../src/runtime/completeness.ts";
import {
  createFileExtractor,
  joinRanges,
  LogPool,
  type Range,
  type RangeRecords,
  readRange,
  splitInputs,
} from "../../src/runtime/index.ts";
import { WITNESS_PROGRAM } from "../../src/runtime/witness.ts";
import { ATOM_A, sources, writeSet } from "./sets.ts";

const CONFIG = `description: d
input_files: ["*.log"]
requirements: {value: 1, pattern_items: ["a"]}
waivers: {value: N/A, waive_items: [], waive_reasons: []}
witnesses: ["end of run"]
`;
const LIMITS = { limits: { timeoutMs: 20_000 }, maxRecords: 1e6, parallel: 2 };

let base: string;
let sandbox: Sandbox;
let set: string;
beforeAll(async () => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "atomsmith-split-")));
  sandbox = await createSandbox({ require: "process", children: 1 }, () => {});
  set = await writeSet(join(base, "out"), "S-1", sources(CONFIG), { lineLocal: true });
});
afterAll(async () => {
  await sandbox?.close();
  rmSync(base, { recursive: true, force: true });
});

const openWitness = () => sandbox.open(WITNESS_PROGRAM);

async function splitLog(path: string, partBytes: number, rangeBytes: number, dir = set) {
  const whole: string[] = [];
  const options = { variables: new Map(), overrides: [], fromBytes: 1, partBytes, rangeBytes };
  const logs = await splitInputs(dir, { ...options, inputs: [path] }, new PathGuard(base), (log) =>
    whole.push(log),
  );
  return { ranges: logs[0] ?? [], whole };
}

async function read(range: Range, source = ATOM_A): Promise<RangeRecords | string> {
  const session = await sandbox.open({ name: "atom_a.js", source });
  const pool = new LogPool({ maxTextBytes: 2 ** 28 });
  const signal = new AbortController().signal;
  const services = { session, openWitness, pool, guard: new PathGuard(base), ...LIMITS, signal };
  const found = await readRange(range.path, range, services);
  await session.close();
  // As stored in the queue.
  return JSON.parse(JSON.stringify(found));
}

/** Reads the log on one machine, in parts of the same size. */
async function readAtOnce(path: string, partBytes: number, source = ATOM_A) {
  const session = await sandbox.open({ name: "atom_a.js", source });
  const witness = new WitnessSearch(["end of run"], openWitness);
  const options = { lineLocal: true, guard: new PathGuard(base), ...LIMITS, witness };
  const run = createFileExtractor(session, new LogPool({ maxTextBytes: 2 ** 28 }), {
    ...options,
    heldBytes: 1,
    wholeBytes: 1,
    partBytes,
  });
  const found = await run(path);
  await session.close();
  return found;
}

const line = fc.oneof(
  fc.constantFrom("", "noise", "item: a", "item: ü", "item: 漢字 x", "see: other.log", "end of run"),
  fc.constant("\ufeffitem: no mark in the middle"),
  fc.string({ unit: "grapheme-ascii", maxLength: 50 }).map((s) => `item: ${s}`),
);

describe("joined ranges equal one reading", () => {
  test("ranges join for any text, cuts, line ends and order", async () => {
    let n = 0;
    let joinedOnes = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { minLength: 60, maxLength: 200 }),
        fc.constantFrom("\n", "\r\n"),
        fc.boolean(),
        fc.boolean(),
        fc.integer({ min: 80, max: 300 }),
        fc.integer({ min: 1, max: 900 }),
        async (lines, end, lastEnd, mark, partBytes, rangeBytes) => {
          n += 1;
          const path = join(base, `p${n}.log`);
          writeFileSync(path, `${mark ? "\ufeff" : ""}${lines.join(end)}${lastEnd ? end : ""}`);
          const { ranges } = await splitLog(path, partBytes, rangeBytes);
          const whole = await readAtOnce(path, partBytes);
          if (ranges.length === 0) return;
          expect([ranges[0]?.from, ranges.at(-1)?.to]).toEqual([0, Bun.file(path).size]);
          const found = await Promise.all(ranges.toReversed().map((range) => read(range)));
          const odd = found.filter((one) => typeof one === "string");
          expect(odd).toEqual([]);
          const joined = joinRanges(path, found.toReversed() as RangeRecords[]);
          expect(JSON.stringify(joined)).toBe(JSON.stringify(whole));
          joinedOnes += 1;
        },
      ),
      { numRuns: 25 },
    );
    expect(joinedOnes).toBeGreaterThan(15);
  }, 120_000);
});

describe("what is read as a whole", () => {
  test("compressed logs, UTF-16, lines longer than a part and sets not proved line-local are not split", async () => {
    const text = "item: a\n".repeat(400);
    const long = `${"item: a\n".repeat(20)}${"x".repeat(1_000)}\n${text}`;
    const cases: [name: string, bytes: Uint8Array][] = [
      ["packed.log", gzipSync(Buffer.from(text), { level: 0 })],
      ["wide.log", Buffer.from(`\ufeff${text}`, "utf16le")],
      ["long.log", Buffer.from(long)],
    ];
    for (const [name, bytes] of cases) {
      const path = join(base, name);
      writeFileSync(path, bytes);
      expect(await splitLog(path, 256, 512)).toEqual({ ranges: [], whole: [path] });
    }
    const path = join(base, "plain.log");
    writeFileSync(path, text);
    expect((await splitLog(path, 256, 512)).ranges.length).toBeGreaterThan(3);
    for (const lineLocal of [false, null]) {
      const other = await writeSet(join(base, "out"), `S-${lineLocal}`, sources(CONFIG), { lineLocal });
      expect((await splitLog(path, 256, 512, other)).ranges).toEqual([]);
    }
    const changed = await writeSet(join(base, "out"), "S-changed", sources(CONFIG), { lineLocal: true });
    writeFileSync(join(changed, "atom_a.js"), `${ATOM_A}// changed\n`);
    expect((await splitLog(path, 256, 512, changed)).ranges).toEqual([]);
  });

  test("a log is not joined when a range has non-text bytes, Latin-1, a throwing atom or a changed file", async () => {
    const path = join(base, "odd.log");
    const ranges = async (bytes: Uint8Array | string) => {
      writeFileSync(path, bytes);
      return (await splitLog(path, 256, 512)).ranges;
    };
    const odd = async (range: Range | undefined, source = ATOM_A) =>
      typeof (await read(range as Range, source));
    const lines = "item: a\n".repeat(300);
    expect(await odd((await ranges(`${lines}\0\n${lines}`))[4])).toBe("string");
    const latin = await ranges(Buffer.concat([Buffer.from(lines), Buffer.from("item: \xe9\n", "latin1")]));
    expect([await odd(latin[0]), await odd(latin.at(-1))]).toEqual(["object", "string"]);
    const throwing = ATOM_A.replace(
      "const items = [];",
      'const items = []; if (text.includes("poison")) throw new Error("p");',
    );
    const poisoned = await ranges(`${lines}poison\n${lines}`);
    expect([await odd(poisoned[0], throwing), await odd(poisoned[4], throwing)]).toEqual([
      "object",
      "string",
    ]);
    const before = await ranges(lines);
    utimesSync(path, 1, 1);
    expect(await odd(before[0])).toBe("string");
  });

  test("lines at the border of two ranges that change the following records are detected", async () => {
    const stateful = `function extract_context(text, source_file) {
      const items = [];
      let on = false;
      text.split("\\n").forEach((line, i) => {
        if (line === "# on") on = true;
        else if (on && line.startsWith("item")) items.push({ value: line, source_file, line_number: i + 1, matched_content: line, parsed_fields: {} });
      });
      return items;
    }`;
    const path = join(base, "state.log");
    writeFileSync(path, `${"item: a\n".repeat(62)}# on\n${"item: b\n".repeat(300)}`);
    const { ranges } = await splitLog(path, 512, 1);
    expect(typeof (await read(ranges[0] as Range, stateful))).toBe("object");
    expect(typeof (await read(ranges[1] as Range, stateful))).toBe("string");
  });

  test("records of a machine with the log at another path are relocated, unless other fields contain the path", async () => {
    const end = { blank: false, witness: true, torn: false };
    const item = { value: "v", source_file: "/there/x.log", line_number: 1, matched_content: "v" };
    const one = (fields: Record<string, string>): RangeRecords => ({
      path: "/there/x.log",
      items: [{ ...item, parsed_fields: fields }],
      lineEnds: 5,
      end,
    });
    const joined = joinRanges("/here/x.log", [one({}), one({ kind: "k" })]);
    expect(joined?.items.map((found) => [found.source_file, found.line_number])).toEqual([
      ["/here/x.log", 1],
      ["/here/x.log", 6],
    ]);
    expect(joinRanges("/here/x.log", [one({ from: "see /there/x.log" })])).toBeUndefined();
  });
});
