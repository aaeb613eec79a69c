// Unusual logs: empty, binary, huge, with other line ends, markers and letters.
import { describe, expect, test } from "bun:test";
import type { ParsedItem } from "../../../src/contract/atoms.ts";
import type { WorkedExample } from "../../../src/spec/example.ts";
import { drafted, ex, type LogFiles, one, parse, runAtom } from "../../support/offline.ts";

const LINES = ["unit alpha took 12 ms", "idle", "unit beta took 7 ms", "unit gamma took 345 ms"];
const EXAMPLES = [
  one("unit alpha took 12 ms", "alpha", { ms: "12" }),
  one("unit beta took 7 ms", "beta", { ms: "7" }),
];

async function sourceFor(files: LogFiles, examples: readonly WorkedExample[] = EXAMPLES): Promise<string> {
  return drafted(await parse(files, examples)).atom_a;
}

const values = (items: readonly ParsedItem[]): string[] => items.map(({ value }) => value);

describe("other logs beside the one with the examples", () => {
  const good = LINES.join("\n");
  const own = sourceFor({ "a.log": good });

  test.each([
    ["empty", ""],
    ["of blank lines", "\n\n   \n\t\n"],
    ["binary", new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 0, 0, 255])],
    ["no gzip although its first bytes say so", new Uint8Array([0x1f, 0x8b, 8, 0, 1, 2, 3])],
    ["one line of a megabyte", "x y = 1, ".repeat(120_000)],
    ["one word of a megabyte", "x".repeat(1_000_000)],
  ])("%s does not change the program", async (_, content) => {
    const draft = drafted(await parse({ "a.log": good, "z.log": content }, EXAMPLES));
    const rules = (source: string): string => source.slice(source.indexOf("const RULES"));
    expect(rules(draft.atom_a)).toBe(rules(await own));
  });

  test("an unreadable log is reported", async () => {
    const draft = drafted(await parse({ "a.log": good, "z.log": new Uint8Array([0, 0]) }, EXAMPLES));
    expect(draft.reasoning).toContain("z.log cannot be read");
  });
});

describe("the only log", () => {
  test.each([
    ["empty", ""],
    ["binary", new Uint8Array([0, 1, 2])],
    ["one word of a megabyte", "x".repeat(1_000_000)],
  ])("%s without examples leads to a question", async (_, content) => {
    const outcome = await parse({ "a.log": content }, []);
    expect(outcome.kind).toBe("gave_up");
    expect(JSON.stringify(outcome).length).toBeLessThan(1_100_000);
  });
});

describe("the same log in another encoding gives the same records", () => {
  test.each([
    ["CRLF", LINES.join("\r\n")],
    ["byte order mark", `\ufeff${LINES.join("\n")}`],
    ["a last line end", `${LINES.join("\n")}\n`],
    ["blanks at line ends", LINES.join("  \t\n")],
  ])("%s", async (_, content) => {
    const source = await sourceFor({ "a.log": content });
    expect(values(runAtom(source, LINES.join("\n"), "a.log"))).toEqual(["alpha", "beta", "gamma"]);
    const crlf = runAtom(source, LINES.join("\r\n"), "a.log");
    expect(crlf.map(({ matched_content }) => matched_content)).toEqual(
      LINES.filter((line) => line !== "idle"),
    );
  });
});

describe("texts", () => {
  test("tabs between cells are read, also around a blank cell", async () => {
    const log = ["name\tsize\towner", "a.o\t12\tmia", "b.o\t\tjo", "c.o\t99\tlee", "total\t3"].join("\n");
    const source = await sourceFor({ "a.log": log }, [
      one("a.o\t12\tmia", "a.o", { size: "12", owner: "mia" }),
      one("c.o\t99\tlee", "c.o", { size: "99", owner: "lee" }),
    ]);
    expect(runAtom(source, log, "a.log").map(({ value, parsed_fields }) => [value, parsed_fields])).toEqual([
      ["a.o", { size: "12", owner: "mia" }],
      ["b.o", { owner: "jo" }],
      ["c.o", { size: "99", owner: "lee" }],
    ]);
  });

  test("letters of any script are read, also beyond the basic plane", async () => {
    const log = [
      "模块 核心 警告 三 次 7",
      "其他",
      "模块 总线😀 警告 三 次 12",
      "模块 é́à 警告 三 次 990",
    ].join("\n");
    const source = await sourceFor({ "a.log": log }, [
      one("模块 核心 警告 三 次 7", "核心", { 次: "7" }),
      one("模块 总线😀 警告 三 次 12", "总线😀", { 次: "12" }),
    ]);
    expect(runAtom(source, log, "a.log").map(({ value, parsed_fields }) => [value, parsed_fields])).toEqual([
      ["核心", { 次: "7" }],
      ["总线😀", { 次: "12" }],
      ["é́à", { 次: "990" }],
    ]);
  });

  test("special characters of regular expressions, templates and comments are literal", async () => {
    const log = [
      "[a] ${x} (b|c)* `q` \\d+ */ => v1",
      "[a] ${x} (b|c)* `q` \\d+ */ => v22",
      "[a] x => v3",
    ].join("\n");
    const [first = "", second = ""] = log.split("\n");
    const source = await sourceFor({ "a.log": log }, [one(first, "v1"), one(second, "v22")]);
    expect(values(runAtom(source, log, "a.log"))).toEqual(["v1", "v22"]);
  });

  test.each(["constructor", "toString", "a b", "0", "$value"])("a field can be named %s", async (name) => {
    const log = LINES.join("\n");
    const source = await sourceFor({ "a.log": log }, [
      one("unit alpha took 12 ms", "alpha", { [name]: "12" }),
      one("unit beta took 7 ms", "beta", { [name]: "7" }),
    ]);
    const items = runAtom(source, log, "a.log");
    expect(values(items)).toEqual(["alpha", "beta", "gamma"]);
    expect(items.map(({ parsed_fields }) => Object.entries(parsed_fields))).toEqual([
      [[name, "12"]],
      [[name, "7"]],
      [[name, "345"]],
    ]);
  });
});

test("a field name that an object cannot have as its own text property is refused", async () => {
  const outcome = await parse({ "a.log": LINES.join("\n") }, [
    one("unit alpha took 12 ms", "alpha", { ["__proto__"]: "12" }),
  ]);
  expect(outcome.kind).toBe("gave_up");
});

describe("large logs", () => {
  const rows = Array.from({ length: 100_000 }, (_, k) =>
    k % 4 === 0 ? `unit u${k} took ${k % 977} ms` : `step ${k} of run ${k % 13} is idle`,
  );
  const large = ["unit alpha took 12 ms", ...rows, "unit beta took 7 ms"].join("\n");

  test("a log of 100,000 lines is read in time", async () => {
    const source = await sourceFor({ "a.log": large });
    expect(runAtom(source, large, "a.log")).toHaveLength(25_002);
  }, 20_000);

  test("100,000 lines without an example are grouped into kinds of lines", async () => {
    const outcome = await parse({ "a.log": large }, []);
    if (outcome.kind !== "gave_up") throw new Error("no question");
    expect(outcome.lines?.map(({ count }) => count)).toEqual([75_000, 25_002]);
  }, 20_000);

  test("many records whose lines are far apart are read in time", async () => {
    const block = (k: number): string =>
      [`begin b${k}`, ...Array.from({ length: 20 }, (_, n) => `  note ${n}`), `  cost ${k * 7}`].join("\n");
    const log = Array.from({ length: 1500 }, (_, k) => block(k)).join("\n");
    const source = await sourceFor({ "a.log": log }, [
      ex(`${block(1)}\n---\nvalue: b1\ncost: 7`),
      ex(`${block(2)}\n---\nvalue: b2\ncost: 14`),
    ]);
    const items = runAtom(source, log, "a.log");
    expect(items).toHaveLength(1500);
    expect(items.at(-1)).toMatchObject({ value: "b1499", parsed_fields: { cost: "10493" } });
  }, 20_000);
});
